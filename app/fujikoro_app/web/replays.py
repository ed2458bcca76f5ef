"""Recorded games on the server: timeline, pictures of any step, and what agents think of it."""

import json
import secrets
from collections import OrderedDict
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from fujikoro_app.narration import Narrator, labels
from fujikoro_app.web.frames import Frame, frame_of
from fujikoro_app.web.thinking import Task, Thinkers, as_data
from fujikoro_app.web.wording import words_of
from fujikoro_env.record import RecordError, Recording, Replay
from fujikoro_env.render.events import STEPS, Chronicle
from fujikoro_env.session import Session

KEPT_FRAMES: Final = 4
LONGEST_ID: Final = 40


class ReplayBook:
    """One recorded game. Nothing in it is hidden, because nobody plays it any more."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.session = Session.from_replay(replay)
        self.names = replay.recording.names
        self._frames: OrderedDict[int, Frame] = OrderedDict()

    @cached_property
    def timeline(self) -> dict[str, Any]:
        """All steps with the VP after them, what happened in words, fights and changes of the lead."""
        game = self.replay.game_at(0)
        narrator = Narrator(game, labels(self.names))
        steps, told = [], []
        points, fights, leads = [list(game.scores)], [], []
        fighting, leader = False, -1
        for number, step in enumerate(self.replay.recording.steps, 1):
            before = game.clone()
            game.step(step.action)
            if line := narrator.saw(before, step.action, game):
                told.append([number - 1, line.replace("_", " ")])
            has_fight = bool(game.state.fight.fighters["inside"].any())
            if has_fight and not fighting:
                fights.append(number)
            fighting = has_fight
            points.append(list(game.scores))
            now = _leader(points[-1])
            if now >= 0 and now != leader:
                leads.append([number, now])
                leader = now
            steps.append([step.player, words_of(before, step.action, self.names), self.replay.round_at(number)])
        if line := narrator.tell(game):
            told.append([self.replay.last, line.replace("_", " ")])
        return {
            "names": list(self.names),
            "last": self.replay.last,
            "steps": steps,
            "told": told,
            "points": points,
            "fights": fights,
            "leads": leads,
            "has_vp": game.rules.has_vp,
            "seed": self.replay.recording.start.seed,
        }

    def frame(self, step: int) -> Frame:
        """The picture after a number of steps."""
        if step not in self._frames:
            self._frames[step] = self._drawn(step)
            if len(self._frames) > KEPT_FRAMES:
                self._frames.popitem(last=False)
        return self._frames[step]

    def _drawn(self, step: int) -> Frame:
        first = max(0, step - STEPS)
        game, chronicle = self.replay.game_at(first), Chronicle(self.names)
        chronicle.begin(game)
        for done in self.replay.recording.steps[first:step]:
            game.step(done.action)
            chronicle.note(done.action, game)
        return frame_of(game, self.names, chronicle.rolls(), None if game.over else game.actor)

    async def judged(self, step: int, agent: str, thinkers: Thinkers) -> dict[str, Any]:
        """What an agent would do after a number of steps, and what it thinks of each action. `lost`: how much
        less the played action is worth than the best one; None if the agent does not say."""
        game = self.replay.game_at(step)
        view = game.view(game.actor).to_bytes()
        thought = await thinkers.think(Task(agent, 0, game.actor, view))
        played = self.replay.recording.steps[step].action if step < self.replay.last else None
        worths = {value.action: value.worth for value in thought.values if value.action is not None}
        lost = max(worths.values()) - worths[played] if played in worths else None
        return {
            "step": step,
            "by": agent,
            "played": played,
            "lost": lost,
            **as_data(thought, lambda action: words_of(game, action, self.names)),
        }

    def copies(self, step: int) -> dict[str, str]:
        """Texts to copy: the position, the seed, and Python code that recreates the position."""
        start = self.replay.recording.start
        position = self.replay.game_at(step).to_json()
        actions = [done.action for done in self.replay.recording.steps[:step]]
        begun = f"Game.from_json({json.dumps(json.dumps(start.position))})"
        if start.seed is not None:
            begun = f"Game(Rules({_arguments(self.replay.recording)}), seed={start.seed})"
        code = (
            f"from fujikoro_env import Game, Rules\n\ngame = {begun}\nfor action in {actions}:\n    game.step(action)\n"
        )
        return {"position": position, "seed": "" if start.seed is None else str(start.seed), "python": code}


def _leader(points: list[int]) -> int:
    """The seat that leads alone, or -1."""
    most = max(points)
    return points.index(most) if points.count(most) == 1 else -1


def _arguments(recording: Recording) -> str:
    """Arguments of `Rules` that give the rules of a recording."""
    rules = recording.rules
    values = {name: value for name, value in asdict(rules).items() if name not in ("content", "options")}
    meaningless = rules.meaningless
    known = {**values, **rules.options, "content": str(rules.content)}
    return ", ".join(f"{name}={value!r}" for name, value in known.items() if name not in meaningless)


class Replays:
    """All recorded games of the server, in a folder and as many as fit in memory. The id of a game is secret: only
    people who have the link can see the game."""

    def __init__(self, folder: Path, most: int, most_stored: int) -> None:
        self._folder, self._most, self._most_stored = folder, most, most_stored
        self._books: OrderedDict[str, ReplayBook] = OrderedDict()

    def add(self, text: str) -> str:
        """Check a recording and keep it. Raises `RecordError`. Returns its id."""
        book = _read(text)
        number = secrets.token_urlsafe(16)
        self._folder.mkdir(parents=True, exist_ok=True)
        if sum(1 for _ in self._folder.iterdir()) >= self._most_stored:
            raise RecordError(f"the server keeps {self._most_stored} recordings at most, and has that many")
        (self._folder / f"{number}.json").write_text(text, encoding="utf-8")
        self._keep(number, book)
        return number

    def get(self, number: str) -> ReplayBook | None:
        """The recorded game with this id, or None."""
        if number in self._books:
            self._books.move_to_end(number)
            return self._books[number]
        path = self._folder / f"{number}.json"
        if len(number) > LONGEST_ID or not number.replace("-", "").replace("_", "").isalnum() or not path.is_file():
            return None
        book = _read(path.read_text(encoding="utf-8"))
        self._keep(number, book)
        return book

    def _keep(self, number: str, book: ReplayBook) -> None:
        self._books[number] = book
        if len(self._books) > self._most:
            self._books.popitem(last=False)


def _read(text: str) -> ReplayBook:
    try:
        return ReplayBook(Replay(Recording.from_json(text)))
    except RecursionError:
        raise RecordError("the file is nested too deeply") from None
