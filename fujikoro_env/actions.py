"""Actions as callers give them, checked before they reach the rules: every game and environment uses these functions.

>>> whole_action(np.int32(7)), whole_actions([1, 2], 2)
(7, array([1, 2]))
>>> whole_action(0.9)
Traceback (most recent call last):
...
fujikoro_env.actions.InvalidActionError: action 0.9: allowed are the whole numbers from 0 to 712
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.text import quoted
from fujikoro_env.rules.base.actions import ACTIONS

MOST: Final = int(np.iinfo(np.int64).max)
WHOLE: Final = "iu"  # kinds of NumPy types
ALLOWED: Final = f"allowed are the whole numbers from 0 to {ACTIONS - 1}"


class InvalidActionError(ValueError):
    """Raised when an action is not a whole number, or when there is not one action for each game. Nothing has
    changed. A whole number that is not legal raises `IllegalActionError` instead."""


def whole_action(given: Any) -> int:
    """An action as a Python integer. Integers of Python and NumPy and integer arrays without dimensions are taken;
    bools, floats, strings and everything else are refused."""
    if isinstance(given, int | np.integer) and not isinstance(given, bool):
        number = int(given)
    else:
        array = _array(given)
        if array is None or array.ndim or array.dtype.kind not in WHOLE:
            raise InvalidActionError(f"action {quoted(given)}: {ALLOWED}")
        number = int(array)
    if not -MOST <= number <= MOST:
        raise InvalidActionError(f"action {quoted(number)}: {ALLOWED}")
    return number


def whole_actions(given: Any, number: int) -> NDArray[np.int64]:
    """Actions of many games as an array, one for each game. An array costs next to nothing to check, a list some time
    for each of its members."""
    if isinstance(given, list | tuple):
        given = np.array([whole_action(one) for one in given], np.int64)
    array = _array(given)
    if array is None or array.dtype.kind not in WHOLE:
        kind = "" if array is None or array.dtype.kind == "O" else f" of type {array.dtype}"
        raise InvalidActionError(f"actions{kind} {quoted(given, 80)}: {ALLOWED}")
    if array.shape != (number,):
        raise InvalidActionError(f"actions have shape {array.shape}: one for each game is needed, ({number},)")
    if array.dtype == np.uint64 and (array > MOST).any():
        raise InvalidActionError(f"action {array.max()}: {ALLOWED}")
    actions = np.ascontiguousarray(array, np.int64)
    return actions if actions.flags.carray else actions.copy()  # compiled code takes no read-only or unaligned arrays


def _array(given: Any) -> NDArray[Any] | None:
    """Anything as an array, if possible."""
    try:
        return np.asarray(given)
    except Exception:  # the conversion runs code of the object, which may raise anything
        return None
