"""Makes the pictures of notebooks/FINDINGS.md from the stored results: `python tools/make_findings_pictures.py`."""

import sys
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure

ROOT: Final = Path(__file__).resolve().parent.parent
RESULTS, PICTURES = ROOT / "notebooks/results", ROOT / "notebooks/pictures"
# Agents differ in colour (of Okabe and Ito, which colour-blind people can tell apart), in marker, and in place.
AGENTS: Final = {"gatherer": ("#E69F00", "s"), "runner": ("#0072B2", "o"), "shogun": ("#111111", "D")}
GREY: Final = "#6b6b6b"
STYLE: Final[Any] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "fujikoro",  # the same picture whenever it is made
}
PLACES: Final = ("first", "second", "third", "last")
PLAYERS: Final = 4  # of the games that are drawn
STEP: Final = 0.2  # between agents


def win_shares(experiment: str) -> pd.DataFrame:
    """Win shares with four players in the stored results of an experiment."""
    found = pd.read_parquet(RESULTS / experiment / "effects.parquet")
    return found[(found["measure"] == "win share") & (found["players"] == PLAYERS)]


def intervals(axes: Any, rows: pd.DataFrame, agent: str, at: list[float], upright: bool) -> None:
    """Draw shares with their intervals beside or above each other."""
    value = 100 * rows["value"].to_numpy()
    reach = [value - 100 * rows["low"].to_numpy(), 100 * rows["high"].to_numpy() - value]
    colour, marker = AGENTS[agent]
    style = {"fmt": marker, "color": colour, "label": agent, "markersize": 5.5, "elinewidth": 1.6}
    if upright:
        axes.errorbar(at, value, yerr=reach, **style)
    else:
        axes.errorbar(value, at, xerr=reach, **style)


def seats() -> Figure:
    """Win share by place in the turn order."""
    shares = win_shares("seats")
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.subplots()
    for number, agent in enumerate(AGENTS):
        rows = shares[shares["agent"] == agent].sort_values("level")
        at = [place + STEP * (number - 1) for place in range(PLAYERS)]
        intervals(axes, rows, agent, at, upright=True)
    axes.axhline(100 / PLAYERS, color=GREY, linestyle="--", linewidth=1, zorder=0)
    axes.annotate("fair", (PLAYERS - 0.55, 100 / PLAYERS + 0.5), color=GREY, ha="right")
    axes.set(xticks=range(PLAYERS), xlim=(-0.5, PLAYERS - 0.5), ylim=(0, 42))
    axes.set_xticklabels(PLACES)
    axes.set(xlabel="place in the turn order, four players", ylabel="games won, % (95 % intervals)")
    axes.legend(frameon=False, loc="lower left")
    return figure


def characters() -> Figure:
    """Win share by character."""
    shares = win_shares("characters")
    order = list(shares[shares["agent"] == "shogun"].sort_values("value")["level"])
    figure = Figure(figsize=(6.4, 4.4), layout="constrained")
    axes = figure.subplots()
    for number, agent in enumerate(AGENTS):
        rows = shares[shares["agent"] == agent].set_index("level").loc[order]
        at = [place + STEP * (1 - number) for place in range(len(order))]
        intervals(axes, rows, agent, at, upright=False)
    axes.axvline(100 / PLAYERS, color=GREY, linestyle="--", linewidth=1, zorder=0)
    axes.annotate("fair", (100 / PLAYERS + 0.5, -0.62), color=GREY)
    axes.set_yticks(range(len(order)), [name.capitalize() for name in order])
    axes.set(xlabel="games won with four players, % (95 % intervals)", xlim=(0, 52), ylim=(-0.7, len(order) - 0.5))
    axes.legend(frameon=False, loc="lower right")
    return figure


DRAWN: Final = {"seats.svg": seats, "characters.svg": characters}


def main(folder: Path = PICTURES) -> int:
    """Write all pictures to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(STYLE):
        for name, draw in DRAWN.items():
            draw().savefig(folder / name, metadata={"Date": None})
            print(f"{folder / name}: {(folder / name).stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
