"""Evaluation games: a fixed set of games that measures a policy in one seat against random players, and counts what all
players do.

The policy's seat rotates, so that each seat is taken equally often. Every game is played once and to its end, so long
games count as much as short ones.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.envs.batch import WAITS, BatchedGames
from fujikoro_env.rules.base.actions import ACTIONS, BLUEPRINT, BUILD, BUILD_BLUEPRINT, CARD, CRAFT, STEP, TABLE
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.rules.map.geometry import PLACES, SPACES, geometry
from fujikoro_env.settings import Rules

Policy = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.int64]]

OTHERS, LEARNER = 0, 1
LEAST_DRAGON_VP: Final = 5
CRAFTING: Final = (Phase.CRAFT_WAY, Phase.CRAFT_LAY, Phase.WASTE)
PLACE_OF: Final = np.where(geometry().place_of < 0, PLACES, geometry().place_of)  # the start's place has no dragon
BLOCKS: Final = tuple(TABLE)
BLOCK_OF: Final = np.repeat(np.arange(len(TABLE)), [block.size for block in TABLE.values()])


@dataclass
class Counts:
    """Counters by role: the policy's seat, and all others together."""

    phases: NDArray[Any] = field(default_factory=lambda: np.zeros((2, FIRST_AUTOMATIC)))  # decisions by phase
    choices: NDArray[Any] = field(default_factory=lambda: np.zeros((2, FIRST_AUTOMATIC)))  # number of legal actions
    vp: NDArray[Any] = field(default_factory=lambda: np.zeros((2, FIRST_AUTOMATIC)))  # VP won by the answer to a phase
    blocks: NDArray[Any] = field(default_factory=lambda: np.zeros((2, len(TABLE))))  # actions by block
    events: dict[str, NDArray[Any]] = field(default_factory=dict)

    def event(self, name: str, role: NDArray[Any], happened: NDArray[np.bool_]) -> None:
        """Count an event for the given roles where it happened."""
        here = self.events.setdefault(name, np.zeros(2))
        here += np.bincount(role[happened], minlength=2)


