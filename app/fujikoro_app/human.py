"""A person at the keyboard: shown the table as its seat may see it, asked in words, answering in words."""

import shlex
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from fujikoro_app.typed_input import Choice, meanings
from fujikoro_env.game import Game
from fujikoro_env.render.choices import Choices
from fujikoro_env.render.text import board_text, grid_text, question_lines, table_parts, table_text
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.session import Event

FEW = 12  # so many choices are listed unasked
NAMED_AT_ONCE = 8  # meanings of something ambiguous that are named
INDENT = "  "
NO_BREAK = "\N{NO-BREAK SPACE}"  # within names, while lines are broken

# No command begins the name of an action or of a thing: what is typed must never be taken for the other silently.
COMMANDS = {
    "?": "list all that is possible now",
    "table": "show the whole table",
    "map": "show the map and the dragons",
    "legend": "explain the signs of the map",
    "display": "show tokens, cards, scrolls, temples and supply",
    "boards": "show what every player has",
    "mine": "show what you have",
    "hint": "ask the adviser what it would do, and why",
    "undo": "take back your last decision and all that came of it; the luck stays the same",
    "save": "save FILE: write the game to a new file; `fujikoro play --position FILE` goes on with it",
    "help": "show this",
    "quit": "leave the game",
}
HELP = """Type the name of an action: `move`, `step(ring1.0/petal3)`. Brackets can be left out, a beginning is enough if
only one choice begins so, and so is what stands in brackets: `step ring1.0/petal3`, `st ring1.0/p`, `ring1.0/petal3`. A
step can be named by its direction on the map: `ne`, a cell of a gear by its row and column: `wood 2,3`. The tab key
completes names. What has only one answer is done without asking. Commands:"""


class LeaveError(Exception):
    """The person leaves the game."""


class TakeBackError(Exception):
    """The person takes its last decision back."""


@dataclass
class Keyboard:
    """Where a person types and reads."""

    read: Callable[[str], str]  # shows a prompt, gives a line; EOFError when there is none
    say: Callable[[str], None]
    size: Callable[[], tuple[int, int]]  # columns and lines; 0 lines for paper, which has no end
    words: list[str] = field(default_factory=list)  # what can be typed now, for completion

    @property
    def width(self) -> int:
        return self.size()[0]

    def has_room_for(self, text: str) -> bool:
        return self.size()[1] == 0 or text.count("\n") < self.size()[1]


class Human:
    """An agent whose decisions a person makes. `save` writes the whole game, of which this seat sees a part; `advise`
    says in words what to do in a view."""

    def __init__(
        self, keyboard: Keyboard, save: Callable[[Path], None], advise: Callable[[Game], str] | None = None
    ) -> None:
        self._keyboard, self._save, self._advise = keyboard, save, advise
        self.reset(0, 0)

    def reset(self, seed: int, seat: int) -> None:
        self._seat = seat
        self._events: list[Event] = []
        self._shown: tuple[int, bool] | None = None  # the turn in which the table was last shown
        self._notice = ""  # to be said before the next question

    def rewind(self, told: str) -> None:
        """Show the table anew, because decisions were taken back. `told`: what to say about it, if anything."""
        self._events, self._shown, self._notice = [], None, told

    def explain(self) -> str:
        return ""

    def saw(self, event: Event) -> None:
        """Take note of an event, as this seat may see it."""
        self._events.append(event)

    def act(self, view: Game) -> int:
        """Ask until the answer is a legal action; raises `LeaveError` and `TakeBackError`."""
        self._show_table_of_new_turn(view)
        self.tell_events()  # under the table, where it is not scrolled away
        if self._notice:
            self._say_wrapped(self._notice)
            self._notice = ""
        choices = Choices(view)
        self._ask(choices)
        while True:
            answer = self._understood(choices, self._read_line(choices))
            if answer is None:
                continue
            if answer.action >= 0:
                return answer.action
            self._command(answer.name, choices)

    # showing

    def tell_events(self) -> None:
        """What happened since this was last told."""
        for actor, group in groupby(self._events, key=lambda event: event.seat):
            events = list(group)
            told = _own_news(events) if actor == self._seat else _actions_and_news(actor, events)
            if told:
                self._say_wrapped(told)
        self._events = []

    def _show_table_of_new_turn(self, view: Game) -> None:
        state = view.state
        turn = (int(state.round_number), any(state.stack[k].phase == Phase.SETUP for k in range(state.depth)))
        if self._shown is None or (turn != self._shown and state.active == self._seat):
            self._show_table(view)
            self._shown = turn

    def _show_table(self, view: Game) -> None:
        """All of it if the screen has room, else what most decisions need, the map nearest to the question."""
        table, parts = table_text(view, self._keyboard.width), table_parts(view, self._keyboard.width)
        if not self._keyboard.has_room_for(table):
            table = "\n\n".join([parts["heading"], board_text(view, self._seat), parts["map"]])
        self._keyboard.say(f"\n{table}")

    def _ask(self, choices: Choices) -> None:
        lines = question_lines(choices.table, self._keyboard.width)
        gear = choices.gear()
        self._keyboard.say("\n" + "\n".join([*([grid_text(gear)] if gear else []), *lines]))
        if len(choices.actions) <= FEW:
            self._list(choices, choices.actions)
        else:
            self._say_wrapped(f"{', '.join(_kinds(choices))}; ? lists them all")

    def _list(self, choices: Choices, actions: list[int]) -> None:
        """One a line if there is something to say about them, else side by side."""
        names = {action: choices.view.action_name(action) for action in actions}
        notes = {action: choices.note(action) for action in actions}
        if not any(notes.values()):
            self._keyboard.say(_in_columns(list(names.values()), self._keyboard.width))
            return
        column = max(map(len, names.values())) + 2
        for action, name in names.items():
            first, others = f"{INDENT}{name:{column}}", " " * (len(INDENT) + column)
            lines = textwrap.wrap(notes[action], self._keyboard.width, initial_indent=first, subsequent_indent=others)
            self._keyboard.say("\n".join(lines) or first.rstrip())

    def _say_wrapped(self, text: str) -> None:
        width = self._keyboard.width
        lines = textwrap.wrap(text, width, initial_indent=INDENT, subsequent_indent=INDENT * 2, break_on_hyphens=False)
        self._keyboard.say("\n".join(lines).replace(NO_BREAK, " "))

    # listening

    def _read_line(self, choices: Choices) -> str:
        names = [choices.view.action_name(action) for action in choices.actions]
        self._keyboard.words[:] = [*names, *COMMANDS]
        try:
            return self._keyboard.read(f"player {self._seat}> ").strip()
        except (EOFError, KeyboardInterrupt):
            self._keyboard.say("")  # the prompt's line ends here
            raise LeaveError from None

    def _understood(self, choices: Choices, typed: str) -> Choice | None:
        """What was typed, if it means one thing; else say why not."""
        if not typed:
            self._ask(choices)
            return None
        if typed.split()[0].lower() == "save" and len(typed.split()) > 1:
            self._save_to(typed.split(maxsplit=1)[1])
            return None
        found = meanings(typed, _typeable(choices))
        if len(found) == 1:
            return found[0]
        if found:
            self._say_wrapped(f"{typed!r} could be {_some(choice.name for choice in found)}")
        else:
            self._say_wrapped(f"{typed!r} is not possible now: ? lists what is, help explains how to type it")
        return None

    def _command(self, name: str, choices: Choices) -> None:
        view, say, width = choices.view, self._keyboard.say, self._keyboard.width
        match name:
            case "?":
                self._list_by_block(choices)
            case "table":
                say(table_text(view, width))
            case "mine":
                say(board_text(view, self._seat))
            case "help":
                say(_help(width))
            case "save":
                say(f"{INDENT}save needs the name of a file: save FILE")
            case "hint":
                self._say_wrapped(self._advise(view) if self._advise else "there is nobody to ask")
            case "undo":
                raise TakeBackError
            case "quit":
                raise LeaveError
            case _:
                say(table_parts(view, width)[name])

    def _list_by_block(self, choices: Choices) -> None:
        for block, actions in groupby(choices.actions, key=act.block_of):
            self._keyboard.say(f"{block.name}: {block.doc}")
            if block.arguments:
                self._list(choices, list(actions))

    def _save_to(self, name: str) -> None:
        try:
            self._save(Path(name))
        except FileExistsError:
            self._keyboard.say(f"{INDENT}not saved: {name} exists already, and is left as it is")
        except OSError as error:
            self._keyboard.say(f"{INDENT}not saved: {name}: {error.strerror}")
        else:
            self._keyboard.say(
                f"{INDENT}saved; to go on: fujikoro play --position {shlex.quote(name)} --seat {self._seat}"
            )


