"""Set-ups for the tests of Fuji: positions are made by writing into the record before anything is asked."""

from typing import Any

import numpy as np

from fuji_env import Game, Rules
from fuji_env.content.model import EQUIPMENT, SKILLS
from fuji_env.rules.base.names import Gear, Injury
from fuji_env.rules.base.phases import Phase

PLAIN = ("survivalist", "gatherer", "buddy", "tinkerer")  # these ask for nothing in a usual round but rerolls


def table(players: int = 3, skills: Any = None, bare: bool = True, **rules: Any) -> Game:
    """A game before its first planning turn, with figure 0 in the lead; `bare`: nobody has equipment."""
    figures = 4 if rules.get("variant") == "B" else players
    names = (*(skills or ()), *[name for name in SKILLS if name not in (skills or ()) and name != "equipment_manager"])
    game = Game(Rules(players=players, skills=names[:figures], ask_forced=True, **rules), seed=1)
    while game.phase == Phase.KEEP:
        game.step(game.legal_actions()[0])
    game.state.lead = 0
    game.state.stack[game.state.depth - 1].figure = 0
    game.state.stack[game.state.depth - 1].actor = 0
    if bare:
        for k in range(figures):
            game.state.figures[k].equipment = 0
        game.state.deck, game.state.under = (1 << len(EQUIPMENT)) - 1, 0
    renew(game)
    return game


def renew(game: Game) -> None:
    """Find the legal actions again, after the record was changed."""
    assert game.find_legal() == 0


def give(game: Game, figure: int, *cards: str) -> None:
    """Put equipment cards before a figure's player."""
    for name in cards:
        bit = 1 << Gear[name.upper()]
        game.state.deck &= ~bit
        game.state.figures[figure].equipment |= bit
    renew(game)


def injure(game: Game, figure: int, *kinds: str) -> None:
    """Let a figure suffer injuries."""
    for kind in kinds:
        game.state.figures[figure].injuries |= 1 << Injury[kind.upper()]
    renew(game)


def show(game: Game, dice: dict[int, str]) -> None:
    """Let sets of dice show these numbers, `{0: "123456"}`; figures have as many dice as are given."""
    for dice_set, numbers in dice.items():
        game.state.dice[dice_set] = 0
        game.state.dice[dice_set, : len(numbers)] = [int(number) for number in numbers]
        if dice_set < game.rules.figures:
            game.state.figures[dice_set].dice = len(numbers)


def card(game: Game, place: str, name: str) -> None:
    """Lay the area card with this id at a place; the card that lay there takes its place."""
    at, areas = game.vocabulary.find_place(place), [one.id for one in game.rules.pack.areas]
    number = areas.index(name) + 1
    cards = game.state.cards.tolist()
    if number in cards:
        game.state.cards[cards.index(number)] = cards[at]
    game.state.cards[at] = number
    renew(game)


def put(game: Game, figure: int, place: str) -> None:
    """Put a figure on a card."""
    game.state.figures[figure].at = game.vocabulary.find_place(place)
    renew(game)


def where(game: Game, figure: int) -> str:
    """The card that a figure stands on."""
    return game.vocabulary.place(int(game.state.figures[figure].at))


def names(game: Game) -> list[str]:
    """Names of the legal actions."""
    return [game.action_name(int(action)) for action in game.legal_actions()]


def do(game: Game, *actions: str) -> None:
    """Carry out actions by name."""
    for name in actions:
        game.step(game.parse_action(name))


def plan(game: Game, *places: str) -> None:
    """Let all figures plan to go to these cards, say nothing, and end the planning."""
    for place in places:
        do(game, f"place({place})")
        if game.phase == Phase.WALK:
            do(game, "walk(through)")
        if game.phase == Phase.WORD:
            do(game, "say(nothing)")
    while game.phase == Phase.PLAN:
        do(game, "done")


def skip(game: Game, *phases: Phase) -> None:
    """Answer `done` as long as one of these questions is asked."""
    while not game.over and game.phase in phases:
        do(game, "done")


def to_moves(game: Game, *places: str) -> None:
    """Plan, and play on to the first choice of who moves, without rerolls or equipment."""
    plan(game, *places)
    skip(game, Phase.REROLL, Phase.EQUIP)


def move(game: Game, figure: int) -> None:
    """Let a figure move next, without power bars."""
    do(game, f"figure({figure})")
    if not game.over and game.phase == Phase.BARS:
        do(game, "bars(0)")


def finish_round(game: Game) -> None:
    """Play the round to its end, always with the first legal action."""
    while not game.over and game.phase not in (Phase.PLAN, Phase.KEEP):
        game.step(int(game.legal_actions()[0]))


def play_at_random(game: Game, seed: int, steps: int = 100_000) -> int:
    """Play random legal actions; returns how many."""
    luck = np.random.default_rng(seed)
    for done in range(steps):
        if game.over:
            return done
        game.step(int(luck.choice(game.legal_actions())))
    return steps
