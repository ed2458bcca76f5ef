"""`fujikoro play`: a game at the keyboard."""

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fujikoro_app.commands.agents import make_agent, one_each
from fujikoro_app.commands.argument_types import seed_number
from fujikoro_app.commands.compiling import compile_first
from fujikoro_app.commands.console import keyboard_here
from fujikoro_app.commands.errors import FORFEITED, OK, UsageError
from fujikoro_app.commands.options import SWITCHES, THIS_GAME, add_game, add_rules, typed_rules
from fujikoro_app.commands.other_game import declared_game, refuse_with_game
from fujikoro_app.commands.parser import add_command

if TYPE_CHECKING:
    from fujikoro_env.kernel.declared import DeclaredGame


def add(commands: Any) -> None:
    example = "play --players 3 --opponents random --seat 1"
    parser = add_command(commands, "play", "play at the keyboard against agents", example, run)
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--seat", type=int, default=0, metavar="N", help="where you sit, from 0 (0)")
    who.add_argument("--all", action="store_true", help="play all seats at one keyboard")
    parser.add_argument("--seed", type=seed_number, metavar="S", help="the same seed deals the same game (any)")
    parser.add_argument(
        "--opponents",
        metavar="NAMES",
        help="agents in the other seats: one for all, or one for each in playing order after you (random)",
    )
    parser.add_argument("--adviser", metavar="NAME", help="the agent that `hint` asks (the strongest available)")
    parser.add_argument("--position", metavar="FILE", help="continue a saved game, with the rules stored in it")
    add_game(parser)
    add_rules(parser)


def run(args: argparse.Namespace) -> int:
    from fujikoro_app.human import Human, LeaveError
    from fujikoro_app.keyboard_game import Adviser, KeyboardGame
    from fujikoro_env.kernel.agents import agents_seed
    from fujikoro_env.kernel.texts import labels

    kind = _game_to_play(args)
    seed = random.randrange(1 << 31) if args.seed is None else args.seed
    game = _saved_game(args, kind) if args.position else _new_game(args, kind, seed)
    people = range(game.rules.players) if args.all else [_seat(args.seat, game.rules.players)]
    opponents = named_opponents(args, game, people)
    agents = {seat: make_agent(name, seed, seat, kind) for seat, name in opponents.items()}
    names = [opponents.get(seat, "you" if len(people) == 1 else "") for seat in range(game.rules.players)]
    name = args.adviser or _best_adviser(kind, game.rules)
    adviser = Adviser(name, make_agent(name, seed, people[0], kind), agents_seed(seed))
    keyboard, texts = keyboard_here(), kind.shown

    def save(path: Path) -> None:
        with path.open("x", encoding="utf-8") as file:  # x: never over another file
            file.write(table.game.to_json())

    for seat in people:
        agents[seat] = Human(keyboard, save, adviser, names, texts)
        agents[seat].reset(seed, seat)
    compile_first()
    table = KeyboardGame(game, agents, names, keyboard.say, kind)
    keyboard.say(f"{texts.title}, seed {seed}. ? lists what is possible, help explains, quit leaves.")
    try:
        table.play()
        keyboard.say(f"\n{texts.table(table.game.view(people[0]), keyboard.width, names)}\n")
        keyboard.say("\n".join([texts.outcome(table.game, labels(names)), *table.forfeits.told()]))
    except (LeaveError, KeyboardInterrupt):
        standing = texts.standing(table.game)
        keyboard.say(f"You left the game in {texts.when(table.game)}{f'; {standing}' if standing else ''}.")
    return FORFEITED if table.forfeits.found else OK


def _game_to_play(args: argparse.Namespace) -> "DeclaredGame":
    if args.game != THIS_GAME:
        refuse_with_game(args)
    return declared_game(args.game)


def _new_game(args: argparse.Namespace, game: "DeclaredGame", seed: int) -> Any:
    from fujikoro_app.any_game import OtherGameError, rules_of, settings_of

    if game.name == THIS_GAME:
        return game.make_game(typed_rules(args), seed)
    try:
        return game.make_game(rules_of(game, settings_of(game, args)), seed)
    except OtherGameError as error:
        raise UsageError(str(error)) from None


def _saved_game(args: argparse.Namespace, game: "DeclaredGame") -> Any:
    from fujikoro_env.kernel.position.errors import PositionError

    _refuse_rules_beside_position(args)
    moved = args.content if args.content != SWITCHES["content"] else None
    try:
        text = Path(args.position).read_text(encoding="utf-8")
        return game.recording_class.game.game_class.from_json(text, moved)
    except (PositionError, UnicodeDecodeError) as error:
        raise UsageError(f"position {args.position}: {error}") from None
    except game.rules_errors as error:
        told = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"position {args.position}: {told}") from None


def _refuse_rules_beside_position(args: argparse.Namespace) -> None:
    typed = [name for name, unless in SWITCHES.items() if getattr(args, name) != unless and name != "content"]
    typed += ["option"] if args.option else []
    for name in typed:
        switch = "no-adventure-tokens" if name == "adventure_tokens" else name.replace("_", "-")
        raise UsageError(f"--{switch} does not go with --position: the saved game has its own rules")


def _seat(seat: int, players: int) -> int:
    if not 0 <= seat < players:
        raise UsageError(f"--seat {seat}: allowed are 0 to {players - 1}")
    return seat


def named_opponents(args: argparse.Namespace, game: Any, people: Sequence[int]) -> dict[int, str]:
    """Names of the agents by seat. Users type them in playing order, starting after the first person."""
    players = game.rules.players
    seats = [seat % players for seat in range(people[0] + 1, people[0] + players) if seat % players not in people]
    if args.opponents and not seats:
        raise UsageError("--opponents: there is no other seat for them")
    names = one_each("--opponents", args.opponents or "random", len(seats))
    return dict(zip(seats, names, strict=True))


def _best_adviser(game: "DeclaredGame", rules: Any) -> str:
    known = game.agents.names()
    of_teams = game.team_advisers if game.is_team(rules) else ()
    return next(name for name in (*of_teams, *game.advisers) if name in known)
