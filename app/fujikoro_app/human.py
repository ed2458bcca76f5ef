"""A person at the keyboard: shows the table as this seat may see it, reads typed words, and asks again where needed."""

import shlex
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from fujikoro_app.narration import labels, with_names
from fujikoro_app.rulebook import UnknownError, rule_text, thing_text
from fujikoro_app.terminal import NO_BREAK, wrapped
from fujikoro_app.typed_input import Choice, meanings
from fujikoro_env.game import Game
from fujikoro_env.render.choices import Choices
from fujikoro_env.render.text import board_text, grid_text, question_lines, table_parts, table_text
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.session import Event

FEW = 12  # up to this many choices are listed unasked
NAMED_AT_ONCE = 8  # most meanings of an ambiguous answer that are listed
INDENT = "  "

# No command is the beginning of an action's or a thing's name, so that neither is silently taken for the other.
COMMANDS = {
    "?": "list everything that is possible now",
    "table": "show the whole table",
    "map": "show the map and the dragons",
    "legend": "explain the symbols on the map",
    "display": "show tokens, cards, scrolls, temples and supply",
    "boards": "show what every player has",
    "mine": "show what you have",
    "hint": "ask the adviser what it would do, and why",
    "rule": "rule MOVE-1: show the text of a rule; rule MOVE shows its whole chapter",
    "explain": "explain kama: show what a card, scroll, token, dragon or tile does",
    "undo": "take back your last decision and everything after it; the luck stays the same",
    "save": "save FILE: write the game to a new file; `fujikoro play --position FILE` continues it",
    "help": "show this",
    "quit": "leave the game",
}
WITH_ARGUMENT = ("save", "rule", "explain")  # rule and explain are typed in full: `expl` means explore
HELP = """Type the name of an action, such as `move` or `step(ring1.0/petal3)`. You may leave out the brackets, and type
only the beginning of a name if it is unambiguous, or only what is in the brackets: `step ring1.0/petal3`,
`st ring1.0/p`, `ring1.0/petal3`. A step can also be named by its direction on the map (`ne`), and a cell of a gear by
its row and column (`wood 2,3`). The tab key completes names. If only one action is legal, it is carried out without
asking. Commands:"""


class LeaveError(Exception):
    """The person leaves the game."""


class TakeBackError(Exception):
    """The person takes back the last decision."""


@dataclass
class Keyboard:
    """The terminal of a person: reads and prints lines."""

    read: Callable[[str], str]  # shows a prompt and returns a line; raises EOFError at the end
    say: Callable[[str], None]
    size: Callable[[], tuple[int, int]]  # columns and lines; 0 lines if the output is not a terminal
    words: list[str] = field(default_factory=list)  # what can be typed now, for completion

    @property
    def width(self) -> int:
        return self.size()[0]

    def has_room_for(self, text: str) -> bool:
        return self.size()[1] == 0 or text.count("\n") < self.size()[1]


