"""Trainings of a folder, finished or under way, for the page of runs: the curve, its numbers, and games."""

from pathlib import Path
from typing import Any

from fujikoro_app.report.sources import ITSELF, CurveRow, MatchRow, Training
from fujikoro_app.web.tournament_runs import rules_from
from fujikoro_env.kernel.declared import THIS_GAME, DeclaredGame, UnknownGameError, find_game
from fujikoro_env.kernel.game import IllegalActionError
from fujikoro_env.kernel.position.errors import PositionError
from fujikoro_env.kernel.record import Recording
from fujikoro_env.kernel.session import Session, SessionError
from fujikoro_env.kernel.toml_tables import ContentError
from fujikoro_training.evaluation_games import EvaluationGame, read_evaluation_games

Row = dict[str, Any]


def training_data(run: Training) -> Row:
    """A training as data: how far it is, and its evaluations."""
    kinds = {match.games_of for row in run.curve for match in row.matches}
    return {
        "name": run.folder.name,
        "kind": "training",
        "recipe": run.recipe,
        "done": run.curve[-1].decisions if run.curve else 0,
        "planned": run.decisions,
        "round": run.curve[-1].round if run.curve else None,
        "rounds": run.rounds,
        "fair": run.fair,
        "evaluations": [_evaluation(row, len(kinds) > 1) for row in run.curve],
    }


def _evaluation(row: CurveRow, many_kinds: bool) -> Row:
    matches = [_match(match, many_kinds) for match in row.matches]
    return {"decisions": row.decisions, "seconds": round(row.seconds), "matches": matches}


def _match(match: MatchRow, many_kinds: bool) -> Row:
    against = "with itself" if match.opponent == ITSELF else f"against {match.opponent}"
    return {
        "line": f"{against}, {match.games_of}" if many_kinds else against,
        "opponent": match.opponent,
        "games_of": match.games_of,
        "games": match.games,
        "share": [round(part, 4) for part in match.share],
    }


# games


def games_of_match(folder: Path, decisions: int, opponent: str, games_of: str) -> list[Row]:
    """The games of a match of an evaluation that the run has kept."""
    found = []
    for number, game in enumerate(read_evaluation_games(folder)):
        if (game.decisions, game.opponent, game.games_of) == (decisions, opponent, games_of):
            session = _session(folder, game)
            if session is not None and session.over:
                seats = {"agents": list(session.names), "vp": list(session.game.scores)}
                rounds = int(session.game.state.round_number)
                found.append({"game": number, "seed": str(game.seed), **seats, "rounds": rounds})
    return found


def training_game(folder: Path, number: int) -> Recording | None:
    """The recording of a game by its number; None if there is none, or if these rules can't play it."""
    games = read_evaluation_games(folder)
    session = _session(folder, games[number]) if 0 <= number < len(games) else None
    return None if session is None else session.recording()


def _session(folder: Path, game: EvaluationGame) -> Session | None:
    try:
        declared = find_game(game.game)
        rules = rules_from(game.rules) if game.game == THIS_GAME else _rules_of_other(declared, game.rules)
    except (UnknownGameError, PositionError, ContentError):
        return None
    if rules is None:
        return None
    others = folder.name if game.opponent == ITSELF else game.opponent
    names = [folder.name if seat == game.seat else others for seat in range(rules.players)]
    session: Session = declared.session_class(rules, game.seed, names=names)
    try:
        for action in game.actions:
            session.submit(action)
    except (IllegalActionError, SessionError, IndexError):
        return None
    return session


def _rules_of_other(declared: DeclaredGame, said: Row) -> Any:
    return declared.recording_class.game.read_rules(said, None)
