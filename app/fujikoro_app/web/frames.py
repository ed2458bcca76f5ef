"""What an audience sees of a game at one moment, as data for the page: drawings, question, choices, result.

The table is drawn in parts, so that only those that changed are sent again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from fujikoro_app.narration import REASONS, labels, with_names
from fujikoro_app.web.wording import words_of
from fujikoro_env.content.model import CUBES, RESOURCES
from fujikoro_env.game import Game
from fujikoro_env.render.choices import Choices
from fujikoro_env.render.look import TableLook, kept, look
from fujikoro_env.render.picture import Picture
from fujikoro_env.render.rolls import Roll
from fujikoro_env.render.svg import draw_table
from fujikoro_env.render.svg_map import DEFINITIONS
from fujikoro_env.render.targets import draw_turned_tiles, targets_of
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.phases import Phase

SHOWN_SHEETS: Final = ("track", "focus", "legend", "display")  # and the boards; the page shows the rest in words
COMPLETES: Final = "completes "  # begins the notes of such actions
Part = dict[str, Any]  # `svg`, and the `box` that it fills


@dataclass(frozen=True)
class Frame:
    """A moment of a game: the drawn parts by name, and everything else."""

    parts: dict[str, Part]
    facts: dict[str, Any]

    def since(self, before: "Frame | None") -> dict[str, Any]:
        """The frame as data; parts that are the same as in an earlier frame are left out."""
        known = before.parts if before else {}
        changed = {name: part for name, part in self.parts.items() if known.get(name) != part}
        return {**self.facts, "shown": list(self.parts), "parts": changed}


def frame_of(view: Game, names: Sequence[str], rolls: Sequence[Roll] = (), seat: int | None = None) -> Frame:
    """The frame of a view. `rolls`: dice of the current fight; `seat`: the seat that may answer, if it is asked."""
    table = look(view, names)
    asked = view.actor == seat and not view.over
    facts = {
        "round": table.round_number,
        "rounds": table.max_rounds,
        "actor": view.actor,
        "phase": view.phase.name,
        "question": table.question,
        "detail": with_names(_about(table), labels(names)),
        "has_vp": view.rules.has_vp,
        "players": [_player(table, number, names) for number in range(view.rules.players)],
        "choices": _choices(view, names) if asked else [],
        "turns": draw_turned_tiles(table) if asked else [],
        "end": _end(view, names) if view.over else None,
    }
    return Frame(_parts(draw_table(table, (), rolls)), facts)


def definitions() -> str:
    """Gradients that all drawings use, once for a page."""
    return DEFINITIONS


def _parts(picture: Picture) -> dict[str, Part]:
    box = picture.map_box
    map_box = [box.x, box.y, box.width, box.height]
    parts: dict[str, Part] = {
        "background": {"box": map_box, "svg": picture.background},
        "ground": {"box": map_box, "svg": picture.scaled(picture.ground)},
        "pieces": {"box": map_box, "svg": picture.scaled(picture.pieces)},
    }
    for sheet in picture.sheets:
        if sheet.name in SHOWN_SHEETS or sheet.name.startswith("player-"):
            at = sheet.box
            parts[sheet.name] = {"box": [at.x, at.y, at.width, at.height], "svg": sheet.svg}
    return parts


def _about(table: TableLook) -> str:
    """Details of the question, in words."""
    parts = [table.detail.replace("_", " ")] if table.detail else []
    if table.drawn:
        parts.append(f"tile {table.drawn.id.replace('_', ' ')}")
    if table.offer:
        parts.append("offered: " + ", ".join(f"{n} {kind}" for kind, n in table.offer.items()))
    return "; ".join(parts)


def _player(table: TableLook, seat: int, names: Sequence[str]) -> dict[str, Any]:
    me = table.players[seat]
    return {"name": names[seat], "colour": me.colour, "standing": me.standing, "vp": me.vp, "character": me.character}


def _choices(view: Game, names: Sequence[str]) -> list[dict[str, Any]]:
    """All legal actions, with their labels, notes and the elements that stand for them. `completes`: cards whose
    pattern the action completes; `about`: what to explain with the action."""
    choices = Choices(view)
    return [
        {
            "action": action,
            "block": act.block_of(action).name,
            "words": words_of(view, action, names),
            "note": choices.note(action).replace("_", " "),
            "targets": targets_of(view, action),
            "cube": _cube(view, action),
            "dice": action - act.NUMBER if view.phase == Phase.DICE and act.block_of(action).name == "number" else 0,
            "completes": _completes(choices.note(action)),
            "about": _explained_with(view, action),
        }
        for action in choices.actions
    ]


def _completes(note: str) -> list[str]:
    """The cards that an action completes, by its note."""
    return note.removeprefix(COMPLETES).split(" and ") if note.startswith(COMPLETES) else []


def _explained_with(view: Game, action: int) -> str:
    """What explains an action: the thing that it names, or else its kind."""
    block = act.block_of(action).name
    argument = view.action_name(action).partition("(")[2].removesuffix(")")
    if block in ("step", "place", "cell", "lay", "monk"):
        return next((target.rpartition("/")[2] for target in targets_of(view, action)), block)
    return argument.split()[-1] if block in ("card", "blueprint", "build", "scroll", "use") and argument else block


def _cube(view: Game, action: int) -> str:
    """Kind of the cube or die that an action lays, takes or throws, or ""."""
    argument = view.action_name(action).partition("(")[2].removesuffix(")").partition(",")[0]
    if view.phase == Phase.DICE:
        return CUBES[kept(view, "kind")]
    is_of_cubes = act.block_of(action).name in ("lay", "take", "throw", "item")
    return argument if is_of_cubes and argument in (*RESOURCES, *CUBES) else ""


def _end(view: Game, names: Sequence[str]) -> dict[str, Any]:
    """The result: why the game ended, and the players, the best first, with their VP by source."""
    outcome = view.outcome
    assert outcome is not None
    called = labels(names)
    seats = sorted(range(view.rules.players), key=lambda seat: outcome.ranking[seat])
    rows = [
        {
            "who": called[seat],
            "rank": outcome.ranking[seat],
            "vp": outcome.scores[seat],
            "sources": {source.replace("_", " "): n for source, n in outcome.players[seat].counts["vp"].items() if n},
        }
        for seat in seats
    ]
    return {
        "reason": REASONS.get(outcome.reason, outcome.reason),
        "is_coop": view.rules.is_coop,
        "players": rows,
    }
