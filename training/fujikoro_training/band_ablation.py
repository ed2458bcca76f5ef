"""Measures what keeps the band from winning: `python -m fujikoro_training.band_ablation --games 400` writes
docs/band_ablation.md.

The same games are played with one or two things made easier. The change that helps most removes the largest obstacle.
Only reconstructed content is changed, and the number of rounds, which is the rulebook's.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.ladder import ScriptedGames
from fujikoro_agents.scripted.skills import BAND
from fujikoro_env.content import load_pack
from fujikoro_env.content.model import RESOURCES, Changes
from fujikoro_env.player import AgentError, make_agent, make_agents
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.session import Session
from fujikoro_env.settings import Rules
from fujikoro_training.band import FIRST_SEED, Line, answers_of, play, play_out

PAGE: Final = Path(__file__).parents[2] / "docs" / "band_ablation.md"
SMALL_DRAGONS: Final = ("blue", "green", "red")
TEAMS: Final = (1, 2, 4)
BASE: Final = load_pack("base")


@dataclass(frozen=True)
class Variant:
    """Co-op games with changes to the base pack, or with more rounds than the rules give."""

    name: str
    changes: Changes = field(default_factory=dict)
    more_rounds: int = 0
    adventure_tokens: bool = True

    def rules(self, players: int) -> Rules:
        content = BASE.changed(self.changes)
        return Rules(mode="coop", players=players, adventure_tokens=self.adventure_tokens, content=content)

    def change_settings(self, settings: Any) -> None:
        """No option of the rules has more rounds, so they are written into the settings of the games."""
        if self.more_rounds:
            settings["full_rounds"] += self.more_rounds
            settings["max_rounds"] *= 4  # the other end of a game, which must not come first


def harmless_dragons() -> Changes:
    """All but the legendary one fall at a blow, and strike last."""
    return {f"dragons.{colour}": {"initiative": 1, "health": 2} for colour in SMALL_DRAGONS}


def rich_tokens() -> Changes:
    """All tokens but those of monks show twice as much."""
    return {f"tokens.{token.id}.shows": _twice(token.shows) for token in BASE.tokens if not token.monk}


def _twice(shows: tuple[int, int, int]) -> str:
    return " ".join(f"{2 * number} {resource}" for number, resource in zip(shows, RESOURCES, strict=True) if number)


AS_IT_IS: Final = Variant("as it is")
VARIANTS: Final = (
    AS_IT_IS,
    Variant("without adventure tokens: two rounds more (COOP-2)", adventure_tokens=False),
    Variant("4 rounds more", more_rounds=4),
    Variant("8 rounds more", more_rounds=8),
    Variant("16 rounds more", more_rounds=16),
    Variant("tokens show twice as much", rich_tokens()),
    Variant("small dragons harmless", harmless_dragons()),
    Variant("small dragons harmless, 4 rounds more", harmless_dragons(), more_rounds=4),
)


def lines_of(variant: Variant, games: int) -> list[Line]:
    return [play(f"{n}", variant.rules(n), games, variant.change_settings) for n in TEAMS]


def rows(games: int) -> Iterator[str]:
    for variant in VARIANTS:
        cells = [variant.name]
        for line in lines_of(variant, games):
            low, high = line.interval
            cells += [f"{line.wins / line.games:.1%} ({low:.1%} to {high:.1%})", f"{line.beaten:.0%}"]
        yield f"| {' | '.join(cells)} |"


# --- who goes to the great fight ------------------------------------------------------------------------------------


class GreatFights:
    """Fights with the legendary dragon: how many samurai were in each, and whether it was beaten."""

    def __init__(self, games: int, dragon: int) -> None:
        self.dragon = dragon
        self.fighters: Any = np.zeros(games, np.int64)  # in the current fight; 0 if there is none
        self.fought: Counter[tuple[int, bool]] = Counter()

    def watch(self, games: Any) -> None:
        fights = games["fight"]
        going_on = (fights["dragon"] == self.dragon + 1) & (games["reason"] == Reason.PLAYING)
        for game in np.flatnonzero((self.fighters > 0) & ~going_on):
            beaten = bool(int(games["dragons_beaten"][game]) >> self.dragon & 1)
            self.fought[int(self.fighters[game]), beaten] += 1
        inside = fights["fighters"]["inside"].sum(axis=1)
        self.fighters = np.where(going_on, np.maximum(self.fighters, inside), 0)


def rows_of_fights(games: int) -> Iterator[str]:
    for players in TEAMS[1:]:
        rules = AS_IT_IS.rules(players)
        legend = [dragon.colour for dragon in rules.pack.dragons].index("white")
        fights = GreatFights(games, legend)
        play(f"{players}", rules, games, AS_IT_IS.change_settings, fights.watch)
        for fighters in range(1, players + 1):
            won, lost = fights.fought[fighters, True], fights.fought[fighters, False]
            share = f"{won / (won + lost):.0%}" if won + lost else ""
            yield f"| {players} | {fighters} | {won + lost} | {share} |"


# --- where the actions go -------------------------------------------------------------------------------------------

ACTIONS: Final = {"moves": act.MOVE, "explores": act.EXPLORE, "gathers": act.GATHER, "rests": act.REST}


def actions_of(players: int, games: int) -> dict[str, float]:
    """Of a whole game, on average; and the tiles of each level that were laid."""
    rules = Rules(mode="coop", players=players, ask_forced=True)
    table = ScriptedGames(rules, FIRST_SEED + np.arange(games), np.full((games, PLAYERS), BAND))
    every, counts, tiles = np.arange(games), dict.fromkeys(ACTIONS, 0), _tiles_left(table.games)

    def answer() -> int:
        playing = answers_of(table)
        phases = table.games["stack"]["phase"][every, table.games["depth"] - 1]
        asked = (phases == Phase.ACTION) & (table.games["reason"] == Reason.PLAYING)
        for name, action in ACTIONS.items():
            counts[name] += int((asked & (table.actions == action)).sum())
        return playing

    play_out(table, answer)
    laid = (tiles - _tiles_left(table.games)).mean(axis=0)
    return {name: count / games for name, count in counts.items()} | {
        f"tiles {level}": float(number) for level, number in zip(("I", "II", "III"), laid, strict=True)
    }


def _tiles_left(games: Any) -> Any:
    """By game and level."""
    return np.bitwise_count(games["tiles_left"].astype(np.uint64)).astype(np.int64)


def rows_of_actions(games: int) -> Iterator[str]:
    for players in TEAMS:
        counted = actions_of(players, games)
        yield f"| {players} | {' | '.join(f'{number:.1f}' for number in counted.values())} |"


# --- a searcher in the place of the band ----------------------------------------------------------------------------


def searched(players: int, seed: int, agent: str) -> tuple[bool, bool, bool, bool]:
    """One game of searchers: won, the exit found, the legendary dragon found, and beaten."""
    agents = make_agents([agent] * players, seed)
    session = Session(Rules(mode="coop", players=players), seed, agents=agents, keep_history=False)
    game = session.game
    legend = [dragon.colour for dragon in game.rules.pack.dragons].index("white")
    found = False
    while not session.over:
        found = found or game.state.dragons[legend].place != 0
        session.advance()
    beaten = bool(int(game.state.dragons_beaten) >> legend & 1)
    return game.state.reason == Reason.WON, game.state.secret_exit != 0, found, beaten


def rows_of_searches(games: int, agent: str) -> Iterator[str]:
    for players in TEAMS[:1]:  # teams take minutes for a game
        seeds = range(FIRST_SEED, FIRST_SEED + games)
        played = [searched(players, seed, agent) for seed in seeds]
        won, out, found, beaten = (sum(column) for column in zip(*played, strict=True))
        yield f"| {players} | {games} | {won} | {out} | {found} | {beaten} |"


HEAD: Final = """# What keeps the band from winning

