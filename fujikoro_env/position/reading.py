"""Reading a whole position, part by part; later parts need what earlier ones found."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from fujikoro_env.content.carried import KEYS as CARRIED_KEYS
from fujikoro_env.content.carried import carried_content, digest_fault
from fujikoro_env.game import SEED_BITS
from fujikoro_env.kernel.position.errors import Faults, PositionError
from fujikoro_env.kernel.position.kinds import FLAG, HEX_WORDS, Json, bits, codes_of, number, said_number, series, short
from fujikoro_env.kernel.position.objects import JsonObject
from fujikoro_env.position.draft import Draft
from fujikoro_env.position.fields import FIGHTER_FIELDS, NEEDED, fight_fields, frame_fields, more_frame_fields
from fujikoro_env.position.lookup import array_of, code_in, rows_of, write_code
from fujikoro_env.position.reading_implied import work_out_the_rest
from fujikoro_env.position.reading_players import read_enemies, read_players
from fujikoro_env.position.reading_table import (
    read_blueprints,
    read_dragons,
    read_gear_cards,
    read_gone,
    read_map,
    read_scrolls,
    read_tops,
)
from fujikoro_env.position.words import OVER, PHASE, RULES_KEYS, SPACE, USED_POWERS, VERSION
from fujikoro_env.rules.base.names import Deck, Reason, Stream
from fujikoro_env.rules.base.phase_entry import Holds, Keeps, Whom
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import FRAMES, LOADED_DICE, LOADED_DRAWS, PATH, Frame
from fujikoro_env.rules.engine.hidden import deal_hidden
from fujikoro_env.settings import OPTIONS, Rules, RulesError

TOP_KEYS: Final = (
    *("version", "rules", "viewer", "round", "first_player", "active", "stock_taken", "used_powers"),
    *("turn_over", "over", "lava_phase", "final", "foot"),
    *("places", "spaces", "dragons", "players", "enemies", "gear_cards", "blueprints", "temples", "scrolls", "gone"),
    *("tops", "asked", "path", "fight", "streams", "seed", "loaded_dice", "loaded_draws"),
)


def read(value: Json, content: str | Path | None) -> Draft:
    """Read a position into a record. Whether the position is legal is checked later."""
    top = JsonObject(value, "", Faults())
    check_version(top)
    draft = Draft(top, read_rules(top, content))
    top.only(*TOP_KEYS)
    _read_viewer(draft)
    read_streams(draft)
    read_turn(draft)
    read_final(draft)
    read_map(draft)
    read_dragons(draft)
    read_players(draft)
    read_enemies(draft)
    read_frames(draft)
    read_gear_cards(draft)
    read_blueprints(draft)
    read_scrolls(draft)
    read_gone(draft)
    read_tops(draft)
    read_path(draft)
    read_fight(draft)
    read_loaded_luck(draft)
    work_out_the_rest(draft)
    draft.faults.stop()
    return draft


def _read_viewer(draft: Draft) -> None:
    if draft.top.fields.get("viewer") is not None:
        draft.viewer = draft.top.get("viewer", number(0, draft.n - 1))


# --- the version, and the rules of the game -------------------------------------------------------------------------


def check_version(top: JsonObject) -> None:
    """Stop unless the version of the format is known."""
    version = top.fields.get("version")
    if version != VERSION or isinstance(version, bool):
        top.fault("version", f"{short(version)} is not known; this is version {VERSION} of the format")
    top.faults.stop()


def read_rules(top: JsonObject, moved: str | Path | None) -> Rules:
    """Read the rules of the game. `moved`: the current path of the content pack, if it has moved."""
    part, people = top.part("rules"), top.fields.get("players")
    part.only(*RULES_KEYS, *OPTIONS, "characters", *CARRIED_KEYS)
    top.faults.stop()
    rules = _make_rules(part, moved, people)
    if fault := digest_fault(part.fields, rules.pack):
        part.fault("digest", fault)
    if isinstance(people, list) and len(people) != rules.players:
        top.fault("players", f"{len(people)} entries in a game of {rules.players}", "SETUP-1")
    top.faults.stop()
    return rules


def _make_rules(part: JsonObject, moved: str | Path | None, people: Json) -> Rules:
    """Make the rules. If they do not state players and characters, those described under `players` are used."""
    settings: dict[str, Any] = {  # of any type: `Rules` checks its arguments
        key: value for key, value in part.fields.items() if key not in CARRIED_KEYS
    }
    if isinstance(people, list):
        settings.setdefault("players", len(people))
        named = [me.get("character") if isinstance(me, dict) else None for me in people]
        if any(named):
            settings.setdefault("characters", named)
    try:
        return Rules(content=carried_content(part.fields, moved), **settings)
    except (RulesError, ValueError, OSError) as error:
        raise PositionError([f"rules: {error}"]) from error


# --- the round, the turn and the final chapter ----------------------------------------------------------------------

COMPETITIVE_ENDS: Final = (Reason.COUNTDOWN, Reason.ROUND_CAP)
CO_OP_ENDS: Final = (Reason.WON, Reason.LOST)


def read_turn(draft: Draft) -> None:
    """Read the round, the turn and the reason of the end."""
    s, top, player = draft.s, draft.top, number(0, draft.n - 1)
    s.round_number = top.get("round", number(1, draft.rules.max_rounds), 1)
    s.first_player = top.get("first_player", player)
    s.active = top.get("active", player, int(s.first_player))
    s.stock_taken = top.get("stock_taken", FLAG)
    s.used_powers = top.get("used_powers", USED_POWERS)
    s.reason = top.get("over", OVER, 0)
    ends = CO_OP_ENDS if draft.rules.is_coop else COMPETITIVE_ENDS
    if s.reason and s.reason not in ends:
        rule = "COOP-1" if draft.rules.is_coop else "END-1"
        top.fault("over", f"{OVER.show(s.reason)} is not a possible end in this mode", rule)


def read_final(draft: Draft) -> None:
    """Read the final chapter and the lava phase."""
    if not draft.rules.has_vp:
        _work_out_final_rounds(draft)
    _read_lava_phase(draft)
    if "final" not in draft.top.fields:
        return
    if not draft.rules.has_vp:
        draft.faults.add("final", "in co-op it follows from the round: leave it out", "COOP-2")
        return
    s, part, calls = draft.s, draft.top.part("final"), draft.rules.pack.countdown
    part.only("started_by", "countdown", "called", "rope")
    s.final_player = part.get("started_by", said_number(0, draft.n - 1), 0) + 1
    s.countdown = part.get("countdown", number(0, len(calls) - (0 if s.reason else 1)))
    entered = calls[: int(s.countdown)]
    called = part.get("called", bits(said_number(1, 4)), called_by(entered))
    s.rope = part.get("rope", FLAG, int("rope" in entered))
    before = calls if s.lava_player else ()  # SCEN-32: numbers that the lava phase may have called so far
    fits = called in [called_by(entered) | called_by(before[:k]) for k in range(len(before) + 1)]
    if not fits or bool(s.rope) != ("rope" in entered):
        part.fault("countdown", f"after {len(entered)} spaces these are called: {', '.join(entered)}", "FINAL-3")
    s.called = called


def _read_lava_phase(draft: Draft) -> None:
    """Read the lava phase. Until the final chapter, the countdown is that of the lava phase (SCEN-31)."""
    if "lava_phase" not in draft.top.fields:
        return
    s, part, calls = draft.s, draft.top.part("lava_phase"), draft.rules.pack.countdown
    if not draft.rules.lava_at:
        draft.faults.add("lava_phase", "there is none in this game", "SCEN-31")
        return
    part.only("started_by", "countdown")
    s.lava_player = part.get("started_by", said_number(0, draft.n - 1), 0) + 1
    s.countdown = part.get("countdown", number(0, len(calls)))
    s.called = called_by(calls[: int(s.countdown)])


def called_by(calls: Iterable[str]) -> int:
    """The eruption numbers among the calls of a countdown, as bits."""
    return sum({1 << int(call[-1]) for call in calls if call.startswith("lava")})


def _work_out_final_rounds(draft: Draft) -> None:
    """Derive how many final rounds, or rounds of the lava phase, have begun, and what they called (COOP-2, COOP-20,
    SCEN-33)."""
    s, rules, now = draft.s, draft.rules, int(draft.s.round_number)
    full, lava, calls = rules.full_rounds, rules.lava_after, rules.pack.coop_countdown
    if now > full + len(calls):
        draft.faults.add("round", f"the last one is {full + len(calls)}", "COOP-2")
    if lava and now <= lava + len(calls):
        s.countdown = max(0, now - lava)
        s.called = called_by(calls[: int(s.countdown)])
    else:
        s.countdown = min(len(calls), max(0, now - full))
        s.called = called_by(calls if lava else calls[: int(s.countdown)])


# --- frames, the path of a move, and the fight ----------------------------------------------------------------------

MOST_FRAMES = FRAMES - 4  # leaves room for the game to go on


def read_frames(draft: Draft) -> None:
    """Read the stack of frames."""
    s = draft.s
    parts = draft.top.parts("asked") if "asked" in draft.top.fields else _usual_frames(draft)
    if not 1 <= len(parts) <= MOST_FRAMES:
        draft.faults.add("asked", f"{len(parts)} frames: from 1 to {MOST_FRAMES} are possible")
        return
    s.depth = len(parts)
    for frame, part in zip(rows_of(s.stack), parts, strict=False):
        _read_frame(draft, frame, part)


def _usual_frames(draft: Draft) -> list[JsonObject]:
    """The default question: the active player's first action."""
    frames: list[Json] = [{"phase": "TURN", "stage": 2}, {"phase": "ACTION", "player": int(draft.s.active)}]
    return [JsonObject(frame, f"asked[{k}]", draft.faults) for k, frame in enumerate(frames)]


