"""How the band fares: `python -m fujikoro_training.band --games 400` writes docs/band.md.

All seats are the band's. Beside the wins, with 95 % intervals (Wilson's), the page shows how far games come: in which
share of them the exit is found, the legendary dragon, and so on, and in which round at the median.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.ladder import ScriptedGames
from fujikoro_agents.scripted.skills import BAND
from fujikoro_agents.scripted.team import legend_is_beaten, legend_is_found, team_has
from fujikoro_env.kernel.jit import IntTable, entry, rule
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.names import GEARS, Fault, Reason
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.engine import step_games
from fujikoro_env.settings import Rules

PAGE: Final = Path(__file__).parents[2] / "docs" / "band.md"
FIRST_SEED: Final = 50_000_000  # of the pages: nothing was chosen by games from here on
SURE: Final = 1.96  # deviations of a 95 % interval
MILESTONES: Final = (
    "exit found",
    "legendary found",
    "each magic",
    "all types",
    "legendary beaten",
    "one out",
    "life lost",
)
EXIT, FOUND, EACH, TYPES, BEATEN, OUT, LIFE = range(len(MILESTONES))


@dataclass(frozen=True)
class Line:
    """What came of the games of one kind."""

    name: str
    games: int
    wins: int
    fallen: float  # the share that is lost by a last life
    reached: list[float]  # by milestone: the share of games
    rounds: list[float]  # by milestone: the median round, nan for none
    last_round: int

    @property
    def beaten(self) -> float:
        """The share of games in which the legendary dragon is."""
        return self.reached[BEATEN]

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, which holds for shares near 0 too."""
        n, share, square = self.games, self.wins / self.games, SURE**2
        middle = (share + square / (2 * n)) / (1 + square / n)
        half = SURE * sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
        return max(0.0, middle - half), min(1.0, middle + half)


def kinds() -> Iterator[tuple[str, Rules]]:
    """Co-op for 1 to 6, and the scenarios that are played together or alone."""
    for players in range(1, PLAYERS + 1):
        yield f"{players} player{'s' * (players > 1)}", Rules(mode="coop", players=players)
    for scenario in (3, 5, 6):
        for players in (1, 2, 4):
            name = f"scenario {scenario}, {players} player{'s' * (players > 1)}"
            yield name, Rules(mode="coop", players=players, scenario=scenario)
    for scenario in (7, 8):
        yield f"scenario {scenario}, 1 player", Rules(mode="solo", scenario=scenario)


# --- milestones -----------------------------------------------------------------------------------------------------


@entry
def note_milestones(games: Records[State], tables: Records[Tables], marks: IntTable) -> None:
    """By game and milestone: the round in which it was reached first."""
    for g in range(len(games)):
        for milestone in range(LIFE + 1):
            if marks[g, milestone] == 0 and is_reached(games[g], tables[0], milestone):
                marks[g, milestone] = games[g].round_number


@rule
def is_reached(s: State, t: Tables, milestone: int) -> bool:
    if milestone == EXIT:
        return s.secret_exit != 0
    if milestone == FOUND:
        return legend_is_found(s, t) or legend_is_beaten(s, t)
    if milestone == EACH:
        return each_has_magic(s)
    if milestone == TYPES:
        return team_has(s, t, 0) and team_has(s, t, 1) and team_has(s, t, 2)
    if milestone == BEATEN:
        return legend_is_beaten(s, t)
    return s.escaped > 0 if milestone == OUT else anybody_fell(s)


@rule
def each_has_magic(s: State) -> bool:
    for p in range(s.settings.players):
        magic = 0
        for gear in range(GEARS):
            magic += s.players[p].gear[gear].magic
        if magic == 0:
            return False
    return True


@rule
def anybody_fell(s: State) -> bool:
    for p in range(s.settings.players):
        if s.players[p].lives_lost > 0:
            return True
    return False


# --- games ----------------------------------------------------------------------------------------------------------


