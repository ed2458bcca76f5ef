"""Recorded games on the server: timeline, pictures of any step, and what agents think of it."""

import json
import secrets
from collections import OrderedDict
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from fujikoro_app.web.frames import Frame
from fujikoro_app.web.games import web_game
from fujikoro_app.web.lobby import LONGEST_NAME
from fujikoro_app.web.thinking import Task, Thinkers, as_data
from fujikoro_env.content import shipped_packs
from fujikoro_env.kernel.declared import UnknownGameError
from fujikoro_env.kernel.record import OPEN, RecordError, Replay
from fujikoro_env.kernel.record.form import game_named_in
from fujikoro_env.kernel.session import Session
from fujikoro_env.kernel.text import one_line, quoted
from fujikoro_env.render.events import STEPS

KEPT_FRAMES: Final = 4
LONGEST_ID: Final = 40
USUAL_PACK: Final = "base"


class ReplayBook:
    """One recorded game. Nothing in it is hidden, because nobody plays it any more."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.kind = web_game(replay.recording.game.name)
        self.session: Session = self.kind.declared.session_class.from_replay(replay)
        self.names = [one_line(name, LONGEST_NAME) for name in replay.recording.names]
        self._frames: OrderedDict[int, Frame] = OrderedDict()

    @cached_property
    def timeline(self) -> dict[str, Any]:
        """All steps with the VP after them, what happened in words, fights and changes of the lead."""
        game = self.replay.game_at(0)
        notes = self.kind.notes(game, self.names, OPEN)
        steps, told = [], []
        points, fights, leads = [list(game.scores)], [], []
        fighting, leader = False, -1
        for number, step in enumerate(self.replay.recording.steps, 1):
            before = game.clone()
            game.step(step.action)
            if line := notes.saw(before, step.action, game):
                told.append([number - 1, line.replace("_", " ")])
            has_fight = self.kind.has_fight(game)
            if has_fight and not fighting:
                fights.append(number)
            fighting = has_fight
            points.append(list(game.scores))
            now = _leader(points[-1])
            if now >= 0 and now != leader:
                leads.append([number, now])
                leader = now
            steps.append([step.player, self.kind.words(before, step.action, self.names), self.replay.round_at(number)])
        if line := notes.end(game):
            told.append([self.replay.last, line.replace("_", " ")])
        return {
            "game": self.kind.declared.name,
            "names": list(self.names),
            "last": self.replay.last,
            "steps": steps,
            "told": told,
            "points": points,
            "fights": fights,
            "leads": leads,
            "has_vp": self.kind.has_vp(game.rules),
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
        game = self.replay.game_at(first)
        notes = self.kind.notes(game, self.names, OPEN)
        for done in self.replay.recording.steps[first:step]:
            before = game.clone()
            game.step(done.action)
            notes.saw(before, done.action, game)
        return self.kind.frame(game, self.names, notes.rolls(), None if game.over else game.actor)

    async def judged(self, step: int, agent: str, thinkers: Thinkers) -> dict[str, Any]:
        """What an agent would do after a number of steps, and what it thinks of each action. `lost`: how much
        less the played action is worth than the best one; None if the agent does not say."""
        game = self.replay.game_at(step)
        view = game.view(game.actor).to_bytes()
        thought = await thinkers.think(Task(agent, 0, game.actor, view, game=self.kind.declared.name))
        played = self.replay.recording.steps[step].action if step < self.replay.last else None
        worths = {value.action: value.worth for value in thought.values if value.action is not None}
        lost = max(worths.values()) - worths[played] if played in worths else None
        return {
            "step": step,
            "by": agent,
            "played": played,
            "lost": lost,
            **as_data(thought, lambda action: self.kind.words(game, action, self.names)),
        }

    def copies(self, step: int) -> dict[str, str]:
        """Texts to copy: the position, the seed, and Python code that recreates the position."""
        recording, position = self.replay.recording, self.replay.game_at(step).to_json()
        seed = "" if recording.start.seed is None else str(recording.start.seed)
        actions = [done.action for done in recording.steps[:step]]
        return {"position": position, "seed": seed, "python": self.kind.code(recording, position, actions)}


def _leader(points: list[int]) -> int:
    """The seat that leads alone, or -1."""
    most = max(points)
    return points.index(most) if points.count(most) == 1 else -1


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
    """Check a recording. One that names a folder as its content pack is refused: visitors may not choose what the
    server reads from its disk."""
    try:
        kind = web_game(game_named_in(text))
        if (pack := _pack_of(text)) not in shipped_packs():
            raise RecordError(f"content pack {quoted(pack, 60)}: allowed here are {', '.join(shipped_packs())}")
        return ReplayBook(Replay(kind.declared.recording_class.from_json(text)))
    except RecursionError:
        raise RecordError("the file is nested too deeply") from None
    except UnknownGameError as error:
        raise RecordError(str(error)) from None


def _pack_of(text: str) -> Any:
    """The content pack that a recording names."""
    rules = json.loads(text).get("rules")
    return rules.get("content", USUAL_PACK) if isinstance(rules, dict) else USUAL_PACK
