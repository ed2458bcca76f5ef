"""Reading what is asked, the path of a move, and the fight."""

from typing import Any

from fujikoro_env.position.fields import (
    FIGHTER_FIELDS,
    NEEDED,
    NOBODYS,
    fight_fields,
    frame_fields,
    more_frame_fields,
)
from fujikoro_env.position.kinds import said_number, series
from fujikoro_env.position.reading.draft import Draft
from fujikoro_env.position.reading.parts import Part
from fujikoro_env.position.words import PHASE, SPACE
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import FRAMES, PATH

MOST_FRAMES = FRAMES - 4  # so that the game can go on from there


def read_frames(draft: Draft) -> None:
    s = draft.s
    parts = draft.top.parts("asked") if "asked" in draft.top.fields else _usual_frames(draft)
    if not 1 <= len(parts) <= MOST_FRAMES:
        draft.faults.add("asked", f"{len(parts)} frames: from 1 to {MOST_FRAMES} are possible")
        return
    s.depth = len(parts)
    for frame, part in zip(s.stack, parts, strict=False):
        _read_frame(draft, frame, part)


def _usual_frames(draft: Draft) -> list[Part]:
    """Without word of what is asked, it is the active player's first action."""
    frames = [{"phase": "TURN", "stage": 2}, {"phase": "ACTION", "player": int(draft.s.active)}]
    return [Part(frame, f"asked[{k}]", draft.faults) for k, frame in enumerate(frames)]


def _read_frame(draft: Draft, frame: Any, part: Part) -> None:
    code = part.need("phase", PHASE)
    if not code:
        return
    phase, keys = Phase(code), ["phase"]
    frame.phase = code
    if phase not in NOBODYS:
        keys.append("player")
        frame.actor = part.get("player", said_number(0, draft.rules.seats - 1)) or 0
    fields = frame_fields(draft.names).get(phase, {})
    draft.fill(frame, part, fields, NEEDED)
    more = more_frame_fields(phase, int(frame.stage), int(frame.thing))
    draft.fill(frame, part, more)
    part.only(*keys, *fields, *more)
    if frame.thing:
        _take_what_it_holds(draft, frame, phase, part)


def _take_what_it_holds(draft: Draft, frame: Any, phase: Phase, part: Part) -> None:
    thing, names = int(frame.thing), draft.names
    if phase == Phase.SCROLL_SLOT:
        draft.take("scroll card", names.scroll.show(thing), part.where)
    elif phase == Phase.EXPLORE_TURN:
        draft.take("tile", names.tile.show(thing), part.where)
    elif phase == Phase.PLACE_CARD:
        draft.own("gear_cards", names.gear_card.show(thing), int(frame.actor), part.at("card"))


def read_path(draft: Draft) -> None:
    path = draft.top.get("path", series(SPACE, PATH))
    draft.s.path[: len(path)] = path
    draft.s.path_length = len(path)


def read_fight(draft: Draft) -> None:
    if "fight" not in draft.top.fields:
        return
    part, fight, fields = draft.top.part("fight"), draft.s.fight, fight_fields(draft.names)
    part.only(*fields, "fighters")
    draft.fill(fight, part, fields)
    fighters = part.parts("fighters")
    if len(fighters) != draft.rules.seats:
        part.fault("fighters", f"one entry is needed for each of the {draft.rules.seats} players")
    for fighter, inner in zip(fight.fighters, fighters, strict=False):
        inner.only(*FIGHTER_FIELDS)
        for name, (field, kind) in FIGHTER_FIELDS.items():
            fighter[field] = inner.get(name, kind, 0)