def play(
    name: str,
    rules: Rules,
    games: int,
    change_settings: Callable[[Any], None] | None = None,
    watch: Callable[[Any], None] | None = None,
) -> Line:
    """`change_settings` may write into the settings of the games before they begin; `watch` sees the games after every
    decision."""
    table = ScriptedGames(rules, FIRST_SEED + np.arange(games), np.full((games, PLAYERS), BAND))
    if change_settings is not None:
        change_settings(table.games["settings"])
    marks: Any = np.zeros((games, len(MILESTONES)), np.int64)

    def answer() -> int:
        note_milestones(table.games, table.tables, marks)
        if watch is not None:
            watch(table.games)
        return answers_of(table)

    play_out(table, answer)
    return _line(name, rules, table.games, marks)


def answers_of(table: ScriptedGames) -> int:
    """Of the players at the table, in all its games; gives how many go on."""
    return table.players.answer(table.compiled, 0, len(table.games), table.actions)


def play_out(table: ScriptedGames, answer: Callable[[], int]) -> None:
    """All games of a table side by side, to their end: `answer` writes the actions, and gives how many games go on."""
    playing = len(table.games)
    while playing > 0:
        fault = step_games(table.games, table.tables, 0, len(table.games), table.actions, table.masks)
        if fault != Fault.NONE:
            raise RuntimeError(f"the rules have come to a halt ({Fault(fault).name}): please report it")
        playing = answer()


def _line(name: str, rules: Rules, games: Any, marks: Any) -> Line:
    lives = games["players"]["lives_lost"][:, : rules.players]
    medians = [float(np.median(column[column > 0])) if column.any() else float("nan") for column in marks.T]
    return Line(
        name,
        len(games),
        int((games["reason"] == Reason.WON).sum()),
        float((lives >= games["settings"]["coop_lives"][:, None]).any(axis=1).mean()),
        [float(share) for share in (marks > 0).mean(axis=0)],
        medians,
        int(games["round_number"].max()),
    )


# --- the page -------------------------------------------------------------------------------------------------------

HEAD = """# The band: how it fares

Scripted samurai that play co-op and solo games together (`band`; agents/fujikoro_agents/scripted/band.py). Made by
`python -m fujikoro_training.band --games {games}`, seeds from {seed}. Wins with 95 % intervals; then the share of games
in which something is reached at all, and in brackets the round in which it is, at the median.

{head}
{rule}
{lines}

*each magic*: every samurai has some magic gear at the same time; *all types*: the team has a magic helmet, weapon and
sandals with their blueprints at the same time; *one out*: a samurai has left by the exit; *life lost*: a samurai was
knocked out or burnt; *fallen*: the game was lost by a second life. A ronin (scenario 8) is played as `runner`.
"""


def page(lines: list[Line], games: int) -> str:
    columns = ("game", "wins", "95 % interval", *MILESTONES, "fallen", "rounds")
    return HEAD.format(
        games=games,
        seed=FIRST_SEED,
        head=f"| {' | '.join(columns)} |",
        rule=f"|{' --- |' * len(columns)}",
        lines="\n".join(_row(line) for line in lines),
    )


def _row(line: Line) -> str:
    low, high = line.interval
    reached = [
        f"{share:.0%}{f' ({median:.0f})' if share > 0 else ''}"
        for share, median in zip(line.reached, line.rounds, strict=True)
    ]
    cells = (line.name, f"{line.wins / line.games:.1%}", f"{low:.1%} to {high:.1%}", *reached, f"{line.fallen:.0%}")
    return f"| {' | '.join(cells)} | {line.last_round} |"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fujikoro_training.band", description=__doc__)
    parser.add_argument("--games", type=int, default=400, help="games of each kind (default: 400)")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page to write (default: docs/band.md)")
    given = parser.parse_args(arguments)
    if given.games < 1:
        parser.error(f"--games {given.games}: allowed are whole numbers from 1")
    lines = []
    for name, rules in kinds():
        lines.append(play(name, rules, given.games))
        print(_row(lines[-1]), flush=True)
    given.out.write_text(page(lines, given.games))
    return 0


if __name__ == "__main__":
    sys.exit(main())
