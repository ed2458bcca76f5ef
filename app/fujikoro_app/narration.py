"""Tells a game in sentences, one for each thing that a player does.

"round 3 · shogun (player 1) explores ring2.4: mossy_gate, +2 VP"

A deed is one thing that a player does, often in several decisions (an action, then where, which and how many). It is
told when it is over, with its results.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fujikoro_env.game import Game
from fujikoro_env.kernel.record import SPECTATOR
from fujikoro_env.kernel.texts import label as label
from fujikoro_env.kernel.texts import labels as labels
from fujikoro_env.record import RECORDED
from fujikoro_env.render.look import TableLook, look
from fujikoro_env.render.news import news
from fujikoro_env.render.rolls import rolls
from fujikoro_env.rules.base.phases import Phase

# Phases that start a new deed even if the same player goes on.
BEGINS: Final = (
    *("ACTION", "HALVES", "JOIN", "SEND_MONK", "WEAPON", "CALL_DUEL", "CLAIM", "FLEE", "REBIRTH", "LEAVE"),
    *("LAY_LOSER", "DRAGON_ORDER"),
)
RESTED: Final = "takes the discs back"  # as `render.news` says it
OTHERS: Final = "player "  # begins what is about other players alone
IN_ATTACK: Final = ("WEAPON", "DICE")
HAS: Final = re.compile(r"(?<=^player \d) has (?=[+-])")
VERBS: Final = {  # actions that mean the same whatever the question was
    "bonus": "uses the bonus of its gear card",
    "rest": "rests",
    "retreat": "retreats",
}
VERBS_WITH: Final = {  # the same for actions with an argument
    "place": "explores {}",
    "craft": "crafts the {}",
    "build": "lays the pattern of {}",
    "use": "uses {}",
    "claim": "claims the bonus for {}",
    "stack": "looks at the top tile of stack {}",
    "weapon": "attacks with the {} weapon",
}
FOUND: Final = {
    "resources": "gathers resources",
    "stock": "gathers from the stock",
    "scroll": "gathers a scroll",
    "monk": "gathers a monk",
    "blueprint": "gathers a blueprint",
    "adventure": "gathers an adventure token",
    "spoils": "gathers spoils",
}
ANSWERS: Final = {  # actions whose meaning depends on the question
    ("CALL_DUEL", "yes"): "calls for a duel",
    ("JOIN", "yes"): "joins the fight",
    ("JOIN", "step"): "joins the fight at {}",
    ("LEAVE", "yes"): "leaves the volcano by the secret exit",
    ("REROLL", "yes"): "rolls again",
    ("ASK_GUNBAI", "yes"): "uses the gunbai",
    ("ASK_SMOKE", "yes"): "leaves the fight",
    ("FLEE", "step"): "flees to {}",
    ("REBIRTH", "step"): "is reborn on {}",
    ("RETREAT_TO", "step"): "retreats to {}",
    ("JUMP", "step"): "jumps to {}",
    ("LAY_LOSER", "step"): "lays the loser on {}",
    ("RAIN", "step"): "takes the lava tile off {}",
    ("MONK_SPOT", "monk"): "puts a monk on the {} spot",
    ("SEND_MONK", "monk"): "sends a monk ahead",
    ("DRAGON_ORDER", "place"): "moves the dragon of {} for the group",
    ("DRAGON_WAY", "place"): "leads it to {}",
    ("DRAGON_TARGET", "place"): "hits the dragon on {}",
}
REASONS: Final = {
    "countdown": "the countdown is at its end",
    "round_cap": "that was the last round",
    "won": "all have won together",
    "lost": "all have lost together",
}


# who plays


def with_names(text: str, who: Sequence[str]) -> str:
    """The text with `player 1` replaced by that player's name."""
    for seat, called in enumerate(who):
        if f"(player {seat})" not in text:  # not named yet
            text = text.replace(f"player {seat}", called)
    return text


# deeds


