"""Options that several commands share, and the rules that they describe."""

import argparse
from typing import TYPE_CHECKING, Any, Final

from fujikoro_app.commands.argument_types import at_least_one, character_names, option_pair
from fujikoro_app.commands.errors import UsageError
from fujikoro_app.commands.parser import Parser
from fujikoro_env.kernel.text import quoted

if TYPE_CHECKING:
    from fujikoro_env.settings import Rules

THIS_GAME: Final = "fujikoro"
SWITCHES: Final[dict[str, Any]] = {  # options for the rules, with their defaults
    "players": None,
    "mode": None,
    "characters": None,
    "scenario": None,
    "content": "base",
    "final_at": None,
    "max_rounds": None,
    "peaceful": False,
    "adventure_tokens": True,
}


def add_workers(parser: Parser, switch: str, what: str) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument(switch, type=at_least_one, metavar="N", help=what)
    add_cluster(where)


def add_cluster(parser: Any) -> None:
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on a Ray cluster: auto, or HOST:PORT of its head")


def add_game(parser: Any) -> None:
    parser.add_argument(
        "--game", default=THIS_GAME, metavar="NAME", help=f"which game: {THIS_GAME}, fuji ({THIS_GAME})"
    )


def add_json(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object, for programs")


def add_rules(parser: Parser, players: str = "--players") -> None:
    group = parser.add_argument_group("rules")
    group.add_argument(players, dest="players", type=int, metavar="N", help="how many play (4; solo 1)")
    group.add_argument("--mode", help="competitive, coop or solo (competitive, or what the scenario is for)")
    group.add_argument(
        "--characters",
        type=character_names,
        metavar="NAMES",
        help="asymmetric boards: random, or one each: tomoe,daisuke",
    )
    group.add_argument("--scenario", metavar="S", help="1 to 8, or its name")
    group.add_argument("--content", default="base", metavar="PACK", help="content pack: a name or a folder (base)")
    group.add_argument("--final-at", type=int, metavar="VP", help="VP that start the final chapter (30)")
    group.add_argument("--max-rounds", type=int, metavar="N", help="the game ends after N rounds (80)")
    group.add_argument("--peaceful", action="store_true", help="play the peaceful variant")
    group.add_argument("--no-adventure-tokens", dest="adventure_tokens", action="store_false", help="leave them out")
    group.add_argument(
        "--option",
        type=option_pair,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any other option of the rules",
    )


def typed_rules(args: argparse.Namespace) -> "Rules":
    """The rules that the options of `add_rules` describe."""
    from fujikoro_env.content import ContentError
    from fujikoro_env.settings import OPTIONS, Rules, RulesError

    for name, _ in args.option:
        if name not in OPTIONS:  # checked here, because Rules also has settings that are not for the command line
            raise UsageError(f"unknown option {quoted(name)}: there are {', '.join(sorted(OPTIONS))}")
    try:
        return Rules(**{name: getattr(args, name) for name in SWITCHES}, **dict(args.option))
    except (RulesError, ContentError, OSError) as error:
        raise UsageError(str(error)) from None
