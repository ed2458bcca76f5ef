"""Fuji Koro as text, for people at the keyboard."""

from collections.abc import Hashable, Mapping, Sequence
from typing import ClassVar, Final

from fujikoro_app.narration import outcome_text
from fujikoro_app.rulebook import UnknownError, rule_text, thing_text
from fujikoro_env.game import Game
from fujikoro_env.kernel import texts as kernel
from fujikoro_env.kernel.texts import WIDTH, labels
from fujikoro_env.render.choices import Choices
from fujikoro_env.render.text import board_text, table_parts, table_text
from fujikoro_env.rules.base.phases import Phase


class Texts(kernel.Texts):
    """Fuji Koro as text."""

    title = "Fuji Koro"
    example = ", such as `move` or `step(ring1.0/petal3)`"
    examples = (
        ": `step ring1.0/petal3`, `st ring1.0/p`, `ring1.0/petal3`. A step can also be named by its direction on the "
        "map (`ne`), and a cell of a gear by its row and column (`wood 2,3`)"
    )
    parts: ClassVar[Mapping[str, str]] = {
        "map": "show the map and the dragons",
        "legend": "explain the symbols on the map",
        "display": "show tokens, cards, scrolls, temples and supply",
        "boards": "show what every player has",
    }
    explains: ClassVar[Mapping[str, str]] = {
        "rule": "rule MOVE-1: show the text of a rule; rule MOVE shows its whole chapter",
        "explain": "explain kama: show what a card, scroll, token, dragon or tile does",
    }

    def table(self, game: Game, width: int = WIDTH, names: Sequence[str] = ()) -> str:
        return table_text(game, width, names)

    def short_table(self, game: Game, seat: int, width: int = WIDTH, names: Sequence[str] = ()) -> str:
        parts = table_parts(game, width, names)
        return "\n\n".join([parts["heading"], board_text(game, seat, names), parts["map"]])

    def part(self, name: str, game: Game, width: int = WIDTH, names: Sequence[str] = ()) -> str:
        return table_parts(game, width, names)[name]

    def board(self, game: Game, seat: int, names: Sequence[str] = ()) -> str:
        return board_text(game, seat, names)

    def outcome(self, game: Game, who: Sequence[str] = ()) -> str:
        return outcome_text(game, who or labels([""] * game.rules.players))

    def choices(self, view: Game) -> Choices:
        return Choices(view)

    def explained(self, command: str, argument: str, game: Game) -> str:
        try:
            return rule_text(argument) if command == "rule" else thing_text(argument, game.rules.pack)
        except UnknownError as error:
            return str(error)

    def turn(self, view: Game) -> Hashable:
        state = view.state
        return int(state.round_number), any(state.stack[k].phase == Phase.SETUP for k in range(state.depth))

    def is_turn_of(self, view: Game, seat: int) -> bool:
        return bool(view.state.active == seat)

    def standing(self, game: Game) -> str:
        return f"VP by player: {', '.join(map(str, game.scores))}" if game.rules.has_vp else ""


TEXTS: Final = Texts()
