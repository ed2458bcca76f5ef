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
LEGEND: Final = """\
. landscape   # village   % rubble   ^ lava   X eruption token   E equipment token   0 to 3 figures
cards name the dice that count there: "odd blue" is both, "blue or 2" is either; * is one reroll more
dice are numbers and colours (3b: a blue 3), ? is hidden, [3b] is set aside"""
EFFECTS: Final = {  # of equipment cards; docs/fuji/rules.md is exact
    "radio": "name a card: everybody tells the exact value there",
    "hiking_boots": "plan up to 4 steps",
    "trail_map": "planned steps count as one less for rerolls",
    "rope": "cross one empty place of the grid, as a step",
    "binoculars": "you and another look at each other's dice",
    "whistle": "everybody has one reroll more",
    "tea_flask": "2 steps of stamina back, but not over a plaster",
    "first_aid_kit": "you or another give back an injury",
    "gloves": "roll up to 2 of your dice again",
    "energy_drink": "you and another may roll one die again",
    "flare": "everybody may roll one die again",
    "pocket_knife": "you and another may set one die aside",
    "duct_tape": "turn one of your dice to its opposite face",
    "walking_pole": "+2 on your value when your move is decided",
    "helmet": "lose 2 steps of stamina less this round",
}


class Choices(kernel.Choices):
    """The choices of the player who is asked, with notes on places, equipment cards and dice."""

    view: Game

    def note(self, action: int) -> str:
        block = self.block_of(action)
        if block.name == "place":
            return self._about_place(action - block.first)
        if block.name in ("play", "card"):
            gives = "give it to another: " if block.name == "card" and self.view.phase != Phase.KEEP else ""
            return gives + self._about_card(action - block.first)
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
        worth = [f"your dice {self._value(card - 1)}"] if self._sees_dice else []
        return ", ".join([f"counts {area.id}", *worth, *(["one reroll more"] if area.reroll else []), *tokens, *stays])

    @property
    def _sees_dice(self) -> bool:
        return bool(self.view.state.dice[self.view.figure].any())

    def _value(self, card: int) -> int:
        """What the dice of the figure in question count on an area card (COND-3)."""
        game, counts = self.view, self.view.rules.tables[0].counts[card]
        aside = int(game.state.figures[game.figure].aside)
        numbers = [int(number) for number in game.state.dice[game.figure]]
        return sum(n for die, n in enumerate(numbers) if n and counts[die, n] and not aside >> die & 1)

    def _about_card(self, card: int) -> str:
        equipment = self.view.rules.pack.equipment[card]
        phases = " and ".join(map(str, equipment.phases))
        return f"{EFFECTS[EQUIPMENT[card]]} (phase {phases})"

    def _about_dice(self, dice: int) -> str:
        """What the dice of a set show; they are named by their places."""
        game = self.view
        shown = [(die, int(game.state.dice[game.figure, die])) for die in range(DICE) if dice >> die & 1]
        colours = game.rules.pack.dice
        return ", ".join(f"{colours[die].colour(number)} {number}" for die, number in shown if number)

    def question(self, width: int) -> list[str]:
        game = self.view
        asked = f"player {game.actor} is asked for figure {game.figure}: {game.question}"
        place = int(game.state.figures[game.figure].marker) - 1
        if place >= 0 and game.phase == Phase.PLAN:
            asked += f" (now {game.vocabulary.place(place)})"
        about_dice = any(block.name in ("roll", "die") for block, _ in self.by_block())
        return [asked, self._own_dice(place)] if about_dice else [asked]

    def _own_dice(self, place: int) -> str:
        """The dice of the figure by their numbers in actions, and what they are worth where its marker lies."""
        game = self.view
        shown = [self._about_dice(1 << die) for die in range(DICE)]
        told = "dice " + ", ".join(f"{die}: {text}" for die, text in enumerate(shown, 1) if text)
        marked = self._about_place(place) if place >= 0 else ""
        return f"{told}; {game.vocabulary.place(place)} {marked}" if marked else told


class Texts(kernel.Texts):
    """Fuji as text."""

    title = "Fuji"
    switch = " --game fuji"
    example = ", such as `place(d3)` or `roll(1+4)`"
    examples = ": `place d3`, `roll 1+4`, `d3`"
    parts: ClassVar[Mapping[str, str]] = {
        "map": "show the map",
        "legend": "explain the symbols of the table",
        "conditions": "show which dice count on each card",
        "figures": "show all figures and their dice",
    }
    mine = "show your figures"

    def table(self, game: Game, width: int = WIDTH, names: Sequence[str] = ()) -> str:
        return f"{table_text(game, asked=False)}\n\n{LEGEND}"

    def part(self, name: str, game: Game, width: int = WIDTH, names: Sequence[str] = ()) -> str:
        if name == "map":
            return map_text(game)
        if name == "legend":
            return LEGEND
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
