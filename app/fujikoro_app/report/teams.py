"""Section of a report about teams: tournaments and evaluations in games whose players win or lose together."""

from typing import Final
from xml.etree.ElementTree import Element

from fujikoro_app.report.charts import share_bar
from fujikoro_app.report.markup import node, table
from fujikoro_app.report.sources import Teams
from fujikoro_env.kernel.texts import short_names
from fujikoro_training.team_runs import StoredTeam, told_setting

TOURNAMENT: Final = "tournament"  # what `TeamRun.what` says


def teams_content(source: Teams) -> tuple[str, list[Element]]:
    """Heading and content of the section."""
    run = source.run
    names = short_names([team.agent for team in run.teams])
    fixed, varied = _settings(run.teams)
    told = f"{sum(team.games for team in run.teams):,} games"
    told += f" with {', '.join(f'{name}={value}' for name, value in fixed.items())}" if fixed else ""
    told += ". One agent plays all seats, and all get the same seeds. 95 % intervals (Wilson)."
    missing = run.planned - len(run.teams)
    told += f" Not finished: {missing} of {run.planned} results are missing." if missing > 0 else ""
    head = ["agent", *varied, "games won", "score", "rounds", "games", "lost by"]
    best_first = sorted(run.teams, key=lambda team: -team.wins[0]) if run.what == TOURNAMENT else run.teams
    rows = [_row(team, names[team.agent], varied) for team in best_first]
    content = [node("p", told), table("Agents and settings", head, rows)]
    return f"{run.game.capitalize()}: {run.what}", content


def _settings(teams: tuple[StoredTeam, ...]) -> tuple[dict[str, str], list[str]]:
    """Settings that are the same for all teams, and the names of the others."""
    names = dict.fromkeys(name for team in teams for name in team.settings)
    values = {name: {_value(team, name) for team in teams} for name in names}
    fixed = {name: next(iter(found)) for name, found in values.items() if len(found) == 1}
    return fixed, [name for name in names if name not in fixed]


def _value(team: StoredTeam, name: str) -> str:
    return told_setting(team.settings.get(name, ""))


def _row(team: StoredTeam, name: str, varied: list[str]) -> list[Element | str]:
    share, low, high = team.wins
    told = node("span", f"{share:.1%} ({100 * low:.1f} to {100 * high:.1f})")
    wins = node("span", share_bar(share, low, high, None), told, class_="wins")
    score, rounds = (sum(numbers) / team.games for numbers in (team.scores, team.rounds))
    lost = ", ".join(f"{reason} {n:,}" for reason, n in team.lost.items())
    called = name if name == team.agent else node("span", name, title=team.agent)
    settings = [_value(team, setting) for setting in varied]
    return [called, *settings, wins, f"{score:.1f}", f"{rounds:.1f}", f"{team.games:,}", lost]
