"""A tournament in one figure: ratings with their intervals, win rates by seat, and head-to-head shares."""

from pathlib import Path
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

COLOUR, LINE = "#2b5c8a", "#999999"
LONGEST_NAME: Final = 28
PALE: Final = 32  # distance from 50 % up to which a cell is pale enough for black text
PER_AGENT: Final = 0.42  # inches


def draw(summary: dict[str, Any], path: Path) -> None:
    """Save the figure of a tournament."""
    figure = _teams(summary) if summary["together"] else _rivals(summary)
    figure.savefig(path)


def _teams(summary: dict[str, Any]) -> Figure:
    agents = summary["agents"]
    figure = Figure(figsize=(8, 1.2 + PER_AGENT * (len(agents) + 1)), layout="constrained", dpi=110)
    axes = figure.add_subplot()
    _with_intervals(axes, [row["win_rate"] for row in agents], scale=100)
    axes.set_yticks(range(len(agents)), [_named(row) for row in agents])
    axes.set_title(f"Games won, of {summary['blocks']} each", loc="left")
    axes.set_xlabel("%")
    return figure


def _rivals(summary: dict[str, Any]) -> Figure:
    agents, seats = len(summary["agents"]), len(summary["seats"])
    figure = Figure(figsize=(11, 2.6 + PER_AGENT * (2 * agents + 1)), layout="constrained", dpi=110)
    grid = figure.add_gridspec(2, 2, width_ratios=[3, 2], height_ratios=[agents + 3, agents + 3])
    _ratings(figure.add_subplot(grid[0, 0]), summary)
    _seats(figure.add_subplot(grid[0, 1]), summary, seats)
    _pairs(figure, figure.add_subplot(grid[1, :]), summary)
    return figure


def _named(row: dict[str, Any]) -> str:
    name = str(row["agent"])
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _with_intervals(axes: Axes, rows: list[list[float | None]], scale: float = 1.0) -> None:
    """Plot points with their intervals, the first on top."""
    for y, (value, low, high) in enumerate(rows):
        assert value is not None
        if low is not None and high is not None:
            axes.plot([scale * low, scale * high], [y, y], color=COLOUR, linewidth=2, solid_capstyle="butt")
        axes.plot(scale * value, y, "o", color=COLOUR, markersize=6)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="x", color="#dddddd")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _ratings(axes: Axes, summary: dict[str, Any]) -> None:
    _with_intervals(axes, [row["rating"] for row in summary["agents"]])
    axes.set_yticks(range(len(summary["agents"])), [_named(row) for row in summary["agents"]])
    axes.set_title(f"Ratings after {summary['games']} games", loc="left")
    axes.set_xlabel("points above the mean; 400 more means finishing ahead ten times as often")


def _seats(axes: Axes, summary: dict[str, Any], seats: int) -> None:
    _with_intervals(axes, [row["win_rate"] for row in summary["seats"]], scale=100)
    axes.axvline(100 / seats, color=LINE, linestyle="--", linewidth=1)
    axes.set_yticks(range(seats), [f"seat {row['seat']}" for row in summary["seats"]])
    axes.set_title("Win rate by seat", loc="left")
    axes.set_xlabel("% of games; dashed line: equal shares")


def _pairs(figure: Figure, axes: Axes, summary: dict[str, Any]) -> None:
    labels = [row["agent"] for row in summary["agents"]]
    shares = np.full((len(labels), len(labels)), np.nan)
    for y, label in enumerate(labels):
        for x, other in enumerate(labels):
            found = summary["head_to_head"][label].get(other)
            if found is not None:
                shares[y, x] = 100 * found[0]
    image = axes.imshow(shares, cmap="RdBu", vmin=0, vmax=100, aspect="auto")
    axes.set_yticks(range(len(labels)), [f"{row['place']}. {_named(row)}" for row in summary["agents"]])
    axes.set_xticks(range(len(labels)), [f"{row['place']}." for row in summary["agents"]])
    for (y, x), share in np.ndenumerate(shares):
        if not np.isnan(share):
            colour = "white" if abs(share - 50) > PALE else "black"
            axes.text(x, y, f"{share:.0f}", ha="center", va="center", color=colour)
    axes.set_title("How often (%) the agent on the left finishes ahead of the one below", loc="left")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.colorbar(image, ax=axes, fraction=0.03, pad=0.01)
