"""Measures how often the band wins: `python -m fujikoro_training.band --games 400` writes docs/band.md.

The band plays all seats. Besides the wins with 95 % intervals (Wilson's), the page shows how far games get: in which
share of them the exit is found, the legendary dragon is found and so on, and in which round (median).
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
from fujikoro_training.intervals import wilson

PAGE: Final = Path(__file__).parents[2] / "docs" / "band.md"
FIRST_SEED: Final = 50_000_000  # first seed of the measurements; tuning used only seeds below it
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
    """Results of the games of one kind."""

    name: str
    games: int
    wins: int
    fallen: float  # share of games lost because a samurai lost its last life
    reached: list[float]  # by milestone: share of games
    rounds: list[float]  # by milestone: median round, nan if never reached
    last_round: int

    @property
    def beaten(self) -> float:
        """Share of games in which the legendary dragon is beaten."""
        return self.reached[BEATEN]

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the share of games won."""
        return wilson(self.wins / self.games, self.games)


def kinds() -> Iterator[tuple[str, Rules]]:
    """Kinds of games: co-op for 1 to 6 players, and the co-op and solo scenarios."""
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
    """Note the round in which each milestone was first reached, by game and milestone."""
    for g in range(len(games)):
        for milestone in range(LIFE + 1):
            if marks[g, milestone] == 0 and is_reached(games[g], tables[0], milestone):
                marks[g, milestone] = games[g].round_number


@rule
def is_reached(s: State, t: Tables, milestone: int) -> bool:
    """Whether a milestone is reached."""
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
    """Whether every samurai has some magic gear."""
    for p in range(s.settings.players):
        magic = 0
        for gear in range(GEARS):
            magic += s.players[p].gear[gear].magic
        if magic == 0:
            return False
    return True


@rule
def anybody_fell(s: State) -> bool:
    """Whether any samurai has lost a life."""
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
    """Play games of one kind and return the results. `change_settings` may change the settings of the games before they
    begin; `watch` sees the games after every decision."""
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
    """Write the answers of all scripted agents of the table; return the number of games still going."""
    return table.players.answer(table.compiled, 0, len(table.games), table.actions)


def play_out(table: ScriptedGames, answer: Callable[[], int]) -> None:
    """Play all games of a table to their end, side by side. `answer` writes the actions and returns the number of games
    still going."""
    playing = len(table.games)
    while playing > 0:
        fault = step_games(table.games, table.tables, 0, len(table.games), table.actions, table.masks)
        if fault != Fault.NONE:
            raise RuntimeError(f"internal error in the rules ({Fault(fault).name}): please report it")
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

HEAD = """# The co-op agent band

`band` (agents/fujikoro_agents/scripted/band.py) is the scripted agent for co-op and solo games. This page shows how
often it wins. It is generated by `python -m fujikoro_training.band --games {games}`, with seeds from {seed}. The table
shows the share of games won with its 95 % interval, and for each milestone the share of games that reach it, with the
median round in brackets.

{head}
{rule}
{lines}

- *exit found*, *legendary found*: the tile with the secret exit, or that with the legendary dragon, is explored.
- *each magic*: every samurai has some magic gear at the same time.
- *all types*: the team has a magic helmet, weapon and sandals with their blueprints at the same time.
- *legendary beaten*: the legendary dragon is beaten.
- *one out*: a samurai has left by the exit.
- *life lost*: a samurai was knocked out or died in lava.
- *fallen*: share of games lost because a samurai lost its second life.
- *rounds*: the last round of a game that is not decided earlier.

A ronin (scenario 8) is played as `runner`.
"""


def page(lines: list[Line], games: int) -> str:
    """The page docs/band.md."""
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
    """Command line of this module."""
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
