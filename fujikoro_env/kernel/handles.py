"""Compiled code for several games: it calls their functions by address, with handles of bundles.

A handle is an array of int64. An entry of the game puts a bundle there with `hold`, and its other entries take it
out again with a function made by `held`. Code in between passes the handle on, and need not know the bundle's type:

    class Memory(NamedTuple):
        games: Records[State]

    memory_of = held(Memory)

    @entry
    def hold_memory(memory: Memory, handle: IntArray) -> None:
        hold(memory, handle)

    @entry
    def round_of(handle: IntArray) -> int:
        return memory_of(handle).games[0].round_number

Beside `jit.py`, this is the only module with code that is specific to numba.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from fujikoro_env.kernel.jit import INTERPRETED, Address, _numba_type, address_of, by_address

B = TypeVar("B")
P = ParamSpec("P")
R = TypeVar("R")

BUILD: Final[Any] = cgutils  # its functions have no types
WORDS: Final = 512  # int64 words of the memory behind a handle
PLAIN: Final[dict[int, Callable[..., Any]]] = {}  # when interpreted: functions by their address
HELD: Final[dict[int, Any]] = {}  # when interpreted: bundles by the address of their handle
OWNERS: Final = 2  # the first fields of an array: what counts the references to its memory


def entry_address(function: Callable[..., Any]) -> Address:
    """Address of an entry, for a function made by `caller`."""
    if INTERPRETED:
        PLAIN[id(function)] = function
        return id(function)
    return address_of(function)


def caller(prototype: Callable[P, R]) -> Callable[Concatenate[Address, P], R]:
    """Return a function that calls any entry with the parameters and the result of a prototype, given its address."""
    if INTERPRETED:
        return lambda address, /, *arguments, **named: PLAIN[address](*arguments, **named)
    return by_address(cast(Callable[P, R], SimpleNamespace(py_func=prototype)))


def new_handle() -> Any:
    """Return the memory of a handle. Whoever makes one keeps the arrays of the bundle alive."""
    return np.zeros(WORDS, np.int64)


def _hold_plain(bundle: Any, handle: Any) -> None:
    HELD[handle.ctypes.data] = bundle


@intrinsic
def _hold(_typing: Any, bundle: Any, handle: Any) -> Any:
    return types.void(bundle, handle), _put


# Puts a bundle behind a handle; for entries.
hold = cast(Callable[[Any, Any], None], _hold_plain if INTERPRETED else _hold)


def held(kind: type[B]) -> Callable[[Any], B]:
    """Return a function that takes a bundle of this type from behind a handle."""
    if INTERPRETED:
        return lambda handle: cast(B, HELD[handle.ctypes.data])

    @intrinsic
    def take(_typing: Any, handle: Any) -> Any:
        return _numba_type(cast(Any, kind))(handle), _take

    return cast(Callable[[Any], B], take)


def _put(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Emit code that writes a bundle to the memory of a handle."""
    bundle, handle = args
    if context.get_abi_sizeof(bundle.type) > WORDS * 8:
        raise TypeError(f"{signature.args[0]} does not fit behind a handle")
    builder.store(bundle, _memory(context, builder, signature.args[1], handle, bundle.type))
    return context.get_dummy_value()


def _take(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Emit code that reads a bundle from the memory of a handle."""
    kind = signature.return_type
    place = _memory(context, builder, signature.args[0], args[0], context.get_value_type(kind))
    return _bundle_at(builder, kind, place)


def _memory(context: Any, builder: Any, kind: Any, handle: Any, wanted: Any) -> Any:
    data = context.make_array(kind)(context, builder, handle).data
    return builder.bitcast(data, wanted.as_pointer())


def _bundle_at(builder: Any, kind: Any, place: Any) -> Any:
    """Emit code that reads a value field by field, so that the compiler can leave out fields that are not used."""
    if isinstance(kind, types.BaseTuple):
        value = ir.Constant(place.type.pointee, ir.Undefined)
        parts: Any = kind
        for number, part in enumerate(parts):
            inner = _bundle_at(builder, part, BUILD.gep_inbounds(builder, place, 0, number))
            value = builder.insert_value(value, inner, number)
        return value
    return _array_at(builder, place) if isinstance(kind, types.Array) else builder.load(place)


def _array_at(builder: Any, place: Any) -> Any:
    """Emit code that reads an array without its owners: the call that put it there is over."""
    value = BUILD.get_null_value(place.type.pointee)
    for number in range(OWNERS, len(place.type.pointee.elements)):
        field = builder.load(BUILD.gep_inbounds(builder, place, 0, number))
        value = builder.insert_value(value, field, number)
    return value
