"""`fujikoro content`: checks of content packs."""

import argparse
import json
from typing import Any

from fujikoro_app.commands.errors import BAD_INPUT, OK, UsageError, complain
from fujikoro_app.commands.options import add_json
from fujikoro_app.commands.parser import add_command
from fujikoro_env.kernel.text import LONGEST, shortened


def add(commands: Any) -> None:
    parser = add_command(commands, "content", "check content packs", "content check my_pack")
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    example = "content check my_pack"
    check = add_command(actions, "check", "list the faults of a content pack, one per line", example, run_check)
    check.add_argument("pack", nargs="?", default="base", help="name of a shipped pack, or its folder (base)")
    add_json(check)


def run_check(args: argparse.Namespace) -> int:
    from fujikoro_env.content import check_pack

    name = shortened(args.pack, LONGEST // 2)  # the fault may repeat it
    try:
        faults = check_pack(args.pack)
    except OSError as error:
        raise UsageError(f"content pack {name}: {error.strerror}") from None
    if args.json:
        print(json.dumps({"pack": args.pack, "faults": [vars(fault) for fault in faults]}))
    elif faults:
        complain(f"content pack {name}: {fault}" for fault in faults)
    else:
        print(f"content pack {name}: no faults")
    return BAD_INPUT if faults else OK
