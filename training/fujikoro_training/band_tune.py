"""Tunes the weights of the band with CMA-ES: `python -m fujikoro_training.band_tune --players 1 --minutes 30`.

Each weight (agents/fujikoro_agents/scripted/band_weights.py) is scaled by its own factor. A candidate plays many games.
It is scored by the number of wins and, because wins are rare at first, to a small extent by how far the other games
get. All candidates of a generation play the same seeds, and the next generation plays others, so that nothing is tuned
to the luck of a few games. The result, the mean of the last generation, is measured against the previous weights on
separate seeds. It is printed by name, for the solo or the team column.
"""

import argparse
import sys
import time
from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.band import answer_by_band_weights
from fujikoro_agents.scripted.band_weights import BAND_WEIGHTS, WEIGHT_COUNT, Weight
from fujikoro_agents.scripted.ladder import ScriptedGames
from fujikoro_agents.scripted.luck import random_answer
from fujikoro_agents.scripted.skills import BAND
from fujikoro_env.kernel.commands import WAIT
from fujikoro_env.kernel.jit import Floats, IntArray, WordTable, entry
from fujikoro_env.kernel.masks import allows
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.settings import Rules
from fujikoro_training.band import BEATEN, EACH, EXIT, FOUND, MILESTONES, OUT, TYPES, note_milestones, play_out

TUNING_SEED: Final = 20_000_000  # far from the seeds of the pages (training/fujikoro_training/band.py)
JUDGING_SEED: Final = 30_000_000
# Worth of a game that was not won, by the milestones that it reached; a win is worth 1.
PARTS: Final = {EXIT: 0.04, FOUND: 0.03, EACH: 0.01, TYPES: 0.06, BEATEN: 0.12, OUT: 0.04}
SPREAD: Final = 0.3  # initial standard deviation of the logarithms of the factors
POPULATION: Final = 28
JUDGED: Final = 8  # factor between the games of the final measurement and those of a candidate


@entry
def answer_by_weights(
    games: Records[State],
    tables: Records[Tables],
    weights: Floats,
    luck: IntArray,
    masks: WordTable,
    actions: IntArray,
) -> int:
    """Write the band's answers with the given weights; WAIT for finished games. Return the number of games still
    going."""
    playing = 0
    for g in range(len(games)):
        if games[g].reason != Reason.PLAYING:
            actions[g] = WAIT
            continue
        chosen = answer_by_band_weights(games[g], tables[0], weights, masks[g])
        if chosen < 0 or not allows(masks[g], chosen):
            chosen = random_answer(masks[g], luck, g * PLAYERS + int(top(games[g]).actor))
        actions[g] = chosen
        playing += 1
    return playing


def play(rules: Rules, first_seed: int, games: int, weights: Any) -> tuple[Any, Any]:
    """Play games; return by game whether it was won and the round in which each milestone was reached, 0 for never."""
    table = ScriptedGames(rules, first_seed + np.arange(games), np.full((games, PLAYERS), BAND))
    marks: Any = np.zeros((games, len(MILESTONES)), np.int64)

    def answer() -> int:
        note_milestones(table.games, table.tables, marks)
        return answer_by_weights(table.games, table.tables, weights, table.players.luck, table.masks, table.actions)

    play_out(table, answer)
    return table.games["reason"] == Reason.WON, marks


def worth(won: Any, marks: Any) -> float:
    """Mean worth of some games."""
    parts = sum(part * (marks[:, milestone] > 0) for milestone, part in PARTS.items())
    return float(np.where(won, 1.0, parts).mean())


def measured(rules: Rules, games: int, weights: Any) -> str:
    """Result on seeds that were not used for tuning."""
    won, marks = play(rules, JUDGING_SEED, games, weights)
    return f"{won.mean():.1%} of {games} games won, worth {worth(won, marks):.3f}"


def scaled(start: Any, logarithms: Any) -> Any:
    """Scale the weights by factors given as logarithms."""
    return (start * np.exp(np.asarray(logarithms))).astype(np.float32)


def tune(rules: Rules, start: Any, games: int, minutes: float, seed: int) -> Any:
    """Run CMA-ES; return the weights in the middle of the last generation."""
    try:
        import cma
    except ImportError:
        sys.exit("cma is missing: pip install 'fujikoro_env[tune]'")
    options = {"popsize": POPULATION, "seed": seed, "verbose": -9, "CMA_diagonal": True}
    search = cma.CMAEvolutionStrategy(np.zeros(WEIGHT_COUNT), SPREAD, options)
    end, generation = time.monotonic() + 60 * minutes, 0
    while generation == 0 or time.monotonic() < end:
        logarithms = search.ask()
        first_seed = TUNING_SEED + games * generation
        worths = [worth(*play(rules, first_seed, games, scaled(start, each))) for each in logarithms]
        search.tell(logarithms, [-each for each in worths])
        generation += 1
        print(f"generation {generation}: {np.mean(worths):.3f} on average, {max(worths):.3f} at best", flush=True)
    return scaled(start, search.mean)


def main(arguments: list[str] | None = None) -> int:
    """Command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m fujikoro_training.band_tune", description=__doc__.split("\n")[0])
    parser.add_argument("--players", type=int, choices=range(1, PLAYERS + 1), default=1, help="(default: %(default)s)")
    parser.add_argument("--games", type=int, default=150, help="games of each candidate (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=30, help="time limit (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the search (default: %(default)s)")
    given = parser.parse_args(arguments)
    if given.games < 1:
        parser.error(f"--games {given.games}: allowed are whole numbers from 1")
    if not given.minutes >= 0:
        parser.error(f"--minutes {given.minutes}: allowed are numbers from 0")
    rules = Rules(mode="coop", players=given.players)
    start: Any = np.array([row[given.players > 1] for row in BAND_WEIGHTS], np.float32)
    found = tune(rules, start, given.games, given.minutes, given.seed)
    print(f"before: {measured(rules, JUDGED * given.games, start)}")
    print(f"now:    {measured(rules, JUDGED * given.games, found)}")
    for which in Weight:
        print(f"{which.name} = {found[which]:.2g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
