"""Charts as SVG. Colours and letters come from the style sheet of the page, so they follow its light or dark mode."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final
from xml.etree.ElementTree import Element

from fujikoro_app.report.markup import node

WIDTH, HEIGHT = 480, 280  # small, so that letters are still readable on a phone
LEFT, RIGHT, TOP, BOTTOM = 52, 20, 12, 40  # margins
STYLES: Final = 6  # different lines that the style sheet has
TICKS: Final = (0, 25, 50, 75, 100)  # per cent
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
    return list(range(0, floor(most) + 1, max(1, ceil(_round_step(most, (1, 2, 5, 10))))))


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
    dots = [_mark(style, x, _y(point.value), node("title", _told(point))) for x, point in places]
    return node(
        "g", node("path", d=path, class_="line"), node("path", d=spans, class_="span"), *dots, class_=f"line{style}"
    )


def _mark(series: int, x: float, y: float, *content: Element) -> Element:
    """The mark of a value: the shape depends on the series, for readers who can't tell the colours apart."""
    match series % 3:
        case 0:
            return node("circle", *content, cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, class_="mark")
        case 1:
            return node("path", *content, d=f"M{x - 4:.1f} {y - 4:.1f}h8v8h-8z", class_="mark")
        case _:
            return node("path", *content, d=f"M{x:.1f} {y - 5.5:.1f}l5.5 5.5l-5.5 5.5l-5.5 -5.5z", class_="mark")


def _told(point: Point) -> str:
    return f"{point.x:,.0f} decisions: {point.value:.1%} ({point.low:.1%} to {point.high:.1%})"


def _legend(names: list[str]) -> list[Element]:
    def sign(style: int) -> Element:
        line = node("g", node("path", d="M1 6H27", class_="line"), _mark(style, 14, 6))
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
HEAD: Final = 24  # height of the value of the reference, above the rows
MOST_STEPS: Final = 5  # of an axis


@dataclass(frozen=True)
class Span:
    """A value with its interval, of one series."""

    series: int
    value: float
    low: float
    high: float
    level: float  # what it is compared with


def interval_chart(title: str, rows: list[tuple[str, list[Span]]], series: list[str], unit: str) -> Element:
    """Values with their intervals, a row for each label, on a common axis, and dashed what they are compared with: one
    line if this is the same for all. Labels stand above their values, so that long ones are readable on a phone."""
    spans = [span for _, those in rows for span in those]
    ticks = _ticks([end for span in spans for end in (span.level, span.low, span.high) if abs(end) < float("inf")])
    low, high = ticks[0], ticks[-1]
    parts: list[Element] = [node("title", title)]
    heights = [ROW + SERIES_STEP * max(1, len(those)) for _, those in rows]
    bottom = HEAD + sum(heights)

    def x(value: float) -> float:
        return 8 + (WIDTH - 16) * (min(high, max(low, value)) - low) / (high - low)

    parts += [node("path", d=f"M{x(tick):.1f} {HEAD}V{bottom}", class_="grid") for tick in ticks]
    level = spans[0].level
    common = all(abs(span.level - level) < 1e-9 for span in spans)
    if common:
        parts.append(node("path", d=f"M{x(level):.1f} {HEAD - 4}V{bottom}", class_="level"))
        parts.append(_words(x(level), HEAD - 8, _with_unit(level, unit), _anchor(x(level))))
    y = float(HEAD)
    for (label, those), height in zip(rows, heights, strict=True):
        parts.append(node("path", d=f"M8 {y:.1f}H{WIDTH - 8}", class_="grid"))
        parts.append(_words(12, y + 15, label, "start"))
        for place, span in enumerate(those):
            at = y + ROW + SERIES_STEP * (place + 0.3)
            if not common:
                parts.append(node("path", d=f"M{x(span.level):.1f} {at - 7:.1f}v14", class_="level own"))
            parts.append(_span(x, span, at, unit, series[span.series]))
        y += height
    parts += [_words(x(tick), bottom + 17, _tick_name(tick, unit), _anchor(x(tick))) for tick in ticks]
    chart = node("svg", *parts, viewBox=f"0 0 {WIDTH} {bottom + 24:.0f}", role="img", aria_label=title, class_="chart")
    return node("figure", chart, node("figcaption", *_legend(series) if len(series) > 1 else [title]))


def _ticks(values: list[float]) -> list[float]:
    """Round numbers at equal distances, from below the least value to above the largest one."""
    low, high = min(values), max(values)
    step = _round_step(high - low or MOST_STEPS, (1, 2, 2.5, 5, 10))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [step * number for number in range(first, max(last, first + 1) + 1)]


def _round_step(span: float, factors: Sequence[float]) -> float:
    """The smallest round distance that divides an axis of this length into few steps."""
    wanted = span / MOST_STEPS
    power = 10.0 ** floor(log10(wanted))
    return next(factor * power for factor in factors if factor * power >= wanted * (1 - 1e-9))


def _anchor(x: float) -> str:
    """Where a text at this place begins, so that it stays in the picture."""
    return "start" if x < LEFT else "end" if x > WIDTH - LEFT else "middle"


def _tick_name(value: float, unit: str) -> str:
    return f"{100 * value:.3g} %" if unit == "%" else f"{value:.3g}"


def _span(x: Callable[[float], float], span: Span, y: float, unit: str, name: str) -> Element:
    told = f"{name}: {_with_unit(span.value, unit)} ({_with_unit(span.low, unit)} to {_with_unit(span.high, unit)})"
    return node(
        "g",
        node("path", d=f"M{x(span.low):.1f} {y:.1f}H{x(span.high):.1f}", class_="span"),
        _mark(span.series, x(span.value), y, node("title", told)),
        class_=f"line{span.series % STYLES}",
    )


def _with_unit(value: float, unit: str) -> str:
    return f"{100 * value:.1f} %" if unit == "%" else f"{value:.3g}"
