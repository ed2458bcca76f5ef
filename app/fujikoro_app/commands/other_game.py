"""Commands with `--game`, for games other than Fuji Koro."""

import argparse
from typing import TYPE_CHECKING

from fujikoro_app.commands.agents import find_modules_here
from fujikoro_app.commands.errors import OK, UsageError
from fujikoro_app.commands.options import SWITCHES
from fujikoro_env.kernel.text import printable

if TYPE_CHECKING:
    from fujikoro_env.kernel.declared import DeclaredGame


def run_other_game(args: argparse.Namespace, command: str, *refused: str) -> int:
    """Run a command for a game other than Fuji Koro. `refused`: options that it does not have there."""
    find_modules_here()
    try:
        from fujikoro_app import other_games
    except ModuleNotFoundError as error:
        raise UsageError(f"--game needs {error.name}: pip install 'fujikoro_env[tournament]'") from None
    from fujikoro_app.any_game import OtherGameError

    refuse_with_game(args, *refused)
    try:
        print(getattr(other_games, command)(declared_game(args.game), args))
    except OtherGameError as error:
        raise UsageError(str(error)) from None
    return OK


def declared_game(name: str) -> "DeclaredGame":
    """Find a game by its name."""
    from fujikoro_app.any_game import OtherGameError, game_named

    try:
        return game_named(name)
    except OtherGameError as error:
        raise UsageError(str(error)) from None


def refuse_with_game(args: argparse.Namespace, *refused: str) -> None:
    """Refuse options that don't go with --game."""
    from fujikoro_app.any_game import TYPED

    rules = {name: unless for name, unless in SWITCHES.items() if name not in TYPED}
    for name, unless in {**rules, **dict.fromkeys(refused)}.items():
        if getattr(args, name, unless) not in (unless, False if unless is None else unless):
            raise UsageError(f"--{name.replace('_', '-')} does not go with --game {printable(args.game)}")
