"""The layout of wishes: what stands where in the array.

First what things are worth that lie on the map, in VP; the array of a co-op team (errands.py) begins in the same way.
Then what is wanted for crafting, then places that can be explored and dragons.
"""

from typing import Final

from fujikoro_env.rules.base.names import DISC_FIELDS, RESOURCE_KINDS
from fujikoro_env.rules.map.geometry import PLACES, TEMPLES

CUBES: Final = 0  # one each for wood, metal, tooth
SCROLL: Final = CUBES + RESOURCE_KINDS
MONK: Final = SCROLL + 1
STOCK: Final = MONK + 1
ADVENTURE: Final = STOCK + 1
SPOILS: Final = ADVENTURE + 1
FREE: Final = SPOILS + 1  # how many items the pack has room for
TEMPLE: Final = FREE + 1  # each temple's blueprints
FINDS: Final = TEMPLE + TEMPLES
NEED: Final = FINDS  # by kind: cubes that are missing for what is to be built
EXTRA: Final = NEED + RESOURCE_KINDS  # by kind: what one of these is worth beyond any other
KEEP: Final = EXTRA + RESOURCE_KINDS  # by kind: cubes of the pack that are kept for what is to be built
BUILD: Final = KEEP + RESOURCE_KINDS  # what a rest is worth, to build what needs nothing more
BONUS: Final = BUILD + 1  # by the action's field: of the gear card that lies there
EXPLORABLE: Final = BONUS + DISC_FIELDS  # how many places
PLACE: Final = EXPLORABLE + 1
DRAGON: Final = PLACE + PLACES  # by place: to fight the dragon there
WISHES: Final = DRAGON + PLACES
