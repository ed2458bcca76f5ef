"""Fuji Koro: a compiled simulator of the board game, and environments for teaching machines to play it."""

from fujikoro_env.game import ChanceError, Game, IllegalActionError, Outcome
from fujikoro_env.settings import Rules, RulesError

__all__ = ["ChanceError", "Game", "IllegalActionError", "Outcome", "Rules", "RulesError"]
