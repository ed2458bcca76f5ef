"""Fuji Koro: a compiled simulator of the board game, and environments for teaching machines to play it."""

from typing import TYPE_CHECKING

from fujikoro_env.game import ChanceError, Game, IllegalActionError, Outcome
from fujikoro_env.settings import Rules, RulesError

__all__ = ["ChanceError", "Game", "IllegalActionError", "Outcome", "Rules", "RulesError", "fujikoro_v0"]

if TYPE_CHECKING:
    from fujikoro_env import fujikoro_v0
else:

    def __getattr__(name):
        """Environments are imported when asked for: who only plays does not wait for PettingZoo and Gymnasium."""
        if name == "fujikoro_v0":
            from importlib import import_module

            return import_module("fujikoro_env.fujikoro_v0")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
