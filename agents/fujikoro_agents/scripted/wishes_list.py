"""Layout of the array of wishes.

First comes the worth of things on the map, in VP; the array of a co-op team (errands.py) begins in the same way. Then
come the entries for crafting, for places to explore and for dragons.
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
FREE: Final = SPOILS + 1  # number of items that still fit in the pack
TEMPLE: Final = FREE + 1  # blueprints, by temple
FINDS: Final = TEMPLE + TEMPLES
NEED: Final = FINDS  # by kind: cubes missing for the next thing to build
EXTRA: Final = NEED + RESOURCE_KINDS  # by kind: what a needed cube is worth beyond any other cube
KEEP: Final = EXTRA + RESOURCE_KINDS  # by kind: cubes in the pack that are kept for the next thing to build
BUILD: Final = KEEP + RESOURCE_KINDS  # worth of a rest to build something for which no cube is missing
BONUS: Final = BUILD + 1  # by action field: bonus of the gear card on it
EXPLORABLE: Final = BONUS + DISC_FIELDS  # number of places
PLACE: Final = EXPLORABLE + 1
DRAGON: Final = PLACE + PLACES  # by place: worth of fighting the dragon there
WISHES: Final = DRAGON + PLACES