def untold(event: Event) -> list[str]:
    """The news of an event that the name of its action does not say already."""
    return [item for item in event.news if not _says(event.name, event.seat, item)]


def _says(name: str, actor: int, item: str) -> bool:
    """Whether the name of an action says this news already."""
    mine = f"player {actor} "
    if name.startswith(("lay(", "monk(")):
        return item.startswith(f"{mine}has ")
    verb, _, thing = name.removesuffix(")").partition("(")
    said = {"rest": "takes the discs back", "step": f"is on {thing}", "take": f"has +1 {thing}"}.get(verb)
    return item in (f"{mine}{said}", f"{mine}puts a disc on {name}")


def _typeable(choices: Choices) -> list[Choice]:
    short = choices.short_names()
    actions = [Choice(choices.view.action_name(action), action, short.get(action, "")) for action in choices.actions]
    return actions + [Choice(command) for command in COMMANDS]


def _kinds(choices: Choices) -> list[str]:
    """How many choices of which kind there are, with an example."""
    blocks = [(block, list(actions)) for block, actions in groupby(choices.actions, key=act.block_of)]
    names = {block.name: (choices.view.action_name(actions[0]), len(actions)) for block, actions in blocks}
    return [f"{n} of {block} like {first}" if n > 1 else first for block, (first, n) in names.items()]


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    more = len(listed) - NAMED_AT_ONCE
    return ", ".join(listed[:NAMED_AT_ONCE]) + (f" and {more} more" if more > 0 else "")


def _in_columns(names: list[str], width: int) -> str:
    column = max(map(len, names)) + 3
    per_line = max(1, (width - len(INDENT)) // column)
    rows = [names[k : k + per_line] for k in range(0, len(names), per_line)]
    return "\n".join(INDENT + "".join(f"{name:{column}}" for name in row).rstrip() for row in rows)


def _own_news(events: Iterable[Event]) -> str:
    """A person knows what it did, but not what came of it."""
    return "; ".join(item.removeprefix(f"player {event.seat} has ") for event in events for item in untold(event))


def _actions_and_news(actor: int, events: Iterable[Event]) -> str:
    return f"player {actor}: {', '.join(map(_action_and_news, events))}"


def _action_and_news(event: Event) -> str:
    told = "; ".join(_of_actor(item, event.seat) for item in untold(event))
    name = event.name.replace(" ", NO_BREAK)
    return f"{name} [{told}]" if told else name


def _of_actor(item: str, actor: int) -> str:
    return item.removeprefix(f"player {actor} ").removeprefix("has ")


def _help(width: int) -> str:
    lines = textwrap.wrap(" ".join(HELP.split()), width)
    return "\n".join([*lines, *(f"{INDENT}{name:9}{what}" for name, what in COMMANDS.items())])