class Human:
    """An agent whose decisions a person makes. `save` writes the whole game, not only what this seat sees; `advise`
    describes the best action in a view."""

    def __init__(
        self,
        keyboard: Keyboard,
        save: Callable[[Path], None],
        advise: Callable[[Game], str] | None = None,
        names: Sequence[str] = (),
    ) -> None:
        """`names`: the players' names by seat, or empty."""
        self._keyboard, self._save, self._advise = keyboard, save, advise
        self._names, self._who = names, labels(names)
        self.reset(0, 0)

    def reset(self, seed: int, seat: int) -> None:
        self._seat = seat
        self._events: list[Event] = []
        self._shown: tuple[int, bool] | None = None  # the turn in which the table was last shown
        self._notice = ""  # to be printed before the next question

    def rewind(self, told: str) -> None:
        """Show the table again, because decisions were taken back. `told`: what to say about it, if anything."""
        self._events, self._shown, self._notice = [], None, told

    def explain(self) -> str:
        return ""

    def saw(self, event: Event) -> None:
        """Take note of an event, as this seat may see it."""
        self._events.append(event)

    def act(self, view: Game) -> int:
        """Ask until the answer is a legal action; raises `LeaveError` and `TakeBackError`."""
        self._show_table_of_new_turn(view)
        self.tell_events()  # below the table, where it does not scroll away
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
        """Print what happened since the last time."""
        for actor, group in groupby(self._events, key=lambda event: event.seat):
            events = list(group)
            told = _own_news(events) if actor == self._seat else _actions_and_news(actor, events)
            if told:
                self._say_wrapped(with_names(told, self._who))
        self._events = []

    def _show_table_of_new_turn(self, view: Game) -> None:
        state = view.state
        turn = (int(state.round_number), any(state.stack[k].phase == Phase.SETUP for k in range(state.depth)))
        if self._shown is None or (turn != self._shown and state.active == self._seat):
            self._show_table(view)
            self._shown = turn

    def _show_table(self, view: Game) -> None:
        """Show the whole table if the screen has room, else what most decisions need, with the map at the bottom."""
        width = self._keyboard.width
        table, parts = table_text(view, width, self._names), table_parts(view, width, self._names)
        if not self._keyboard.has_room_for(table):
            table = "\n\n".join([parts["heading"], board_text(view, self._seat, self._names), parts["map"]])
        self._keyboard.say(f"\n{table}")

    def _ask(self, choices: Choices) -> None:
        lines = question_lines(choices.table, self._keyboard.width)
        gear = choices.gear()
        self._keyboard.say("\n" + "\n".join([*([grid_text(gear)] if gear else []), *lines]))
        first = choices.completing()
        if len(choices.actions) <= FEW:
            self._list(choices, first + [action for action in choices.actions if action not in first])
            return
        if first:  # what completes a pattern, out of dozens of cubes and cells
            self._list(choices, first[:FEW])
        self._say_wrapped(f"{', '.join(_kinds(choices))}; ? lists them all")

    def _list(self, choices: Choices, actions: list[int]) -> None:
        """List choices one per line if any of them has a note, else side by side."""
        names = {action: choices.view.action_name(action) for action in actions}
        notes = {action: choices.note(action) for action in actions}
        if not any(notes.values()):
            self._keyboard.say(_in_columns(list(names.values()), self._keyboard.width))
            return
        column = max(map(len, names.values())) + 2
        for action, name in names.items():
            first, others = f"{INDENT}{name:{column}}", " " * (len(INDENT) + column)
            lines = wrapped(notes[action], self._keyboard.width, first, others)
            self._keyboard.say(lines or first.rstrip())

    def _say_wrapped(self, text: str) -> None:
        self._keyboard.say(wrapped(text, self._keyboard.width, INDENT, INDENT * 2))

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
        """The choice that was typed, if it is unambiguous; otherwise explain why it is not."""
        if not typed:
            self._ask(choices)
            return None
        command, _, argument = typed.partition(" ")
        if command.lower() in WITH_ARGUMENT:
            self._command_with(command.lower(), argument.strip(), choices)
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
                say(table_text(view, width, self._names))
            case "mine":
                say(board_text(view, self._seat, self._names))
            case "help":
                say(_help(width))
            case "save":
                self._command_with(name, "", choices)
            case "hint":
                self._say_wrapped(self._advise(view) if self._advise else "there is nobody to ask")
            case "undo":
                raise TakeBackError
            case "quit":
                raise LeaveError
            case _:
                say(table_parts(view, width, self._names)[name])

    def _command_with(self, command: str, argument: str, choices: Choices) -> None:
        if not argument:
            self._say_wrapped({"save": "save needs the name of a file: save FILE"}.get(command, COMMANDS[command]))
        elif command == "save":
            self._save_to(argument)
        else:
            try:
                told = rule_text(argument) if command == "rule" else thing_text(argument, choices.view.rules.pack)
            except UnknownError as error:
                told = str(error)
            for line in told.split("\n"):
                self._say_wrapped(line)

    def _list_by_block(self, choices: Choices) -> None:
        first = choices.completing()
        for block, actions in groupby(choices.actions, key=act.block_of):
            self._keyboard.say(f"{block.name}: {block.doc}")
            if block.arguments:
                self._list(choices, sorted(actions, key=lambda action: action not in first))

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
    """News of an event that is not already clear from the name of its action."""
    return [item for item in event.news if not _says(event.name, event.seat, item)]


def _says(name: str, actor: int, item: str) -> bool:
    """Whether the name of an action already says this."""
    mine = f"player {actor} "
    if name.startswith(("lay(", "monk(")):
        return item.startswith(f"{mine}has ")
    verb, _, thing = name.removesuffix(")").partition("(")
    said = {"rest": "takes the discs back", "step": f"is on {thing}", "take": f"has +1 {thing}"}.get(verb)
    return item in (f"{mine}{said}", f"{mine}puts a disc on {name}")


def _typeable(choices: Choices) -> list[Choice]:
    short = choices.short_names()
    actions = [Choice(choices.view.action_name(action), action, short.get(action, "")) for action in choices.actions]
    return actions + [Choice(command) for command in COMMANDS if command not in ("rule", "explain")]


def _kinds(choices: Choices) -> list[str]:
    """Number of choices of each kind, with an example."""
    blocks = [(block, list(actions)) for block, actions in groupby(choices.actions, key=act.block_of)]
    names = {block.name: (choices.view.action_name(actions[0]), len(actions)) for block, actions in blocks}
    return [f"{n} of the form {first}" if n > 1 else first for first, n in names.values()]


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
    """News of the person's own action: what came of it, not what it was."""
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
    text = wrapped(" ".join(HELP.split()), width)
    return "\n".join([text, *(f"{INDENT}{name:9}{what}" for name, what in COMMANDS.items())])
