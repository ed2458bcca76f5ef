"""Fuji as text, for people at the keyboard: parts of the table, notes on actions, and how a game ended."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from fuji_env.content.model import DICE, EQUIPMENT
from fuji_env.game import Game
from fuji_env.render.text import cards_text, figure_text, map_text, table_text
from fuji_env.rules.base.actions import TABLE
from fuji_env.rules.base.phases import Phase
from fujikoro_env.kernel import texts as kernel
from fujikoro_env.kernel.texts import WIDTH

ENDS: Final = {
    "villages": "all have reached the villages",
    "lava": "a figure was caught by the lava",
    "stamina": "a figure is at the end of its stamina",
}


class Choices(kernel.Choices):
    """The choices of the player who is asked, with notes on places, equipment cards and dice."""

    view: Game

    def note(self, action: int) -> str:
        block = self.block_of(action)
        if block.name == "place":
            return self._about_place(action - block.first)
        if block.name in ("play", "card"):
            return self._about_card(action - block.first)
        if block.name in ("roll", "die"):
            number = action - block.first
            return self._about_dice(number + 1 if block.name == "roll" else 1 << number)
        return ""

    def _about_place(self, place: int) -> str:
        game, pack = self.view, self.view.rules.pack
        card = int(game.state.cards[place])
        if not card:
            return ""
        area = pack.areas[card - 1]
        tokens = [
            name
            for field, name in (("eruption_tokens", "eruption token"), ("equipment_tokens", "equipment token"))
            if int(game.state[field]) >> place & 1
        ]
        stays = ["stay"] if game.phase == Phase.PLAN and game.state.figures[game.figure].at == place else []
        return ", ".join([f"counts {area.id}", *(["one reroll more"] if area.reroll else []), *tokens, *stays])

    def _about_card(self, card: int) -> str:
        equipment = self.view.rules.pack.equipment[card]
        phases = " and ".join(map(str, equipment.phases))
        return f"{EQUIPMENT[card]}: played in phase {phases}, works for {equipment.works_for}"

    def _about_dice(self, dice: int) -> str:
        """What the dice of a set show; they are named by their places."""
        game = self.view
        shown = [(die, int(game.state.dice[game.figure, die])) for die in range(DICE) if dice >> die & 1]
        colours = game.rules.pack.dice
        return ", ".join(f"{colours[die].colour(number)} {number}" for die, number in shown if number)

    def question(self, width: int) -> list[str]:
        return [f"player {self.view.actor} is asked for figure {self.view.figure}: {self.view.question}"]


class Texts(kernel.Texts):
    """Fuji as text."""

    title = "Fuji"
    switch = " --game fuji"
    example = ", such as `place(d3)` or `roll(1+4)`"
    examples = ": `place d3`, `roll 1+4`, `d3`"
    parts: ClassVar[Mapping[str, str]] = {
        "map": "show the map",
        "conditions": "show which dice count on each card",
        "figures": "show all figures and their dice",
    }
    mine = "show your figures"

    def table(self, game: Game, width: int = WIDTH, names: Sequence[str] = ()) -> str:
        return table_text(game, asked=False)

    def part(self, name: str, game: Game, width: int = WIDTH, names: Sequence[str] = ()) -> str:
        if name == "map":
            return map_text(game)
        if name == "conditions":
            return cards_text(game)
        return "\n".join(figure_text(game, k) for k in range(game.rules.figures))

    def board(self, game: Game, seat: int, names: Sequence[str] = ()) -> str:
        mine = range(seat, game.rules.figures, game.rules.players)
        return "\n".join(figure_text(game, k) for k in mine)

    def outcome(self, game: Game, who: Sequence[str] = ()) -> str:
        outcome = game.outcome
        assert outcome is not None
        how = "won" if outcome.won else "lost"
        first = f"The game is {how} in round {outcome.rounds}: {ENDS[outcome.reason]}."
        return f"{first}\nScore {outcome.scores[0]}." if outcome.won else first

    def choices(self, view: Game) -> Choices:
        return Choices(view, TABLE)


TEXTS: Final = Texts()
