"""Plays games and records every decision. Agents that can answer for many games at once do so."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from fujikoro_env.envs.batch import WAITS, BatchedGames
from fujikoro_env.envs.policies import AgentPerSeat, BatchPolicy, batch_policy, begin_games
from fujikoro_env.game import IllegalActionError
from fujikoro_env.observation.compact import WIDTH
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.settings import Rules
from fujikoro_training.dataset.schema import DECISIONS, EPISODES, MASK_BYTES, arrow_schema

NO_ROW: Final = -1
Step = dict[str, Any]  # what is recorded of a decision in each of some games: an array or list for each column


class DatasetError(ValueError):
    """A dataset that can't be made; the message says why in one line."""


@runtime_checkable
class ValuedAgent(Protocol):
    """An agent that estimates the value of its choice."""

    def value(self) -> float | None:
        """Estimate for the last action, on a scale of the agent's own; None if it made none."""


@dataclass(frozen=True)
class LineUp:
    """Agents, rules and seeds of a series of games. The agents move on by one seat from game to game."""

    names: tuple[str, ...]  # one for each seat of game 0
    rules: Rules
    seed: int  # of game 0; the others follow
    reward: str
    explanations: bool  # whether agents are asked for values and explanations: then they answer one by one

    def seats(self, game: int) -> list[int]:
        """Place in `names` of the agent in each seat."""
        return [(seat - game) % len(self.names) for seat in range(len(self.names))]


