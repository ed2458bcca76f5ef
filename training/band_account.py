"""What stands between the band and a win: `python -m training.band_account --games 400` writes docs/band_account.md.

The same games are played with one thing made easier at a time, and with several: what helps most is what stands in the
way most. Only numbers of the reconstructed content are changed, and the clock, which is the rulebook's.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fujikoro_env.content.model import DRAGON_COLOURS
from fujikoro_env.settings import Rules
from training.band import FIRST_SEED, Line, play

PAGE: Final = Path(__file__).parent.parent / "docs" / "band_account.md"
TEAMS: Final = (1, 2, 4)
LEGENDARY: Final = DRAGON_COLOURS.index("white")

Change = Callable[[Any, Any], None]  # of the tables and of the settings of all games


@dataclass(frozen=True)
class Variant:
    name: str
    changes: tuple[Change, ...] = ()

    def change(self, tables: Any, settings: Any) -> None:
        for change in self.changes:
            change(tables, settings)


def more_rounds(times: float) -> Change:
    def change(_tables: Any, settings: Any) -> None:
        settings["full_rounds"] = (times * settings["full_rounds"]).astype(int)
        settings["max_rounds"] *= 4  # the other end of a game, which must not come first

    return change


def initiative_of_the_legend(initiative: int) -> Change:
    def change(tables: Any, _settings: Any) -> None:
        tables["dragon_initiative"][tables["dragon_colour"] == LEGENDARY] = initiative

    return change


def harmless_dragons(tables: Any, _settings: Any) -> None:
    """All but the legendary one fall at a blow, and strike last."""
    small = tables["dragon_colour"] != LEGENDARY
    tables["dragon_initiative"][small] = 1
    tables["dragon_health"][small] = 2


def rich_tokens(tables: Any, _settings: Any) -> None:
    tables["token_shows"] *= 2


VARIANTS: Final = (
    Variant("as it is"),
    Variant("1.5 times the full rounds", (more_rounds(1.5),)),
    Variant("2 times the full rounds", (more_rounds(2),)),
    Variant("4 times the full rounds", (more_rounds(4),)),
    Variant("tokens show twice as much", (rich_tokens,)),
    Variant("legendary dragon of initiative 11", (initiative_of_the_legend(11),)),
    Variant("legendary dragon of initiative 7", (initiative_of_the_legend(7),)),
    Variant("small dragons harmless", (harmless_dragons,)),
    Variant("small dragons harmless, the legendary of initiative 7", (harmless_dragons, initiative_of_the_legend(7))),
    Variant(
        "small dragons harmless, the legendary of initiative 7, tokens show twice as much",
        (harmless_dragons, initiative_of_the_legend(7), rich_tokens),
    ),
)


def lines_of(variant: Variant, games: int) -> list[Line]:
    return [play(f"{n}", Rules(mode="coop", players=n), games, variant.change) for n in TEAMS]


def rows(games: int) -> Iterator[str]:
    for variant in VARIANTS:
        cells = [variant.name]
        for line in lines_of(variant, games):
            low, high = line.interval
            cells += [f"{line.wins / line.games:.1%} ({low:.1%} to {high:.1%})", f"{line.beaten:.0%}"]
        yield f"| {' | '.join(cells)} |"


HEAD: Final = """# What stands between the band and a win

`band` (docs/band.md) in co-op games of 1, 2 and 4 players, {games} of each, with one thing made easier at a time. Made
by `python -m training.band_account --games {games}`, seeds from {seed}. Wins with 95 % intervals, and beside them the
share of games in which the legendary dragon is beaten.

| what is changed | 1 player | beaten | 2 players | beaten | 4 players | beaten |
| --- | --- | --- | --- | --- | --- | --- |
{rows}
"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m training.band_account", description=__doc__)
    parser.add_argument("--games", type=int, default=400, help="games of each kind (default: 400)")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page to write (default: docs/band_account.md)")
    given = parser.parse_args(arguments)
    if given.games < 1:
        parser.error(f"--games {given.games}: allowed are whole numbers from 1")
    made = []
    for row in rows(given.games):
        made.append(row)
        print(row, flush=True)
    given.out.write_text(HEAD.format(games=given.games, seed=FIRST_SEED, rows="\n".join(made)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
