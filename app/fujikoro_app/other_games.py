"""`tournament` and `evaluate --game NAME`: commands for games other than Fuji Koro, by what those declare."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import Progress

from fujikoro_app.any_game import OtherGameError, check_setting, names_of, plain_value, rules_of, settings_of
from fujikoro_env.kernel.agents import AgentError
from fujikoro_env.kernel.declared import DeclaredGame
from fujikoro_env.kernel.text import quoted
from fujikoro_env.kernel.texts import short_name, short_names
from fujikoro_training.team_runs import TeamRun, begin_teams, stored, told_setting, write_teams
from fujikoro_training.teams import TeamError, TeamResult, by_trait, grid, paired_difference, play_team

MOST_CELLS: Final = 200


# --- tournament and evaluate ------------------------------------------------------------------------------------------


def tournament(game: DeclaredGame, args: argparse.Namespace) -> str:
    """Teams of one agent each, on the same seeds."""
    settings = settings_of(game, args)
    results = _all_teams(game, "tournament", [(name, settings) for name in names_of(args.agents)], args)
    results.sort(key=lambda result: -result.share)
    pairs = [(a.agent, b.agent, _difference(a, b)) for a, b in pairwise(results)]
    if args.json:
        differences = [{"first": first, "second": second, **numbers} for first, second, numbers in pairs]
        teams = [each.to_json() for each in results]
        return json.dumps({"game": game.name, "teams": teams, "differences": differences})
    names = short_names([each.agent for each in results])
    lines = [
        f"{names[first]} wins {_points(by['more'])} points more than {names[second]} "
        f"({_points(by['low'])} to {_points(by['high'])})."
        for first, second, by in pairs
    ]
    return "\n\n".join([results_table(results), *(["\n".join(lines)] if lines else [])])


def evaluation(game: DeclaredGame, args: argparse.Namespace) -> str:
    """One agent under many settings."""
    varied: dict[str, list[Any]] = dict(_varied(game, text) for text in args.vary)
    cells = grid(varied)
    if len(cells) > MOST_CELLS:
        raise OtherGameError(f"--vary: {len(cells)} combinations; allowed are at most {MOST_CELLS}")
    fixed = settings_of(game, args)
    for cell in cells:
        rules_of(game, {**fixed, **cell})  # so that a wrong one is found before hours of play
    results = _all_teams(game, "evaluation", [(args.agent, {**fixed, **cell}) for cell in cells], args)
    if args.json:
        rows = [result.to_json() for result in results]
        return json.dumps({"game": game.name, "results": rows, "by trait": by_trait(results)})
    traits = by_trait(results)
    parts = [results_table(results)]
    if traits:
        parts.append(_table([_with_interval(row) for row in traits]))
    return "\n\n".join(parts)


def _varied(game: DeclaredGame, text: str) -> tuple[str, list[Any]]:
    name, equals, values = text.partition("=")
    if not equals or not values:
        raise OtherGameError(f"--vary {quoted(text)}: write NAME=VALUE,VALUE")
    check_setting(game, name)
    return name, [
        None if value == "none" and name not in game.options else plain_value(value) for value in values.split(",")
    ]


def _all_teams(
    game: DeclaredGame, what: str, wanted: Sequence[tuple[str, Mapping[str, Any]]], args: argparse.Namespace
) -> list[TeamResult]:
    """The results of all teams. With `--out` they are written to a folder as they come."""
    folder = Path(args.out) if args.out else None
    results: list[TeamResult] = []
    try:
        if folder:
            begin_teams(folder)
        for name, settings in wanted:
            results.append(_team(game, name, settings, args.games, args.seed))
            if folder:
                teams = tuple(stored(result, args.seed) for result in results)
                write_teams(folder, TeamRun(game.name, what, len(wanted), teams))
    except TeamError as error:
        raise OtherGameError(str(error)) from None
    return results


def _team(game: DeclaredGame, name: str, settings: Mapping[str, Any], games: int, seed: int) -> TeamResult:
    rules = rules_of(game, settings)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(short_name(name), total=games)
        try:
            found = play_team(game, name, rules, games, seed, lambda played: bar.update(task, completed=played))
        except (AgentError, TeamError) as error:
            raise OtherGameError(str(error)) from None
    if not console.is_terminal:
        low, high = found.interval
        told = ", ".join(f"{key}={told_setting(value)}" for key, value in settings.items())
        print(
            f"{' '.join(filter(None, (short_name(name), told)))}: {found.share:.1%} ({low:.1%} to {high:.1%})",
            file=sys.stderr,
            flush=True,
        )
    return replace(found, settings=settings)


def _difference(first: TeamResult, second: TeamResult) -> dict[str, float]:
    more, low, high = paired_difference(first, second)
    return {"more": round(more, 4), "low": round(low, 4), "high": round(high, 4)}


def _points(share: float) -> str:
    """A difference of two shares in points. The normal approximation may go beyond what is possible."""
    return f"{100 * min(1.0, max(-1.0, share)):.1f}"


def results_table(results: Sequence[TeamResult]) -> str:
    """The results as a table, below the settings that they share."""
    names = short_names([result.agent for result in results])
    fixed = {
        name: value
        for name, value in results[0].settings.items()
        if all(result.settings.get(name) == value for result in results)
    }
    rows = [{**result.to_json(), "agent": names[result.agent]} for result in results]
    kept = [{name: value for name, value in _with_interval(row).items() if name not in fixed} for row in rows]
    told = ", ".join(f"{name}={told_setting(value)}" for name, value in fixed.items())
    return "\n\n".join(filter(None, [told, _table(kept)]))


def _with_interval(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of numbers with the share of wins and its interval as one entry."""
    won = f"{row['won']:.1%} ({100 * row['low']:.1f} to {100 * row['high']:.1f})"
    return {name: won if name == "won" else value for name, value in row.items() if name not in ("low", "high")}


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as a table in Markdown."""
    heads = list(rows[0])
    cells = [[_cell(row.get(head)) for head in heads] for row in rows]
    widths = [max(len(line[k]) for line in [heads, *cells]) for k in range(len(heads))]
    lines = [heads, ["-" * width for width in widths], *cells]
    return "\n".join(
        "| " + " | ".join(part.ljust(width) for part, width in zip(line, widths, strict=True)) + " |" for line in lines
    )


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {number}" for name, number in value.items()) or "-"
    return told_setting(value)