`band` ([band.md](band.md)) in co-op games of 1, 2 and 4 players, {games} games each, with one or two things made
easier. Made by `python -m fujikoro_training.band_ablation --games {games}`, seeds from {seed}. The table shows wins
with 95 % intervals, and the share of games in which the legendary dragon was beaten.

| what is changed | 1 player | beaten | 2 players | beaten | 4 players | beaten |
| --- | --- | --- | --- | --- | --- | --- |
{rows}

## Where the actions go

Actions per game, all players together, and tiles laid by level.

| players | moves | explores | gathers | rests | tiles I | tiles II | tiles III |
| --- | --- | --- | --- | --- | --- | --- | --- |
{actions}

A solo player has 62 actions in 31 rounds, and the rulebook's numbers use up most of them. The secret exit is the 5th to
8th tile of level II and the legendary dragon the 5th to 8th of level III (COOP-5), so about 13 tiles of these levels
and two or three of level I must be explored. Three blueprints lie in three temples (SETUP-5), 7 steps from the start
tile and 14 from each other. Every three or four discs cost a rest. The remaining actions must arm a samurai against a
dragon with 25 health and six tooth dice.

## Fights with the legendary dragon

In the same games: the number of samurai in a fight with the legendary dragon, how often that happened, and how often
the dragon was beaten.

| players | in the fight | fights | beaten |
| --- | --- | --- | --- |
{fights}
{searches}"""
SEARCHES: Final = """
## Tree search instead of the band

`{agent}` (`--searched {games}`) on the first of the same seeds. It tries the band's answer first and uses the band in
its rollouts.

| players | games | won | exit found | legendary found | legendary beaten |
| --- | --- | --- | --- | --- | --- |
{rows}
"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fujikoro_training.band_ablation", description=__doc__)
    parser.add_argument("--games", type=int, default=400, help="games of each kind (default: 400)")
    parser.add_argument("--searched", type=int, default=0, help="games of a searcher beside it, which take long (0)")
    parser.add_argument("--searcher", default="mcts:iterations=64", help="(default: mcts:iterations=64)")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page to write (default: docs/band_ablation.md)")
    given = parser.parse_args(arguments)
    if given.games < 1:
        parser.error(f"--games {given.games}: allowed are whole numbers from 1")
    if given.searched < 0:
        parser.error(f"--searched {given.searched}: allowed are whole numbers from 0")
    try:
        make_agent(given.searcher)
    except AgentError as error:
        parser.error(str(error))
    made, fights = _told(rows(given.games)), _told(rows_of_fights(given.games))
    actions = _told(rows_of_actions(given.games))
    searches = ""
    if given.searched > 0:
        lines = _told(rows_of_searches(given.searched, given.searcher))
        searches = SEARCHES.format(agent=given.searcher, games=given.searched, rows="\n".join(lines))
    page = HEAD.format(
        games=given.games,
        seed=FIRST_SEED,
        rows="\n".join(made),
        fights="\n".join(fights),
        searches=searches,
        actions="\n".join(actions),
    )
    given.out.write_text(page, encoding="utf-8")
    return 0


def _told(lines: Iterator[str]) -> list[str]:
    """All of them, each printed as it comes."""
    made = []
    for line in lines:
        made.append(line)
        print(line, flush=True)
    return made


if __name__ == "__main__":
    sys.exit(main())
