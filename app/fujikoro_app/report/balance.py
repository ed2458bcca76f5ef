"""Sections of a report about balance experiments and evaluations."""

import math
from typing import Final
from xml.etree.ElementTree import Element

from fujikoro_app.report.charts import Span, interval_chart, share_bar
from fujikoro_app.report.markup import node, table
from fujikoro_app.report.sources import Balance, Effect, Evaluation
from fujikoro_env.kernel.declared import THIS_GAME

MOST_DRAWN: Final = 24  # rows of a chart; the clearest ones
QUESTIONS: Final = {
    "seats": "Does the place in the turn order matter?",
    "characters": "Are the characters equally strong?",
    "components": "Which components change the game?",
    "parameters": "How does the game respond to its numbers?",
    "restricted": "What does a player lose who may not use an option?",
    "luck": "How much is skill, and how much is luck?",
    "pace": "How does a game go?",
}

TEAM_QUESTIONS: Final = {
    "characters": "Does it matter what is dealt?",
    "parameters": "How does the game respond to its settings?",
}


def balance_content(run: Balance) -> tuple[str, list[Element]]:
    """Heading and content of the section of an experiment."""
    fair = "fair" if run.game == THIS_GAME else "equivalent"
    told = (
        f"Run {run.folder.name}: {run.games:,} games with the pack {run.content}; 95\u00a0% intervals by seed block. A "
        f"finding is significant at 5\u00a0% after correction for many comparisons; {fair} means within "
        f"{100 * run.within:g} points (equivalence test)."
    )
    if run.game != THIS_GAME and run.experiment == "characters":
        told += " An upright mark is the share of the games without it."
    parts = [node("p", told)]
    for measure in dict.fromkeys(effect.measure for effect in run.effects):
        parts += _measure(measure, [effect for effect in run.effects if effect.measure == measure])
    if run.game != THIS_GAME:
        return f"{run.game.capitalize()}: {TEAM_QUESTIONS[run.experiment]}", parts
    return f"{run.experiment.capitalize()}: {QUESTIONS[run.experiment]}", parts


def _measure(measure: str, effects: list[Effect]) -> list[Element]:
    share = is_share(measure)
    numbers = _numbers(_title(measure), effects, share)
    drawn = _drawn(effects)
    parts = [node("h3", _title(measure))]
    if drawn:
        parts += _charts(measure, drawn, share)
        if len(drawn) < len(effects):
            parts.append(node("p", f"Drawn are the {len(drawn)} clearest of {len(effects)} lines."))
    if not drawn and len(effects) <= MOST_DRAWN:
        return [*parts, numbers]
    return [*parts, node("details", node("summary", f"The numbers ({len(effects)})"), numbers)]


def _numbers(caption: str, effects: list[Effect], share: bool) -> Element:
    """A table of the effects, without columns that are empty."""
    head, rows = ["", "value", "reference", "games", "finding"], [_row(one, share) for one in effects]
    kept = [place for place in range(len(head)) if not place or any(row[place] != "" for row in rows)]
    return table(caption, [head[place] for place in kept], [[row[place] for place in kept] for row in rows])


def _title(measure: str) -> str:
    """A measure as a heading; unlike `capitalize`, this leaves VP as it is."""
    return measure[:1].upper() + measure[1:]


def _drawn(effects: list[Effect]) -> list[Effect]:
    """What a chart shows: lines with intervals, and if there are many, those furthest from the reference."""
    known = [one for one in effects if math.isfinite(one.estimate[1]) and one.reference is not None]
    if len(known) <= 3 * MOST_DRAWN:
        return known
    return sorted(known, key=_clearness, reverse=True)[:MOST_DRAWN]


def _clearness(effect: Effect) -> float:
    value, low, high = effect.estimate
    return abs(value - (effect.reference or 0)) / max(1e-9, high - low)


def _charts(measure: str, effects: list[Effect], share: bool) -> list[Element]:
    """A chart for each number of players, in which agents are series."""
    charts = []
    for players in sorted({effect.players for effect in effects}):
        those = [effect for effect in effects if effect.players == players]
        agents = list(dict.fromkeys(effect.agent for effect in those))
        levels = list(dict.fromkeys(effect.level for effect in those))
        rows = [(level or measure, [_span(one, agents) for one in those if one.level == level]) for level in levels]
        title = f"{_title(measure)}, {players} players"
        chart = interval_chart(title, rows, agents, "%" if share else "")
        charts.append(node("div", node("h4", f"{players} players"), chart))
    return [node("div", *charts, class_="charts")]


def _span(effect: Effect, agents: list[str]) -> Span:
    assert effect.reference is not None  # else it is not drawn
    return Span(agents.index(effect.agent), *effect.estimate, level=effect.reference)


def is_share(measure: str) -> bool:
    """Whether a measure is told in per cent."""
    return "share" in measure or measure in ("finishes ahead", "chosen when offered")


def _row(effect: Effect, share: bool) -> list[Element | str]:
    value, low, high = (_shown(number, share) for number in effect.estimate)
    interval = f" ({low} to {high})" if math.isfinite(effect.estimate[1]) else ""
    reference = "" if effect.reference is None else _shown(effect.reference, share)
    is_fair = share and effect.reference in (1 / effect.players, 0.5)  # the share of equal players
    verdict = effect.finding or ("fair" if effect.equivalent and is_fair else "equal" if effect.equivalent else "")
    name = ", ".join(filter(None, [effect.level, effect.agent, f"{effect.players} players"]))
    return [name, f"{value}{interval}", reference, f"{effect.games:,}", verdict]


def _shown(value: float, share: bool) -> str:
    return f"{value:.1%}" if share else f"{value:.2f}"


def evaluation_content(result: Evaluation) -> tuple[str, list[Element]]:
    """Heading and content of the section of an evaluation."""
    trial = "" if result.is_result else " This is a trial on other seeds, not a result."
    told = f"{result.games:,} games by the protocol {result.protocol}; 95 % intervals by seed.{trial}"
    rows: list[list[Element | str]] = []
    for one in result.series:
        value, low, high = one.wins
        told_wins = node("span", f"{value:.1%} ({100 * low:.1f} to {100 * high:.1f})")
        wins = node("span", share_bar(value, low, high, one.fair), told_wins, class_="wins")
        lead = "" if one.lead is None else f"{one.lead[0]:+.1f}"
        rows.append([one.name, wins, lead, f"{one.rounds[0]:.1f}", f"{one.games:,}"])
    head = ["series", "games won", "lead in VP", "rounds", "games"]
    return f"Evaluation of {result.agent}", [node("p", told), table("Series of the protocol", head, rows)]
