"""What there is to see in a few minutes: a tournament of scripted players, a search and chance, with ratings; then one
of their games in mid-play, as text and as a picture, and what the best of them would do now.

python -m fujikoro_app.demo [--agents shogun,runner,random] [--games 40] [--seed 1] [--folder .]
"""

import argparse
import itertools
import sys
import tempfile
from pathlib import Path
from textwrap import fill

from fujikoro_env.game import Game
from fujikoro_env.kernel.thread_pool import cores
from fujikoro_env.player import Agent, AgentError, agents_seed, make_agents, split_names
from fujikoro_env.render.svg import MARK, table_svg
from fujikoro_env.render.text import table_text
from fujikoro_env.session import Session
from fujikoro_env.settings import Rules, RulesError
from fujikoro_training.tournament.pool import PoolError
from fujikoro_training.tournament.report import as_text
from fujikoro_training.tournament.run import Plan, TournamentError, play
from fujikoro_training.tournament.summary import summary

AGENTS = "shogun,runner,mcts:iterations=32,random"
GAMES = 40
HALF_WAY = 12  # rounds: about half of a game of good players
PICTURE = "demo"
WIDTH = 100  # columns


def main(argv: list[str] | None = None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        names = split_names(arguments.agents)
        rules = Rules(players=len(names))
        print(tournament_text(names, rules, arguments.games, arguments.seed))
        show_game(*mid_game(names, rules, arguments.seed), arguments.folder)
    except (AgentError, PoolError, RulesError, TournamentError, OSError) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_app.demo", description=__doc__.split("\n\n")[0] if __doc__ else None
    )
    parser.add_argument("--agents", default=AGENTS, metavar="NAMES", help=f"who plays, one a seat (default: {AGENTS})")
    parser.add_argument("--games", type=_at_least_one, default=GAMES, help=f"at least so many (default: {GAMES})")
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


def tournament_text(names: list[str], rules: Rules, games: int, seed: int) -> str:
    """Its ratings and tables. The games themselves are not kept: `fujikoro tournament` is for that."""
    with tempfile.TemporaryDirectory() as folder:
        return as_text(summary(play(Plan(names, rules, seed), games, Path(folder), workers=cores())))


# the game to look at


def mid_game(names: list[str], rules: Rules, seed: int) -> tuple[Game, list[Agent]]:
    """A game of the agents about half-way, at a decision of the first of them; and the agents."""
    agents = make_agents(names, agents_seed(seed))
    session = Session(rules, seed, agents=agents, keep_history=False)
    while not session.over and not (session.game.state.round_number >= HALF_WAY and session.actor == 0):
        session.advance()
    return session.game, agents


def show_game(game: Game, agents: list[Agent], folder: Path) -> None:
    print("\nOne of their games in mid-play:\n")
    print(table_text(game))
    if not game.over:
        action = agents[0].act(game.view(0))
        print("\n" + fill(f"player 0 would choose {game.action_name(action)}: {agents[0].explain()}", WIDTH))
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
