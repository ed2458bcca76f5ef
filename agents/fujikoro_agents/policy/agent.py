"""Agents that play with a trained policy: `policy:model.safetensors`.

Actions are sampled as in training; `policy:model.safetensors:greedy=true` takes the most likely action instead. A
MaskablePPO model of sb3-contrib plays after `policy:model.zip:trust=true`, because such a file can run code.

`ppo` plays with the policy that is part of the package (docs/ppo.md).
"""

import sys
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.option_values import OptionValue
from fujikoro_agents.plans.player import PlanPolicy
from fujikoro_agents.policy.answers import chosen, drawn_from
from fujikoro_agents.policy.digests import PLANS
from fujikoro_agents.policy.networks import Observations
from fujikoro_agents.policy.safe_file import stat_of
from fujikoro_agents.policy.sb3_model import Sb3Policy, is_archive, load_model
from fujikoro_agents.policy.weights_file import Policy, load_policy
from fujikoro_env.content.model import Pack
from fujikoro_env.envs.batch import BatchedGames
from fujikoro_env.envs.policies import Which
from fujikoro_env.game import Game
from fujikoro_env.player import agents_seed, luck_of
from fujikoro_env.rules.base.state import PLAYERS

PPO_FILE: Final = "ppo.safetensors"  # policies that are part of the package
PUPIL_FILE: Final = "pupil.safetensors"
SHOWN: Final = 3  # number of actions listed in an explanation
WARNED: set[tuple[str, str]] = set()  # file and content of the warnings given so far


class PolicyAgent:
    """Agent that samples its actions from a trained policy, or takes the most likely one if `greedy`."""

    def __init__(self, path: str, greedy: bool = False, trust: bool = False) -> None:
        self.path, self.greedy = str(path), greedy
        self.policy = any_policy(self.path, trust)
        self._plans = PlanPolicy(self._chosen_plans) if self.policy.observation == PLANS else None
        self.reset(0, 0)

    def reset(self, seed: int, seat: int) -> None:
        """Start a new game: forget the last decision and seed the agent's random numbers."""
        self._luck = np.array([luck_of(seed, seat)], np.uint64)
        self._last: tuple[Game, NDArray[np.float64], float] | None = None
        self._weighed: tuple[NDArray[np.float64], float] | None = None  # plans of the last question, and their value
        if self._plans is not None:
            self._plans.hold(1)
            self._plans.table.begin_seat(0, seat, seed)

    def act(self, view: Game) -> int:
        """Choose a legal action in the given position."""
        if self._last is None:
            warn_of_content(self.path, self.policy, view.rules.pack)
        if self._plans is not None:
            return self._act_by_plan(view, self._plans)
        chances, value = self.judge(view)
        self._last = view, chances, value
        if self.greedy:
            return int(chances.argmax())
        self._luck, luck = drawn_from(self._luck)
        return int(chosen(chances[None], luck)[0])

    def _act_by_plan(self, view: Game, plans: PlanPolicy) -> int:
        """Choose a plan if there is a question, and return the next action of the plan under way."""
        self._weighed = None
        (action,) = plans.answer(view.compiled, np.zeros(1, np.int64))
        self._last = view, *self._weighed_plans()
        return int(action)

    def _weighed_plans(self) -> tuple[NDArray[np.float64], float]:
        """Probabilities and value of the last question; no probabilities if there was none."""
        return (np.zeros(0), 0.0) if self._weighed is None else self._weighed

    def _chosen_plans(self, seen: Any, masks: NDArray[np.bool_], which: NDArray[np.int64]) -> NDArray[np.int64]:
        chances, values = self.policy.judge(seen, masks)
        self._weighed = chances[0], float(values[0])
        if self.greedy:
            return chosen(chances, None)
        self._luck, luck = drawn_from(self._luck)
        return chosen(chances, luck)

    def explain(self) -> str:
        """Describe the last decision: the most likely actions or plans, and the expected return."""
        if self._last is None:
            return ""
        view, chances, value = self._last
        if self._plans is not None:
            if self._weighed is None:
                return "by the plan under way, or by the script"
            texts = self._plans.table.describe(view)
            best = [int(choice) for choice in np.argsort(-chances, kind="stable")[:SHOWN] if chances[choice] > 0]
            weighed = "; ".join(f"{texts[choice]} {chances[choice]:.0%}" for choice in best)
            return f"most likely plans: {weighed}{self._expected(value)}"
        best = [int(action) for action in np.argsort(-chances, kind="stable")[:SHOWN] if chances[action] > 0]
        weighed = ", ".join(f"{view.action_name(action)} {chances[action]:.0%}" for action in best)
        return f"most likely actions: {weighed}{self._expected(value)}"

    def _expected(self, value: float) -> str:
        return f"; expected return {value:+.2f}" if self.policy.has_value else ""

    def values(self) -> list[OptionValue]:
        """Probability of each action at the last decision, the most likely first."""
        if self._last is None:
            return []
        view, chances, _ = self._last
        likely = [int(action) for action in np.argsort(-chances, kind="stable") if chances[action] > 0]
        return [
            OptionValue(view.action_name(action), float(chances[action]), "probability", action) for action in likely
        ]

    def value(self) -> float | None:
        """Expected return at the last decision."""
        is_known = self._last is not None and len(self._last[1]) > 0 and self.policy.has_value
        return self._last[2] if is_known and self._last is not None else None

    def batch_policy(self, exact: bool = False) -> "NetworkPolicy | PlanNetworkPolicy":
        """A policy that gives the same answers for many games at once. `exact`: one forward pass for each game, so that
        probabilities are equal to the last bit. This is slower."""
        kind: type[NetworkPolicy | PlanNetworkPolicy] = NetworkPolicy if self._plans is None else PlanNetworkPolicy
        return kind(self.path, self.policy, self.greedy, exact)

    def judge(self, view: Game) -> tuple[NDArray[np.float64], float]:
        """Return the probability of each action and the expected return."""
        seen = view.observe(view.actor, self.policy.observation)
        rows = {name: part[None] for name, part in seen.items()} if isinstance(seen, dict) else seen[None]
        chances, values = self.policy.judge(rows, view.legal_mask()[None])
        return chances[0], float(values[0])


