"""Reports of a tournament: tables for the terminal and for Markdown, made from its `summary`."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from fujikoro_env.kernel.texts import short_names
from fujikoro_training.tournament.picture import draw

SUMMARY, REPORT, PICTURE = "summary.json", "report.md", "report.png"
TOLD_FORFEITS: Final = 10
UNLIKELY: Final = 0.05
Row = Sequence[str]
Layout = Callable[[Sequence[Row]], str]  # the first row is the heading


def write_reports(summary: dict[str, Any], folder: Path) -> None:
    """Write the summary, the report and its picture to a folder."""
    (folder / SUMMARY).write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    draw(summary, folder / PICTURE)
    (folder / REPORT).write_text(markdown(summary), encoding="utf-8")


def as_text(summary: dict[str, Any]) -> str:
    """The report as text for a terminal, with short names of agents that load files."""
    short = short_names([row["agent"] for row in summary["agents"]])
    return "\n\n".join(_parts(_renamed(summary, short), in_columns))


def _renamed(part: Any, names: Mapping[str, str]) -> Any:
    """A part of a summary with other names of agents."""
    if isinstance(part, dict):
        return {names.get(key, key): _renamed(value, names) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_renamed(value, names) for value in part]
    return names.get(part, part) if isinstance(part, str) else part


def markdown(summary: dict[str, Any]) -> str:
    """The report in Markdown."""
    agents = ", ".join(f"`{row['agent']}`" for row in summary["agents"])
    heading = f"# Tournament of {agents}"
    picture = f"![{'How often they win' if summary['together'] else 'Ratings, seats and who beats whom'}]({PICTURE})"
    settings = f"Settings:\n\n```json\n{json.dumps(summary['settings'], indent=1)}\n```"
    standings, *others = _parts(summary, in_markdown)
    return "\n\n".join([heading, standings, picture, *others, settings]) + "\n"


def _parts(summary: dict[str, Any], layout: Layout) -> list[str]:
    if summary["together"]:
        several = [_differences(summary, layout)] if len(summary["agents"]) > 1 else []
        parts = [_teams(summary, layout), *several, _endings(summary)]
    else:
        parts = [_standings(summary, layout), _pairs(summary, layout), _seats(summary, layout), _order(summary)]
    if summary.get("characters"):
        parts.append(_characters(summary, layout))
    if summary["forfeits"]:
        parts.append(_forfeits(summary, layout))
    return parts


# The parts


def _standings(summary: dict[str, Any], layout: Layout) -> str:
    rows: list[Row] = [("", "agent", "rating", "win rate", "fair", "mean rank", "VP", "games", "ms per decision")]
    for row in summary["agents"]:
        numbers = (points(row["rating"]), percent(row["win_rate"]), f"{row['fair_share']:.1%}")
        means = (number(row["mean_rank"], 2), number(row["vp"], 1))
        costs = (str(row["games"]), f"{row['milliseconds_a_decision']:.3g}")
        rows.append((f"{row['place']}.", row["agent"], *numbers, *means, *costs))
    return f"{_told(summary)}\n\n{layout(rows)}"


def _told(summary: dict[str, Any]) -> str:
    games, distinct = summary["games"], summary["distinct_games"]
    repeated = f" ({distinct} distinct)" if distinct < games else ""
    return f"{games} games{repeated} in {summary['blocks']} blocks; 95 % intervals by block."


def _teams(summary: dict[str, Any], layout: Layout) -> str:
    rows: list[Row] = [("", "agent", "games won", "rounds", "games", "ms per decision")]
    for row in summary["agents"]:
        costs = (str(row["games"]), f"{row['milliseconds_a_decision']:.3g}")
        rows.append((f"{row['place']}.", row["agent"], percent(row["win_rate"]), number(row["rounds"], 1), *costs))
    return f"{_told(summary)}\n\n{layout(rows)}"


def _differences(summary: dict[str, Any], layout: Layout) -> str:
    labels = [row["agent"] for row in summary["agents"]]
    rows: list[Row] = [("", "wins more often than, in % of games", *_places(summary))]
    for row in summary["agents"]:
        ahead = summary["ahead"][row["agent"]]
        cells = ["" if other == row["agent"] else difference(ahead[other]) for other in labels]
        rows.append((f"{row['place']}.", row["agent"], *cells))
    return layout(rows)


def _pairs(summary: dict[str, Any], layout: Layout) -> str:
    labels = [row["agent"] for row in summary["agents"]]
    rows: list[Row] = [("", "% before", *_places(summary))]
    for row in summary["agents"]:
        against = summary["head_to_head"][row["agent"]]
        shares = ["" if other == row["agent"] else short_percent(against[other]) for other in labels]
        rows.append((f"{row['place']}.", row["agent"], *shares))
    return layout(rows)


def _places(summary: dict[str, Any]) -> list[str]:
    """Column headings: places, because names would be too wide."""
    return [f"{row['place']}." for row in summary["agents"]]


def _seats(summary: dict[str, Any], layout: Layout) -> str:
    rows: list[Row] = [("seat", "win rate", "seat rating")]
    rows += [(str(row["seat"]), percent(row["win_rate"]), points(row["rating"])) for row in summary["seats"]]
    return layout(rows)


def _order(summary: dict[str, Any]) -> str:
    """Sentences on the order: whether it is settled, and whether there are cycles."""
    found = summary["cycles"]
    lines = [_settled(summary)] if summary["settled"] is not None else []
    if found["triads"]:
        seen = "more than chance explains" if found["chance_by_luck"] < UNLIKELY else "no more than chance explains"
        lines.append(
            f"Cycles (A beats B beats C beats A): ratings leave {found['curl_share']:.1%} of the pairs' log odds "
            f"unexplained, {seen} (p = {found['chance_by_luck']:.2g}); {found['cyclic_triads']} of {found['triads']} "
            f"triads are cyclic, {len(found['surely_cyclic'])} of them with certainty."
        )
        lines += [f"Certain cycle: {' beats '.join([*triad, triad[0]])}." for triad in found["surely_cyclic"]]
    shares = [f"{label} {share:.1%}" for label, share in found["alpha_rank"].items()]
    lines.append(f"Alpha-rank: {', '.join(shares)}.")
    if summary["apart"]:
        groups = "; ".join(", ".join(group) for group in summary["apart"])
        lines.append(f"The order between these groups never changed, so their distance is a guess: {groups}.")
    return "\n\n".join([*lines, _endings(summary)])


def _endings(summary: dict[str, Any]) -> str:
    endings = ", ".join(f"{reason} {count}" for reason, count in sorted(summary["endings"].items()))
    return f"How games ended: {endings}; {summary['rounds']:.1f} rounds per game on average."


def _settled(summary: dict[str, Any]) -> str:
    if summary["settled"]:
        return "The order is settled."
    is_open = [f"{row['better']} and {row['worse']}" for row in summary["neighbours"] if row["verdict"] == "open"]
    return f"The order is not settled; still open: {'; '.join(is_open)}."


def _characters(summary: dict[str, Any], layout: Layout) -> str:
    labels = [row["agent"] for row in summary["agents"]]
    rows: list[Row] = [("character", "seats", "% wins", *_places(summary))]
    for row in summary["characters"]:
        by_agent = [short_percent(row["by_agent"][label]) for label in labels]
        rows.append((row["character"], str(row["seats"]), short_percent(row["win_rate"]), *by_agent))
    return layout(rows)


def _forfeits(summary: dict[str, Any], layout: Layout) -> str:
    counts = [f"{row['agent']} {row['forfeits']}" for row in summary["agents"] if row["forfeits"]]
    rows: list[Row] = [("forfeit by", "game", "seat", "decision", "reason", "detail")]
    for row in summary["forfeits"][:TOLD_FORFEITS]:
        where = (str(row["game"]), str(row["seat"]), str(row["decision"]))
        rows.append((row["agent"], *where, row["reason"], row["detail"]))
    more = len(summary["forfeits"]) - TOLD_FORFEITS
    told = f"\n\nand {more} more, all listed in games.parquet" if more > 0 else ""
    return f"Forfeits: {', '.join(counts)}.\n\n{layout(rows)}{told}"


# Numbers


def percent(share: Sequence[float] | None) -> str:
    """Share with its interval, in percent."""
    if share is None:
        return "-"
    value, low, high = share
    return f"{value:.1%} ({100 * low:.1f} to {100 * high:.1f})"


def short_percent(share: Sequence[float] | None) -> str:
    """Share with its interval, without the percent sign, for tables with many columns."""
    if share is None:
        return "-"
    value, low, high = (100 * number for number in share)
    return f"{value:.0f} ({low:.0f}-{high:.0f})"


def points(estimate: Sequence[float | None]) -> str:
    """Rating with its interval."""
    value, low, high = estimate
    assert value is not None
    reach = "" if low is None or high is None else f" ±{(high - low) / 2:.0f}"
    return f"{round(value):+d}{reach}"


def difference(estimate: Sequence[float | None]) -> str:
    """Signed difference of shares, in percent."""
    value, low, high = estimate
    assert value is not None
    reach = "" if low is None or high is None else f" ({100 * low:+.0f} to {100 * high:+.0f})"
    return f"{100 * value:+.0f}{reach}"


def number(estimate: Sequence[float | None], digits: int) -> str:
    """Number with its interval."""
    value, low, high = estimate
    assert value is not None
    reach = "" if low is None or high is None else f" ±{(high - low) / 2:.{digits}f}"
    return f"{value:.{digits}f}{reach}"


# Layouts


def in_columns(rows: Sequence[Row]) -> str:
    """Table in aligned columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def in_markdown(rows: Sequence[Row]) -> str:
    """Table in Markdown."""
    heading, *others = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = [heading, ["---"] * len(heading), *others]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
