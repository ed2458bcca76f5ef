"""Agents that think in worker processes, so that a search never blocks a page."""

import asyncio
import zlib
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import active_children, get_context
from multiprocessing.process import BaseProcess
from typing import Any, Final

from fujikoro_agents.option_values import OptionValue
from fujikoro_env.game import Game
from fujikoro_env.kernel.declared import THIS_GAME, find_game
from fujikoro_env.kernel.text import one_line
from fujikoro_env.player import Agent, AgentError, failure_text
from fujikoro_training.workers.orphans import begin_worker

MOST_AGENTS: Final = 128  # kept in one worker; the one that was asked longest ago is made anew when it is asked again
LONGEST_REASON: Final = 1000  # characters


class ThinkingError(Exception):
    """An agent gave no answer; the message says why in one line."""


class BusyError(ThinkingError):
    """Too many requests are waiting."""


@dataclass(frozen=True)
class Task:
    """A decision that an agent has to make. Tasks with the same `key` are decisions of the same agent in one game; a
    task without one gets a new agent."""

    agent: str
    seed: int
    seat: int
    view: bytes  # from `Game.to_bytes`
    key: str = ""
    game: str = THIS_GAME


@dataclass(frozen=True)
class Thought:
    """The answer of an agent: its action, the reason in words, and what it thinks of each action."""

    action: int
    name: str
    why: str
    values: list[OptionValue] = field(default_factory=list)


# in the worker process

_agents: OrderedDict[str, Agent] = OrderedDict()


def _begin() -> None:
    """Load what games and agents need, which takes seconds."""
    import fujikoro_agents.mcts.agent
    import fujikoro_agents.scripted.band_agent
    import fujikoro_agents.scripted.bots  # noqa: F401

    Game()


def _think(task: Task) -> Thought | str:
    """Answer a task in this process. A failure is returned as text, because foreign exceptions may not be pickled."""
    try:
        view = find_game(task.game).recording_class.game.game_class.from_bytes(task.view)
        agent = _agent_of(task)
        action = int(agent.act(view.clone()))  # a copy, in case it changes its view
        if action not in view.legal_actions():
            return f"agent {task.agent} chose {action}, which is not legal"
        return Thought(action, view.action_name(action), one_line(agent.explain(), LONGEST_REASON), _values(agent))
    except AgentError as error:
        return str(error)
    except BaseException as error:  # whatever an agent's code does, the server goes on
        return f"agent {task.agent} failed: {failure_text(error)}"


def _agent_of(task: Task) -> Agent:
    if task.key and task.key in _agents:
        _agents.move_to_end(task.key)
        return _agents[task.key]
    agent = find_game(task.game).agents.make(task.agent)
    agent.reset(task.seed, task.seat)
    if task.key:
        _agents[task.key] = agent
        if len(_agents) > MOST_AGENTS:
            _agents.popitem(last=False)
    return agent


def _values(agent: Agent) -> list[OptionValue]:
    values = getattr(agent, "values", None)
    return values() if callable(values) else []


# in the server


class _Worker:
    """One process and the tasks that wait for it."""

    def __init__(self) -> None:
        self.waiting = 0
        self._lock = asyncio.Lock()  # one task at a time, so that the time limit counts thinking only
        self._pool: ProcessPoolExecutor | None = None
        self._processes: set[BaseProcess] = set()

    async def do(self, task: Task, seconds: float) -> Thought | str:
        self.waiting += 1
        try:
            async with self._lock:
                return await self._do(task, seconds)
        finally:
            self.waiting -= 1

    async def _do(self, task: Task, seconds: float) -> Thought | str:
        loop = asyncio.get_running_loop()
        try:
            if self._pool is None:
                await self._start(loop)
            async with asyncio.timeout(seconds):
                return await loop.run_in_executor(self._pool, _think, task)
        except TimeoutError:
            self.stop()
            return f"agent {task.agent} took more than {seconds:g} seconds"
        except BrokenProcessPool:
            self.stop()
            return f"agent {task.agent} ended its process"

    async def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        others = set(active_children())
        self._pool = ProcessPoolExecutor(1, get_context("spawn"), begin_worker)
        loading = loop.run_in_executor(self._pool, _begin)
        self._processes = set(active_children()) - others
        await loading

    def stop(self) -> None:
        """End the process at once. The next task starts another."""
        if self._pool is not None:
            for process in self._processes:
                process.kill()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


class Thinkers:
    """Worker processes that ask agents. Decisions of one agent in one game always go to the same worker."""

    def __init__(self, processes: int, seconds: float, most_waiting: int) -> None:
        self._workers = [_Worker() for _ in range(processes)]
        self._seconds, self._most_waiting = seconds, most_waiting

    async def think(self, task: Task) -> Thought:
        """Ask an agent. Raises `ThinkingError` if it gives no legal answer in time."""
        if task.key:
            worker = self._workers[zlib.crc32(task.key.encode()) % len(self._workers)]
        else:
            worker = min(self._workers, key=lambda each: each.waiting)
            if sum(each.waiting for each in self._workers) > self._most_waiting:
                raise BusyError("the server is busy: try again later")
        found = await worker.do(task, self._seconds)
        if isinstance(found, str):
            raise ThinkingError(one_line(found))
        return found

    def stop(self) -> None:
        """End all processes."""
        for worker in self._workers:
            worker.stop()


def as_data(thought: Thought, words: Callable[[int], str]) -> dict[str, Any]:
    """A thought, ready for JSON: actions have the words of their buttons."""
    values = [
        {**vars(value), "what": value.what if value.action is None else words(value.action)} for value in thought.values
    ]
    return {"action": thought.action, "name": words(thought.action), "why": thought.why, "values": values}
