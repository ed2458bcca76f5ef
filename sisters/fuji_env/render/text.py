"""The table as text."""

from typing import TYPE_CHECKING, Any

from fuji_env.content.model import DICE, EQUIPMENT, INJURIES, SKILLS
from fuji_env.rules.base.names import Word
from fuji_env.vocabulary import COLUMNS

if TYPE_CHECKING:
    from fuji_env.game import Game

WIDTH = 6  # of a card


def table_text(game: "Game", asked: bool = True) -> str:
    """The table as text: the map, its cards, each figure, and with `asked` the question and its answers. In a view,
    hidden dice show as `?`."""
    parts = [_head(game), map_text(game), cards_text(game), "\n".join(_figures(game))]
    parts += [_question(game)] if asked else []
    return "\n\n".join(parts)


def map_text(game: "Game") -> str:
    """The map with its tokens and figures."""
    return "\n".join(_map(game))


def cards_text(game: "Game") -> str:
    """What the area cards ask of the dice."""
    return "\n".join(_cards(game))


def _head(game: "Game") -> str:
    rules, s = game.rules, game.state
    variant = f", variant {rules.variant}" if rules.variant else ""
    return (
        f"Fuji, {rules.players} players{variant}, {rules.scenario}, level {rules.level}, "
        f"round {s.round_number}, figure {s.lead} leads"
    )


def _map(game: "Game") -> list[str]:
    scenario = game.rules.pack.scenarios[game.rules.scenario_number]
    width = max(map(len, scenario.rows))
    cells = [["" for _ in range(width)] for _ in scenario.rows]
    for place, (row, column, letter) in enumerate(scenario.places()):
        cells[row][column] = _cell(game.state, place, letter)
    rows = len(cells)
    lines = [f"{rows - k:2} " + "".join(cell.ljust(WIDTH) for cell in row).rstrip() for k, row in enumerate(cells)]
    return [*lines, "   " + "".join(letter.ljust(WIDTH) for letter in COLUMNS[:width]).rstrip()]


def _cell(s: Any, place: int, letter: str) -> str:
    """Lava ^, rubble %, landscape ., village #; then tokens X and E, and figures."""
    ground = "%" if letter == "R" else "#" if letter == "D" else "."
    if int(s.lava) >> place & 1:
        ground = "^"
    tokens = "X" * (int(s.eruption_tokens) >> place & 1) + "E" * (int(s.equipment_tokens) >> place & 1)
    here = "".join(str(k) for k in range(int(s.settings.figures)) if s.figures[k].at == place)
    return ground + tokens + here


def _cards(game: "Game") -> list[str]:
    names, s = game.vocabulary, game.state
    places = [place for place in range(len(s.cards)) if s.cards[place] and not int(s.lava) >> place & 1]
    pack = game.rules.pack
    shown = [
        f"{names.place(place)} {names.card(place)}{' *' if pack.areas[s.cards[place] - 1].reroll else ''}"
        for place in places
    ]
    return ["   ".join(one.ljust(18) for one in shown[k : k + 4]).rstrip() for k in range(0, len(shown), 4)]


def _figures(game: "Game") -> list[str]:
    s = game.state
    lines = [figure_text(game, k) for k in range(int(s.settings.figures))]
    if game.rules.sets > game.rules.figures:
        lines.append(f"third screen: {_dice(game, game.rules.figures, DICE)}")
    return lines


def figure_text(game: "Game", k: int) -> str:
    """A figure, what its player has, and its dice."""
    me, names = game.state.figures[k], game.vocabulary
    words = [f"figure {k}: {SKILLS[me.skill]}", f"at {names.place(me.at)}", f"stamina {me.stamina}"]
    if me.marker:
        words.append(f"to {names.place(me.marker - 1)} in {me.steps}{' around' if me.around else ''}")
    if me.said:
        words.append(f"says {Word(me.said).name.lower().replace('_', ' ')}")
    if me.injuries:
        words.append("injuries " + " ".join(_members(INJURIES, me.injuries)))
    if me.bars:
        words.append(f"bars {me.bars}")
    if me.equipment:
        words.append("has " + " ".join(_members(EQUIPMENT, me.equipment)))
    return ", ".join(words) + f"; dice {_dice(game, k, int(me.dice))}"


def _members(names: tuple[str, ...], bits: Any) -> list[str]:
    return [name for k, name in enumerate(names) if int(bits) >> k & 1]


def _dice(game: "Game", dice_set: int, count: int) -> str:
    """Numbers and initials of colours; dice set aside in brackets."""
    s, pack = game.state, game.rules.pack
    shown = []
    for die in range(count):
        number = int(s.dice[dice_set, die])
        text = f"{number}{pack.dice[die].colour(number)[0]}" if number else "?"
        shown.append(f"[{text}]" if int(s.figures[dice_set].aside) >> die & 1 else text)
    return " ".join(shown) or "none"


def _question(game: "Game") -> str:
    if game.over:
        outcome = game.outcome
        assert outcome is not None
        return f"over: {outcome.reason}, score {outcome.scores[0]}"
    asked = f"player {game.actor}, figure {game.figure}: {game.question}"
    legal = ", ".join(game.action_name(int(action)) for action in game.legal_actions())
    return f"{asked}\n{legal}" if legal else asked