@dataclass(frozen=True)
class Step:
    """One decision."""

    asked: str
    name: str  # of the action
    rolls: tuple[str, ...] = ()

    @property
    def verb(self) -> str:
        return self.name.partition("(")[0]

    @property
    def argument(self) -> str:
        return self.name.partition("(")[2].removesuffix(")")


class Narrator:
    """Watches the steps of a game, as spectators see it, and tells each deed when it is over."""

    def __init__(self, game: Game, who: Sequence[str]) -> None:
        """`who`: the players' names, by seat."""
        self._who = who
        self._steps: list[Step] = []
        self._seat, self._when = -1, ""
        self._before = _seen(game)

    def saw(self, before: Game, action: int, after: Game) -> str:
        """Take note of a step. Returns the deed that ended before it, or ""."""
        step = Step(before.phase.name, before.action_name(action), tuple(rolls(before, action, after)))
        told = self.tell(before) if before.actor != self._seat or _begins(step, self._steps) else ""
        if not self._steps:
            self._seat, self._when = before.actor, _when(before)
        self._steps.append(step)
        return told

    def tell(self, now: Game) -> str:
        """End the current deed here, and return it as one line, or "" if there is nothing to tell."""
        if not self._steps:
            return ""
        table = _seen(now)
        line = self._line(table)
        self._before, self._steps = table, []
        return line

    def so_far(self, now: Game) -> str:
        """The current deed as one line, although it may go on. "" if there is nothing to tell."""
        return self._line(_seen(now)) if self._steps else ""

    def _line(self, table: TableLook) -> str:
        told = told_of(self._seat, self._steps, self._before, table)
        about = "" if told.startswith(OTHERS) else self._who[self._seat]
        return f"{self._when} · {about}{with_names(told, self._who)}" if told else ""


def _seen(game: Game) -> TableLook:
    return look(RECORDED.view_for(game, SPECTATOR))


def _when(game: Game) -> str:
    in_setup = any(game.state.stack[k].phase == Phase.SETUP for k in range(game.state.depth))
    return "set-up" if in_setup else f"round {game.state.round_number}"


def _begins(step: Step, before: Sequence[Step]) -> bool:
    """Whether a step of the same player is the first of another deed."""
    if step.asked == "HALVES":
        return step.verb != "done" and any(done.asked == "HALVES" for done in before)
    if step.asked == "DICE":
        return not any(done.asked in IN_ATTACK for done in before) or any(done.rolls for done in before)
    if step.verb == "retreat":
        return True
    if step.asked == "REST":  # it may follow an action that was carried out unasked
        return not any(done.verb in ("rest", "use", "craft") for done in before)
    return step.asked in BEGINS and step.name not in ("no", "done")


def told_of(seat: int, steps: Sequence[Step], before: TableLook, after: TableLook) -> str:
    """A player's deed as text that follows the name: " explores ring2.4: mossy_gate, +2 VP". If only others are
    concerned, the text stands alone: "player 2 wakes"."""
    did = _phrase(steps)
    mine = f"player {seat} "
    rolled = [roll.removeprefix(mine) for step in steps for roll in step.rolls]
    places = [step.argument for step in steps if step.verb == "place"]
    changes = [item for item in news(before, after) if not _is_said(item, mine, did)]
    if f"{mine}{RESTED}" in changes:  # it rested unasked, as nothing else was legal
        changes.remove(f"{mine}{RESTED}")
        did = f"{did} and rests" if did else "rests"
    others = [item.replace(RESTED, "rests") for item in changes if item.endswith(RESTED)]
    items = [*rolled, *(_short(item, mine, places) for item in changes if not item.endswith(RESTED))]
    if not did and items == ["the fight is over"]:  # it was somebody else's fight
        return ""
    between = "; " if any("," in item for item in items) else ", "
    said = f" {did}: " if did else "" if all(item.startswith(OTHERS) for item in items) else ": "
    told = f"{said}{between.join(items)}" if items else said.removesuffix(": ")
    return f"{told or ' ends its turn'}; then {' and '.join(others)}" if others else told


