"""Charts as SVG. Colours and letters come from the style sheet of the page, so they follow its light or dark mode."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from fujikoro_app.report.markup import node

WIDTH, HEIGHT = 480, 280  # small, so that letters are still readable on a phone
LEFT, RIGHT, TOP, BOTTOM = 52, 20, 12, 40  # margins
STYLES: Final = 6  # different lines that the style sheet has
TICKS: Final = (0, 25, 50, 75, 100)  # per cent
MOST_MARKS: Final = 5  # steps of the axis of decisions
BAR_WIDTH, BAR_HEIGHT = 160, 18


@dataclass(frozen=True)
class Point:
    """A share at a number of decisions, with its interval."""

    x: float
    value: float
    low: float
    high: float


def curve_chart(title: str, lines: dict[str, list[Point]], level: float | None, level_name: str) -> Element:
    """Shares in the course of a training run, with intervals. `level`: the share of equal players."""
    most = max((point.x for line in lines.values() for point in line), default=0) or 1
    drawn = [_line(points, number % STYLES, most) for number, points in enumerate(lines.values())]
    parts = [node("title", title), *_axes(most)]
    if level is not None:
        parts.append(node("path", d=f"M{LEFT} {_y(level):.1f}H{WIDTH - RIGHT}", class_="level"))
        parts.append(_words(WIDTH - RIGHT, _y(level) - 5, level_name, "end"))
    chart = node("svg", *parts, *drawn, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=title, class_="chart")
    return node("figure", chart, node("figcaption", *_legend(list(lines))))


def _x(decisions: float, most: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * decisions / most


def _y(share: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)


def _axes(most: float) -> list[Element]:
    rows = [node("path", d=f"M{LEFT} {_y(tick / 100):.1f}H{WIDTH - RIGHT}", class_="grid") for tick in TICKS]
    names = [_words(LEFT - 6, _y(tick / 100) + 5, f"{tick} %", "end") for tick in TICKS]
    marks = [_words(_x(x, most), HEIGHT - BOTTOM + 17, short_number(x), "middle") for x in round_marks(most)]
    what = _words((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "decisions learned from", "middle")
    return [*rows, *names, *marks, what]


def round_marks(most: float) -> list[int]:
    """Round whole numbers from 0 up to at most `most`, which is at least 1."""
    unit = 10 ** math.floor(math.log10(most))
    step = next(max(1, unit * tenths // 10) for tenths in (2, 5, 10, 20) if 10 * most <= unit * tenths * MOST_MARKS)
    return list(range(0, math.floor(most) + 1, step))


def short_number(number: float) -> str:
    """A number of decisions for an axis: 500, 50k, 1.5M."""
    if number >= 1_000_000:
        return f"{number / 1_000_000:g}M"
    return f"{number / 1000:g}k" if number >= 1000 else f"{number:g}"


def _words(x: float, y: float, text: str, anchor: str) -> Element:
    return node("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)


def _line(points: Sequence[Point], style: int, most: float) -> Element:
    places = [(_x(point.x, most), point) for point in points]
    path = "M" + "L".join(f"{x:.1f} {_y(point.value):.1f}" for x, point in places)
    spans = "".join(f"M{x:.1f} {_y(point.low):.1f}V{_y(point.high):.1f}" for x, point in places)
    dots = [
        node("circle", node("title", _told(point)), cx=f"{x:.1f}", cy=f"{_y(point.value):.1f}", r=4)
        for x, point in places
    ]
    return node(
        "g", node("path", d=path, class_="line"), node("path", d=spans, class_="span"), *dots, class_=f"line{style}"
    )


def _told(point: Point) -> str:
    return f"{point.x:,.0f} decisions: {point.value:.1%} ({point.low:.1%} to {point.high:.1%})"


def _legend(names: list[str]) -> list[Element]:
    def sign(style: int) -> Element:
        line = node("g", node("path", d="M1 6H27", class_="line"), node("circle", cx=14, cy=6, r=4))
        line.set("class", f"line{style}")
        return node("svg", line, viewBox="0 0 28 12", class_="sign", aria_hidden="true")

    return [node("span", sign(number % STYLES), f" {name}", class_="key") for number, name in enumerate(names)]


def share_bar(value: float, low: float, high: float, fair: float | None) -> Element:
    """A share as a bar with its interval, and a mark at the fair share. The numbers stand beside it as text."""
    parts = [
        node("rect", x=0, y=2, width=BAR_WIDTH, height=BAR_HEIGHT - 4, class_="track"),
        node("rect", x=0, y=2, width=f"{BAR_WIDTH * value:.1f}", height=BAR_HEIGHT - 4, class_="bar"),
    ]
    if fair is not None:
        parts.append(node("path", d=f"M{BAR_WIDTH * fair:.1f} 0V{BAR_HEIGHT}", class_="level"))
    middle = BAR_HEIGHT / 2
    ends = "".join(f"M{BAR_WIDTH * end:.1f} {middle - 4}v8" for end in (low, high))
    parts.append(node("path", d=f"M{BAR_WIDTH * low:.1f} {middle}H{BAR_WIDTH * high:.1f}{ends}", class_="span"))
    return node("svg", *parts, viewBox=f"0 0 {BAR_WIDTH} {BAR_HEIGHT}", class_="share", aria_hidden="true")


ROW, SERIES_STEP = 21, 13  # heights of a label and of one series below it


@dataclass(frozen=True)
class Span:
    """A value with its interval, of one series."""

    series: int
    value: float
    low: float
    high: float


def interval_chart(
    title: str, rows: list[tuple[str, list[Span]]], series: list[str], level: float, unit: str
) -> Element:
    """Values with their intervals, a row for each label, on a common axis with a mark at `level`. Labels stand above
    their values, so that long ones are readable on a phone."""
    spans = [span for _, those in rows for span in those]
    low, high = _ends([level, *(end for span in spans for end in (span.low, span.high) if abs(end) < float("inf"))])
    parts: list[Element] = [node("title", title)]
    heights = [ROW + SERIES_STEP * max(1, len(those)) for _, those in rows]
    bottom = TOP + sum(heights)

    def x(value: float) -> float:
        return 8 + (WIDTH - 16) * (min(high, max(low, value)) - low) / (high - low)

    parts.append(node("path", d=f"M{x(level):.1f} {TOP}V{bottom}", class_="level"))
    y = float(TOP)
    for (label, those), height in zip(rows, heights, strict=True):
        parts.append(node("path", d=f"M8 {y:.1f}H{WIDTH - 8}", class_="grid"))
        parts.append(_words(8, y + 15, label, "start"))
        for place, span in enumerate(those):
            parts.append(_span(x, span, y + ROW + SERIES_STEP * (place + 0.3), unit, series[span.series]))
        y += height
    for value in (low, level, high):
        at = "start" if value == low else "end" if value == high else "middle"
        parts.append(_words(x(value), bottom + 17, _with_unit(value, unit), at))
    chart = node("svg", *parts, viewBox=f"0 0 {WIDTH} {bottom + 24:.0f}", role="img", aria_label=title, class_="chart")
    return node("figure", chart, node("figcaption", *_legend(series) if len(series) > 1 else [title]))


def _ends(values: list[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = (high - low) * 0.04 or 1.0
    return low - room, high + room


def _span(x: Callable[[float], float], span: Span, y: float, unit: str, name: str) -> Element:
    told = f"{name}: {_with_unit(span.value, unit)} ({_with_unit(span.low, unit)} to {_with_unit(span.high, unit)})"
    return node(
        "g",
        node("path", d=f"M{x(span.low):.1f} {y:.1f}H{x(span.high):.1f}", class_="span"),
        node("circle", node("title", told), cx=f"{x(span.value):.1f}", cy=f"{y:.1f}", r=4),
        class_=f"line{span.series % STYLES}",
    )


def _with_unit(value: float, unit: str) -> str:
    return f"{100 * value:.1f} %" if unit == "%" else f"{value:.3g}"
