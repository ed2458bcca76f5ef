"""Commands for games other than Fuji Koro, by what those declare: `watch`, `tournament` and `evaluate --game NAME`."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from rich.console import Console
from rich.progress import Progress

from fujikoro_env.kernel.agents import AgentError, agents_seed, failure_text, split_names
from fujikoro_env.kernel.declared import DeclaredGame, UnknownGameError, find_game
from fujikoro_env.kernel.text import quoted
from fujikoro_training.teams import TeamError, TeamResult, by_trait, grid, paired_difference, play_team

TYPED: Final = ("players", "scenario", "content")  # settings that have an option of their own
MOST_CELLS: Final = 200


class OtherGameError(ValueError):
    """What is wrong with what the user typed; the message is one line."""


def game_named(name: str) -> DeclaredGame:
    """Return a game, or say which there are."""
    try:
        return find_game(name)
    except UnknownGameError as error:
        raise OtherGameError(str(error)) from None


def settings_of(game: DeclaredGame, args: argparse.Namespace) -> dict[str, Any]:
    """The settings that were typed."""
    known = {setting.name for setting in game.settings} | set(game.options)
    typed = {name: getattr(args, name, None) for name in TYPED}
    found = {name: _plain(value) for name, value in typed.items() if value is not None and name in known}
    for name, value in getattr(args, "option", []):
        check_setting(game, name)
        found[name] = _plain(value)
    return found


def check_setting(game: DeclaredGame, name: str) -> None:
    """Refuse a setting that the game does not have."""
    known = sorted({setting.name for setting in game.settings} | set(game.options))
    if name not in known:
        raise OtherGameError(f"{game.title} has no setting {quoted(name)}: there are {', '.join(known)}")


def _plain(value: Any) -> Any:
    """What was typed as a number, a list (a+b) or text."""
    if isinstance(value, str):
        if value.isascii() and value.isdigit():
            return int(value)
        if value.lower() in ("true", "false"):
            return value.lower() == "true"
        return value.split("+") if "+" in value else value
    return value


def rules_of(game: DeclaredGame, settings: Mapping[str, Any]) -> Any:
    """The rules with these settings."""
    try:
        return game.make_rules(**settings)
    except game.rules_errors as error:
        raise OtherGameError(str(error)) from None


# --- watch ----------------------------------------------------------------------------------------------------------


def told_game(game: DeclaredGame, args: argparse.Namespace, names: Sequence[str]) -> Iterator[str]:
    """Play a game of agents and yield a line for each deed, and the result."""
    rules = rules_of(game, settings_of(game, args))
    try:
        agents = game.agents.make_all(_one_each(names, rules.players), agents_seed(args.seed))
    except AgentError as error:
        raise OtherGameError(str(error)) from None
    played = game.make_game(rules, args.seed)
    yield f"{game.title}, seed {args.seed}: {', '.join(_one_each(names, rules.players))}"
    shown = 1
    while not played.over:
        if args.every and played.state.round_number >= shown:
            shown = int(played.state.round_number) + args.every
            yield f"\n{game.table_text(played)}\n"
        seat, about = played.actor, f"round {played.state.round_number} · player {played.actor}"
        phase = played.phase.name.lower()
        try:
            action = agents[seat].act(played.view(seat))
            name = played.action_name(action)
            played.step(action)
        except ValueError as error:
            raise OtherGameError(f"player {seat}: {error}") from None
        except Exception as error:  # an agent's own code may raise anything
            raise OtherGameError(f"player {seat} fails: {failure_text(error)}") from None
        yield f"{about}, {phase}: {name}"
    yield f"\n{game.table_text(played)}"


def _one_each(names: Sequence[str], players: int) -> list[str]:
    if len(names) not in (1, players):
        raise OtherGameError(f"{len(names)} agents are named; allowed is one, or one for each of {players} seats")
    return list(names) * players if len(names) == 1 else list(names)


# --- tournament and evaluate ------------------------------------------------------------------------------------------


def tournament(game: DeclaredGame, args: argparse.Namespace) -> str:
    """Teams of one agent each, on the same seeds."""
    settings = settings_of(game, args)
    results = [_team(game, name, settings, args.games, args.seed) for name in names_of(args.agents)]
    results.sort(key=lambda result: -result.share)
    pairs = [{"first": a.agent, "second": b.agent, **_difference(a, b)} for a, b in pairwise(results)]
    if args.json:
        return json.dumps({"game": game.name, "teams": [each.to_json() for each in results], "differences": pairs})
    lines = [_table([each.to_json() for each in results])]
    lines += [
        f"{each['first']} wins {each['more']:+.1%} more than {each['second']} "
        f"({each['low']:+.1%} to {each['high']:+.1%})"
        for each in pairs
    ]
    return "\n".join(lines)


def evaluation(game: DeclaredGame, args: argparse.Namespace) -> str:
    """One agent under many settings."""
    varied: dict[str, list[Any]] = dict(_varied(game, text) for text in args.vary)
    cells = grid(varied)
    if len(cells) > MOST_CELLS:
        raise OtherGameError(f"--vary: {len(cells)} combinations; allowed are at most {MOST_CELLS}")
    fixed = settings_of(game, args)
    for cell in cells:
        rules_of(game, {**fixed, **cell})  # so that a wrong one is found before hours of play
    results = [_team(game, args.agent, {**fixed, **cell}, args.games, args.seed) for cell in cells]
    if args.json:
        rows = [result.to_json() for result in results]
        return json.dumps({"game": game.name, "results": rows, "by trait": by_trait(results)})
    traits = by_trait(results)
    parts = [_table([result.to_json() for result in results])]
    if traits:
        parts.append(_table(traits))
    return "\n\n".join(parts)


def _varied(game: DeclaredGame, text: str) -> tuple[str, list[Any]]:
    name, equals, values = text.partition("=")
    if not equals or not values:
        raise OtherGameError(f"--vary {quoted(text)}: write NAME=VALUE,VALUE")
    check_setting(game, name)
    return name, [
        None if value == "none" and name not in game.options else _plain(value) for value in values.split(",")
    ]


def names_of(text: str) -> list[str]:
    """The names of agents as typed."""
    try:
        return split_names(text)
    except AgentError as error:
        raise OtherGameError(str(error)) from None


def _team(game: DeclaredGame, name: str, settings: Mapping[str, Any], games: int, seed: int) -> TeamResult:
    rules = rules_of(game, settings)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(name, total=games)
        try:
            found = play_team(game, name, rules, games, seed, lambda played: bar.update(task, completed=played))
        except (AgentError, TeamError) as error:
            raise OtherGameError(str(error)) from None
    if not console.is_terminal:
        low, high = found.interval
        told = ", ".join(f"{key}={value}" for key, value in settings.items())
        print(f"{name} {told}: {found.share:.1%} ({low:.1%} to {high:.1%})", file=sys.stderr, flush=True)
    return replace(found, settings=settings)


def _difference(first: TeamResult, second: TeamResult) -> dict[str, float]:
    more, low, high = paired_difference(first, second)
    return {"more": round(more, 4), "low": round(low, 4), "high": round(high, 4)}


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as a table in Markdown."""
    heads = list(rows[0])
    cells = [[_cell(head, row.get(head)) for head in heads] for row in rows]
    widths = [max(len(line[k]) for line in [heads, *cells]) for k in range(len(heads))]
    lines = [heads, ["-" * width for width in widths], *cells]
    return "\n".join(
        "| " + " | ".join(part.ljust(width) for part, width in zip(line, widths, strict=True)) + " |" for line in lines
    )


def _cell(head: str, value: Any) -> str:
    if head in ("won", "low", "high"):
        return f"{value:.1%}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {number}" for name, number in value.items()) or "-"
    return "+".join(value) if isinstance(value, list) else str(value)