def _phrase(steps: Sequence[Step]) -> str:
    """One phrase for a deed's decisions."""
    parts = [_moves(steps), _explores(steps), _gathers(steps), *(_words(step) for step in steps)]
    if any(step.rolls for step in steps) and not any(step.verb == "weapon" for step in steps):
        parts.append("attacks" if any(step.asked == "DICE" for step in steps) else "")
    if any(step.asked == "SETUP_CUBES" for step in steps):
        parts.append("lays its first cubes")
    kept = list(dict.fromkeys(part for part in parts if part))
    return " and ".join([", ".join(kept[:-1]), kept[-1]] if len(kept) > 1 else kept)


def _words(step: Step) -> str:
    answer = ANSWERS.get((step.asked, step.verb))
    if answer is None and step.asked not in ("DRAGON_ORDER", "DRAGON_WAY"):
        answer = VERBS_WITH.get(step.verb) if step.argument else VERBS.get(step.verb)
    return (answer or "").format(step.argument.removeprefix("card ").removeprefix("blueprint "))


def _moves(steps: Sequence[Step]) -> str:
    spaces = [step.argument for step in steps if step.asked == "MOVE" and step.verb == "step"]
    if not spaces:
        return "stays where it is" if [step.verb for step in steps] == ["move", "done"] else ""
    return f"moves to {spaces[-1]}" + (f" in {len(spaces)} steps" if len(spaces) > 1 else "")


def _explores(steps: Sequence[Step]) -> str:
    """An exploration whose place was not asked for, because there was one only, or a VP in its place."""
    told_by_answer = any(step.verb in ("place", "stack") for step in steps)
    explored = any(step.asked == "ACTION" and step.verb == "explore" for step in steps)
    return "explores" if explored and not told_by_answer else ""


def _gathers(steps: Sequence[Step]) -> str:
    found = [FOUND[step.argument] for step in steps if step.verb == "find"]
    if found:
        return found[0]
    return "gathers" if any(step.asked == "ACTION" and step.verb == "gather" for step in steps) else ""


def _is_said(item: str, mine: str, did: str) -> bool:
    """Whether a change need not be told: the phrase says it already, or it is obvious, as an action costs a disc."""
    if " puts a disc on " in item:
        return True
    if not item.startswith(mine):
        return False
    own = item.removeprefix(mine)
    if own == RESTED:
        return "rests" in did
    return own.startswith("is on ") and own.removeprefix("is on ") in did.split()


def _short(item: str, mine: str, places: Sequence[str]) -> str:
    tile, laid, place = item.partition(" is laid on ")
    if laid and place in places:
        return tile if len(places) == 1 else f"{tile} on {place}"
    return HAS.sub(": ", item.removeprefix(mine).removeprefix("has "), count=1)


# the end


def outcome_text(game: Game, who: Sequence[str] | None = None) -> str:
    """The end of a game: the reason, and VP by source for each player, the best first. `who`: the players' names."""
    assert game.outcome is not None
    outcome, called = game.outcome, who or labels([""] * game.rules.players)
    first = f"The game is over in round {game.state.round_number}: {REASONS.get(outcome.reason, outcome.reason)}."
    if not game.rules.has_vp:
        return first
    seats = sorted(range(game.rules.players), key=lambda seat: outcome.ranking[seat])
    ranks = ["" if game.rules.is_coop else f"{outcome.ranking[seat]}. " for seat in seats]
    return "\n".join(
        [first, *(f"{rank}{called[seat]} with {_points(game, seat)}" for rank, seat in zip(ranks, seats, strict=True))]
    )


def _points(game: Game, seat: int) -> str:
    assert game.outcome is not None
    sources = game.outcome.players[seat].counts["vp"]
    found = sorted(((source, n) for source, n in sources.items() if n), key=lambda pair: -pair[1])
    told = ", ".join(f"{source.replace('_', ' ')} {n}" for source, n in found)
    return f"{game.outcome.scores[seat]} VP" + (f": {told}" if told else "")
