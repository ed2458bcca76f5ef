"""Reads a position into a record, part by part."""

from pathlib import Path
from typing import Any, Final, TypeAlias

from fuji_env.content.model import DICE, NUMBERS, Pack
from fuji_env.position.fields import (
    CARD,
    CARDS,
    DICE_SET,
    FIGURE_SET,
    NEEDED_OF_FIGURE,
    OVER,
    PHASE,
    RULES_KEYS,
    SHOWN_DICE,
    STREAMS,
    TOP_KEYS,
    VERSION,
    Names,
    is_behind_screens,
    kind_of_slot,
)
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import ALL_GEAR, FRAMES, LOADED_DICE, LOADED_DRAWS, MOST_ROUNDS, State
from fuji_env.rules.engine.hidden import deal_hidden
from fuji_env.settings import Rules
from fujikoro_env.kernel.game import SEED_BITS
from fujikoro_env.kernel.position.errors import Faults, PositionError
from fujikoro_env.kernel.position.kinds import HEX_WORDS, Json, number, said_number, series, short
from fujikoro_env.kernel.position.objects import JsonObject
from fujikoro_env.kernel.records import zeros

Moved: TypeAlias = str | Path | Pack | None
MOST_FRAMES: Final = FRAMES - 2  # leaves room for the game to go on
CONTENT_KEYS: Final = ("content", "digest")


class Draft:
    """The record read so far."""

    def __init__(self, top: JsonObject, rules: Rules) -> None:
        self.top, self.faults, self.rules = top, top.faults, rules
        self.games = zeros(State, 1)
        self.s: Any = self.games[0]
        rules.write_settings(self.s.settings)
        self.names = Names(rules, self.s)
        self.viewer: int | None = None
        self._held: dict[str, str] = {}  # where each equipment card is

    def hold(self, cards: int, where: str) -> None:
        """Note where equipment cards are. It is a fault if one is in two places."""
        for name in CARDS.show(cards):
            first = self._held.setdefault(name, where)
            if first != where:
                self.faults.add(where, f"the card {name} is also at {first}", "SETUP-2")

    @property
    def held(self) -> int:
        """The equipment cards that are somewhere else than in the draw pile."""
        return CARDS.read(list(self._held))


def read_rules(part: JsonObject, moved: Moved) -> Rules:
    """Read the rules of a game. `moved`: the content pack, or its current path, if it is not where the file says."""
    part.only(*RULES_KEYS, *CONTENT_KEYS)
    part.faults.stop()
    settings: dict[str, Any] = {key: value for key, value in part.fields.items() if key not in CONTENT_KEYS}
    try:
        rules = Rules(content=moved or part.fields.get("content", "base"), **settings)  # type: ignore[arg-type]
    except (ValueError, OSError) as error:
        raise PositionError([f"rules: {error}"]) from None
    said = part.fields.get("digest")
    if said not in (None, rules.pack.digest):
        part.fault("digest", f"content {rules.pack} is {rules.pack.digest}, not {short(said)}")
    part.faults.stop()
    return rules


def read(value: Json, content: Moved) -> Draft:
    """Read a position into a record. Whether the position is legal is checked later."""
    top = JsonObject(value, "", Faults())
    version = top.fields.get("version")
    if version != VERSION or isinstance(version, bool):
        top.fault("version", f"{short(version)} is not known; this is version {VERSION} of the format")
    top.faults.stop()
    draft = Draft(top, read_rules(top.part("rules"), content))
    top.only(*TOP_KEYS)
    _read_luck(draft)
    _read_table(draft)
    _read_map(draft)
    _read_figures(draft)
    _read_frames(draft)
    _read_third_screen(draft)
    _read_known(draft)
    _read_equipment(draft)
    draft.faults.stop()
    return draft


def _read_luck(draft: Draft) -> None:
    """Seed the random streams, or read their states; views have none."""
    top, s = draft.top, draft.s
    if top.fields.get("viewer") is not None:
        draft.viewer = top.get("viewer", said_number(0, draft.rules.players - 1), 0)
    seed = top.get("seed", number(0, (1 << SEED_BITS) - 1))
    if draft.viewer is None:
        deal_hidden(draft.games, draft.rules.tables, 0, 0, seed)  # nothing is dealt yet, so this only seeds the streams
    part = top.part("streams")
    part.only(*STREAMS)
    for name, code in STREAMS.items():
        if name in part.fields:
            s.streams[code].words[:] = part.get(name, HEX_WORDS)
    dice = top.get("loaded_dice", series(said_number(1, NUMBERS), LOADED_DICE))
    s.loaded_dice[: len(dice)] = dice
    draws = top.get("loaded_draws", series(CARD, LOADED_DRAWS))
    s.loaded_draws[: len(draws)] = [code + 1 for code in draws]


