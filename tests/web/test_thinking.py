"""Agents in worker processes: answers, failures, time limits."""

import asyncio
import time

import pytest

from fujikoro_app.web.thinking import Task, Thinkers, ThinkingError
from fujikoro_env import Game, Rules


def test_agents_think_in_other_processes_and_may_fail():
    view = Game(Rules(players=2), seed=7).view(0)
    asked = view.to_bytes()

    async def ask() -> None:
        thinkers = Thinkers(1, 60.0, 5)
        try:
            first = await thinkers.think(Task("random", 1, 0, asked, "game 0"))
            assert first.action in view.legal_actions()
            assert first.why.startswith("at random")
            with pytest.raises(ThinkingError, match="not known"):
                await thinkers.think(Task("nobody", 1, 0, asked))
            with pytest.raises(ThinkingError, match="failed"):
                await thinkers.think(Task("random", 1, 0, b"no game"))
            with pytest.raises(ThinkingError, match="ended its process"):
                await thinkers.think(Task("python:tests.helpers.agents_that_fail.Exits", 1, 0, asked))
            limited = Thinkers(1, 0.3, 5)
            begun = time.monotonic()
            with pytest.raises(ThinkingError, match=r"more than 0\.3 seconds"):
                await limited.think(Task("python:tests.helpers.agents_that_fail.Sleeps", 1, 0, asked))
            assert time.monotonic() - begun < 60
            limited.stop()
        finally:
            thinkers.stop()

    asyncio.run(ask())
