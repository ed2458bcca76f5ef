"""The page of a report: a section for each of its sources."""

import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final
from xml.etree.ElementTree import Element

from fujikoro_app.report.balance import balance_content, evaluation_content
from fujikoro_app.report.charts import Point, curve_chart, share_bar
from fujikoro_app.report.game import film_data, frames
from fujikoro_app.report.markup import node, page_text, table
from fujikoro_app.report.sources import (
    ITSELF,
    Balance,
    CurveRow,
    Estimate,
    Evaluation,
    MatchRow,
    Source,
    Standing,
    Teams,
    Tournament,
    Training,
)
from fujikoro_app.report.teams import teams_content
from fujikoro_env import __version__
from fujikoro_env.kernel.drawing.lettering import FONT
from fujikoro_env.record import Replay
from fujikoro_env.render.svg import HEIGHT, SIDE_X, WIDTH

# The page can't load anything, even if there were a link in it.
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
LONG: Final = 3  # sections of a page that gets a list of contents
TRAINED: Final = "trained network"
RATINGS: Final = (
    "Ratings come from whole finishing orders; their mean is 0. Of two agents, the one with 100 points more finishes "
    "ahead in 64 % of their games, with 400 points more in 91 %."
)
CONTROLS: Final = {"first": "First", "back": "Back", "play": "Play", "next": "Next", "last": "Last"}


def report_page(sources: Sequence[Source], title: str) -> str:
    """The whole page as HTML."""
    names = _trained_names([source for source in sources if isinstance(source, Training)])
    sections = [_section(source, number, names) for number, source in enumerate(sources)]
    head = node(
        "head",
        node("meta", charset="utf-8"),
        node("meta", http_equiv="Content-Security-Policy", content=POLICY),
        node("meta", name="viewport", content="width=device-width, initial-scale=1"),
        node("meta", name="color-scheme", content="light dark"),
        node("title", title),
        node("style", _packaged("page.css")),
    )
    foot = node("footer", node("p", f"Written by fujikoro_env {__version__}. This file is complete: it loads nothing."))
    body = node("body", node("header", node("h1", title)), *_contents(sources), node("main", *sections), foot)
    if any(isinstance(source, Replay) for source in sources):
        body.append(node("script", _packaged("page.js")))
    return page_text(node("html", head, body, lang="en"))


def _contents(sources: Sequence[Source]) -> list[Element]:
    """Links to the sections of a long page, by the folders that they come from."""
    if len(sources) < LONG:
        return []
    names = ["game" if isinstance(source, Replay) else source.folder.name for source in sources]
    links = [node("li", node("a", name, href=f"#s{number}")) for number, name in enumerate(names)]
    return [node("nav", node("ul", *links), aria_label="Contents")]


@cache
def _packaged(name: str) -> str:
    return (files("fujikoro_app.report") / name).read_text(encoding="utf-8")


def _trained_names(runs: list[Training]) -> dict[str, str]:
    """Short names of the networks that were trained in the reported runs."""
    return {run.agent: TRAINED if len(runs) == 1 else f"{TRAINED} of {run.folder.name}" for run in runs}


def _section(source: Source, number: int, names: dict[str, str]) -> Element:
    match source:
        case Training():
            return _training(source, number, names)
        case Tournament():
            return _tournament(source, number, names)
        case Evaluation():
            title, content = evaluation_content(source)
            return _titled(number, title, *content)
        case Balance():
            title, content = balance_content(source)
            return _titled(number, title, *content)
        case Teams():
            title, content = teams_content(source)
            return _titled(number, title, *content)
        case Replay():
            return _game(source, number, names)


def _titled(number: int, title: str, *content: Element) -> Element:
    return node("section", node("h2", title, id=f"s{number}"), *content, aria_labelledby=f"s{number}")


# Training


def _training(run: Training, number: int, names: dict[str, str]) -> Element:
    title = "Learning curve" if len(names) == 1 else f"Learning curve of {run.folder.name}"
    rows = [_curve_row(row) for row in run.curve]
    lines = _lines(run.curve)
    chart = curve_chart("Share of the games won, with 95 % intervals", lines, run.fair, "equal players")
    numbers = table("Evaluations during the run", ["decisions", "seconds", "entropy", "KL", *lines], rows)
    return _titled(number, title, node("p", _run_told(run)), chart, _folded("The numbers", numbers))


def _curve_row(row: CurveRow) -> list[Element | str]:
    wins = [_percent(match.share) for match in row.matches]
    return [f"{row.decisions:,}", f"{row.seconds:.0f}", _digits(row.entropy, 2), _digits(row.kl, 4), *wins]


def _run_told(run: Training) -> str:
    if not run.curve:
        planned = f", planned for {run.decisions:,} decisions" if run.decisions is not None else ""
        return f"Recipe {run.recipe}{planned}: nothing has been evaluated yet."
    last = run.curve[-1]
    matches = [f"{match.share[0]:.1%} of {match.games} games {_against(match)}" for match in last.matches]
    wins = " and ".join([*([", ".join(matches[:-1])] if matches[1:] else []), *matches[-1:]])
    planned = "" if run.decisions is None or last.decisions >= run.decisions else f" of {run.decisions:,}"
    learned = f"{last.decisions:,}{planned} decisions"
    return f"Recipe {run.recipe}: after {learned} in {_minutes(last.seconds)} the network won {wins}."


