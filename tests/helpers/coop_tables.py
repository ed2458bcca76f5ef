"""Tables of the cooperative game for tests, on top of `tests.helpers.tables`."""

from typing import Any

from fujikoro_env import Game
from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from tests.helpers.tables import do, lay_plain, legal, place, put, put_dragon, put_gear, refresh, space, table

EXIT, LEGENDARY = "hidden_stair", "throne_of_fuji"  # tiles


def coop_table(players: int = 2, seed: int = 1, **rules: Any) -> Game:
    """Past set-up, player 0 to begin: no monks, no gear cards, WWMM in the first row of the weapon, nothing else."""
    game = table(players, seed, mode="coop", **rules)
    for player in range(players):
        put_gear(game, player, helmet=[], weapon=["WWMM"], sandals=[])
        game.state.players[player].card_on[:] = 0
        game.state.players[player].looks = 0
    cards = game.state.gear_cards
    cards["where"] = (cards["card"] != 0) * int(Where.DISPLAY)
    refresh(game)
    return game


def bare(game: Game, *place_names: str) -> None:
    """Tiles with nothing on them; dragons that they would have had are put back."""
    lay_plain(game, *place_names)
    for number, dragon in enumerate(game.state.dragons):
        if dragon.place and game.state.dragon_at[dragon.place - 1] != number + 1:
            dragon.place = dragon.marker = 0
            game.state.dragons_left |= 1 << number


def marker_of(game: Game, place_name: str) -> int:
    return int(game.state.dragons[game.state.dragon_at[place(place_name)] - 1].marker)


def set_round(game: Game, number: int) -> None:
    """As if this round had been reached; of final rounds the numbers are called, but no lava lies."""
    state, rules = game.state, game.rules
    full = rules.full_rounds if rules.scenario else (25 if rules.players == 1 else 20) - 2 * rules.adventure_tokens
    calls, lava = rules.pack.coop_countdown, rules.lava_after
    heated = lava and lava < number <= lava + len(calls)
    state.round_number, state.countdown = number, number - lava if heated else max(0, number - full)
    called = calls if lava and number > lava + len(calls) else calls[: int(state.countdown)]
    state.called = sum({1 << int(call[-1]) for call in called if call.startswith("lava")})


def finish_round(game: Game) -> None:
    """All move nowhere or rest, until something else is asked or the next round's first action is due."""
    number = game.state.round_number
    while not game.over and game.phase == Phase.ACTION and game.state.round_number == number:
        do(game, "move" if "move" in legal(game) else "rest", "done")


def dragon_comes(game: Game, here: str = "ring1.1", there: str = "ring1.0", dragon: str = "rain_whelp") -> None:
    """A dragon that has slept enough goes from one tile to the next at the start of a round."""
    put_dragon(game, here, dragon)
    finish_round(game)
    do(game, f"place({here})", f"place({there})")


def beat_legendary(game: Game) -> None:
    number = [dragon.colour for dragon in game.rules.pack.dragons].index("white")
    game.state.dragons_left &= ~(1 << number)
    game.state.dragons_beaten |= 1 << number


def open_exit(game: Game, name: str = "ring1.0/petal3") -> None:
    """The legendary dragon is beaten, and the secret exit is where the test wants it."""
    beat_legendary(game)
    game.state.secret_exit = space(name)
    for player in range(game.rules.players):
        put(game, player, name if player < 2 else "start")


def taken_types(game: Game) -> list[int]:
    """How many gear cards of each type have owners."""
    cards = game.state.gear_cards["where"].reshape(3, CARD_SLOTS)
    return [int((row >= Where.OWNED).sum()) for row in cards]


def reason(game: Game) -> str:
    """Why the game is over."""
    assert game.outcome is not None
    return game.outcome.reason
