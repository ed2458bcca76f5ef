"""Actions as callers give them, checked before they reach the rules: every game and environment uses these functions.

>>> whole_action(np.int32(7)), whole_actions([1, 2], 2)
(7, array([1, 2]))
>>> whole_action(0.9)
Traceback (most recent call last):
...
fujikoro_env.kernel.action_table.InvalidActionError: action 0.9: allowed are the whole numbers from 0 to 712
"""

from typing import Final

from fujikoro_env.kernel.action_table import InvalidActionError as InvalidActionError
from fujikoro_env.rules.base.actions import TABLE

ALLOWED: Final = TABLE.allowed
whole_action: Final = TABLE.whole_action
whole_actions: Final = TABLE.whole_actions
