"""Gear cards, blueprints, magic and duels, put where a test wants them."""

from typing import Any

from fujikoro_env import Game
from fujikoro_env.content.model import GEAR, MAX_CARDS_PER_TYPE, Card
from fujikoro_env.rules.base.names import Supply, Where
from fujikoro_env.rules.base.state import CARD_SLOTS
from fujikoro_env.rules.base.tables import cards_of_type
from tests.helpers.tables import do, lay_plain, put, put_gear, table

ACTIONS_WITH_CARDS = ("move", "explore", "gather")
HERE = "ring1.0/petal3"  # where samurai meet: beside the start, not safe
# A blueprint of each type, and gear that matches it and nothing more.
BLUEPRINTS = {"helmet": "sun_kabuto", "weapon": "cloud_cutter", "sandals": "steps_of_the_mountain"}
MATCHING = {"helmet": ["WMW", "M.M"], "weapon": ["WWMMM", ".M"], "sandals": ["MMM"]}


# Cards


def _numbered(cards: tuple[Card, ...], name: str) -> tuple[int, int]:
    """The gear type of a card, and its number + 1."""
    gear = GEAR.index(next(card.gear for card in cards if card.id == name))
    names = [card.id for card in cards_of_type(cards, gear)]
    return gear, gear * MAX_CARDS_PER_TYPE + names.index(name) + 1


def show_cards(game: Game, *names: str) -> None:
    """These gear cards in the display, and no others."""
    cards = game.state.gear_cards
    cards["card"][cards["where"] == Where.DISPLAY] = 0
    cards["where"][cards["where"] == Where.DISPLAY] = 0
    for name in names:
        gear, number = _numbered(game.rules.pack.gear_cards, name)
        first = gear * CARD_SLOTS
        slot = next(k for k in range(first, first + CARD_SLOTS) if cards["card"][k] == 0)
        cards["card"][slot], cards["where"][slot] = number, Where.DISPLAY


def put_card(game: Game, player: int, name: str, under: str, looks: bool = False) -> None:
    """The player owns this gear card, or the first one of this type of gear, and it lies under this action; the display
    is left without it."""
    cards = game.rules.pack.gear_cards
    card = next(card.id for card in cards if card.gear == name) if name in GEAR else name
    gear, number = _numbered(cards, card)
    _own(game, "gear_cards", player, gear, number)
    me = game.state.players[player]
    me.card_on[ACTIONS_WITH_CARDS.index(under)] = gear + 1
    me.looks = me.looks or looks


def put_blueprint(game: Game, player: int, name: str) -> None:
    """The player owns this blueprint; it lies nowhere else."""
    _own(game, "blueprints", player, *_numbered(game.rules.pack.blueprints, name))


def _own(game: Game, deck: str, player: int, gear: int, number: int) -> None:
    cards = game.state[deck]
    cards["where"][cards["card"] == number] = 0
    cards["card"][cards["card"] == number] = 0
    slot = gear * CARD_SLOTS + player  # each player has at most one of a type
    cards["card"][slot], cards["where"][slot] = number, Where.OWNED + player


def lose_blueprint(game: Game, player: int, gear: str) -> None:
    """As with a second pack that is lost: the blueprint leaves the game."""
    game.state.blueprints[GEAR.index(gear) * CARD_SLOTS + player].where = Where.GONE


def cards_under(game: Game, player: int) -> dict[str, str]:
    """The gear type of the card under each action that has one."""
    laid = zip(ACTIONS_WITH_CARDS, game.state.players[player].card_on, strict=True)
    return {action: GEAR[gear - 1] for action, gear in laid if gear}


# Magic


def put_magic(game: Game, player: int, gear: str, where: int = 1) -> None:
    """A magic cube from the supply; `where`: of two weapons 1 is the left one, 2 the right one."""
    game.state.players[player].gear[GEAR.index(gear)].magic = where
    game.state.supply[Supply.MAGIC] -= 1


def magic_of(game: Game, player: int) -> dict[str, int]:
    """Where magic lies: 1, or 2 on a right weapon."""
    gears = zip(GEAR, game.state.players[player].gear, strict=True)
    return {name: int(gear.magic) for name, gear in gears if gear.magic}


def put_magic_gear(game: Game, player: int, *gears: str) -> None:
    """Gear that matches the player's blueprint and has its magic."""
    for gear in gears:
        put_blueprint(game, player, BLUEPRINTS[gear])
        put_gear(game, player, **{gear: MATCHING[gear]})
        put_magic(game, player, gear)


def magic_left(game: Game) -> int:
    return int(game.state.supply[Supply.MAGIC])


# Duels


def meeting(
    players: int = 2,
    weapons: tuple[str, str] = ("WWMM", "WWMM"),
    at: tuple[str, str] = ("start", HERE),
    **rules: Any,
) -> Game:
    """Players 0 and 1 stand a step apart, on the start tile or on bare tiles."""
    game = table(players=players, **rules)
    lay_plain(game, *(space.partition("/")[0] for space in at if space != "start"))
    for player, (space, weapon) in enumerate(zip(at, weapons, strict=True)):
        put(game, player, space)
        put_gear(game, player, weapon=[weapon])
    return game


def call_duel(game: Game) -> None:
    """Player 0 goes to player 1 and fights."""
    do(game, "move", f"step({HERE})", "yes")


def blow(game: Game, *faces: str, weapon: str = "left") -> None:
    """The one whose turn it is rolls all dice of a weapon, and they show these faces."""
    game.load_dice(faces)
    do(game, f"weapon({weapon})", "roll")


def break_off(game: Game, *cells: str) -> None:
    """Cubes that breaking dice cost: `break_off(game, "0,1")` takes the one in row 0, column 1 of the weapon."""
    do(game, *(f"cell(weapon[{cell}])" for cell in cells))


def win(game: Game) -> None:
    """Player 0 goes to player 1, knocks it out with its first roll and lays it on the start tile."""
    put_gear(game, 0, weapon=["WWM"])
    put_gear(game, 1, weapon=["WW"], helmet=[])
    call_duel(game)
    blow(game, "W1", "W0", "M0")
    do(game, "step(start)")


def lose(game: Game) -> None:
    """Player 0 goes to player 1, which is faster, knocks it out and lays it on the start tile."""
    put_gear(game, 0, weapon=["WW"], helmet=[])
    put_gear(game, 1, weapon=["WWM"])
    call_duel(game)
    blow(game, "W1", "W0", "M0")
    do(game, "step(start)")


def lying(game: Game) -> list[int]:
    """Who is unconscious."""
    return [p for p in range(game.rules.players) if game.state.players[p].unconscious]
