"""Fuji: a compiled simulator of the cooperative board game, with environments for reinforcement learning."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fujikoro_env.kernel.registration import Names, register

if TYPE_CHECKING:
    from fuji_env import fuji_v0
    from fuji_env.content import ContentError, Pack, load_pack
    from fuji_env.envs.batch import BatchedGames
    from fuji_env.game import Game, Outcome
    from fuji_env.session import Session
    from fuji_env.settings import Rules, RulesError
    from fujikoro_env.kernel.action_table import InvalidActionError
    from fujikoro_env.kernel.game import ChanceError, IllegalActionError
    from fujikoro_env.kernel.saved_games import SavedGameError

__all__ = [
    "BatchedGames",
    "ChanceError",
    "ContentError",
    "Game",
    "IllegalActionError",
    "InvalidActionError",
    "Outcome",
    "Pack",
    "Rules",
    "RulesError",
    "SavedGameError",
    "Session",
    "fuji_v0",
    "load_pack",
]

HOMES = {
    "BatchedGames": "fuji_env.envs.batch",
    "ChanceError": "fujikoro_env.kernel.game",
    "ContentError": "fuji_env.content",
    "Game": "fuji_env.game",
    "IllegalActionError": "fujikoro_env.kernel.game",
    "InvalidActionError": "fujikoro_env.kernel.action_table",
    "Outcome": "fuji_env.game",
    "Pack": "fuji_env.content",
    "Rules": "fuji_env.settings",
    "RulesError": "fuji_env.settings",
    "SavedGameError": "fujikoro_env.kernel.saved_games",
    "Session": "fuji_env.session",
    "load_pack": "fuji_env.content",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that importing the package is quick."""
    if name == "fuji_v0":
        return import_module("fuji_env.fuji_v0")
    if name in HOMES:
        return getattr(import_module(HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register(Names("Fuji-v0", "fuji_env.envs.gym:Fuji", None, "fuji/fuji_v0", "fuji_env.fuji_v0:env"))