def shipped(name: str) -> str:
    """Path of a policy that is part of the package."""
    return str(files("fujikoro_agents.policy").joinpath(name))


class Ppo(PolicyAgent):
    """`ppo`: plays with the shipped policy. It takes the most likely action, which is stronger than drawing one; with
    `greedy=false` its games differ more."""

    def __init__(self, greedy: bool = True) -> None:
        super().__init__(shipped(PPO_FILE), greedy)


class Pupil(PolicyAgent):
    """`pupil`: chooses plans with the shipped network, which learned them from a lookahead with a value network."""

    def __init__(self, greedy: bool = True) -> None:
        super().__init__(shipped(PUPIL_FILE), greedy)


class NetworkPolicy:
    """A trained policy that answers for many games at once. It plays the same games as one agent for each seat, but for
    the rounding of probabilities, which depends on the number of games unless it is `exact`."""

    def __init__(self, path: str, policy: Policy | Sb3Policy, greedy: bool, exact: bool = False) -> None:
        self._path, self._policy, self._greedy, self._exact = path, policy, greedy, exact
        self._luck = np.zeros((0, PLAYERS), np.uint64)  # states of random generators, by game and seat

    def begin(self, games: BatchedGames, which: Which, seats: Which) -> None:
        """Start new games, each with random numbers that depend on the seed of the game."""
        warn_of_content(self._path, self._policy, games.rules.pack)
        if len(self._luck) < games.n:
            self._luck = np.zeros((games.n, PLAYERS), np.uint64)
        for game, seat in zip(which, seats, strict=True):
            self._luck[game, seat] = luck_of(agents_seed(int(games.seeds[game])), int(seat))

    def act(self, games: BatchedGames, which: Which) -> NDArray[np.int64]:
        """Choose a legal action in each of the games `which`."""
        which = np.asarray(which, np.int64)
        seats = games.actors[which]
        observers = np.full(games.n, -1, np.int64)
        observers[which] = seats
        seen = games.observe(self._policy.observation, observers=observers)
        chances = _chances(self._policy, _rows(seen, which), games.masks[which], self._exact)
        if self._greedy:
            return chosen(chances, None)
        self._luck[which, seats], luck = drawn_from(self._luck[which, seats])
        return chosen(chances, luck)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """What it remembers of all games."""
        return {"luck": self._luck.copy()}

    def restore(self, snapshot: dict[str, NDArray[Any]]) -> None:
        """Go on from a snapshot."""
        self._luck = snapshot["luck"].copy()


