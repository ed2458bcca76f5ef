"""Games of the evaluations of a training run, kept so that they can be looked at: a line of JSON for each game.

A line has the decisions of the run so far, the opponent, the kind of games, the game's name, rules and seed, the seat
of the network, and the actions of all players. After a break, a run may evaluate again: then the newer lines count.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from fujikoro_env.kernel.declared import THIS_GAME, find_game
from fujikoro_training.matches import KeptGame

FILE: Final = "evaluation_games.jsonl"
MOST_BYTES: Final = 64 << 20  # no more games are kept in a larger file


@dataclass(frozen=True)
class EvaluationGame:
    """A game of an evaluation."""

    decisions: int  # of the run, before the evaluation
    opponent: str
    games_of: str
    rules: dict[str, Any]
    seed: int
    seat: int
    actions: list[int]
    game: str = THIS_GAME


def keeper_of(
    folder: Path, decisions: int, opponent: str, games_of: str, rules: Any, name: str = THIS_GAME
) -> Callable[[KeptGame], None]:
    """A function that keeps games of one match of an evaluation, for `play_match`. `name`: of the game."""
    said = find_game(name).recording_class.game.rules_as_data(rules)

    def keep(game: KeptGame) -> None:
        kept = EvaluationGame(decisions, opponent, games_of, said, game.seed, game.seat, game.actions, name)
        with (folder / FILE).open("a", encoding="utf-8") as file:
            if file.tell() < MOST_BYTES:
                file.write(json.dumps(asdict(kept)) + "\n")

    return keep


def read_evaluation_games(folder: Path) -> list[EvaluationGame]:
    """The games that a run has kept, in the order in which they were first played. Damaged lines are left out."""
    try:
        lines = (folder / FILE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    found = {(game.decisions, game.opponent, game.games_of, game.seed, game.seat): game for game in _games(lines)}
    return list(found.values())


def _games(lines: list[str]) -> Iterator[EvaluationGame]:
    kinds = {"decisions": int, "opponent": str, "games_of": str, "rules": dict, "seed": int, "seat": int}
    for line in lines:
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(said, dict) or {"game": THIS_GAME, **said}.keys() != {*kinds, "actions", "game"}:
            continue
        if not isinstance(said.get("game", THIS_GAME), str):
            continue
        if all(type(said[name]) is kind for name, kind in kinds.items()) and _are_numbers(said["actions"]):
            yield EvaluationGame(**said)


def _are_numbers(given: object) -> bool:
    return isinstance(given, list) and all(type(each) is int for each in given)
