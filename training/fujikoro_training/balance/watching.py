"""`Watcher`: looks at every decision of running games, for the experiment `pace` and for tables of decisions."""

from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from fujikoro_env.rules.base.actions import ACTIONS, TABLE
from fujikoro_env.rules.base.phases import Phase
from fujikoro_training.balance.cells import Cell

UNSEEN: Final = -1
MOST_ROUNDS: Final = 128  # of a game that is watched; later ones count as the last


def action_names() -> list[str]:
    """Short names of all actions: the block, and its argument."""
    return [
        f"{block.name}({argument})" if argument else block.name
        for block in TABLE.values()
        for argument in (block.arguments or ("",))
    ]


class Watcher:
    """Counts choices and actions, and keeps the VP of all players at every round."""

    def __init__(self, games: Any, players: int, keep_decisions: bool) -> None:
        n = len(games)
        self._games, self._players, self._keeps = games, players, keep_decisions
        self.asked, self.forced = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._options, self._bits = np.zeros(n, np.int64), np.zeros(n)
        self.turns = np.zeros(n, np.int64)
        self._last_turn = np.full((n, 2), UNSEEN, np.int64)  # round and player
        self._vp = np.full((n, MOST_ROUNDS, players), UNSEEN, np.int16)  # at the last decision of each round
        self._offered, self._chosen = np.zeros(ACTIONS, np.int64), np.zeros(ACTIONS, np.int64)
        self._kept: list[tuple[Any, ...]] = []

    def see(self, rows: NDArray[np.int64], actors: Any, phases: Any, masks: Any, actions: NDArray[np.int64]) -> None:
        """Look at the answers to one decision in each of some games."""
        legal = np.bitwise_count(masks).sum(axis=1).astype(np.int64)
        choice = legal > 1
        self.asked[rows[choice]] += 1
        self.forced[rows[~choice]] += 1
        self._options[rows[choice]] += legal[choice]
        self._bits[rows[choice]] += np.log2(legal[choice])
        games = self._games
        rounds = np.minimum(games["round_number"][rows].astype(np.int64), MOST_ROUNDS - 1)
        turn = np.stack([rounds, games["active"][rows].astype(np.int64)], axis=1)
        self.turns[rows] += (turn != self._last_turn[rows]).any(axis=1)
        self._last_turn[rows] = turn
        self._vp[rows, rounds] = games["players"]["vp"][rows, : self._players]
        self._count(masks[choice], actions[choice])
        if self._keeps:
            self._kept.append((rows, actors, phases, actions.copy(), legal))

    def _count(self, masks: Any, actions: NDArray[np.int64]) -> None:
        raw = np.ascontiguousarray(masks).view(np.uint8)
        self._offered += np.unpackbits(raw, axis=1, count=ACTIONS, bitorder="little").sum(axis=0, dtype=np.int64)
        np.add.at(self._chosen, actions, 1)

    def pace(self, ranks: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Measures of each game, by column."""
        n = len(ranks)
        found: dict[str, list[float]] = {"lead_changes": [], "settled": [], "drama": []}
        for game in range(n):
            for name, value in self._story(game, int(np.argmin(ranks[game]))).items():
                found[name].append(value)
        asked = np.maximum(1, self.asked)
        return {
            "choices": self.asked,
            "forced": self.forced,
            "turns": self.turns,
            "choices_per_turn": (self.asked / np.maximum(1, self.turns)).astype(np.float32),
            "branching": (self._options / asked).astype(np.float32),
            "bits": (self._bits / asked).astype(np.float32),
            **{name: np.array(values, np.float32) for name, values in found.items()},
        }

    def _story(self, game: int, winner: int) -> dict[str, float]:
        """Lead changes; the share of the rounds after which the winner led for good; and how far behind the winner was
        on average, as a share of the final VP."""
        vp = self._vp[game]
        vp = vp[vp[:, 0] != UNSEEN].astype(np.float64)
        best = vp.max(axis=1)
        sole = (vp == best[:, None]).sum(axis=1) == 1
        leaders = vp.argmax(axis=1)[sole]
        behind = best - vp[:, winner]
        not_ahead = np.flatnonzero((vp[:, winner] < best) | ~sole)
        return {
            "lead_changes": float((leaders[1:] != leaders[:-1]).sum()),
            "settled": (not_ahead[-1] + 1) / len(vp) if len(not_ahead) else 0.0,
            "drama": float(behind.mean() / max(1.0, best[-1])),
        }

    def usage(self, cell: Cell) -> Any:
        """How often each action was offered as a choice, and chosen."""
        return pa.table(
            {
                "cell": [cell.label] * ACTIONS,
                "agent": [cell.agent] * ACTIONS,
                "players": np.full(ACTIONS, cell.players, np.int8),
                "action": action_names(),
                "block": [block.name for block in TABLE.values() for _ in range(block.size)],
                "offered": self._offered,
                "chosen": self._chosen,
            }
        )

    def decisions(self, cell: Cell, block: NDArray[np.int64], rotation: NDArray[np.int64]) -> Any:
        """One row for each decision, in the order of the games; None if they are not kept."""
        if not self._keeps:
            return None
        rows, seat, phase, action, legal = (np.concatenate(column) for column in zip(*self._kept, strict=True))
        sort = np.argsort(rows, kind="stable")
        rows = rows[sort]
        starts = np.searchsorted(rows, np.arange(len(block)))
        return pa.table(
            {
                "cell": [cell.label] * len(rows),
                "agent": [cell.agent] * len(rows),
                "block": block[rows],
                "rotation": rotation[rows].astype(np.int8),
                "decision": (np.arange(len(rows)) - starts[rows]).astype(np.int32),
                "seat": seat[sort].astype(np.int8),
                "phase": [Phase(int(one)).name.lower() for one in phase[sort]],
                "action": action[sort].astype(np.int16),
                "legal": legal[sort].astype(np.int16),
            }
        )
