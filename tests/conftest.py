"""Shared by all tests."""

import pytest

from tests.helpers.hostile import HOSTILE_INPUTS

pytest.register_assert_rewrite("tests.helpers.tables", "tests.helpers.invariants", "tests.helpers.processes")


@pytest.hookimpl(tryfirst=True)  # before marks are selected
def pytest_collection_modifyitems(items):
    """Mark the tests that count their inputs, so that `make fuzz` runs all of them."""
    for item in items:
        if "record_property" in item.fixturenames:
            item.add_marker(pytest.mark.hostile)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Print in the last line how many hostile inputs the tests tried: each test counts its own."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter and (line := hostile_line(reporter.getreports("passed"))):
        reporter.write_line(line)


def hostile_line(passed):
    """Number of hostile inputs in these reports, as a line; empty if there are none."""
    reports = [report for report in passed if report.when == "call"]
    counts = [value for report in reports for name, value in report.user_properties if name == HOSTILE_INPUTS]
    return f"hostile inputs: {sum(counts):,} withstood in {len(counts)} tests" if counts else ""
