"""Bridges whose library is not installed give a clear error. Unlike the other tests here, this runs in `make test`."""

import importlib
import sys

import pytest


def test_a_missing_rllib_is_told_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray.rllib.env.multi_agent_env", None)
    monkeypatch.delitem(sys.modules, "fujikoro_env.envs.rllib", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"needs RLlib .*: pip install 'fujikoro_env\[rllib\]'") as caught:
        importlib.import_module("fujikoro_env.envs.rllib")
    assert "\n" not in str(caught.value)
