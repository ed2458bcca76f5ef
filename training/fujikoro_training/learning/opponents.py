"""Opponents of a learner: networks that answer for many games at once, past selves, and the seats of all."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from fujikoro_agents.plans.player import PlanPolicy
from fujikoro_agents.policy.answers import chances_of, chosen
from fujikoro_agents.policy.digests import PLANS
from fujikoro_env.envs.batch import BatchedGames, generator_bytes, restore_generator
from fujikoro_env.envs.policies import Opponent, Which
from fujikoro_env.envs.seats import LEARNER
from fujikoro_training.learning.recipe import PAST, GameKind
from fujikoro_training.matches import ITSELF


class TorchPolicy:
    """A PyTorch network as a batch policy. It samples its actions from a generator of its own, so that its games don't
    change the random numbers of the learner; `greedy` takes the most likely action."""

    def __init__(
        self, network: MaskableActorCriticPolicy, observation: str, seed: int = 0, greedy: bool = False
    ) -> None:
        self.network, self.observation, self.greedy = network, observation, greedy
        self._luck = np.random.default_rng([seed, 2])
        self._plans = PlanPolicy(self._choose) if observation == PLANS else None

    def begin(self, games: BatchedGames, which: Which, seats: Which) -> None:
        """Start new games; only plans are remembered."""
        if self._plans is not None:
            self._plans.begin(games, which, seats)

    def act(self, games: BatchedGames, which: Which) -> NDArray[np.int64]:
        """Choose a legal action in each of the games `which`."""
        which = np.asarray(which, np.int64)
        if self._plans is not None:
            return self._plans.act(games, which)
        return self._choose(games.observe_some(which, self.observation), games.masks[which], which)

    def _choose(self, seen: Any, masks: NDArray[np.bool_], which: NDArray[np.int64]) -> NDArray[np.int64]:
        with torch.no_grad():
            given, _ = self.network.obs_to_tensor(seen)
            found: Any = self.network.get_distribution(given).distribution
            logits = found.logits.numpy()
        return chosen(chances_of(logits, masks), None if self.greedy else self._luck.random(len(which)))

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """The state of its random numbers, and its plans. Its weights are kept by the `Pool`."""
        return {"luck": generator_bytes(self._luck), **(self._plans.snapshot() if self._plans is not None else {})}

    def restore(self, snapshot: dict[str, NDArray[Any]]) -> None:
        """Go on from a snapshot."""
        restore_generator(self._luck, snapshot["luck"])
        if self._plans is not None:
            self._plans.restore(snapshot)


class Pool:
    """Past selves of the learner. They begin as copies of the untrained network; each new one replaces the oldest."""

    def __init__(self, network: MaskableActorCriticPolicy, observation: str, size: int, seed: int) -> None:
        self.added = 0
        self.policies = [TorchPolicy(frozen(network), observation, seed + place) for place in range(size)]

    def add(self, network: MaskableActorCriticPolicy) -> None:
        """Copy the weights of the network into the place of the oldest past self."""
        self.policies[self.added % len(self.policies)].network.load_state_dict(network.state_dict())
        self.added += 1

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Weights of all past selves."""
        states = {place: policy.network.state_dict() for place, policy in enumerate(self.policies)}
        return {f"{place}.{name}": part.numpy() for place, state in states.items() for name, part in state.items()}

    def restore(self, snapshot: Mapping[str, NDArray[Any]], added: int) -> None:
        """Go on from a snapshot."""
        self.added = added
        for place, policy in enumerate(self.policies):
            names = policy.network.state_dict()
            policy.network.load_state_dict({name: torch.from_numpy(snapshot[f"{place}.{name}"]) for name in names})


def frozen(network: MaskableActorCriticPolicy) -> MaskableActorCriticPolicy:
    """A copy of a network that does not learn."""
    copied = deepcopy(network)
    copied.set_training_mode(False)
    return copied.requires_grad_(False)


class Seats:
    """Players of the games of one kind. Each game belongs to one of the opponents for the whole run, by their shares.
    In games against itself the learner has all seats; otherwise it has one, drawn for every game, and one opponent has
    all others: for past selves, one that is drawn for every game."""

    def __init__(self, kind: GameKind, n: int, pool: Pool) -> None:
        self.players = kind.make_rules().players
        shares = {name: share for name, share in kind.opponents.items() if share > 0}
        self.opponents = np.repeat(list(shares), counts(list(shares.values()), n))  # by game
        named = [name for name in shares if name not in (ITSELF, PAST)]
        self.policies: list[Opponent] = [*named, *(pool.policies if PAST in shares else ())]
        self._places = {name: [place] for place, name in enumerate(named)}
        self._places[PAST] = list(range(len(named), len(self.policies)))

    def __call__(self, which: NDArray[np.int64], luck: np.random.Generator) -> NDArray[np.int64]:
        """Seats of games that were dealt, for `SeatedGames`."""
        return np.stack([self._row(str(self.opponents[game]), luck) for game in which])

    def _row(self, opponent: str, luck: np.random.Generator) -> NDArray[np.int64]:
        row = np.full(self.players, LEARNER)
        if opponent != ITSELF:
            row[:] = luck.choice(self._places[opponent])
            row[luck.integers(self.players)] = LEARNER
        return row


def counts(shares: list[float], n: int) -> list[int]:
    """Divide n things by shares, as exactly as whole numbers allow, with at least one for each share if possible."""
    wanted = np.array(shares) * n / sum(shares)
    found = np.floor(wanted).astype(int)
    if n >= len(shares):
        found = np.maximum(found, 1)
    while found.sum() != n:
        rest = wanted - found
        found[rest.argmax() if found.sum() < n else np.where(found > 1, rest, np.inf).argmin()] += (
            1 if found.sum() < n else -1
        )
    return [int(number) for number in found]
