"""`fujikoro warmup`: compiles the rules ahead of the first game."""

import argparse
from pathlib import Path
from typing import Any

from fujikoro_app.commands.compiling import import_entries
from fujikoro_app.commands.errors import OK, UsageError
from fujikoro_app.commands.parser import add_command


def add(commands: Any) -> None:
    what = "compile the rules now, so that the first game starts at once"
    parser = add_command(commands, "warmup", what, "warmup --export compiled.zip", run)
    files = parser.add_mutually_exclusive_group()
    files.add_argument("--export", metavar="FILE", help="also write the machine code to a new file, for other machines")
    files.add_argument("--import", dest="given", metavar="FILE", help="first take machine code from such a file")
    parser.add_argument("--trust", action="store_true", help="with --import: the file may run code on this machine")


def run(args: argparse.Namespace) -> int:
    from fujikoro_env.kernel import cache, jit

    import_entries()
    if args.given and not args.trust:
        raise UsageError(f"{args.given}: machine code can do anything here: add --trust if you trust who made it")
    if args.export and Path(args.export).exists():
        raise UsageError(f"--export {args.export}: there is such a file already")
    if jit.INTERPRETED:
        print("nothing to compile: NUMBA_DISABLE_JIT is set")
        return OK
    if args.given:
        _import_code(Path(args.given))
    print(f"rules and players are compiled ({jit.compile_entries()} entry points); kept in {cache.cache_folder()}")
    if args.export:
        _export_code(Path(args.export))
    return OK


def _import_code(file: Path) -> None:
    from fujikoro_env.kernel.code_archive import ArchiveError, import_code
    from fujikoro_env.kernel.jit import wanted_code

    wanted = wanted_code()
    try:
        found = import_code(wanted, file)
    except ArchiveError as error:
        raise UsageError(str(error)) from None
    others = "" if found == len(wanted) else "; the rest was made for other sources, versions or another CPU"
    print(f"{found} of {len(wanted)} entries taken from {file}{others}")


def _export_code(file: Path) -> None:
    from fujikoro_env.kernel.code_archive import ArchiveError, export_code
    from fujikoro_env.kernel.jit import wanted_code

    try:
        found = export_code(wanted_code(), file)
    except (ArchiveError, OSError) as error:
        raise UsageError(f"--export {file}: {error}") from None
    print(f"{found} entries are written to {file}")
