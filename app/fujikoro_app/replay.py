"""Viewer for recorded games at the keyboard: forwards, backwards, and to any step."""

from typing import Any, Final

from fujikoro_app.human import Keyboard, untold
from fujikoro_app.narration import with_names
from fujikoro_app.own_texts import TEXTS
from fujikoro_app.terminal import wrapped
from fujikoro_env.kernel.record import OPEN, Replay
from fujikoro_env.kernel.session import Session as AnySession
from fujikoro_env.kernel.texts import Texts, labels
from fujikoro_env.session import Session

INDENT: Final = "  "
MOST_TOLD: Final = 20  # up to this many steps are told one by one
MOST_DIGITS: Final = 9

NUMBERED: Final = ("next", "back", "jump", "round")

# Each begins with a different letter, so that one letter is enough.
COMMANDS: Final = {
    "next": "one step on, as an empty line; next 10: ten steps",
    "back": "one step back; back 10: ten steps",
    "jump": "jump 120, or the number alone: to step 120; 0 is the start",
    "round": "round 3: to where round 3 begins",
    "first": "to the start",
    "last": "to the last step",
    "table": "show the whole table",
    "help": "show this; ? does the same",
    "quit": "leave",
}


class LeaveError(Exception):
    """The person has seen enough."""


class CommandError(Exception):
    """A command that can't be carried out: one line that says why."""


class Stepper:
    """Shows a recorded game, and moves through it by typed commands."""

    def __init__(
        self,
        replay: Replay,
        keyboard: Keyboard,
        at: int = 0,
        texts: Texts = TEXTS,
        sessions: type[AnySession] = Session,
    ) -> None:
        """`texts`, `sessions`: how the game is shown, and its class of sessions."""
        self._replay, self._keyboard, self._texts = replay, keyboard, texts
        self._session: AnySession = sessions.from_replay(replay)
        self._at = at  # steps done
        self._who = labels(replay.recording.names)
        keyboard.words[:] = COMMANDS

    def run(self) -> None:
        """Read and carry out commands until the person leaves or the input ends."""
        begun = heading(self._replay, self._texts.title)
        lead = f"{begun}. An empty line shows the next step, ? lists what else there is."
        self._keyboard.say(wrapped(lead, self._keyboard.width))
        self._show_table()
        self._tell([self._at])
        while True:
            try:
                self._obey(self._read_line())
            except CommandError as error:
                self._say_wrapped(str(error))
            except LeaveError:
                return

    # listening

    def _read_line(self) -> str:
        try:
            return self._keyboard.read(f"step {self._at} of {self._replay.last}> ").strip()
        except (EOFError, KeyboardInterrupt):
            self._keyboard.say("")  # the prompt's line ends here
            raise LeaveError from None

    def _obey(self, typed: str) -> None:
        command, number = _understood(typed)
        match command:
            case "next":
                self._go_on(1 if number is None else number)
            case "back":
                self._go_back(1 if number is None else number)
            case "jump":
                self._jump(number)
            case "round":
                self._go_to(self._start_of_round(number))
            case "first":
                self._go_to(0)
            case "last":
                self._go_to(self._replay.last)
            case "table":
                self._keyboard.say(f"\n{self._table()}")
            case "help":
                self._keyboard.say(_help())
            case _:
                raise LeaveError

    # going

    def _go_on(self, steps: int) -> None:
        if self._at == self._replay.last:
            raise CommandError("that was the last step")
        passed = range(self._at + 1, min(self._at + steps, self._replay.last) + 1)
        self._at = passed[-1]
        self._show_table()
        self._tell(passed)

    def _go_back(self, steps: int) -> None:
        if self._at == 0:
            raise CommandError("this is the start")
        self._go_to(max(0, self._at - steps))

    def _jump(self, step: int | None) -> None:
        if step is None or step > self._replay.last:
            raise CommandError(f"jump where? There are the steps 0 to {self._replay.last}")
        self._go_to(step)

    def _start_of_round(self, number: int | None) -> int:
        first, last = self._replay.round_at(0), self._replay.round_at(self._replay.last)
        position = None if number is None else self._replay.start_of_round(number)
        if position is None:
            raise CommandError(f"which round? There are {first} to {last}")
        return position

    def _go_to(self, position: int) -> None:
        self._at = position
        self._show_table()
        self._tell([position])

    # showing

    def _show_table(self) -> None:
        """Show the whole table if the screen has room, else its most important parts."""
        table = self._table()
        if not self._keyboard.has_room_for(table):
            game, names = self._session.game_at(self._at), self._session.names
            table = self._texts.short_table(game, max(game.actor, 0), self._keyboard.width, names)
        self._keyboard.say(f"\n{table}\n")

    def _table(self) -> str:
        """The whole table."""
        return self._texts.table(self._session.game_at(self._at), self._keyboard.width, self._session.names)

    def _tell(self, passed: range | list[int]) -> None:
        """Print what happened in the steps that were passed."""
        if len(passed) > MOST_TOLD:
            self._say_wrapped(f"... {len(passed) - MOST_TOLD} steps before")
        for position in passed[-MOST_TOLD:]:
            self._say_wrapped(self._told(position))
        if self._at == self._replay.last and self._replay.recording.outcome is None:
            self._say_wrapped("the recording ends here, before the end of the game")
        elif self._at == self._replay.last:
            for line in self._texts.outcome(self._session.game, self._who).split("\n"):
                self._say_wrapped(line)

    def _told(self, position: int) -> str:
        """The step that led to a position, and its results."""
        if position == 0:
            return "the start"
        event = self._session.event(position, OPEN)
        drawn = ", ".join(name for names in event.draws.values() for name in names)
        mine = f"player {event.seat} "
        items = [item.removeprefix(mine) for item in untold(event)]
        items = [f"drawn: {drawn}", *items] if drawn else items
        did = f"{self._who[event.seat]} answers {event.asked} with {event.name}"
        return f"{position}. {did}" + (f" [{with_names('; '.join(items), self._who)}]" if items else "")

    def _say_wrapped(self, text: str) -> None:
        self._keyboard.say(wrapped(text, self._keyboard.width, INDENT, INDENT * 2))


