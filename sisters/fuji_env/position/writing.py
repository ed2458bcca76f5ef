"""Turns a game into plain data, ready for JSON."""

from typing import Any, Final

from fuji_env.content.model import DICE
from fuji_env.content.model import Pack as ContentPack
from fuji_env.game import Game
from fuji_env.position.fields import (
    CARD,
    CARDS,
    DICE_SET,
    FIGURE_SET,
    OVER,
    RULES_KEYS,
    SHOWN_DICE,
    STREAMS,
    VERSION,
    Names,
    kind_of_slot,
)
from fuji_env.rules.base.phases import Phase
from fuji_env.settings import Rules
from fujikoro_env.kernel.position.kinds import HEX_WORDS, Kind

ALWAYS_WRITTEN: Final = ("lead", "cards", "lava", "figures", "asked")


def rules_of(rules: Rules) -> dict[str, Any]:
    """The rules of a game as plain data."""
    settings = {key: getattr(rules, key, None) for key in RULES_KEYS} | rules.options
    settings["skills"] = list(rules.skills) if rules.skills else None
    content = rules.pack.name if isinstance(rules.content, ContentPack) else str(rules.content)
    said = {key: value for key, value in settings.items() if value is not None}
    return {**said, "content": content, "digest": rules.pack.digest}


def position_of(game: Game) -> dict[str, Any]:
    """The position as plain data, ready for JSON; docs/fuji/positions.md describes the format."""
    s, names = game.state, Names(game.rules, game.state)
    whole: dict[str, Any] = {
        "version": VERSION,
        "rules": rules_of(game.rules),
        "viewer": game.viewer,
        "round": int(s.round_number),
        "lead": int(s.lead),
        "over": _shown(OVER, int(s.reason)),
        "cards": {place: names.area.show(s.cards[k]) for place, k in names.places.items() if s.cards[k]},
        "lava": names.place_set.show(int(s.lava)),
        "eruption_tokens": names.place_set.show(int(s.eruption_tokens)),
        "equipment_tokens": names.place_set.show(int(s.equipment_tokens)),
        "figures": [_figure(game, names, k) for k in range(game.rules.figures)],
        "third_screen": _dice(game, game.rules.figures, DICE) if game.rules.sets > game.rules.figures else None,
        "acted": FIGURE_SET.show(int(s.acted)),
        "whistles": int(s.whistles) or None,
        "owed": int(s.owed) or None,
        "radio": _radio(game, names),
        "known": _known(game),
        "under": CARDS.show(int(s.under)),
        "discards": CARDS.show(int(s.discards)),
        "asked": [_frame(frame) for frame in s.stack[: s.depth]],
        "streams": {name: HEX_WORDS.show(s.streams[k].words) for name, k in STREAMS.items() if game.viewer is None},
        "loaded_dice": [int(code) for code in s.loaded_dice if code],
        "loaded_draws": [CARD.show(int(code) - 1) for code in s.loaded_draws if code],
    }
    return {key: value for key, value in whole.items() if key in ALWAYS_WRITTEN or value not in (None, [], {})}


def _shown(kind: Kind[int, Any], code: int) -> Any:
    return None if code == kind.nothing else kind.show(code)


def _figure(game: Game, names: Names, k: int) -> dict[str, Any]:
    me = game.state.figures[k]
    shown = {name: _shown(kind, int(me[name])) for name, kind in names.figure.items()}
    return {name: value for name, value in shown.items() if value is not None} | _dice(game, k, int(me.dice))


def _dice(game: Game, dice_set: int, count: int) -> dict[str, Any]:
    """The dice of a set as its viewer sees them, and in phase 3 as they were when it began."""
    found = {}
    for name in ("dice", "before"):
        numbers = game.state[name][dice_set]
        if numbers.any() or (name == "dice" and dice_set < game.rules.figures and count):
            found[name] = SHOWN_DICE.show(numbers[:count].tolist())
    return found


def _radio(game: Game, names: Names) -> dict[str, Any]:
    s = game.state
    told = {"values": s.told[: game.rules.sets].tolist()}
    return {"place": names.marker.show(int(s.radio)), **told} if s.radio else {}


def _known(game: Game) -> list[dict[str, Any]]:
    """The dice that players have seen through binoculars."""
    return [
        {"player": player, "of": dice_set, "dice": DICE_SET.show(int(game.state.known[player, dice_set]))}
        for player in range(game.rules.players)
        for dice_set in range(game.rules.sets)
        if game.state.known[player, dice_set]
    ]


def _frame(frame: Any) -> dict[str, Any]:
    phase = Phase(int(frame.phase))
    shown = {slot.name: _shown(kind_of_slot(slot), int(frame[slot.slot])) for slot in phase.entry.keeps}
    figure = int(frame.figure) if frame.figure or phase.entry.question else None
    return {key: value for key, value in {"phase": phase.name, "figure": figure, **shown}.items() if value is not None}