class EvaluationGames:
    """Plays the evaluation games and counts events."""

    def __init__(self, rules: Rules, games: int, seed: int) -> None:
        self.batch = BatchedGames(rules, games, seed, reward="win")
        self.players = rules.players
        self.seats = np.arange(games) % rules.players
        self.playing = np.ones(games, np.bool_)
        self.counts = Counts()
        self.wins = np.zeros(games)  # the policy's share of the win, by game
        self.scores = np.zeros((games, PLAYERS))
        self.rounds = np.zeros(games)
        self.capped = np.zeros(games, np.bool_)
        self._rows = np.arange(games)
        self._crafter = np.full(games, -1)  # player who is crafting, by game; -1 for none
        self._gear = np.zeros((games, 3, 3), np.int64)  # its cubes before that, by gear and resource

    def play(self, policy: Policy | None) -> dict[str, Any]:
        """Play all games and return the results. A `policy` of None is a random player, like all others."""
        while self.playing.any():
            actions = self._actions(policy)
            self._count_decisions(actions)
            self._count_crafts(actions)
            before = self._look()
            roles = self._roles()
            phases = self.batch.phases.copy()
            self.batch.step(actions)
            self._count_results(before, phases, roles)
            self._end_games()
        return self._results()

    def _roles(self) -> NDArray[np.int64]:
        """Role of the acting player, by game."""
        return np.where(self.batch.actors == self.seats, LEARNER, OTHERS)

    def _actions(self, policy: Policy | None) -> NDArray[np.int64]:
        actions = np.where(self.playing, self.batch.random_actions(), WAITS)
        if policy is not None:
            asked = np.flatnonzero(self.playing & (self.batch.actors == self.seats))
            if len(asked):
                seen = self.batch.observe(observers=np.where(self.batch.actors == self.seats, self.seats, -1))
                actions[asked] = policy(seen[asked], self.batch.masks[asked])
        return actions

    def _count_decisions(self, actions: NDArray[np.int64]) -> None:
        batch, counts, rows = self.batch, self.counts, np.flatnonzero(self.playing)
        role, phase, action, masks = self._roles()[rows], batch.phases[rows], actions[rows], batch.masks[rows]
        np.add.at(counts.phases, (role, phase), 1)
        np.add.at(counts.choices, (role, phase), masks.sum(axis=1))
        np.add.at(counts.blocks, (role, BLOCK_OF[action]), 1)
        laying = phase == Phase.CRAFT_LAY
        counts.event("lay decisions", role, laying)
        counts.event("builds legal", role, laying & masks[:, BUILD:CARD].any(axis=1))
        counts.event("gear card patterns built", role, (action >= BUILD) & (action < BUILD_BLUEPRINT))
        counts.event("blueprint patterns built", role, (action >= BUILD_BLUEPRINT) & (action < CARD))
        counts.event("blueprints taken", role, (phase == Phase.BLUEPRINTS) & (BLOCK_OF[action] == BLOCK_OF[BLUEPRINT]))
        counts.event("scrolls taken", role, phase == Phase.SCROLL_CARD)
        counts.event("tiles explored", role, phase == Phase.EXPLORE_TURN)
        steps = (phase == Phase.MOVE) & (action >= STEP) & (action < STEP + SPACES)
        onto = PLACE_OF[np.where(steps, action - STEP, 0)]
        dragon = batch.states["dragon_at"][rows, onto] != 0
        counts.event("dragon fights begun", role, steps & dragon)
        counts.event("steps", role, steps)

    def _count_crafts(self, actions: NDArray[np.int64]) -> None:
        """Count crafts, and those that left all gear unchanged."""
        batch = self.batch
        ended = np.flatnonzero(self.playing & (self._crafter >= 0) & ~np.isin(batch.phases, CRAFTING))
        who = self._crafter[ended]
        same = (batch.states["players"]["gear"]["cubes"][ended, who] == self._gear[ended]).all(axis=(1, 2))
        role = np.where(who == self.seats[ended], LEARNER, OTHERS)
        self.counts.event("crafts", role, np.ones(len(ended), np.bool_))
        self.counts.event("crafts that changed nothing", role, same)
        self._crafter[ended] = -1
        begun = self.playing & (batch.phases == Phase.REST) & (actions >= CRAFT) & (actions < CRAFT + 3)
        rows = np.flatnonzero(begun)
        self._crafter[rows] = batch.actors[rows]
        self._gear[rows] = batch.states["players"]["gear"]["cubes"][rows, batch.actors[rows]]

    def _look(self) -> dict[str, NDArray[Any]]:
        states = self.batch.states
        return {
            "vp": states["players"]["vp"].copy(),
            "beaten": np.bitwise_count(states["dragons_beaten"]).astype(np.int64),
            "unconscious": states["players"]["unconscious"].copy(),
            "fighting": states["fight"]["fighters"]["inside"].any(axis=1),
        }

    def _count_results(self, before: dict[str, Any], phases: NDArray[Any], roles: NDArray[Any]) -> None:
        """Count what changed. VP go to the phase whose answer brought them, whoever answered it."""
        counts, done = self.counts, self.batch.dones
        after = self.batch.states
        last = self.batch.ended
        vp = np.where(done[:, None], self.batch.scores, after["players"]["vp"]) - before["vp"]
        beaten = np.where(done, np.bitwise_count(last["dragons_beaten"]), np.bitwise_count(after["dragons_beaten"]))
        won = beaten.astype(np.int64) > before["beaten"]
        knocked = ~done[:, None] & (after["players"]["unconscious"] > before["unconscious"])
        duels = ~done & ~before["fighting"] & after["fight"]["fighters"]["inside"].any(axis=1)
        duels &= after["fight"]["dragon"] == 0
        counts.event("duels begun", roles, self.playing & duels)
        for player in range(self.players):
            role = np.where(self.seats == player, LEARNER, OTHERS)
            np.add.at(counts.vp, (role[self.playing], phases[self.playing]), vp[self.playing, player])
            counts.event("dragons beaten", role, self.playing & won & (vp[:, player] >= LEAST_DRAGON_VP))
            counts.event("knocked out", role, self.playing & knocked[:, player])

    def _end_games(self) -> None:
        over = self.playing & self.batch.dones
        if not over.any():
            return
        ended = self.batch.ended[over]
        self.wins[over] = (self.batch.rewards[self._rows, self.seats] + 1 / self.players)[over]
        self.scores[over] = self.batch.scores[over]
        self.rounds[over] = ended["round_number"]
        self.capped[over] = ended["final_player"] == 0
        for player in range(self.players):
            role = np.where(self.seats[over] == player, LEARNER, OTHERS)
            for name, number in (
                ("gear cards owned", (ended["players"]["card_on"][:, player] != 0).sum(axis=1)),
                ("magic gear at the end", (ended["players"]["gear"]["magic"][:, player] != 0).sum(axis=1)),
                ("left the volcano", ended["players"]["outside"][:, player] != 0),
                ("monks at the end", ended["players"]["monks"][:, player].sum(axis=1)),
            ):
                here = self.counts.events.setdefault(name, np.zeros(2))
                here += np.bincount(role, weights=number, minlength=2)
        self.playing[over] = False

    def _results(self) -> dict[str, Any]:
        games, rows = len(self.seats), self._rows
        seats = np.array([games * (self.players - 1), games])  # number of seats of each role
        own = self.scores[rows, self.seats]
        others = (self.scores.sum(axis=1) - own) / (self.players - 1)
        return {
            "games": games,
            "players": self.players,
            "win share": float(self.wins.mean()),
            "win share +-": float(1.96 * self.wins.std() / np.sqrt(games)),
            "vp": [float(others.mean()), float(own.mean())],
            "vp +-": [float(1.96 * each.std() / np.sqrt(games)) for each in (others, own)],
            "rounds": float(self.rounds.mean()),
            "games without a final chapter": float(self.capped.mean()),
            "decisions": (self.counts.phases.sum(axis=1) / seats).tolist(),
            "events": {name: (count / seats).tolist() for name, count in sorted(self.counts.events.items())},
            "phases": _by_name(Phase, self.counts.phases / seats[:, None]),
            "choices": _by_name(Phase, self.counts.choices / np.maximum(1, self.counts.phases)),
            "vp by phase": _by_name(Phase, self.counts.vp / seats[:, None]),
            "blocks": {
                name: (self.counts.blocks[:, index] / seats).tolist()
                for index, name in enumerate(BLOCKS)
                if self.counts.blocks[:, index].any()
            },
        }


def _by_name(phases: type[Phase], table: NDArray[Any]) -> dict[str, list[float]]:
    return {phases(k).name: table[:, k].tolist() for k in range(table.shape[1]) if table[:, k].any()}


def play_evaluation_games(rules: Rules, games: int, seed: int, policy: Policy | None) -> dict[str, Any]:
    """Play the evaluation games. The results, by name, are numbers or pairs (all others, the policy's seat) per seat
    and game."""
    assert len(BLOCK_OF) == ACTIONS
    return EvaluationGames(rules, games, seed).play(policy)
