"""Names and kinds of values: how positions show the fields of the record."""

from typing import Any, Final

from fuji_env.content.model import DICE, EQUIPMENT, INJURIES, NUMBERS, SKILLS
from fuji_env.rules.base.names import Reason, Stream, Word
from fuji_env.rules.base.phases import GEAR, Phase
from fuji_env.rules.base.state import FIGURES, MOST_BARS, MOST_REROLLS, MOST_STEPS
from fuji_env.settings import OPTIONS, Rules
from fuji_env.vocabulary import Vocabulary
from fujikoro_env.kernel.phase_table import Slot
from fujikoro_env.kernel.position.kinds import (
    FLAG,
    Json,
    Kind,
    bits,
    codes_of,
    fit_in,
    listed,
    number,
    numbered,
    said_number,
    whole,
    word,
)

VERSION: Final = 1
# Names of lists are those of `Rules`.
RULES_KEYS: Final = ("players", "variant", "scenario", "level", "skills", "ask_forced", *OPTIONS)
TOP_KEYS: Final = (
    *("version", "rules", "viewer", "round", "lead", "over", "cards", "lava", "eruption_tokens", "equipment_tokens"),
    *("figures", "third_screen", "acted", "whistles", "owed", "radio", "known", "under", "discards", "asked"),
    *("streams", "seed", "loaded_dice", "loaded_draws"),
)


def _one_more(of: Kind[int, Any]) -> Kind[int, Any]:
    """A kind for codes that are stored as code + 1, with 0 for nothing."""
    return Kind(lambda code: of.show(int(code) - 1), lambda value: of.read(value) + 1, nothing=0)


def _may_lack(of: Kind[int, Any]) -> Kind[int, Any]:
    """A kind whose code 0 is left out."""
    return Kind(of.show, of.read, nothing=0)


CARD: Final = word(numbered(EQUIPMENT), "equipment card")
CARDS: Final = bits(CARD)
INJURY_SET: Final = bits(word(numbered(INJURIES), "injury"))
SKILL: Final = word(numbered(SKILLS), "skill")
SAID: Final = _may_lack(word(codes_of(Word), "word"))
OVER: Final = _may_lack(word({reason.name.lower(): int(reason) for reason in Reason if reason}, "end of a game"))
DIE: Final[Kind[int, int]] = Kind(lambda code: int(code) + 1, lambda value: whole(value, 1, DICE) - 1)
DICE_SET: Final = bits(DIE)
FIGURE: Final = said_number(0, FIGURES - 1)
FIGURE_SET: Final = bits(FIGURE)
PHASE: Final = word({phase.name: int(phase) for phase in Phase if phase}, "phase")
STREAMS: Final = codes_of(Stream)


def _read_dice(value: Json) -> list[int]:
    return [0 if item is None else whole(item, 1, NUMBERS) for item in fit_in(listed(value), DICE)]


# The numbers that dice show, null for a die that the viewer does not see.
SHOWN_DICE: Final[Kind[list[int], list[int | None]]] = Kind(
    lambda codes: [int(code) or None for code in codes], _read_dice, nothing=[]
)


class Names:
    """Kinds of values whose names depend on the game: its places and area cards."""

    def __init__(self, rules: Rules, state: Any) -> None:
        words = Vocabulary(rules.pack, state)
        self.places = {
            words.place(place): place for place in range(len(rules.pack.scenarios[rules.scenario_number].places()))
        }
        self.place = word(self.places, "place")
        self.place_set = bits(self.place)
        self.marker = _one_more(self.place)
        self.area = _one_more(word(numbered(area.id for area in rules.pack.areas), "area card"))
        self.figure: dict[str, Kind[int, Any]] = {
            "skill": SKILL,
            "at": self.place,
            "stamina": number(0, rules.pack.stamina),
            "injuries": INJURY_SET,
            "equipment": CARDS,
            "used_once": CARDS,
            "fresh": CARDS,
            "bars": number(0, MOST_BARS),
            "marker": self.marker,
            "steps": number(0, MOST_STEPS),
            "around": FLAG,
            "said": SAID,
            "effects": CARDS,
            "rerolls": number(0, MOST_REROLLS),
            "rerolled": DICE_SET,
            "aside": DICE_SET,
            "buddy": FLAG,
        }


NEEDED_OF_FIGURE: Final = ("skill", "at")


def kind_of_slot(slot: Slot) -> Kind[int, Any]:
    """How a position shows what a phase keeps in a field of its frame."""
    if slot is GEAR:
        return CARD
    if slot.name == "offered":
        return CARDS
    if slot.name == "mover":
        return FIGURE
    return number(slot.least, slot.most) if slot.least == 0 else said_number(slot.least, slot.most)


def is_behind_screens(phase: int) -> bool:
    """Whether dice are hidden behind the screens while this phase of the round lasts (ROLL-1, MOVE-1)."""
    return phase in (Phase.PLANNING, Phase.REROLLING, Phase.EQUIPPING)