def _understood(typed: str) -> tuple[str, int | None]:
    """Parse a command and its number, if it has one."""
    first, *others = typed.lower().split() or ["next"]
    if first == "?":
        first = "help"
    if _is_number(first):
        first, others = "jump", [first, *others]
    found = [command for command in COMMANDS if command.startswith(first)]
    if not found:
        raise CommandError(f"{first!r} is not known: there are {', '.join(COMMANDS)}")
    if not others:
        return found[0], None
    if found[0] not in NUMBERED:
        raise CommandError(f"{found[0]} stands alone")
    least = 0 if found[0] == "jump" else 1
    if len(others) > 1 or not _is_number(others[0]) or int(others[0]) < least:
        raise CommandError(f"{found[0]} takes a whole number from {least}, not {' '.join(others)!r}")
    return found[0], int(others[0])


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS


def _help() -> str:
    return "\n".join(f"{INDENT}{command:7}{what}" for command, what in COMMANDS.items())


# summaries


def heading(replay: Replay, title: str = TEXTS.title) -> str:
    """Summary of a recording in words."""
    recording = replay.recording
    begin = "from a position" if recording.start.seed is None else f"seed {recording.start.seed}"
    return f"{title}, {begin}: {replay.last} steps of {', '.join(labels(recording.names))}"


def summary(replay: Replay) -> dict[str, Any]:
    """Summary of a recording for programs."""
    recording = replay.recording
    return {
        "steps": replay.last,
        "rounds": replay.round_at(replay.last),
        "names": list(recording.names),
        "seed": recording.start.seed,
        "digest": replay.game_at(replay.last).digest(),
        "outcome": recording.game.outcome_as_data(recording.outcome) if recording.outcome else None,
    }
