"""What chance gave, as plain data for a recording: in the deal of a game, and in one of its steps.

Nothing is logged while a game is played. Decks are sets, so what was drawn is what has left them; the generator of the
dice tells what was rolled.
"""

from typing import Any, Final

from fujikoro_env.content.model import LEVELS
from fujikoro_env.game import DICE_LETTERS, Game
from fujikoro_env.position import position_of
from fujikoro_env.render.rolls import Roll, rolls_of
from fujikoro_env.vocabulary import is_hidden

LUCK: Final = ("streams", "loaded_dice", "loaded_draws")
Draws = dict[str, list[str]]


def deal_of(game: Game) -> dict[str, Any]:
    """What set-up dealt at random."""
    position = position_of(game)
    dealt = {
        "first_player": position["first_player"],
        "colours": [player.get("colour") for player in position["players"]],
        "characters": [player["character"] for player in position["players"] if "character" in player],
        "gear_cards": position["gear_cards"],
        "temples": position["temples"] if any(position["temples"]) else [],
        "enemies": [enemy["blueprints"] for enemy in position.get("enemies", [])],
        "scrolls": position["scrolls"]["display"],
    }
    return {key: value for key, value in dealt.items() if value != []}


def was_asked(before: Game, after: Game) -> bool:
    """Whether chance gave anything in a step: most steps do without, and are quickly told."""
    return any(before.state[luck].tobytes() != after.state[luck].tobytes() for luck in LUCK)


# dice


def rolls_in(before: Game, action: int, after: Game) -> list[dict[str, Any]]:
    """Who rolled which dice in a step, one after the other."""
    return [{"who": roll.who, "dice": _dice(roll)} for roll in rolls_of(before, action, after)]


def _dice(roll: Roll) -> list[str]:
    """As `Game.load_dice` takes them; `?` for those whose kind can't be told any more."""
    shown = [f"{DICE_LETTERS[kind]}{face.hits}{'*' if face.breaks else ''}" for kind, face in roll.dice]
    return shown + ["?"] * roll.unknown


# draws


def draws_in(before: Game, after: Game) -> Draws:
    """What was drawn in a step, by deck as `Game.load_draws` names them; in the order of the content pack, for a set
    does not tell which came first."""
    draws: Draws = {f"tiles{level}": _tiles(before, after, level) for level in LEVELS}
    left, now = before.state, after.state
    draws["squares"] = _named(before, "squares", _without(left.squares_left, now.squares_left))
    draws["hexes"] = _named(before, "hexes", _without(left.hexes_left, now.hexes_left))
    draws["dragons"] = _named(before, "dragons", _without(left.dragons_left, now.dragons_left))
    draws["adventures"] = _adventures(before, after)
    # With the discards, for the deck may have been made anew of them (SCROLL-6).
    hidden, still_hidden = left.scroll_deck | left.scroll_discards, now.scroll_deck | now.scroll_discards
    draws["scrolls"] = _named(before, "scrolls", _without(hidden, still_hidden))
    draws["blueprints"] = _blueprints(before, after)
    return {deck: drawn for deck, drawn in draws.items() if drawn}


def _without(old: Any, new: Any) -> int:
    """What a set had and has no more."""
    return int(old) & ~int(new)


def _named(game: Game, deck: str, members: int) -> list[str]:
    return [name for k, name in enumerate(game.vocabulary.deck_ids(deck)) if members >> k & 1]


def _tiles(before: Game, after: Game, level: int) -> list[str]:
    """Laid, or looked at and left on top of the stack; but not laid after an earlier look, when it was drawn. What goes
    out of the game with the last tile is not drawn (COOP-4)."""
    old, new, k = before.state, after.state, level - 1
    taken = _without(old.tiles_left[k], new.tiles_left[k] | new.tiles_gone[k])
    known, seen = (1 << int(top[k]) >> 1 for top in (old.top, new.top))
    return _named(before, f"tiles{level}", (taken | seen) & ~known)


def _adventures(before: Game, after: Game) -> list[str]:
    fewer = before.state.adventures_left - after.state.adventures_left
    return [name for name, n in zip(before.vocabulary.deck_ids("adventures"), fewer, strict=True) for _ in range(n)]


def _blueprints(before: Game, after: Game) -> list[str]:
    """SCEN-12: which card a hidden one is, is drawn when somebody takes it."""
    slots = [slot for slot, card in enumerate(before.state.blueprints) if is_hidden(card)]
    return [after.vocabulary.blueprint(slot) for slot in slots if not is_hidden(after.state.blueprints[slot])]
