"""Compiling ahead of the first game."""

import sys


def compile_first() -> None:
    """On a terminal, compile everything missing with one progress bar. Otherwise parts are compiled at first use."""
    from fujikoro_env.kernel import jit

    if not jit.INTERPRETED and sys.stderr.isatty():
        jit.compile_missing()


def import_entries() -> None:
    """Import everything compiled that games and players need."""
    import fujikoro_agents.mcts.agent
    import fujikoro_agents.plans.asking
    import fujikoro_agents.scripted.band_agent
    import fujikoro_agents.scripted.bots  # noqa: F401
    from fujikoro_env.kernel.declared import find_game, game_names

    for game in map(find_game, game_names()):
        if game.search:
            _ = game.search_parts
