"""A person at the keyboard: shows the table as this seat may see it, reads typed words, and asks again where needed."""

import shlex
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from fujikoro_app.narration import labels, with_names
from fujikoro_app.own_texts import TEXTS
from fujikoro_app.terminal import NO_BREAK, wrapped
from fujikoro_app.typed_input import Choice, meanings
from fujikoro_env.kernel.record import Event
from fujikoro_env.kernel.texts import Choices, Texts

FEW = 12  # up to this many choices are listed unasked
NAMED_AT_ONCE = 8  # most meanings of an ambiguous answer that are listed
INDENT = "  "

# No command is the beginning of an action's or a thing's name, so that neither is silently taken for the other.
TABLE_COMMANDS = {"?": "list everything that is possible now", "table": "show the whole table"}
OTHER_COMMANDS = {
    "undo": "take back your last decision and everything after it; the luck stays the same",
    "save": "save FILE: write the game to a new file; `fujikoro play --position FILE` continues it",
    "help": "show this",
    "quit": "leave the game",
}
HINT = "ask the adviser what it would do, and why"


def commands_of(texts: Texts) -> dict[str, str]:
    """The commands of a game, and what they do. Commands that explain something must be typed in full: `expl` means
    explore."""
    own = {**texts.parts, "mine": texts.mine, "hint": HINT, **texts.explains}
    return {**TABLE_COMMANDS, **own, **OTHER_COMMANDS}


COMMANDS = commands_of(TEXTS)  # of Fuji Koro
HELP = """Type the name of an action{example}. You may leave out the brackets, and type only the beginning of a name if
it is unambiguous, or only what is in the brackets{examples}. The tab key completes names. If only one action is legal,
it is carried out without asking. Commands:"""


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
        advise: Callable[[Any], str] | None = None,
        names: Sequence[str] = (),
        texts: Texts = TEXTS,
    ) -> None:
        """`names`: the players' names by seat, or empty. `texts`: how the game is shown."""
        self._texts, self._commands = texts, commands_of(texts)
        self._keyboard, self._save, self._advise = keyboard, save, advise
        self._names, self._who = names, labels(names)
        self.reset(0, 0)

    def reset(self, seed: int, seat: int) -> None:
        self._seat = seat
        self._events: list[Event] = []
        self._shown: Hashable = None  # the turn in which the table was last shown
        self._notice = ""  # to be printed before the next question

    def rewind(self, told: str) -> None:
        """Show the table again, because decisions were taken back. `told`: what to say about it, if anything."""
        self._events, self._shown, self._notice = [], None, told

    def explain(self) -> str:
        return ""

    def saw(self, event: Event) -> None:
        """Take note of an event, as this seat may see it."""
        self._events.append(event)

    def act(self, view: Any) -> int:
        """Ask until the answer is a legal action; raises `LeaveError` and `TakeBackError`."""
        self._show_table_of_new_turn(view)
        self.tell_events()  # below the table, where it does not scroll away
        if self._notice:
            self._say_wrapped(self._notice)
            self._notice = ""
        choices = self._texts.choices(view)
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

    def _show_table_of_new_turn(self, view: Any) -> None:
        turn = self._texts.turn(view)
        if self._shown is None or (turn != self._shown and self._texts.is_turn_of(view, self._seat)):
            self._show_table(view)
            self._shown = turn

    def _show_table(self, view: Any) -> None:
        """Show the whole table if the screen has room, else what most decisions need."""
        width = self._keyboard.width
        table = self._texts.table(view, width, self._names)
        if not self._keyboard.has_room_for(table):
            table = self._texts.short_table(view, self._seat, width, self._names)
        self._keyboard.say(f"\n{table}")

    def _ask(self, choices: Choices) -> None:
        first = choices.first()
        self._keyboard.say("\n" + "\n".join(choices.question(self._keyboard.width)))
        if len(choices.actions) <= FEW:
            self._list(choices, first + [action for action in choices.actions if action not in first])
            return
        if first:  # choices that complete a pattern are hard to find among dozens of others
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
        self._keyboard.words[:] = [*names, *self._commands]
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
        if command.lower() in ("save", *self._texts.explains):
            self._command_with(command.lower(), argument.strip(), choices)
            return None
        found = meanings(typed, self._typeable(choices))
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
                say(self._texts.table(view, width, self._names))
            case "mine":
                say(self._texts.board(view, self._seat, self._names))
            case "help":
                say(self._help())
            case "save":
                self._command_with(name, "", choices)
            case "hint":
                self._say_wrapped(self._advise(view) if self._advise else "there is nobody to ask")
            case "undo":
                raise TakeBackError
            case "quit":
                raise LeaveError
            case _:
                say(self._texts.part(name, view, width, self._names))

    def _command_with(self, command: str, argument: str, choices: Choices) -> None:
        if not argument:
            needs_file = "save needs the name of a file: save FILE"
            self._say_wrapped(needs_file if command == "save" else self._commands[command])
        elif command == "save":
            self._save_to(argument)
        else:
            for line in self._texts.explained(command, argument, choices.view).split("\n"):
                self._say_wrapped(line)

    def _typeable(self, choices: Choices) -> list[Choice]:
        short = choices.short_names()
        actions = [
            Choice(choices.view.action_name(action), action, short.get(action, "")) for action in choices.actions
        ]
        return actions + [Choice(command) for command in self._commands if command not in self._texts.explains]

    def _help(self) -> str:
        text = HELP.format(example=self._texts.example, examples=self._texts.examples)
        column = max(map(len, self._commands)) + 2
        lines = (f"{INDENT}{name:{column}}{what}" for name, what in self._commands.items())
        return "\n".join([wrapped(" ".join(text.split()), self._keyboard.width), *lines])

    def _list_by_block(self, choices: Choices) -> None:
        first = choices.first()
        for block, actions in choices.by_block():
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
                f"{INDENT}saved; to go on: fujikoro play{self._texts.switch} --position {shlex.quote(name)} "
                f"--seat {self._seat}"
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


def _kinds(choices: Choices) -> list[str]:
    """Number of choices of each kind, with an example."""
    blocks = choices.by_block()
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