def _read_frame(draft: Draft, frame: Frame, part: JsonObject) -> None:
    code = part.need("phase", PHASE)
    if not code:
        return
    phase, keys = Phase(code), ["phase"]
    frame.phase = code
    if phase.entry.whom != Whom.NOBODY:
        keys.append("player")
        frame.actor = part.find("player", said_number(0, draft.rules.seats - 1)) or 0
    fields = frame_fields(phase, draft.names)
    draft.fill(frame, part, fields, tuple(field.name for field in phase.entry.keeps if field.holds in NEEDED))
    more = more_frame_fields(phase, draft.names, frame)
    draft.fill(frame, part, more)
    part.only(*keys, *fields, *more)
    for field in phase.entry.keeps:
        _take_what_it_holds(draft, frame, field, part)


def _take_what_it_holds(draft: Draft, frame: Frame, field: Keeps, part: JsonObject) -> None:
    """Note the pieces that a frame holds, which lie nowhere else."""
    code, names = code_in(frame, field.slot), draft.names
    if field.holds == Holds.SCROLL and code:
        draft.take("scroll card", names.scroll.show(code), part.where)
    elif field.holds == Holds.TILE and code:
        draft.take("tile", names.tile.show(code), part.where)
    elif field.holds == Holds.GEAR_CARD and code:
        draft.own("gear_cards", names.gear_card.show(code), int(frame.actor), part.at(field.name))


