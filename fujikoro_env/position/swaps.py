"""The fields of a swap under way (COOP-17)."""

from typing import Any, Final

from fujikoro_env.content.model import RESOURCES
from fujikoro_env.position.kinds import Kind, bits, counts, fit_in, listed, number, word
from fujikoro_env.position.names import Names
from fujikoro_env.position.words import COLOUR, SEAT
from fujikoro_env.rules.base.actions import BLUEPRINT, ITEM, TABLE
from fujikoro_env.rules.base.phases import SWAP_STEPS
from fujikoro_env.rules.base.state import SCROLL_SLOTS
from fujikoro_env.rules.coop.swap import CARD_BITS, FIRST_BLUEPRINT, FIRST_SCROLL, FIRST_TAKEN, ITEMS, PACK_ITEMS

FUNGIBLE: Final = (*RESOURCES, "monk")
BLUEPRINT_SLOTS: Final = range(ITEMS - PACK_ITEMS)
GIVEN: Final = {  # as the action that names it + 1
    **{name: ITEM + k + 1 for k, name in enumerate(TABLE["item"].arguments)},
    **{f"blueprint {slot}": BLUEPRINT + slot + 1 for slot in BLUEPRINT_SLOTS},
}
OWED: Final = counts(RESOURCES, SWAP_STEPS)


def swap_fields(names: Names) -> dict[str, tuple[str, Kind]]:
    return {
        "other": ("thing", SEAT),
        "left": ("left", number(0, SWAP_STEPS)),
        "given": ("marks", word(GIVEN, "item")),
        "moved": ("chosen", bits(word(_moved(names), "item of a swap"))),
        "owed": ("offer", OWED),
        "owed_monks": ("stage", number(0, SWAP_STEPS)),
        "scrolls_before": ("cubes", _both_slots(names)),
    }


def _moved(names: Names) -> dict[str, int]:
    return {
        **{f"{name} given": k for k, name in enumerate(FUNGIBLE)},
        **{f"{name} taken": FIRST_TAKEN + k for k, name in enumerate(FUNGIBLE)},
        **{f"scroll {name}": FIRST_SCROLL + card - 1 for name, card in names.scrolls.items()},
        **{f"blueprint {slot}": FIRST_BLUEPRINT + slot for slot in BLUEPRINT_SLOTS},
    }


def _both_slots(names: Names) -> Kind:
    """The scrolls of both as they were before, each as a list of pairs of card and colour, null for an empty slot."""
    mask = (1 << CARD_BITS) - 1

    def show_slot(code: int) -> list[str] | None:
        return [names.scroll.show(code & mask), COLOUR.show(code >> CARD_BITS)] if code else None

    def show(codes: Any) -> list[list[Any]]:
        return [[show_slot(code) for code in codes_of_slots(number)] for number in codes[:2]]

    def read_slot(value: Any) -> int:
        if value is None:
            return 0
        card, colour = (*fit_in(listed(value), 2), None, None)[:2]
        return int(names.scroll.read(card)) | int(COLOUR.read(colour)) << CARD_BITS

    def read(value: Any) -> list[int]:
        boards = [fit_in(listed(board), SCROLL_SLOTS) for board in fit_in(listed(value), 2)]
        numbers = [_number_of_slots([read_slot(slot) for slot in board]) for board in boards]
        return [*numbers, *[0] * (3 - len(numbers))]

    return Kind(show, read, nothing=[0, 0, 0])


def codes_of_slots(number: int) -> list[int]:
    """Card + 1 and colour + 1 of each slot, as `rules.swap` writes them, from its number."""
    width = 2 * CARD_BITS
    return [int(number) >> width * (SCROLL_SLOTS - 1 - slot) & ((1 << width) - 1) for slot in range(SCROLL_SLOTS)]


def _number_of_slots(codes: list[int]) -> int:
    number = 0
    for code in (*codes, *[0] * (SCROLL_SLOTS - len(codes))):
        number = number << 2 * CARD_BITS | code
    return number
