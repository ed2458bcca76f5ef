"""Positions of the final chapter, fights and powers for tests, on top of `tests.helpers.tables`."""

from typing import Any

from fujikoro_env import Game
from fujikoro_env.content.model import ADVENTURE_POWERS, GEAR, MAX_CARDS_PER_TYPE
from fujikoro_env.rules.base.names import Outside, Supply, Terrain, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from fujikoro_env.rules.map.geometry import geometry
from tests.helpers.gear import meeting
from tests.helpers.tables import do, give_turn, lay_plain, legal, put, put_gear, space, table

ROPE = 3  # countdown spaces entered when the rope lies
# One blueprint of each type, and gear that matches it.
MATCHING = {
    "helmet": ("wave_kabuto", ["W.M.", "M.WM"]),
    "weapon": ("cloud_cutter", ["WWMMM", ".M"]),
    "sandals": ("dragon_tread", ["MTM"]),
}
# Two tiles beside the start: player 0 stands on the first, a step away from the second, where a dragon may lie.
BESIDE, BEYOND = STEP_APART = "ring1.0/petal3", "ring1.1/petal5"
MISS = ("T0", "T0", "T0")  # of a blue dragon


# The final chapter


def final_table(entered: int = 0, players: int = 2, starter: int = 0, **rules: Any) -> Game:
    """The final chapter, on the starter's turn: so many countdown spaces were entered, two tiles lie bare, and all
    stand in a temple."""
    game = table(players=players, **rules)
    lay_plain(game, "ring1.0", "ring1.1")
    for player in range(players):
        put(game, player, "temple1")
    start_final(game, entered, starter)
    give_turn(game, starter)
    return game


def start_final(game: Game, entered: int = 0, starter: int = 0) -> None:
    state = game.state
    state.final_player, state.countdown = starter + 1, entered
    calls = game.rules.pack.countdown[:entered]
    state.rope = "rope" in calls
    state.called = sum(1 << int(call[-1]) for call in calls if call.startswith("lava"))


def number(game: Game, eruption: int, *names: str) -> None:
    """Print an eruption number on spaces."""
    game.state.eruption[[space(name) for name in names]] = eruption


def pass_turn(game: Game) -> None:
    """Whoever's turn it is moves nowhere or rests; ends at the first other question, or when the next turn begins."""
    turn = game.state.active, game.state.round_number
    while game.phase == Phase.ACTION and turn == (game.state.active, game.state.round_number):
        do(game, "move" if "move" in legal(game) else "rest", "done")


def lava_tiles(game: Game) -> set[str]:
    """Names of the spaces under lava tiles."""
    return {name for name, terrain in zip(geometry().space_names, game.state.terrain, strict=True) if terrain == 3}


def put_lava_tile(game: Game, *names: str) -> None:
    game.state.terrain[[space(name) for name in names]] = Terrain.LAVA_TILE
    game.state.supply[Supply.LAVA] -= len(names)


def send_out(game: Game, player: int, outside: Outside = Outside.PALACE) -> None:
    """The player has left the volcano, after all who left before."""
    game.state.escaped += 1
    me = game.state.players[player]
    me.outside, me.left_volcano, me.at = outside, game.state.escaped, 0
    me.left_round = game.state.round_number


def own_blueprint(game: Game, player: int, gear: str) -> None:
    """The blueprint of MATCHING; whoever had it before has the one that it is swapped for."""
    cards = game.state.blueprints
    mine = GEAR.index(gear) * CARD_SLOTS + player
    ids = [card.id for card in game.rules.pack.blueprints if card.gear == gear]
    wanted = GEAR.index(gear) * MAX_CARDS_PER_TYPE + ids.index(MATCHING[gear][0]) + 1
    for slot in range(len(cards)):
        if cards[slot].card == wanted:
            cards[slot].card = cards[mine].card
    cards[mine].card, cards[mine].where = wanted, Where.OWNED + player


def make_magic(game: Game, player: int, *gears: str) -> None:
    """Magic gear that matches a blueprint of its owner."""
    for gear in gears:
        own_blueprint(game, player, gear)
        put_gear(game, player, **{gear: MATCHING[gear][1]})
        game.state.players[player].gear[GEAR.index(gear)].magic = 1
        game.state.supply[Supply.MAGIC] -= 1


# Fights and powers


def attack_dragon(game: Game, *dice: str) -> None:
    """Player 0 enters the dragon's tile; the dice of the fight are loaded, and then the dragon misses."""
    game.load_dice([*dice, *MISS])
    do(game, "move", f"step({BEYOND})")


def in_duel(*dice: str, game: Game | None = None) -> Game:
    """Player 0 has gone to player 1 and called a duel."""
    game = game or meeting(at=STEP_APART)
    game.load_dice(dice)
    do(game, "move", f"step({BEYOND})", "yes")
    return game


def strike(game: Game) -> None:
    """Roll all dice of the left weapon."""
    do(game, "weapon(left)", "roll")


def dragon_damage(game: Game, dragon: str = "rain_whelp") -> int:
    """Permanent damage tokens on a dragon."""
    return int(game.state.dragons[game.vocabulary.deck_ids("dragons").index(dragon)].damage)


def give_tokens(game: Game, player: int, *kinds: str) -> None:
    """Adventure tokens beside the board."""
    for kind in kinds:
        game.state.adventures_left[ADVENTURE_POWERS.index(kind)] -= 1
        game.state.players[player].adventures[ADVENTURE_POWERS.index(kind)] += 1


def tokens_of(game: Game, player: int) -> list[str]:
    counts = game.state.players[player].adventures
    return [kind for kind, count in zip(ADVENTURE_POWERS, counts, strict=True) for _ in range(count)]


def steps(game: Game) -> set[str]:
    """Names of the spaces that may be stepped to, or named."""
    return {name[5:-1] for name in legal(game, "step")}
