"""`WebGame`: what the pages need of a game. Fuji Koro has drawings whose elements can be clicked, narration and
explanations of its own; any other game is shown by what it declares."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from typing import Any, Final

from fujikoro_app.narration import Narrator
from fujikoro_app.web.explaining import LONGEST, explained
from fujikoro_app.web.frames import Frame, frame_of
from fujikoro_app.web.wording import words_of
from fujikoro_env.kernel.declared import THIS_GAME, DeclaredGame, find_game, loaded
from fujikoro_env.kernel.record import Recording
from fujikoro_env.kernel.record.events import HIDDEN, SPECTATOR
from fujikoro_env.kernel.texts import label, labels
from fujikoro_env.render.events import Chronicle
from fujikoro_env.render.rolls import Roll

COLOURS: Final = ("red", "green", "purple", "blue", "pink", "black")  # of players, as the style sheet knows them
WIDTH: Final = 100  # of lines of text
DOCUMENT: Final = re.compile(r'\A\s*<svg[^>]*viewBox="([\d .]+)"([^>]*)>(.*)</svg>\s*\Z', re.DOTALL)


class Notes(ABC):
    """Tells what happens in a game, step by step, as spectators see it."""

    delay = 0  # number of steps after which a line is told at the earliest

    @abstractmethod
    def saw(self, before: Any, action: int, after: Any) -> str:
        """Note a step. Returns a line if there is something to tell."""

    def end(self, _game: Any) -> str:
        """What is left to tell when the game is over."""
        return ""

    def so_far(self, _game: Any) -> str:
        """What has happened since the last line."""
        return ""

    def rolls(self) -> Sequence[Roll]:
        """Dice of the current fight."""
        return ()


class WebGame(ABC):
    """A game on the pages."""

    can_look_up = False  # whether rules, cards and powers can be looked up by name

    def __init__(self, declared: DeclaredGame) -> None:
        self.declared = declared

    def adviser(self, rules: Any) -> str:
        """The agent that gives hints: the best one that is installed."""
        known, declared = self.declared.agents.names(), self.declared
        wanted = (*(declared.team_advisers if declared.is_team(rules) else ()), *declared.advisers, "random")
        return next(name for name in wanted if name in known)

    @abstractmethod
    def frame(self, view: Any, names: Sequence[str], rolls: Sequence[Roll], seat: int | None) -> Frame:
        """What an audience sees; `seat`: the seat that may answer, if it is asked."""

    @abstractmethod
    def words(self, game: Any, action: int, names: Sequence[str]) -> str:
        """An action as the label of a button."""

    @abstractmethod
    def notes(self, game: Any, names: Sequence[str], audience: int = SPECTATOR) -> Notes:
        """Begin to take notes in a position, for spectators, or for an audience that sees everything (`OPEN`)."""

    @abstractmethod
    def explained(self, view: Any, about: str, names: Sequence[str]) -> str:
        """Text about an element of the drawing, an action or a rule."""

    @abstractmethod
    def kind_of(self, rules: Any) -> str:
        """The kind of game in a word or two."""

    def has_vp(self, _rules: Any) -> bool:
        """Whether players get VP."""
        return False

    def has_fight(self, _game: Any) -> bool:
        """Whether there is a fight now."""
        return False

    def code(self, recording: Recording, position: str, _actions: Sequence[int]) -> str:
        """Python code that recreates a position of a recorded game."""
        return f"from {recording.game.package} import Game\n\ngame = Game.from_json({position!r})\n"


# Fuji Koro


class OwnNotes(Notes):
    """Narration of Fuji Koro, and the dice of its fights."""

    delay = 1  # a deed is told when the next one begins

    def __init__(self, game: Any, names: Sequence[str]) -> None:
        self._narrator, self._chronicle = Narrator(game, labels(names)), Chronicle(names)
        self._chronicle.begin(game)

    def saw(self, before: Any, action: int, after: Any) -> str:
        self._chronicle.note(action, after)
        return self._narrator.saw(before, action, after)

    def end(self, game: Any) -> str:
        return self._narrator.tell(game)

    def so_far(self, game: Any) -> str:
        return self._narrator.so_far(game)

    def rolls(self) -> Sequence[Roll]:
        return self._chronicle.rolls()


class OwnGame(WebGame):
    """Fuji Koro."""

    can_look_up = True

    def frame(self, view: Any, names: Sequence[str], rolls: Sequence[Roll], seat: int | None) -> Frame:
        return frame_of(view, names, rolls, seat)

    def words(self, game: Any, action: int, names: Sequence[str]) -> str:
        return words_of(game, action, names)

    def notes(self, game: Any, names: Sequence[str], audience: int = SPECTATOR) -> Notes:
        return OwnNotes(game, names)

    def explained(self, view: Any, about: str, names: Sequence[str]) -> str:
        return explained(view, about, names)

    def kind_of(self, rules: Any) -> str:
        return str(rules.scenario or rules.mode)

    def has_vp(self, rules: Any) -> bool:
        return bool(rules.has_vp)

    def has_fight(self, game: Any) -> bool:
        return bool(game.state.fight.fighters["inside"].any())

    def code(self, recording: Recording, position: str, actions: Sequence[int]) -> str:
        start = recording.start
        begun = f"Game.from_json({json.dumps(json.dumps(start.position))})"
        if start.seed is not None:
            begun = f"Game(Rules({_arguments(recording.rules)}), seed={start.seed})"
        imports = "from fujikoro_env import Game, Rules"
        return f"{imports}\n\ngame = {begun}\nfor action in {list(actions)}:\n    game.step(action)\n"


def _arguments(rules: Any) -> str:
    """Arguments of `Rules` that give these rules."""
    values = {name: value for name, value in asdict(rules).items() if name not in ("content", "options")}
    known = {**values, **rules.options, "content": str(rules.content)}
    return ", ".join(f"{name}={value!r}" for name, value in known.items() if name not in rules.meaningless)


# other games


class OtherNotes(Notes):
    """A line for each step, as the game's events tell it."""

    def __init__(self, declared: DeclaredGame, names: Sequence[str], audience: int) -> None:
        self._recorded, self._names, self._audience = declared.recording_class.game, names, audience

    def saw(self, before: Any, action: int, after: Any) -> str:
        event = self._recorded.event_of(0, before, action, after, self._audience)
        who = label(self._names[event.seat], event.seat)
        done = " makes a hidden choice" if event.action == HIDDEN else f": {_words(event.name)}"
        return f"round {int(before.state.round_number)} · {'; '.join([f'{who}{done}', *event.news])}"