def read_path(draft: Draft) -> None:
    """Read the path of a move."""
    path = draft.top.get("path", series(SPACE, PATH))
    array_of(draft.s.path)[: len(path)] = path
    draft.s.path_length = len(path)


def read_fight(draft: Draft) -> None:
    """Read the fight, if there is one."""
    if "fight" not in draft.top.fields:
        return
    part, fight, fields = draft.top.part("fight"), draft.s.fight, fight_fields(draft.names)
    part.only(*fields, "fighters")
    draft.fill(fight, part, fields)
    fighters = part.parts("fighters")
    if len(fighters) != draft.rules.seats:
        part.fault("fighters", f"one entry is needed for each of the {draft.rules.seats} players")
    for fighter, inner in zip(rows_of(fight.fighters), fighters, strict=False):
        inner.only(*FIGHTER_FIELDS)
        for name, (field, kind) in FIGHTER_FIELDS.items():
            write_code(fighter, field, inner.get(name, kind, 0))


# --- random streams, loaded dice and draws --------------------------------------------------------------------------


def read_streams(draft: Draft) -> None:
    """Seed the random streams, or read their states."""
    seed = draft.top.get("seed", number(0, (1 << SEED_BITS) - 1))
    deal_hidden(draft.games, 0, 0, seed)  # nothing is dealt yet, so this only seeds the streams
    part, streams = draft.top.part("streams"), codes_of(Stream)
    part.only(*streams)
    for name, code in streams.items():
        if name in part.fields:
            array_of(draft.s.streams[code].words)[:] = part.get(name, HEX_WORDS)


def read_loaded_luck(draft: Draft) -> None:
    """Read loaded dice and draws."""
    s, names = draft.s, draft.names
    dice = draft.top.get("loaded_dice", series(names.die, LOADED_DICE))
    array_of(s.loaded_dice)[: len(dice)] = dice
    part, decks = draft.top.part("loaded_draws"), codes_of(Deck)
    part.only(*decks)
    for deck, code in decks.items():
        drawn = part.get(deck, series(names.in_deck(deck), LOADED_DRAWS))
        array_of(s.loaded_draws)[code, : len(drawn)] = drawn
