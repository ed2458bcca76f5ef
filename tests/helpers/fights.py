"""Dragon fights: a bare tile with a dragon, samurai beside it, loaded dice."""

from typing import Any

from fujikoro_env import Game
from fujikoro_env.rules.base.names import Supply
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import DRAGONS_TURN
from tests.helpers.invariants import bytes_of
from tests.helpers.tables import do, lay_plain, place, put, put_dragon, put_gear, table

LAIR = "ring1.1"  # the dragon's tile
BESIDE = "ring1.0/petal3"  # a space that touches the lair; so does the start
INSIDE = f"{LAIR}/petal5"  # the space of the lair that touches both
AWAY = "temple0"


def lair(dragon: str = "rain_whelp", players: int = 2, weapon: list[str] | None = None, **rules: Any) -> Game:
    """Player 0 stands beside a dragon's tile; the others are too far away to join. Nothing else is on the map. With the
    weapon of the table, WWMM, the blue dragon of initiative 4 comes first."""
    game = table(players, **rules)
    lay_plain(game, "ring1.0", LAIR)
    put_dragon(game, LAIR, dragon)
    put(game, 0, BESIDE)
    for p in range(1, players):
        put(game, p, AWAY)
    if weapon is not None:
        put_gear(game, 0, weapon=weapon)
    return game


def load(game: Game, dice: str) -> None:
    """What the dice show that are rolled next: `load(game, "W1 M2*")`."""
    game.load_dice(dice.split())


def dice_left(game: Game) -> int:
    """How many loaded dice have not been rolled."""
    return int((game.state.loaded_dice != 0).sum())


def enter(game: Game, dice: str = "", at: str = INSIDE) -> None:
    """The active samurai goes to the dragon; the dice that are rolled up to the next question show these faces."""
    load(game, dice)
    do(game, "move", f"step({at})")


def enter_with(game: Game, *joiners: int, dice: str = "") -> None:
    """Player 0 goes to the dragon, and these join it from the start tile, as they are asked."""
    for p in joiners:
        put(game, p, "start")
    enter(game, dice)
    for p in joiners:
        assert (game.phase, game.actor) == (Phase.JOIN, p)
        do(game, f"step({LAIR}/petal4)")


def roll(game: Game, dice: str, weapon: str = "left") -> None:
    """Whoever is asked rolls all dice of a weapon; dice for what follows up to the next question come after them."""
    load(game, dice)
    do(game, f"weapon({weapon})", "roll")


def order_of(game: Game) -> list[int | str]:
    """Players in the order of the fight, and "dragon"."""
    return ["dragon" if who == DRAGONS_TURN else int(who) - 1 for who in game.state.fight.order if who]


def fighting(game: Game) -> list[int]:
    """Who is still in the fight."""
    return [p for p in range(game.rules.players) if game.state.fight.fighters[p].inside]


def is_over(game: Game) -> bool:
    """No fight is under way, and nothing of one is left in the record."""
    return not bytes_of(game.compiled.games, "fight").any() and not game.state.turn_over and not game.state.path_length


def dragon_in(game: Game, place_name: str = LAIR) -> str:
    """The name of the dragon that lives there, or ""."""
    number = int(game.state.dragon_at[place(place_name)])
    return game.vocabulary.deck_ids("dragons")[number - 1] if number else ""


def hurt(game: Game, damage: int, place_name: str = LAIR) -> None:
    """Permanent damage tokens from the supply on the dragon that lives there."""
    game.state.dragons[game.state.dragon_at[place(place_name)] - 1].damage += damage
    game.state.supply[Supply.DAMAGE] -= damage