class OtherGame(WebGame):
    """A game that is drawn as one picture and answered by buttons."""

    def frame(self, view: Any, names: Sequence[str], rolls: Sequence[Roll], seat: int | None) -> Frame:
        asked = view.actor == seat and not view.over
        facts = {
            "round": int(view.state.round_number),
            "rounds": view.rules.facts.max_rounds,
            "actor": view.actor,
            "phase": "" if view.over else view.phase.name,
            "question": "The game is over." if view.over else view.question,
            "detail": "" if view.over else self._detail(view),
            "has_vp": False,
            "players": [
                {"name": name, "colour": COLOURS[k % len(COLOURS)], "standing": "", "vp": 0, "character": ""}
                for k, name in enumerate(names)
            ],
            "choices": self._choices(view, names) if asked else [],
            "turns": [],
            "end": self._end(view, names) if view.over else None,
        }
        return Frame(self._parts(view, names), facts)

    def _detail(self, view: Any) -> str:
        """What the question is about, besides the player."""
        told = " ".join(self.declared.shown.choices(view).question(WIDTH))
        return str(told.partition(": ")[0].partition("is asked")[2].strip())

    def _choices(self, view: Any, names: Sequence[str]) -> list[dict[str, Any]]:
        choices = self.declared.shown.choices(view)
        return [
            {
                "action": action,
                "block": choices.block_of(action).name,
                "words": self.words(view, action, names),
                "note": choices.note(action).replace("_", " "),
                "targets": [],
                "cube": "",
                "dice": 0,
                "completes": [],
                "about": choices.block_of(action).name,
            }
            for action in choices.actions
        ]

    def _end(self, view: Any, names: Sequence[str]) -> dict[str, Any]:
        told = self.declared.shown.outcome(view, labels(names)).splitlines()
        reason = " ".join(told).removeprefix("The game is ").removesuffix(".")
        return {"reason": reason, "is_coop": self.declared.is_team(view.rules), "players": []}

    def _parts(self, view: Any, names: Sequence[str]) -> dict[str, dict[str, Any]]:
        """The whole picture, as the background of the map."""
        found = DOCUMENT.match(loaded(self.declared.picture)(view, names)) if self.declared.picture else None
        if found is None:
            return {}
        box = [float(number) for number in found.group(1).split()]
        return {"background": {"box": box, "svg": f"<g{found.group(2)}>{found.group(3)}</g>"}}

    def words(self, game: Any, action: int, names: Sequence[str]) -> str:
        return _words(game.action_name(action))

    def notes(self, game: Any, names: Sequence[str], audience: int = SPECTATOR) -> Notes:
        return OtherNotes(self.declared, names, audience)

    def explained(self, view: Any, about: str, names: Sequence[str]) -> str:
        block = self.declared.blocks.get(about)
        return f"{about}: {block.doc}"[:LONGEST] if block else f"There is nothing to say about {about[:60]}."

    def kind_of(self, rules: Any) -> str:
        return self.declared.title


def _words(name: str) -> str:
    """The name of an action as words: `place(d3)` is "place d3"."""
    verb, _, argument = name.partition("(")
    return f"{verb} {argument.removesuffix(')')}".strip().replace("_", " ").replace("+", " + ")


@cache
def web_game(name: str) -> WebGame:
    """The game with this name. Raises `UnknownGameError`."""
    declared = find_game(name)
    return OwnGame(declared) if name == THIS_GAME else OtherGame(declared)
