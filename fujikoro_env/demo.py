"""What there is to see in a minute: a tournament of random players, then one game in mid-play as text and as a picture.

python -m fujikoro_env.demo [--games 200] [--players 4] [--seed 1] [--folder .]
"""

import argparse
import itertools
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.game import Game
from fujikoro_env.render.svg import MARK, table_svg
from fujikoro_env.render.text import table_text
from fujikoro_env.rules.actions import WORDS
from fujikoro_env.rules.engine import NO_ACTION, deal_game, random_actions, step_games
from fujikoro_env.rules.names import Fault, Reason
from fujikoro_env.rules.records import zeros
from fujikoro_env.rules.score import rank_of_game
from fujikoro_env.rules.state import State
from fujikoro_env.settings import DEFAULT_PLAYERS, Rules, RulesError

GAMES = 200
PICTURE = "demo"


@dataclass(frozen=True)
class Tournament:
    """What came of some games; arrays are (games, players)."""

    vp: NDArray[np.int64]
    wins: NDArray[np.float64]  # a win that is shared counts in parts
    decisions: NDArray[np.int64]
    seconds: float


def main(argv: list[str] | None = None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        rules = Rules(players=arguments.players)
        print(f"{arguments.games} games of {rules.players} random players\n")
        print(score_table(play_tournament(rules, arguments.games, arguments.seed)))
        show_game(mid_game(rules, arguments.seed), arguments.folder)
    except (RulesError, OSError) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_env.demo", description=__doc__.split("\n")[0] if __doc__ else None
    )
    parser.add_argument("--games", type=_at_least_one, default=GAMES, help=f"how many (default: {GAMES})")
    parser.add_argument("--players", type=int, default=DEFAULT_PLAYERS, help="in each game (default: %(default)s)")
    parser.add_argument("--seed", type=_at_least_one, default=1, help="the same seed shows the same (default: 1)")
    parser.add_argument("--folder", type=_folder, default=Path(), help="where the picture goes (default: here)")
    return parser


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text!r}")
    return Path(text)


# the tournament


def play_tournament(rules: Rules, games: int, seed: int) -> Tournament:
    """All games side by side in one batch, on one thread; the clock starts when all are dealt."""
    batch, masks, actions = deal_batch(rules, games, seed)
    generators: Any = np.random.default_rng(seed).integers(1, 1 << 32, games)
    decisions = np.zeros((games, rules.players), np.int64)
    started = time.perf_counter()
    while (batch["reason"] == Reason.PLAYING).any():
        random_actions(masks, generators, actions)
        _count_decisions(batch, actions, decisions)
        _step(batch, rules, actions, masks)
    seconds = time.perf_counter() - started
    firsts = np.array([[rank_of_game(batch, g, p) == 1 for p in range(rules.players)] for g in range(games)], float)
    vp = batch["players"]["vp"][:, : rules.players].astype(np.int64)
    return Tournament(vp, firsts / firsts.sum(axis=1, keepdims=True), decisions, seconds)


def deal_batch(rules: Rules, games: int, seed: int) -> tuple[Any, Any, Any]:
    """Games that stand at their first decision, what is legal there, and room for actions."""
    batch = zeros(State, games)
    for g in range(games):
        rules.write_settings(batch[g].settings)
        deal_game(batch, rules.tables, g, seed + g)
    masks, actions = np.zeros((games, WORDS), np.uint32), np.full(games, NO_ACTION, np.int64)
    _step(batch, rules, actions, masks)
    return batch, masks, actions


def _step(batch: Any, rules: Rules, actions: Any, masks: Any) -> None:
    fault = step_games(batch, rules.tables, 0, len(batch), actions, masks)
    if fault != Fault.NONE:
        raise RuntimeError(f"the rules have come to a halt ({Fault(fault).name}): please report it")


def _count_decisions(batch: Any, actions: NDArray[np.int64], decisions: NDArray[np.int64]) -> None:
    going_on = np.flatnonzero(actions != NO_ACTION)
    actors = batch["stack"]["actor"][going_on, batch["depth"][going_on] - 1]
    decisions[going_on, actors] += 1


def score_table(result: Tournament) -> str:
    per_second = result.decisions.sum() / result.seconds
    lines = [f"{'player':<10}{'wins':>8}{'mean VP':>10}{'most VP':>10}{'decisions a game':>19}"]
    for seat in range(result.vp.shape[1]):
        wins, vp, decisions = result.wins[:, seat].mean(), result.vp[:, seat], result.decisions[:, seat].mean()
        lines.append(f"random {seat:<3}{wins:>8.1%}{vp.mean():>10.2f}{vp.max():>10}{decisions:>19.0f}")
    a_game = result.decisions.sum(axis=1).mean()
    lines.append(f"\n{a_game:.0f} decisions a game, {per_second:,.0f} decisions a second on one thread")
    return "\n".join(lines)


# the game to look at


def mid_game(rules: Rules, seed: int) -> Game:
    """A game of random players, half-way to the last round."""
    game, luck = Game(rules, seed), np.random.default_rng(seed)
    while not game.over and game.state.round_number < rules.max_rounds // 2:
        game.step(luck.choice(game.legal_actions()))
    return game


def show_game(game: Game, folder: Path) -> None:
    print("\nOne of their games in mid-play:\n")
    print(table_text(game))
    path = picture_path(folder)
    path.write_text(table_svg(game), encoding="utf-8")
    if path.stem != PICTURE:
        print(f"\n{folder / PICTURE}.svg is there already and not ours.", end="")
    print(f"\nThe same as a picture: {path} (open it in a browser).")


def picture_path(folder: Path) -> Path:
    """demo.svg; with another number after it for as long as a file that is not ours has that name."""
    stems = itertools.chain([PICTURE], (f"{PICTURE}-{n}" for n in itertools.count(2)))
    paths = (folder / f"{stem}.svg" for stem in stems)
    return next(path for path in paths if _may_be_written(path))


def _may_be_written(path: Path) -> bool:
    if not path.exists():
        return True
    return path.is_file() and MARK in path.read_text(encoding="utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit(main())