def _against(match: MatchRow) -> str:
    return (
        f"with itself ({match.games_of})"
        if match.opponent == ITSELF
        else f"against {match.opponent} ({match.games_of})"
    )


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 100 else f"{seconds / 60:.1f} minutes"


def _lines(curve: Sequence[CurveRow]) -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = {}
    for row in curve:
        for match in row.matches:
            found.setdefault(_against(match), []).append(Point(row.decisions, *match.share))
    return found


def _digits(number: float | None, digits: int) -> str:
    return "" if number is None else f"{number:.{digits}f}"


def _folded(title: str, content: Element) -> Element:
    return node("details", node("summary", title), content)


# Tournaments


def _tournament(played: Tournament, number: int, names: dict[str, str]) -> Element:
    rated = any(row.rating for row in played.standings)
    block = "in which the agents change seats" if rated else "which each agent plays with itself"
    told = (
        f"{played.games:,} games in {played.blocks:,} blocks: a block is one seed, {block}. 95 % intervals by block. "
        "A bar is the share of the games that an agent won; the dashed mark is the share of equal players. "
    )
    told += RATINGS if rated else ""
    order = "Agents, by rating" if rated else "Agents, by games won"
    head = ["agent", "games won", *(["rating", "VP"] if rated else []), "games", "ms per decision"]
    rows = [_standing(row, names, rated) for row in played.standings]
    pairs = [_pairs(played, names)] if played.pairs else []
    return _titled(number, "Standings", node("p", told), table(order, head, rows), *pairs)


def _pairs(played: Tournament, names: dict[str, str]) -> Element:
    """How often each agent finishes ahead of each other one."""
    agents = [row.agent for row in played.standings if row.agent in played.pairs]
    short = [names.get(agent, agent) for agent in agents]
    rows: list[list[Element | str]] = [
        [name, *(_met(played.pairs[agent].get(other)) for other in agents)]
        for agent, name in zip(agents, short, strict=True)
    ]
    caption = "How often the agent of the line finishes ahead of the agent of the column; ties count half"
    return table(caption, ["", *short], rows)


def _met(share: Estimate | None) -> str:
    return "" if share is None else f"{share[0]:.0%} ({100 * share[1]:.0f} to {100 * share[2]:.0f})"


def _standing(row: Standing, names: dict[str, str], rated: bool) -> list[Element | str]:
    name = node("strong", names[row.agent], title=row.agent) if row.agent in names else row.agent
    rating = [_with_reach(row.rating, 0, "+"), _with_reach(row.vp, 1)] if rated else []
    costs = [f"{row.games:,}", _milliseconds(row.milliseconds)]
    wins = node("span", share_bar(*row.wins, row.fair), node("span", _percent(row.wins)), class_="wins")
    return [name, wins, *rating, *costs]


def _milliseconds(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.2f}"


def _percent(share: Estimate) -> str:
    value, low, high = share
    return f"{value:.1%} ({100 * low:.1f} to {100 * high:.1f})"


def _with_reach(estimate: Estimate | None, digits: int, sign: str = "") -> str:
    if estimate is None:
        return ""
    value, low, high = estimate
    reach = f" ±{(high - low) / 2:.{digits}f}" if math.isfinite(high - low) else ""
    return f"{value:{sign}.{digits}f}{reach}"


# A recorded game


def _game(replay: Replay, number: int, short: dict[str, str]) -> Element:
    names = [short.get(name, name) for name in replay.recording.names]
    shown = list(frames(replay, names))
    seed = replay.recording.start.seed
    dealt = "" if seed is None else f"; seed {seed}"
    told = f"{', '.join(names)}{dealt}; {replay.last:,} decisions, shown in {len(shown)} pictures."
    keys = "Keys: ← and → one picture back and on, Home and End to the first and last one, space to play and pause."
    viewer = node(
        "div",
        _controls(len(shown)),
        node("p", shown[0].told, class_="told", aria_live="polite"),
        _stage(number),
        node("script", film_data(shown), type="application/json"),
        class_="game",
    )
    needs = node("noscript", node("p", "Stepping through the game needs JavaScript."))
    return _titled(number, "A recorded game", node("p", told), node("p", keys, class_="keys"), needs, viewer)


def _controls(pictures: int) -> Element:
    buttons = [node("button", text, type="button", data_go=name) for name, text in CONTROLS.items()]
    slider = node("input", type="range", min=0, max=pictures - 1, value=0, aria_label="picture")
    count = node("output", f"1 of {pictures}")
    return node("div", *buttons, slider, count, class_="controls", role="group", aria_label="step through the game")


def _stage(number: int) -> Element:
    """The map and the boards side by side; on a narrow screen, the boards are below."""
    split = SIDE_X - 3  # the middle of the gap between them
    boxes = [f"0 0 {split} {HEIGHT}", f"{split} 0 {WIDTH - split} {HEIGHT}"]
    drawn = [node("g", id=f"picture{number}"), node("use", href=f"#picture{number}")]  # drawn once, shown in two boxes
    names = ["the map", "the players' boards and the cards on display"]
    windows = [
        node("svg", what, viewBox=box, role="img", aria_label=name, font_family=FONT)
        for what, box, name in zip(drawn, boxes, names, strict=True)
    ]
    return node("div", *windows, class_="stage")
