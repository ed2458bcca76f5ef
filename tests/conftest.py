"""Shared by all tests."""

import pytest

pytest.register_assert_rewrite("tests.helpers.tables", "tests.helpers.invariants", "tests.helpers.processes")