def _read_table(draft: Draft) -> None:
    top, s, names = draft.top, draft.s, draft.names
    s.round_number = top.get("round", number(1, MOST_ROUNDS), 1)
    s.lead = top.get("lead", said_number(0, draft.rules.figures - 1), 0)
    s.reason = top.get("over", OVER)
    s.acted = top.get("acted", FIGURE_SET)
    s.whistles = top.get("whistles", number(0, 2))
    s.owed = top.get("owed", number(0, 2))
    if "radio" in top.fields:
        part = top.part("radio")
        part.only("place", "values")
        s.radio = part.need("place", names.marker) or 0
        values = part.get("values", series(number(0, DICE * NUMBERS), draft.rules.sets))
        s.told[: len(values)] = values


def _read_map(draft: Draft) -> None:
    top, s, names = draft.top, draft.s, draft.names
    cards = top.part("cards")
    for place, inner in names.places.items():
        if place in cards.fields:
            s.cards[inner] = cards.find(place, names.area) or 0
    for key in cards.fields:
        if key not in names.places:
            cards.fault(key, f"no place: there are {', '.join(names.places)}", "MAP-1")
    s.lava = top.get("lava", names.place_set, draft.rules.tables[0].layouts[draft.rules.scenario_number].volcano)
    s.eruption_tokens = top.get("eruption_tokens", names.place_set)
    s.equipment_tokens = top.get("equipment_tokens", names.place_set)


def _read_figures(draft: Draft) -> None:
    parts = draft.top.parts("figures")
    if len(parts) != draft.rules.figures:
        draft.faults.add("figures", f"{len(parts)} entries in a game of {draft.rules.figures} figures", "SETUP-3")
    for k, part in enumerate(parts[: draft.rules.figures]):
        me = draft.s.figures[k]
        part.only(*draft.names.figure, "dice", "before")
        for name, kind in draft.names.figure.items():
            code = part.need(name, kind) if name in NEEDED_OF_FIGURE else part.find(name, kind)
            me[name] = code or 0
        me.dice = _read_dice(draft, part, k)
        draft.hold(int(me.equipment), part.where)


def _read_dice(draft: Draft, part: JsonObject, dice_set: int) -> int:
    """Read the dice of a set; return their number."""
    dice, before = part.get("dice", SHOWN_DICE), part.get("before", SHOWN_DICE)
    draft.s.dice[dice_set, : len(dice)] = dice
    draft.s.before[dice_set, : len(before)] = before
    return len(dice)


def _read_third_screen(draft: Draft) -> None:
    if "third_screen" not in draft.top.fields:
        return
    if draft.rules.sets == draft.rules.figures:
        draft.faults.add("third_screen", "there is none in this game", "TWO-2")
        return
    part = draft.top.part("third_screen")
    part.only("dice", "before")
    _read_dice(draft, part, draft.rules.figures)


def _read_frames(draft: Draft) -> None:
    s, parts = draft.s, draft.top.parts("asked")
    if not 1 <= len(parts) <= MOST_FRAMES:
        draft.faults.add("asked", f"{len(parts)} frames: from 1 to {MOST_FRAMES} are possible", "ROUND-1")
        return
    s.depth = len(parts)
    for frame, part in zip(s.stack, parts, strict=False):
        _read_frame(draft, frame, part)
    s.screens = s.depth > 1 and is_behind_screens(int(s.stack[1].phase))


def _read_frame(draft: Draft, frame: Any, part: JsonObject) -> None:
    code = part.need("phase", PHASE)
    if not code:
        return
    entry = Phase(code).entry
    part.only("phase", "figure", *(slot.name for slot in entry.keeps))
    frame.phase = code
    frame.figure = part.get("figure", number(0, draft.rules.figures - 1), 0)
    frame.actor = int(frame.figure) % draft.rules.players
    for slot in entry.keeps:
        frame[slot.slot] = part.find(slot.name, kind_of_slot(slot)) or 0
    if code == Phase.KEEP:
        draft.hold(int(frame.what), part.at("offered"))


def _read_known(draft: Draft) -> None:
    for part in draft.top.parts("known"):
        part.only("player", "of", "dice")
        player = part.need("player", said_number(0, draft.rules.players - 1)) or 0
        dice_set = part.need("of", said_number(0, draft.rules.sets - 1)) or 0
        draft.s.known[player, dice_set] = part.get("dice", DICE_SET)


def _read_equipment(draft: Draft) -> None:
    """The draw pile holds all equipment cards that are nowhere else (SETUP-2)."""
    for pile in ("under", "discards"):
        draft.s[pile] = draft.top.get(pile, CARDS)
        draft.hold(int(draft.s[pile]), pile)
    draft.s.deck = ALL_GEAR & ~draft.held
