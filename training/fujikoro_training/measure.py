"""Measures an agent: `python -m fujikoro_training.measure ppo --opponents hunter,runner --games 1000`.

The agent plays against each opponent in all other seats: every seed in every seat, intervals by seed. Then its speed:
decisions per second of CPU time, in one whole game and in the first turns of 256 games at once. Of an agent that
chooses plans, the last figure counts those.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Final

import numpy as np

from fujikoro_agents.policy.agent import PlanNetworkPolicy
from fujikoro_env.envs.batch import BatchedGames
from fujikoro_env.envs.policies import BatchPolicy, batch_policy, begin_games
from fujikoro_env.game import Game
from fujikoro_env.player import AgentError, make_agent
from fujikoro_env.settings import Rules, RulesError
from fujikoro_training.matches import ITSELF, play_match

FIRST_SEED: Final = 740_000_000  # nothing is trained or chosen with seeds from here on
SIDE_BY_SIDE: Final = 256
TIMED_STEPS: Final = 60
LONGEST: Final = 20.0  # seconds in a single game


def match_line(agent: str, opponent: str, rules: Rules, games: int, seed: int) -> str:
    """Result of a match, in one line."""
    match = play_match(batch_policy(agent), opponent, rules, games, seed)
    return f"{match}, lead {match.lead:+.1f} VP, {match.games} games; fair is {1 / rules.players:.1%}"


def speed_of_batch(name: str, games: int = SIDE_BY_SIDE, steps: int = TIMED_STEPS) -> tuple[float, float]:
    """Decisions per second of CPU time when an agent answers for many games at once, and how many plans it chooses in
    this time."""
    batch, policy, every = BatchedGames(Rules(players=4), n=games), batch_policy(name), np.arange(games)
    for seat in range(4):
        begin_games(policy, batch, every, np.full(games, seat))
    spent, plans = 0.0, 0
    for step in range(steps + 1):
        before, began = _plans_chosen(policy), time.process_time()
        actions = policy.act(batch, every)
        if step:  # the first answer loads code and weights
            spent += time.process_time() - began
            plans += _plans_chosen(policy) - before
        batch.step(actions)
        if (ended := np.flatnonzero(batch.dones)).size:
            for seat in range(4):
                begin_games(policy, batch, ended, np.full(len(ended), seat))
    batch.close()
    spent = max(spent, 1e-9)
    return games * steps / spent, plans / spent


def _plans_chosen(policy: BatchPolicy) -> int:
    return policy.plans_chosen if isinstance(policy, PlanNetworkPolicy) else 0


def speed_alone(name: str, seconds: float = LONGEST) -> float:
    """Decisions per second of CPU time in a single game of four, which ends early after so many seconds."""
    game, agents, spent, decisions = Game(seed=1), [make_agent(name) for _ in range(4)], 0.0, -1
    for seat, agent in enumerate(agents):
        agent.reset(1, seat)
    while not game.over and spent < seconds:
        view = game.view(game.actor)
        began = time.process_time()
        action = agents[game.actor].act(view)
        spent += time.process_time() - began if decisions >= 0 else 0.0  # the first answer loads code and weights
        decisions += 1
        game.step(action)
    return decisions / max(spent, 1e-9)


def main(argv: Sequence[str] | None = None) -> int:
    """Command line of this module."""
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_training.measure", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("agent", help="name of the agent, for example policy:model.safetensors")
    parser.add_argument("--opponents", default="random,hunter,runner", help="their names (default: %(default)s)")
    parser.add_argument("--players", type=int, default=4, help="players in a game (default: %(default)s)")
    parser.add_argument("--games", type=int, default=1000, help="games of each match (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="first seed (default: %(default)s)")
    given = parser.parse_args(argv)
    try:
        rules, opponents = Rules(players=given.players), given.opponents.split(",")
        for name in (given.agent, *(name for name in opponents if name != ITSELF)):
            make_agent(name)
        if given.games < 1 or given.seed < 0:
            raise ValueError(f"--games {given.games} --seed {given.seed}: allowed are games from 1 and seeds from 0")
    except (AgentError, RulesError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    for opponent in opponents:
        print(match_line(given.agent, opponent, rules, given.games, given.seed), flush=True)
    decisions, plans = speed_of_batch(given.agent)
    said = f", {plans:,.0f} of them plans" if plans else ""
    print(f"{speed_alone(given.agent):,.0f} decisions per second alone, {decisions:,.0f} in a batch{said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
