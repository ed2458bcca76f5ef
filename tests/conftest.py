"""Shared by all tests."""

import pytest

pytest.register_assert_rewrite("tests.helpers", "tests.invariants", "tests.processes")