class PlanNetworkPolicy:
    """A trained policy on plans that answers for many games at once, like `NetworkPolicy`."""

    def __init__(self, path: str, policy: Policy | Sb3Policy, greedy: bool, exact: bool = False) -> None:
        self._path, self._policy, self._greedy, self._exact = path, policy, greedy, exact
        self._luck = np.zeros((0, PLAYERS), np.uint64)
        self._plans = PlanPolicy(self._choose)
        self._seats = np.zeros(0, np.int64)  # acting players of the games that are asked for an answer

    @property
    def plans_chosen(self) -> int:
        """Number of plans chosen so far."""
        return self._plans.chosen

    def begin(self, games: BatchedGames, which: Which, seats: Which) -> None:
        """Start new games, each with random numbers that depend on the seed of the game."""
        warn_of_content(self._path, self._policy, games.rules.pack)
        if len(self._luck) < games.n:
            self._luck = np.zeros((games.n, PLAYERS), np.uint64)
        for game, seat in zip(which, seats, strict=True):
            self._luck[game, seat] = luck_of(agents_seed(int(games.seeds[game])), int(seat))
        self._plans.begin(games, which, seats)

    def act(self, games: BatchedGames, which: Which) -> NDArray[np.int64]:
        """Choose a legal action in each of the games `which`."""
        self._seats = games.actors
        return self._plans.act(games, which)

    def _choose(self, seen: Any, masks: NDArray[np.bool_], which: NDArray[np.int64]) -> NDArray[np.int64]:
        chances = _chances(self._policy, seen, masks, self._exact)
        if self._greedy:
            return chosen(chances, None)
        seats = self._seats[which]
        self._luck[which, seats], luck = drawn_from(self._luck[which, seats])
        return chosen(chances, luck)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """What it remembers of all games."""
        return {"luck": self._luck.copy(), **self._plans.snapshot()}

    def restore(self, snapshot: dict[str, NDArray[Any]]) -> None:
        """Go on from a snapshot."""
        self._luck = snapshot["luck"].copy()
        self._plans.restore(snapshot)


def any_policy(path: str, trust: bool = False) -> Policy | Sb3Policy:
    """Read a policy file, or with `trust` a model of Stable-Baselines3. All agents share what was read."""
    found = stat_of(path)
    return _read(path, bool(trust), (found.st_mtime_ns, found.st_size, found.st_ino))


@lru_cache(maxsize=8)
def _read(path: str, trust: bool, _state: tuple[int, ...]) -> Policy | Sb3Policy:
    return load_model(path, trust) if is_archive(path) else load_policy(path)


def warn_of_content(path: str, policy: Policy | Sb3Policy, pack: Pack) -> None:
    """Say once that a policy was trained with other content than it plays with."""
    if isinstance(policy, Sb3Policy) or policy.head.content_digest == pack.digest or (path, pack.digest) in WARNED:
        return
    WARNED.add((path, pack.digest))
    trained = f"{policy.head.content!r} ({policy.head.content_digest!r})"
    print(f"policy {path}: trained with content {trained}, plays with {pack.name} ({pack.digest})", file=sys.stderr)


def _chances(
    policy: Policy | Sb3Policy, seen: Observations, masks: NDArray[np.bool_], exact: bool
) -> NDArray[np.float64]:
    if not exact:
        return policy.judge(seen, masks)[0]
    each = np.arange(len(masks))[:, None]
    return np.concatenate([policy.judge(_rows(seen, row), masks[row])[0] for row in each])


def _rows(seen: Observations, which: NDArray[np.int64]) -> Any:
    return {name: part[which] for name, part in seen.items()} if isinstance(seen, dict) else seen[which]
