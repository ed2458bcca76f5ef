"""The last line of a run of tests is the number of hostile inputs that they tried."""

from types import SimpleNamespace

from tests.conftest import hostile_line
from tests.helpers.hostile import HOSTILE_INPUTS
from tests.helpers.processes import ROOT


def report(when: str, *properties: tuple[str, int]) -> SimpleNamespace:
    return SimpleNamespace(when=when, user_properties=list(properties))


def test_inputs_are_added_up_once_per_test():
    found = [report(when, (HOSTILE_INPUTS, count)) for when, count in (("call", 20_000), ("call", 7), ("teardown", 7))]
    assert hostile_line([*found, report("call"), report("call", ("other", 5))]) == (
        "hostile inputs: 20,007 withstood in 2 tests"
    )
    assert hostile_line([report("call")]) == ""


def test_make_fuzz_ends_with_the_tests_that_count():
    recipe = (ROOT / "Makefile").read_text().partition("\nfuzz:")[2].partition("\n\n")[0]
    assert recipe.splitlines()[-1].endswith('pytest -q -n 2 -m "(long or hostile) and not web and not cluster"')
