"""A demo of about five minutes: train a small network, let it play in a tournament, and show all of it on one page.

python -m fujikoro_app.demo [--folder runs/demo] [--decisions 400000] [--games 560]

It runs commands of `fujikoro` one after the other, and prints each of them, so that you can repeat and change them.
"""

import argparse
import json
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Final

from fujikoro_app import cli
from fujikoro_app.commands.errors import BAD_INPUT, OK

FOLDER: Final = Path("runs/demo")
DECISIONS: Final = 400_000  # about two minutes on one core
GAMES: Final = 560
EVALUATIONS: Final = 8  # points of the learning curve
LADDER: Final = "random,wanderer,gatherer,smith,hunter,runner,shogun"
TRAINED: Final = "ppo,pupil,sensei"
RIVALS: Final = "random,wanderer,gatherer"  # in the recorded game
TITLE: Final = "Fuji Koro: a first agent"
ACTIVATE: Final = "In this terminal, type `. .venv/bin/activate` first, so that `fujikoro` is found.\n"
NEXT: Final = """\
In the tournament, the network that you have just trained came in place {place} of {agents}{beaten}.
{activate}Next: watch it play       fujikoro watch --by {network},random,wanderer,gatherer
      play against it     fujikoro play --opponents {network}
      train it for longer fujikoro train small --set decisions=2_000_000    (settings: docs/recipes.md)
      measure it          fujikoro evaluate {network}    (docs/benchmark.md)
All files are in {folder}. The report: {report}"""


@dataclass(frozen=True)
class Stage:
    """A command of the demo."""

    what: str
    command: tuple[str, ...]
    into: Path | None = None  # file for its output; None: the terminal

    @property
    def line(self) -> str:
        """The command as it can be typed."""
        return f"fujikoro {shlex.join(self.command)}" + (f" > {shlex.quote(str(self.into))}" if self.into else "")


def stages(
    folder: Path, decisions: int, games: int, changes: Sequence[str] = (), rules: Sequence[str] = ()
) -> list[Stage]:
    """The commands of the demo. `changes`: further changes of the recipe; `rules`: options of the games after it."""
    training, tournament, game, page = (
        folder / name for name in ("training", "tournament", "game.json", "report.html")
    )
    network = f"policy:{training / 'policy.safetensors'}"
    rivals = f"{network},{LADDER},{TRAINED}"
    wanted = (f"decisions={decisions}", f"evaluation.every={max(1, decisions // EVALUATIONS)}", *changes)
    settings = chain.from_iterable(("--set", change) for change in wanted)
    return [
        Stage("compile the rules (once)", ("warmup",)),
        Stage("train a network", ("train", "small", "--out", str(training), *settings)),
        Stage(
            "play a tournament against the scripted ladder and the trained agents",
            ("tournament", "--players", rivals, "--games", str(games), "--out", str(tournament), *rules),
            folder / "tournament.txt",
        ),
        Stage(
            "record a game",
            ("watch", "--by", f"{network},{RIVALS}", "--speed", "0", "--save", str(game), *rules),
            folder / "game.txt",
        ),
        Stage(
            "write the report",
            ("report", str(training), str(tournament), str(game), "--title", TITLE, "--out", str(page)),
        ),
    ]


def run(todo: Sequence[Stage]) -> int:
    """Run the commands until one fails. Returns its exit status."""
    for number, stage in enumerate(todo, 1):
        print(f"\n== {number} of {len(todo)}: {stage.what}\n$ {stage.line}", flush=True)
        with ExitStack() as stack:
            if stage.into:
                stack.enter_context(redirect_stdout(stack.enter_context(stage.into.open("x", encoding="utf-8"))))
            status = cli.main(stage.command)
        if status:
            return status
    return 0


def new_folder(wanted: Path) -> Path:
    """Make a folder for the demo, with a number added to its name if there is one from an earlier demo."""
    for path in _numbered(wanted):
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            continue
        return path
    raise AssertionError("there is always another number")


def _numbered(path: Path) -> Iterator[Path]:
    return chain([path], (path.with_name(f"{path.name}-{number}") for number in count(2)))


def main(argv: Sequence[str] | None = None) -> int:
    """Command line of this module."""
    arguments = _parser().parse_args(argv)
    try:
        folder = new_folder(arguments.folder)
        status = run(stages(folder, arguments.decisions, arguments.games, arguments.set))
    except OSError as error:
        print(f"demo: {error.filename}: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    if status == OK:
        print(f"\n{closing(folder)}")
    return status


def closing(folder: Path) -> str:
    """What came of the demo, and what to do next."""
    network = f"policy:{folder / 'training' / 'policy.safetensors'}"
    standings = json.loads((folder / "tournament" / "summary.json").read_text(encoding="utf-8"))["agents"]
    names = [row["agent"] for row in standings]
    behind = names[names.index(network) + 1 :]
    beaten = f", ahead of {', '.join(behind)}" if behind else ""
    return NEXT.format(
        place=names.index(network) + 1,
        agents=len(names),
        beaten=beaten,
        activate="" if shutil.which("fujikoro") else ACTIVATE,
        network=shlex.quote(network),
        folder=shlex.quote(str(folder)),
        report=(folder / "report.html").resolve().as_uri(),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fujikoro_app.demo", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help=f"where everything goes; a new one if it exists (default: {FOLDER})"
    )
    parser.add_argument(
        "--decisions", type=_at_least_one, default=DECISIONS, help="to learn from (default: %(default)s)"
    )
    parser.add_argument("--games", type=_at_least_one, default=GAMES, help="of the tournament (default: %(default)s)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change the recipe further")
    return parser


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
