"""Results of teams of a folder, for the page of runs: tournaments and evaluations of games other than Fuji Koro."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fujikoro_app.report.sources import ReportError
from fujikoro_env.kernel.declared import DeclaredGame, UnknownGameError, find_game
from fujikoro_env.kernel.session import Session
from fujikoro_env.player import agents_seed
from fujikoro_training.team_runs import StoredTeam, TeamRun, read_teams, told_setting
from fujikoro_training.teams import TeamError

CONTENT = "content"  # a setting that may name a folder
USUAL = "base"
Row = dict[str, Any]


@dataclass(frozen=True)
class TeamGame:
    """A game of a team, to be played again by the same agents with the same seeds."""

    game: str
    session: Session
    agents: list[str]
    agents_seed: int


def team_data(folder: Path) -> Row:
    """The results as data, each with the share of games won, its interval, and why games were lost."""
    run = _read(folder)
    settings = list(dict.fromkeys(name for team in run.teams for name in team.settings))
    return {
        "name": folder.name,
        "kind": "teams",
        "game": run.game,
        "what": run.what,
        "planned": run.planned,
        "settings": settings,
        "teams": [_row(number, team) for number, team in enumerate(run.teams)],
    }


def _row(number: int, team: StoredTeam) -> Row:
    return {
        "team": number,
        "agent": team.agent,
        "settings": {name: told_setting(value) for name, value in team.settings.items()},
        "games": team.games,
        "wins": [round(part, 4) for part in team.wins],
        "score": round(sum(team.scores) / team.games, 2),
        "rounds": round(sum(team.rounds) / team.games, 1),
        "lost": team.lost,
    }


def _read(folder: Path) -> TeamRun:
    try:
        return read_teams(folder)
    except TeamError as error:
        raise ReportError(str(error)) from None


# games


def games_of_team(folder: Path, number: int) -> list[Row]:
    """The games of one result, in the form of `runs.games_of`. Their numbers count the games of all results."""
    run = _read(folder)
    if not 0 <= number < len(run.teams):
        return []
    team, first = run.teams[number], sum(len(each.won) for each in run.teams[:number])
    return [
        {
            "game": first + k,
            "seed": str(team.seed + k),
            "agents": [team.agent],
            "won": team.won[k],
            "vp": [team.scores[k]],
            "rounds": team.rounds[k],
        }
        for k in range(len(team.won))
    ]


def team_game(folder: Path, number: int) -> TeamGame | None:
    """A game by its number; None if there is none, or if it can't be played again."""
    run = _read(folder)
    for team in run.teams:
        if number < len(team.won):
            return _again(run.game, team, team.seed + number) if number >= 0 else None
        number -= len(team.won)
    return None


def _again(name: str, team: StoredTeam, seed: int) -> TeamGame | None:
    try:
        game = find_game(name)
        rules = _rules(game, team.settings)
    except UnknownGameError:
        return None
    if rules is None:
        return None
    session: Session = game.session_class(rules, seed)
    return TeamGame(name, session, [team.agent] * rules.players, agents_seed(seed))


def _rules(game: DeclaredGame, settings: Row) -> Any:
    """Rules with these settings; None if they can't be used any more, or have a content pack of their own."""
    if settings.get(CONTENT, USUAL) != USUAL:
        return None
    try:
        return game.make_rules(**settings)
    except (ValueError, TypeError, LookupError, OSError):  # those of rules and content are such, too
        return None
