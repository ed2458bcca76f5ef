"""Benchmark games of trained agents, played side by side: the same games as one by one, several times faster."""

from collections.abc import Sequence
from typing import TypeGuard

import numpy as np

from fujikoro_agents.policy.agent import PolicyAgent, Ppo, Pupil
from fujikoro_agents.policy.weights_file import Policy
from fujikoro_agents.values.agent import Sensei, ValueAgent
from fujikoro_env.envs.policies import BatchPolicy, batch_policy
from fujikoro_env.envs.seats import SeatedGames
from fujikoro_env.player import Agent, make_agent
from fujikoro_env.rules.base.names import Character, Reason
from fujikoro_env.settings import Rules
from fujikoro_training.benchmark.scripted import name_in_session, skills_of
from fujikoro_training.tournament.match import Result
from fujikoro_training.tournament.schedule import Match


def plays_in_batches(name: str) -> bool:
    """Whether an agent answers for many games at once exactly as it does for each of them: scripts, networks in policy
    files, and lookahead with a value network. Agents of others play one by one, so that their failures are theirs."""
    agent = make_agent(name)
    if _is_network(agent):
        return isinstance(agent.policy, Policy)  # not a model of Stable-Baselines3
    return skills_of(name) is not None or type(agent) in (Sensei, ValueAgent)


def _is_network(agent: Agent) -> TypeGuard[PolicyAgent]:
    return type(agent) in (PolicyAgent, Ppo, Pupil)


def _exact_policy(name: str) -> BatchPolicy:
    agent = make_agent(name_in_session(name))
    return agent.batch_policy(exact=True) if _is_network(agent) else batch_policy(agent)


def play_batched(rules: Rules, matches: Sequence[Match], names: Sequence[str]) -> list[Result]:
    """Play matches of agents that play in batches. `names`: by number of the agent. Thinking time is not measured."""
    seating = np.array([match.seats for match in matches])
    table = SeatedGames(rules, len(matches), 0, [_exact_policy(name) for name in names], seating, stop=True)
    table.deal([match.seed for match in matches])
    games, decisions = table.games, np.zeros(seating.shape, np.int64)
    while not games.over.all():
        playing = np.flatnonzero(~games.over)
        decisions[playing, games.actors[playing]] += 1
        table.step()
    ended, seats = games.ended, rules.players
    return [
        Result(
            game=match.game,
            reason=Reason(int(ended["reason"][row])).name.lower(),
            rounds=int(ended["round_number"][row]),
            ranks=games.ranks[row, :seats].tolist(),
            vp=games.scores[row, :seats].tolist(),
            characters=[Character(int(ended["players"]["character"][row, p])).name.lower() for p in range(seats)],
            decisions=decisions[row].tolist(),
            seconds=[0.0] * seats,
        )
        for row, match in enumerate(matches)
    ]
