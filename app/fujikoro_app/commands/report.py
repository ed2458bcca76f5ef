"""`fujikoro report`: runs and games on one HTML page."""

import argparse
from typing import Any

from fujikoro_app.commands.errors import OK, UsageError
from fujikoro_app.commands.files import new_file, write_all
from fujikoro_app.commands.parser import add_command


def add(commands: Any) -> None:
    example = "report runs/train-small-0 runs/tournament-1a2b game.json --out report.html"
    what = "show training runs, tournaments, evaluations, balance and recorded games on one HTML page"
    parser = add_command(commands, "report", what, example, run)
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="SOURCE",
        help="a folder of `train`, `tournament`, `evaluate` or `balance`, or a game of `watch --save`",
    )
    parser.add_argument("--out", default="report.html", metavar="FILE", help="the new page (report.html)")
    parser.add_argument("--title", default="Fuji Koro", metavar="TEXT", help="its heading (Fuji Koro)")


def run(args: argparse.Namespace) -> int:
    from fujikoro_app.report.page import report_page
    from fujikoro_app.report.sources import ReportError, read_source

    try:
        sources = [read_source(name) for name in args.sources]
    except ReportError as error:
        raise UsageError(str(error)) from None
    page = report_page(sources, args.title)
    write_all("--out", new_file("--out", args.out), page)
    print(f"written to {args.out}: open it in a browser")
    return OK
