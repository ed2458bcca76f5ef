"""Registries: things of this process and of entry points, by name."""

from importlib.metadata import EntryPoint, EntryPoints

import pytest

from fujikoro_env.kernel import registry
from fujikoro_env.kernel.registry import Registry


class NoToolError(ValueError):
    pass


@pytest.fixture
def tools(monkeypatch):
    """A registry with an entry point that loads, and one that does not."""
    offered = {"join": "posixpath:join", "broken": "posixpath:no_such_function"}
    points = EntryPoints(EntryPoint(name, path, "tests.tools") for name, path in offered.items())
    monkeypatch.setattr(registry, "entry_points", lambda **wanted: points.select(**wanted))
    return Registry("tests.tools", NoToolError, reserved="none")


def test_what_is_registered_comes_before_an_entry_point(tools):
    assert tools.find("join", "tool 'join'")("a", "b") == "a/b"
    assert tools.register("join")(max) is max
    assert tools.find("join", "tool 'join'") is max
    assert tools.find("saw", "tool 'saw'") is None
    assert tools.names() == ["broken", "join"]


def test_an_entry_point_that_does_not_load_gets_one_line(tools):
    with pytest.raises(NoToolError, match=r"^tool 'broken' can't be loaded: [^\n]*no_such_function[^\n]*$"):
        tools.find("broken", "tool 'broken'")


@pytest.mark.parametrize("name", ["", "a:b", "none"])
def test_some_names_can_not_be_registered(tools, name):
    with pytest.raises(NoToolError, match="allowed is any name without a colon except 'none'"):
        tools.register(name)
