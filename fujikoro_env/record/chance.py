"""Results of chance as plain data for a recording: of the deal of a game, and of one step.

Nothing is logged while a game is played. Decks are sets, so the pieces drawn are those that have left them; the rolls
are recomputed from the generator of the dice.
"""

from typing import Any, Final

from fujikoro_env.content.model import LEVELS
from fujikoro_env.game import DICE_LETTERS, Game
from fujikoro_env.kernel.record.events import Draws
from fujikoro_env.position import position_of
from fujikoro_env.render.rolls import Roll, rolls_of
from fujikoro_env.vocabulary import is_hidden

LUCK: Final = ("streams", "loaded_dice", "loaded_draws")


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
    """Whether chance was involved in a step. Most steps need none, and this finds them quickly."""
    return any(before.state[luck].tobytes() != after.state[luck].tobytes() for luck in LUCK)


# dice


def rolls_in(before: Game, action: int, after: Game) -> list[dict[str, Any]]:
    """The dice rolled in a step, in order, with the player who rolled them."""
    return [{"who": roll.who, "dice": _dice(roll)} for roll in rolls_of(before, action, after)]


def _dice(roll: Roll) -> list[str]:
    """The dice as `Game.load_dice` takes them; `?` for dice whose kind can't be determined any more."""
    shown = [f"{DICE_LETTERS[kind]}{face.hits}{'*' if face.breaks else ''}" for kind, face in roll.dice]
    return shown + ["?"] * roll.unknown


# draws


def draws_in(before: Game, after: Game) -> Draws:
    """The pieces drawn in a step, by deck as `Game.load_draws` names it. They are in the order of the content pack,
    because a set does not tell which one came first."""
    draws: Draws = {f"tiles{level}": _tiles(before, after, level) for level in LEVELS}
    left, now = before.state, after.state
    draws["squares"] = _named(before, "squares", _without(left.squares_left, now.squares_left))
    draws["hexes"] = _named(before, "hexes", _without(left.hexes_left, now.hexes_left))
    draws["dragons"] = _named(before, "dragons", _without(left.dragons_left, now.dragons_left))
    draws["adventures"] = _adventures(before, after)
    # Including the discards, because the deck may have been reshuffled from them (SCROLL-6).
    hidden, still_hidden = left.scroll_deck | left.scroll_discards, now.scroll_deck | now.scroll_discards
    draws["scrolls"] = _named(before, "scrolls", _without(hidden, still_hidden))
    draws["blueprints"] = _blueprints(before, after)
    return {deck: drawn for deck, drawn in draws.items() if drawn}


def _without(old: Any, new: Any) -> int:
    """The members that a set had and no longer has."""
    return int(old) & ~int(new)


def _named(game: Game, deck: str, members: int) -> list[str]:
    return [name for k, name in enumerate(game.vocabulary.deck_ids(deck)) if members >> k & 1]


def _tiles(before: Game, after: Game, level: int) -> list[str]:
    """Tiles that were laid, or looked at and left on top of the stack. A tile laid after an earlier look does not count
    again, and the tile that leaves the game with the last one was not drawn (COOP-4)."""
    old, new, k = before.state, after.state, level - 1
    taken = _without(old.tiles_left[k], new.tiles_left[k] | new.tiles_gone[k])
    known, seen = (1 << int(top[k]) >> 1 for top in (old.top, new.top))
    return _named(before, f"tiles{level}", (taken | seen) & ~known)


def _adventures(before: Game, after: Game) -> list[str]:
    fewer = before.state.adventures_left - after.state.adventures_left
    return [name for name, n in zip(before.vocabulary.deck_ids("adventures"), fewer, strict=True) for _ in range(n)]


def _blueprints(before: Game, after: Game) -> list[str]:
    """Hidden blueprints that somebody took: the card is drawn at that moment (SCEN-12)."""
    slots = [slot for slot, card in enumerate(before.state.blueprints) if is_hidden(card)]
    return [after.vocabulary.blueprint(slot) for slot in slots if not is_hidden(after.state.blueprints[slot])]
