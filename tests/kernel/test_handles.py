"""Bundles behind handles: code that does not know a game calls the functions of any game by address."""

from typing import Any, NamedTuple

import numpy as np

from fujikoro_env.kernel.handles import caller, entry_address, held, hold, new_handle
from fujikoro_env.kernel.jit import Address, Floats, IntArray, IntTable, entry
from tests.helpers.processes import run


class Inner(NamedTuple):
    numbers: IntArray
    factor: int


class Bundle(NamedTuple):
    table: IntTable
    inner: Inner
    weights: Floats
    scale: float


bundle_of = held(Bundle)


@entry
def hold_bundle(bundle: Bundle, handle: IntArray) -> None:
    hold(bundle, handle)


@entry
def add_up(handle: IntArray, first: int) -> int:
    """Sum of the numbers from the first one on, and of a row of the table, times the factor."""
    bundle, total = bundle_of(handle), 0
    for k in range(first, len(bundle.inner.numbers)):
        total += bundle.inner.numbers[k]
    for k in range(bundle.table.shape[1]):
        total += bundle.table[first, k]
    return total * bundle.inner.factor


@entry
def count_down(handle: IntArray, first: int) -> int:
    """Another function with the same parameters; it writes to the bundle."""
    bundle = bundle_of(handle)
    bundle.inner.numbers[first] -= 1
    return int(bundle.scale * bundle.weights[first])


def any_of_them(handle: IntArray, first: int) -> int:
    """Prototype of both."""
    return 0


call = caller(any_of_them)


@entry
def call_often(address: Address, handle: IntArray, times: int) -> int:
    result = 0
    for _ in range(times):
        result = call(address, handle, 1)
    return result


def bundle() -> Any:
    table: Any = np.arange(6, dtype=np.int64).reshape(2, 3)
    numbers: Any = np.array([5, 7, 9], np.int64)
    weights: Any = np.array([0.5, 1.5, 2.5], np.float32)
    return Bundle(table, Inner(numbers, 10), weights, 4.0)


def handle_of(some: Any) -> Any:
    handle = new_handle()
    hold_bundle(some, handle)
    return handle


def results() -> list[int]:
    one = bundle()
    handle = handle_of(one)
    found = [call_often(entry_address(add_up), handle, 3), call_often(entry_address(count_down), handle, 3)]
    return [int(number) for number in (*found, *one.inner.numbers)]


def test_a_bundle_comes_out_as_it_was_and_can_be_written_to():
    assert results() == [(7 + 9 + 3 + 4 + 5) * 10, 6, 5, 4, 9]


def test_plain_python_does_the_same():
    code = "from tests.kernel.test_handles import results; print(results())"
    assert run("-c", code, NUMBA_DISABLE_JIT="1").strip() == str(results())


def test_handles_do_not_mix():
    first, second = bundle(), bundle()
    handles = [handle_of(first), handle_of(second)]
    first.inner.numbers[:] = 0
    assert [add_up(handle, 1) for handle in handles] == [120, 280]
    hold_bundle(second._replace(scale=8.0), handles[0])
    assert [add_up(handle, 1) for handle in handles] == [280, 280]
