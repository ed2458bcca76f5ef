"""`fujikoro web`: the pages in a browser."""

import argparse
from pathlib import Path
from typing import Any

from fujikoro_app.commands.argument_types import at_least_one, port_number
from fujikoro_app.commands.compiling import import_entries
from fujikoro_app.commands.errors import OK, UsageError
from fujikoro_app.commands.parser import add_command


def add(commands: Any) -> None:
    what = "play, watch, replay and analyse games in a browser"
    parser = add_command(commands, "web", what, "web --port 8642", run)
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="address to bind to (127.0.0.1)")
    parser.add_argument("--port", type=port_number, default=8642, metavar="N", help="port; 0 takes a free one (8642)")
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME", help="name by which browsers may call the server"
    )
    parser.add_argument("--data", default="web-games", metavar="FOLDER", help="where games are kept (web-games)")
    parser.add_argument("--runs", default="runs", metavar="FOLDER", help="trainings and tournaments to show (runs)")
    parser.add_argument("--jobs", type=at_least_one, metavar="N", help="processes in which agents think (all cores)")


def run(args: argparse.Namespace) -> int:
    try:
        from fujikoro_app.web.serving import ServingError, serve
    except ModuleNotFoundError as error:
        raise UsageError(f"web needs {error.name}: pip install 'fujikoro_env[web]'") from None
    from fujikoro_env.kernel import jit

    import_entries()  # compiled here, so that no agent runs out of time while it is compiled
    if not jit.INTERPRETED:
        jit.compile_missing()
    try:
        serve(args.host, args.port, args.allow_host, Path(args.data), Path(args.runs), args.jobs)
    except ServingError as error:
        raise UsageError(str(error)) from None
    return OK