class RecordedGames:
    """Games that are played side by side, with everything that is recorded of them."""

    def __init__(self, line_up: LineUp, games: range) -> None:
        n, rules = len(games), line_up.rules
        self.line_up, self.numbers = line_up, np.array(games, np.int64)
        self.seeds = self.numbers + line_up.seed
        # Random players draw from the batch's own luck, so it must depend on the games alone.
        options: dict[str, Any] = {"reward": line_up.reward, "observation": "compact", "stop": True}
        self.batch = BatchedGames(rules, n, seed=int(self.seeds[0]), **options)
        self.batch.deal(self.seeds)
        self.kinds = list(dict.fromkeys(line_up.names))
        kinds_of_names = np.array([self.kinds.index(name) for name in line_up.names])
        self.seating = kinds_of_names[[line_up.seats(game) for game in games]]  # (games, seats)
        self.policies = [self._policy(kind) for kind in range(len(self.kinds))]
        self.steps: list[Step] = []
        self.payments: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []  # rows, and their rewards
        self.returns = np.zeros((n, rules.players), np.float32)
        self.played = np.zeros((n, rules.players), np.int64)  # decisions by seat
        self._last_row = np.full((n, rules.players), NO_ROW)
        self._rows = 0

    def _policy(self, kind: int) -> BatchPolicy:
        name = self.kinds[kind]
        policy = AgentPerSeat(name) if self.line_up.explanations else batch_policy(name)
        for seat in range(self.line_up.rules.players):
            which = np.flatnonzero(self.seating[:, seat] == kind)
            begin_games(policy, self.batch, which, np.full(len(which), seat))
        return policy

    def play(self) -> None:
        """Play all games to their end."""
        while not self.batch.over.all():
            self._decide(np.flatnonzero(~self.batch.over))

    def _decide(self, which: NDArray[np.int64]) -> None:
        batch, actors = self.batch, self.batch.actors[which]
        chosen = np.full(batch.n, WAITS, np.int64)
        step: Step = {
            "game": self.numbers[which],
            "decision": self.played[which].sum(axis=1),
            "seat": actors,
            "kind": self.seating[which, actors],
            "phase": batch.phases[which],
            "observation": batch.observations[which],
            "mask": np.packbits(batch.masks[which], axis=1, bitorder="little"),
        }
        for kind in range(len(self.kinds)):
            asked = which[step["kind"] == kind]
            if len(asked):
                chosen[asked] = self._answers(kind, asked)
        step["action"] = chosen[which]
        step["value"], step["explanation"] = self._reasons(which, actors, step["kind"])
        self._keep(which, actors, step)
        self._carry_out(chosen)

    def _answers(self, kind: int, asked: NDArray[np.int64]) -> Any:
        try:
            return self.policies[kind].act(self.batch, asked)
        except Exception as error:  # an agent's own code may raise anything
            raise DatasetError(f"agent {self.kinds[kind]!r} failed: {type(error).__name__}: {error}") from error

    def _reasons(
        self, which: NDArray[np.int64], seats: NDArray[np.int64], kinds: NDArray[np.int64]
    ) -> tuple[list[float | None], list[str | None]]:
        """Values and explanations of the agents that have just answered."""
        if not self.line_up.explanations:
            return [None] * len(which), [None] * len(which)
        agents = []
        for game, seat, kind in zip(which.tolist(), seats.tolist(), kinds.tolist(), strict=True):
            policy = self.policies[kind]
            assert isinstance(policy, AgentPerSeat)
            agents.append(policy.agents[game, seat])
        values = [agent.value() if isinstance(agent, ValuedAgent) else None for agent in agents]
        return values, [agent.explain() for agent in agents]

    def _keep(self, which: NDArray[np.int64], actors: NDArray[np.int64], step: Step) -> None:
        self.steps.append(step)
        self._last_row[which, actors] = self._rows + np.arange(len(which))
        self._rows += len(which)
        self.played[which, actors] += 1

    def _carry_out(self, chosen: NDArray[np.int64]) -> None:
        """Step all games. A reward goes to the last decision of its seat."""
        try:
            self.batch.step(chosen)
        except IllegalActionError as error:
            raise DatasetError(f"an agent chose an illegal action: {error}") from None
        paid = self.batch.rewards[:, : self.line_up.rules.players]
        self.returns += paid
        games, seats = np.nonzero(paid)
        rows = self._last_row[games, seats]
        known = rows != NO_ROW  # a seat may be paid before it ever decides
        if known.any():
            self.payments.append((rows[known], paid[games, seats][known]))

    # What was recorded

    def decisions(self) -> Any:
        """All decisions as a table, ordered by game and decision."""
        found = {name: _joined([step[name] for step in self.steps]) for name in self.steps[0]}
        reward = np.zeros(self._rows, np.float32)
        for rows, paid in self.payments:
            np.add.at(reward, rows, paid)
        last = np.zeros(self._rows, np.bool_)
        last[self._last_row[self._last_row != NO_ROW]] = True
        order = np.lexsort((found["decision"], found["game"]))
        found = {
            name: [column[k] for k in order] if isinstance(column, list) else column[order]
            for name, column in {**found, "reward": reward, "last": last}.items()
        }
        found["agent"] = [self.kinds[kind] for kind in found["kind"]]
        return _table(DECISIONS, found)

    def episodes(self) -> Any:
        """Results of all games and seats as a table."""
        batch, players = self.batch, self.line_up.rules.players
        every = np.arange(batch.n)
        seen = np.stack(
            [batch.observe_ended(every, np.full(batch.n, seat)) for seat in range(players)], axis=1
        )  # (games, seats, width)
        ended = batch.ended
        return _table(
            EPISODES,
            {
                "game": np.repeat(self.numbers, players),
                "seat": np.tile(np.arange(players), batch.n),
                "seed": np.repeat(self.seeds, players),
                "agent": [self.kinds[kind] for kind in self.seating.reshape(-1)],
                "decisions": self.played.reshape(-1),
                "return": self.returns.reshape(-1),
                "rank": batch.ranks[:, :players].reshape(-1),
                "vp": batch.scores[:, :players].reshape(-1),
                "rounds": np.repeat(ended["round_number"], players),
                "reason": [Reason(int(reason)).name.lower() for reason in np.repeat(ended["reason"], players)],
                "final_observation": seen.reshape(-1, WIDTH),
            },
        )


def _joined(parts: Sequence[Any]) -> Any:
    if isinstance(parts[0], list):
        return [one for part in parts for one in part]
    return np.concatenate(parts)


def _table(columns: Any, found: dict[str, Any]) -> Any:
    arrays = [_array(column.type, found[column.name]) for column in columns]
    return pa.Table.from_arrays(arrays, schema=arrow_schema(columns))


def _array(kind: Any, values: Any) -> Any:
    if pa.types.is_fixed_size_list(kind):
        return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), type=kind)
    if pa.types.is_fixed_size_binary(kind):
        raw = np.ascontiguousarray(values, np.uint8)
        assert raw.shape[1] == MASK_BYTES
        return pa.FixedSizeBinaryArray.from_buffers(kind, len(raw), [None, pa.py_buffer(raw.tobytes())])
    return pa.array(values, type=kind)
