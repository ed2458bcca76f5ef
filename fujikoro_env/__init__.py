"""Fuji Koro: a compiled simulator of the board game, with environments for reinforcement learning."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fujikoro_env.registration import register_all

if TYPE_CHECKING:
    from fujikoro_env import fujikoro_v0
    from fujikoro_env.actions import InvalidActionError
    from fujikoro_env.content import ContentError, Pack, load_pack
    from fujikoro_env.envs.batch import BatchedGames
    from fujikoro_env.game import ChanceError, Game, IllegalActionError, Outcome, PlayerOutcome
    from fujikoro_env.saved import SavedGameError
    from fujikoro_env.session import Session
    from fujikoro_env.settings import Rules, RulesError

__version__ = "0.1.0.dev0"  # pyproject.toml reads it from here

__all__ = [
    "BatchedGames",
    "ChanceError",
    "ContentError",
    "Game",
    "IllegalActionError",
    "InvalidActionError",
    "Outcome",
    "Pack",
    "PlayerOutcome",
    "Rules",
    "RulesError",
    "SavedGameError",
    "Session",
    "__version__",
    "fujikoro_v0",
    "load_pack",
]

HOMES = dict.fromkeys(("ChanceError", "Game", "IllegalActionError", "Outcome", "PlayerOutcome"), "game")
HOMES |= dict.fromkeys(("Rules", "RulesError"), "settings")
HOMES |= dict.fromkeys(("ContentError", "Pack", "load_pack"), "content")
HOMES["InvalidActionError"] = "actions"
HOMES["BatchedGames"] = "envs.batch"
HOMES["SavedGameError"] = "saved"
HOMES["Session"] = "session"


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that playing a game does not load PettingZoo and Gymnasium, and
    `fujikoro --help` does not load Numba."""
    if name == "fujikoro_v0":
        return import_module("fujikoro_env.fujikoro_v0")
    if name in HOMES:
        return getattr(import_module(f"fujikoro_env.{HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_all()
