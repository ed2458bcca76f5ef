"""`RolloutActors`: collects rollouts in actors of a Ray cluster, for a learner on the head.

Each update sends the weights once, through Ray's object store, and waits for the rollouts of all actors that are there.
An actor that is lost costs its unfinished rollout: the update is made without it, and another one takes its place as
soon as the cluster has a CPU for it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Final

import ray
from ray.exceptions import RayActorError

from fujikoro_env.kernel.text import one_line
from fujikoro_training.learning.recipe import PAST, Recipe
from fujikoro_training.learning.rollouts import (
    LocalCollector,
    PastSelves,
    Rollout,
    Weights,
    recipe_of_collector,
    shares_of,
)
from fujikoro_training.learning.run import make_parts
from fujikoro_training.matches import ITSELF
from fujikoro_training.timing import Stopwatch
from fujikoro_training.tournament.entrants import digests
from fujikoro_training.workers.cluster import ClusterError, Order, cpus_of_cluster, order_for, prepared
from fujikoro_training.workers.job import Calls, Failure

SECONDS_BETWEEN_LOOKS: Final = 5.0  # for an actor, while there is none
Say = Callable[[str], None]
Job = Calls[Recipe, None]


class RolloutActor:
    """An actor of Ray that plays games for the learner. Failures are returned, so that they arrive in one line."""

    def __init__(self, order: Order, job: Job, recipe: Recipe) -> None:
        self._collector: LocalCollector | None = None
        self._failure: Failure | None = None
        try:
            prepared(order, job)
            self._collector = LocalCollector(recipe, lambda own: make_parts(own, Stopwatch()))
        except Exception as error:
            self._failure = Failure.of(error)

    def ready(self) -> Failure | None:
        """Wait until the actor is made."""
        return self._failure

    def collect(self, weights: Weights, past: PastSelves) -> Rollout | Failure:
        """Play the steps between two updates."""
        assert self._collector is not None
        try:
            return self._collector.collect(weights, past)
        except Exception as error:
            return Failure.of(error)


class _Place:
    """The place of an actor, which another one takes when it is lost."""

    def __init__(self, start: Callable[[int], Any]) -> None:
        self._start, self._births = start, 0
        self.begin()

    def begin(self) -> None:
        """Start an actor; it may have to wait for a CPU."""
        self.actor = self._start(self._births)
        self.starting = self.actor.ready.remote()
        self.is_ready = False
        self._births += 1


class RolloutActors:
    """All actors of a run; a context manager."""

    def __init__(self, recipe: Recipe, number: int | None = None, say: Say = lambda _: None) -> None:
        """`number`: how many; by default one for each CPU of the cluster."""
        cpus = cpus_of_cluster()
        number = number or min(cpus, max(1, recipe.learning.games // len(recipe.games)))
        if number > cpus:
            raise ClusterError(f"--actors {number}: the cluster has {cpus} CPUs")
        self._say, self._past = say, (-1, None)  # the past selves that were sent last
        shares = shares_of(recipe, number)
        job = Job(_no_task, partial(digests, _agents(recipe)))
        given = ray.put(order_for(job)), ray.put(job)
        make = ray.remote(RolloutActor).options(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")

        def start(place: int, births: int) -> Any:
            return make.remote(*given, recipe_of_collector(recipe, place, births, shares[place]))

        self._places = [_Place(partial(start, place)) for place in range(number)]
        self._wait_for(self._places, number)

    def __enter__(self) -> "RolloutActors":
        return self

    def __exit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        for place in self._places:
            ray.kill(place.actor)

    def collect(self, weights: Weights, past: PastSelves) -> Sequence[Rollout]:
        """Rollouts of all actors that finished theirs; at least one."""
        given = ray.put(weights), self._sent(past)
        while True:
            self._wait_for(self._places, 0)
            asked = [(place, place.actor.collect.remote(*given)) for place in self._places if place.is_ready]
            found = [rollout for place, reference in asked if (rollout := self._received(place, reference))]
            if found:
                return found
            self._wait_for(self._places, 1)

    def _sent(self, past: PastSelves) -> Any:
        """Reference to the past selves, which are sent when there is another one."""
        if self._past[0] != past.added:
            self._past = (past.added, ray.put(past))
        return self._past[1]

    def _received(self, place: _Place, reference: Any) -> Rollout | None:
        try:
            rollout = _given(ray.get(reference))
        except RayActorError:
            self._replace(place)
            return None
        assert isinstance(rollout, Rollout)
        return rollout

    def _replace(self, place: _Place) -> None:
        self._say("a rollout actor was lost, and is replaced; its unfinished rollout is left out")
        place.begin()

    def _wait_for(self, places: list[_Place], number: int) -> None:
        """Note the actors that are ready, and wait until so many are."""
        while True:
            for place in places:
                if not place.is_ready and ray.wait([place.starting], timeout=0)[0]:
                    self._note_start(place)
            if sum(place.is_ready for place in places) >= number:
                return
            ray.wait([place.starting for place in places if not place.is_ready], timeout=SECONDS_BETWEEN_LOOKS)

    def _note_start(self, place: _Place) -> None:
        try:
            _given(ray.get(place.starting))
            place.is_ready = True
        except RayActorError:
            self._replace(place)


def _given(answer: Any) -> Any:
    """What an actor returned; its failure is raised in one line."""
    if isinstance(answer, Failure):
        raise ClusterError(one_line(str(answer.error))) from None
    return answer


def _no_task(_recipe: Recipe) -> None:
    """Actors do no tasks; the job only says which code they need."""


def _agents(recipe: Recipe) -> list[str]:
    """Agents that play against the learner, or teach it."""
    names = [name for kind in recipe.games for name in kind.opponents if name not in (ITSELF, PAST)]
    return [*names, recipe.imitation.agent] if recipe.imitation.decisions else names
