"""`Game`: one game as a Python object.

>>> from fujikoro_env import Game, Rules
>>> game = Game(Rules(players=2), seed=7)
>>> while not game.over:
...     game.step(game.legal_actions()[0])
>>> game.outcome.reason
'round_cap'
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.content import Pack
from fujikoro_env.content.carried import carried, carried_content, digest_fault
from fujikoro_env.content.model import CUBES
from fujikoro_env.kernel.records import dtype_of, zeros
from fujikoro_env.observation import global_state, mask_of_bits, observe
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.counters import CounterValues, counters_of
from fujikoro_env.rules.base.names import Deck, Fault, Outside, Reason
from fujikoro_env.rules.base.phases import QUESTIONS, Phase
from fujikoro_env.rules.base.state import LOADED_DICE, LOADED_DRAWS, State
from fujikoro_env.rules.engine.engine import NO_ACTION, ONLY_LEGAL, deal_game, step_games
from fujikoro_env.rules.engine.hidden import blank_hidden, deal_hidden
from fujikoro_env.rules.final.score import rank_of_game
from fujikoro_env.settings import Rules, is_whole_number
from fujikoro_env.vocabulary import Vocabulary

DICE_LETTERS = "WMTG"  # wood, metal, tooth, and the green die of magic
FILE_MARK = b"FUJIKORO"
FILE_VERSION = 1
SEED_BITS = 62
NOT_OVER, NO_FAULT = int(Reason.PLAYING), int(Fault.NONE)  # every step asks, and to look up a member takes a while


class IllegalActionError(ValueError):
    """An action that the rules do not allow now. The game is as it was."""

    def __init__(self, name: str, phase: str, legal: list[str]) -> None:
        self.name, self.phase, self.legal = name, phase, legal
        allowed = f"legal: {', '.join(legal)}" if legal else "the game is over"
        super().__init__(f"{name} is not legal in {phase}; {allowed}")


class ChanceError(ValueError):
    """Loaded dice or draws that do not fit what the game rolls or draws. The game is as it was."""


@dataclass(frozen=True)
class PlayerOutcome:
    """How a game went for one player.

    * `left`: how it left the volcano, by "palace" (the rope) or "foot" (the secret exit); None if it did not leave
    * `left_order`: 1 for the first player who left, 0 for one who did not
    * `left_round`: round in which it left; 0 if it did not, or if the game began in a position that does not say
    * `counts`: everything that is counted, `counts["vp"]["dragons"]`; docs/counters.md lists the counters
    """

    left: str | None
    left_order: int
    left_round: int
    counts: CounterValues = field(hash=False)


@dataclass(frozen=True)
class Outcome:
    """How a game ended.

    * `reason`: "countdown" or "round_cap"; in co-op "won" or "lost"
    * `ranking`: rank of each player, 1 for the best; players who tie share a rank
    * `scores`: VP of each player
    * `winners`: players with rank 1
    * `players`: a `PlayerOutcome` for each player

    In co-op and solo play all players share one rank, as if the volcano were the only other player: 1 if they won, 2 if
    they lost, and then there are no winners. The scores are 0.
    """

    reason: str
    ranking: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    players: tuple[PlayerOutcome, ...] = field(repr=False)  # long


def outcome_of(state: Any, ranking: tuple[int, ...]) -> Outcome:
    """The outcome of the game whose last record this is."""
    people, counted = state["players"][: len(ranking)], counters_of(state["counts"][: len(ranking)])
    left = zip(*(people[name].tolist() for name in ("outside", "left_volcano", "left_round")), strict=True)
    return Outcome(
        reason=Reason(int(state["reason"])).name.lower(),
        ranking=ranking,
        scores=tuple(people["vp"].tolist()),
        winners=tuple(player for player, rank in enumerate(ranking) if rank == 1),
        players=tuple(
            PlayerOutcome(Outside(way).name.lower() if way else None, order, number, counts)
            for (way, order, number), counts in zip(left, counted, strict=True)
        ),
    )


class Game:
    """One game of Fuji Koro. It always stands at one decision: player `actor` is asked the question `phase`.

    `rules` say which game is played. `seed`, a whole number from 0 to 2**62 - 1, fixes all chance: the same rules, seed
    and actions give the same game on any machine. `str(game)` is the table as text, and notebooks show it as a picture.
    """

    def __init__(self, rules: Rules | None = None, seed: int = 0) -> None:
        self.rules = rules or Rules()
        if not is_whole_number(seed) or not 0 <= seed < 1 << SEED_BITS:
            raise ValueError(f"seed={seed!r}: allowed are the whole numbers from 0 to 2**{SEED_BITS} - 1")
        self._hold(zeros(State, 1), np.zeros((1, act.WORDS), np.uint32), self.rules.tables)
        self.rules.write_settings(self._games[0].settings)
        deal_game(self._games, self._tables, 0, int(seed))
        self._checked(self._run(NO_ACTION))

    def _hold(self, games: Any, masks: Any, tables: Any) -> None:
        """Take over a batch of one game and its mask."""
        self._games, self._masks, self._tables = games, masks, tables
        action: Any = np.zeros(1, np.int64)
        self._action, self._chosen = action, memoryview(action)
        # Views: a record's attribute costs Python a hundred times more. Those of memory give Python's own numbers.
        self._reason, self._depth = memoryview(games["reason"]), memoryview(games["depth"])
        self._actors = memoryview(games["stack"]["actor"][0])
        self._mask_bytes = masks.view(np.uint8)[0]
        self._words = games.view(np.int64).reshape(1, -1)
        self._viewer: int | None = None
        self._luck_is_loaded = False

    @classmethod
    def of_record(cls, games: Any, rules: Rules, viewer: int | None = None, mask: Any = None) -> "Game":
        """The game of a record, which lies in an array of length 1. `viewer`: the player whose view it is. `mask`: the
        bits of its legal actions; without them `find_legal` must be called before anything else."""
        game = cls.__new__(cls)
        game.rules = rules
        game._hold(games, np.zeros((1, act.WORDS), np.uint32), rules.tables)
        game._viewer = viewer
        game._luck_is_loaded = bool(games[0].loaded_dice[0] != 0 or games[0].loaded_draws[:, 0].any())
        if mask is not None:
            game._masks[0] = mask
        return game

    def find_legal(self) -> int:
        """Find the legal actions of the position as it stands, without going on; returns the fault, 0 if there is
        none."""
        return self._run(ONLY_LEGAL)

    def _run(self, action: int) -> int:
        self._chosen[0] = action
        return step_games(self._games, self._tables, 0, 1, self._action, self._masks)

    # what is asked

    @property
    def state(self) -> Any:
        """The game's NumPy record, for reading. Writing into it bypasses the rules."""
        return self._games[0]

    @property
    def compiled(self) -> GameArrays:
        """The game itself as arrays of length 1, for compiled code."""
        return GameArrays(self._games, self._words, self._tables, self._masks)

    @property
    def viewer(self) -> int | None:
        """The player whose view this is; None if it is a game."""
        return self._viewer

    @property
    def vocabulary(self) -> Vocabulary:
        """Names of actions, cards, tiles and tokens in this game."""
        return Vocabulary(self.rules.pack, self.state)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._reason[0] != NOT_OVER

    @property
    def phase(self) -> Phase:
        """What the actor is asked; `Phase.NONE` when the game is over. docs/actions.md lists all phases."""
        return Phase.NONE if self.over else Phase(int(self._frame.phase))

    @property
    def actor(self) -> int:
        """The player who is asked; -1 when the game is over."""
        return self._actors[self._depth[0] - 1] if self._reason[0] == NOT_OVER else -1

    @property
    def question(self) -> str:
        """The question to the actor, in words."""
        return "The game is over." if self.over else QUESTIONS[self.phase]

    @property
    def _frame(self) -> Any:
        return self.state.stack[self.state.depth - 1]

    def legal_mask(self, dtype: Any = np.bool_) -> NDArray[Any]:
        """Mask of the legal actions: an array of (ACTIONS,) bool, or of another `dtype` of one byte."""
        return mask_of_bits(self._mask_bytes, dtype)

    def legal_actions(self) -> NDArray[np.intp]:
        """Numbers of the legal actions, in ascending order."""
        return np.flatnonzero(self.legal_mask())

    def action_name(self, action: int) -> str:
        """Name of an action in this position, such as `step(ring1.0/petal4)`."""
        return self.vocabulary.action_name(int(action))

    def parse_action(self, name: str) -> int:
        """Number of the action with this name; it need not be legal now."""
        return self.vocabulary.parse_action(name)

    # playing

    def step(self, action: int) -> None:
        """Do an action and go on to the next decision. An illegal action raises `IllegalActionError` and changes
        nothing."""
        if self._viewer is not None:
            raise TypeError(
                f"this is what player {self._viewer} sees, not a game: step the game, or what determinize() gives"
            )
        # Loaded luck can fail in mid-step, so then a copy goes ahead; without it a step can't fail half-way.
        kept = self._games.tobytes() if self._luck_is_loaded else None
        # Below 0 are what the engine is told by others than players.
        fault = self._run(int(action)) if action >= 0 else Fault.ILLEGAL_ACTION
        if fault != NO_FAULT:
            self._refuse(int(action), fault, kept)

    def _refuse(self, action: int, fault: int, kept: bytes | None) -> None:
        if fault == Fault.ILLEGAL_ACTION:
            name = self.action_name(action) if 0 <= action < act.ACTIONS else f"action {action}"
            raise IllegalActionError(name, self.phase.name, [self.action_name(a) for a in self.legal_actions()])
        if kept is not None:
            self._games.view(np.uint8)[:] = np.frombuffer(kept, np.uint8)
            self.find_legal()
        self._checked(fault)

    def _checked(self, fault: int) -> None:
        if fault == Fault.LOADED_DIE:
            raise ChanceError("a loaded die is of another kind than the one rolled: load them in rolling order")
        if fault == Fault.LOADED_DRAW:
            raise ChanceError("a loaded draw is not among what is left to draw from")
        if fault != Fault.NONE:
            raise RuntimeError(
                f"the rules have come to a halt ({Fault(fault).name} in {self.phase.name}): please report it"
            )

    def clone(self) -> "Game":
        """An independent copy of the game."""
        copy = Game.__new__(Game)
        copy.rules = self.rules
        copy._hold(_copied(self._games), self._masks.copy(), self._tables)
        copy._viewer, copy._luck_is_loaded = self._viewer, self._luck_is_loaded
        return copy

    # what a player sees

    def view(self, player: int) -> "Game":
        """The game with everything blanked that the player can't see. It can be looked at and determinized, but not
        stepped. Agents get such views."""
        copy = self.clone()
        blank_hidden(copy._games, 0, self._player(player))
        copy._viewer = player
        return copy

    def determinize(self, player: int, seed: int) -> "Game":
        """A full game in which everything that the player can't see is dealt anew from `seed`. A view gives the same
        game as the original, so search can start from a view."""
        copy = self.clone()
        deal_hidden(copy._games, 0, self._player(player), int(seed))
        copy._viewer, copy._luck_is_loaded = None, False
        return copy

    def _player(self, player: int) -> int:
        if not 0 <= player < self.rules.players:
            raise ValueError(f"player {player!r}: allowed are 0 to {self.rules.players - 1}")
        return int(player)

    # loaded luck

    def load_dice(self, faces: Iterable[str]) -> None:
        """Fix what the next dice show, in rolling order: `W1` is a wood die with 1 hit, `M2*` a metal die with 2 hits
        that breaks."""
        codes = [self._die_code(face) for face in faces]
        _write_queue(self.state.loaded_dice, codes, LOADED_DICE, "dice")
        self._luck_is_loaded = True

    def _die_code(self, face: str) -> int:
        kind, shown = DICE_LETTERS.find(face[:1]), face[1:]
        if kind < 0 or not face:
            raise ChanceError(f"die {face!r}: the first letter is one of {', '.join(DICE_LETTERS)}")
        faces = [f"{f.hits}{'*' if f.breaks else ''}" for f in self.rules.pack.dice[kind].faces]
        if shown not in faces:
            raise ChanceError(f"die {face!r}: a {CUBES[kind]} die shows {', '.join(dict.fromkeys(faces))}")
        return kind * 8 + faces.index(shown) + 1

    def load_draws(self, deck: str, ids: Iterable[str | int]) -> None:
        """Fix what is drawn next from a deck: tiles1, tiles2, tiles3, squares, hexes, dragons, adventures, scrolls or
        blueprints (those that lie hidden, SCEN-12)."""
        names = [member.name.lower() for member in Deck]
        if deck not in names:
            raise ChanceError(f"deck {deck!r}: allowed are {', '.join(names)}")
        known = self.vocabulary.deck_ids(deck)
        codes = [_id_code(given, known, deck) for given in ids]
        _write_queue(self.state.loaded_draws[names.index(deck)], codes, LOADED_DRAWS, deck)
        self._luck_is_loaded = True

    # result

    @property
    def scores(self) -> tuple[int, ...]:
        """VP of each player."""
        return tuple(int(self.state.players[p].vp) for p in range(self.rules.players))

    @property
    def counts(self) -> tuple[CounterValues, ...]:
        """What each player has done so far: `game.counts[0]["vp"]["dragons"]`. docs/counters.md lists all counters."""
        return counters_of(self.state.counts[: self.rules.players])

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if not self.over:
            return None
        return outcome_of(self.state, tuple(rank_of_game(self._games, 0, p) for p in range(self.rules.players)))

    # keeping

    def digest(self) -> str:
        """Hash of the position and its content: the same for equal positions, in any process on any machine."""
        return hashlib.sha256(self.rules.pack.digest.encode() + self._games.tobytes()).hexdigest()[:16]

    def to_bytes(self) -> bytes:
        """The whole game as bytes, for `from_bytes`."""
        head = json.dumps(
            {
                "version": FILE_VERSION,
                **carried(self.rules.pack),
                "layout": _layout_digest(),
                "viewer": self._viewer,
            }
        ).encode()
        return FILE_MARK + len(head).to_bytes(4, "little") + head + bytes(self._games.tobytes())

    @classmethod
    def from_bytes(cls, saved: bytes, content: str | Path | None = None) -> "Game":
        """The game that `to_bytes` saved. `content`: where the content pack is now, if it has moved. Changes made to
        the pack in Python are saved with the game and made again."""
        head, body = _read_head(saved)
        games = zeros(State, 1)
        games.view(np.uint8)[:] = np.frombuffer(body, np.uint8)
        rules = Rules.read_settings(games[0].settings, _carried_content(head, content))
        if fault := digest_fault(head, rules.pack):
            raise ValueError(f"saved game: {fault}")
        game = cls.of_record(games, rules, head["viewer"])
        game.find_legal()
        return game

    def to_json(self) -> str:
        """The position as JSON that people can read and edit: see docs/positions.md."""
        from fujikoro_env.position import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, text: str, content: str | Path | None = None) -> "Game":
        """The game in this position. Faults of the position raise `fujikoro_env.position.PositionError`. The game is
        not advanced, even if only one action is legal. `content`: where the content pack is now, if it has moved."""
        from fujikoro_env.position import from_json

        return from_json(text, content)

    def __getstate__(self) -> bytes:
        return self.to_bytes()

    def __setstate__(self, saved: bytes) -> None:
        self.__dict__.update(Game.from_bytes(saved).__dict__)

    def __deepcopy__(self, _memo: dict[int, Any]) -> "Game":
        return self.clone()

    # looking

    def observe(self, player: int, kind: str = "tensor") -> Any:
        """Observation of a player, who is seat 0 in it: a dictionary of arrays, or one vector if `kind` is "compact".
        docs/environment.md and docs/compact.md list all columns."""
        return observe(self._games, self._tables, self._player(player), kind)

    def global_state(self) -> NDArray[np.int16]:
        """Everything that any player knows, as one vector, for centralised critics."""
        return global_state(self._games, self._tables)

    def __str__(self) -> str:
        from fujikoro_env.render.text import table_text

        return table_text(self)

    def _repr_svg_(self) -> str:
        from fujikoro_env.render.svg import table_svg

        return table_svg(self)


def _copied(games: Any) -> Any:
    copy = np.empty_like(games)
    copy.view(np.uint8)[:] = games.view(np.uint8)  # bytes: field by field is ten times slower
    return copy


def _write_queue(queue: Any, codes: list[int], room: int, what: str) -> None:
    if len(codes) > room:
        raise ChanceError(f"{len(codes)} loaded {what}: at most {room} fit")
    queue[:] = 0
    queue[: len(codes)] = codes


def _id_code(given: str | int, known: list[str], deck: str) -> int:
    if isinstance(given, str) and given in known:
        return known.index(given) + 1
    if not isinstance(given, str) and 0 <= given < len(known):
        return int(given) + 1
    raise ChanceError(f"{deck} has no {given!r}: there are {', '.join(known)}")


def _layout_digest() -> str:
    return hashlib.sha256(repr(dtype_of(State).descr).encode()).hexdigest()[:16]


def _carried_content(head: dict[str, Any], moved: str | Path | None) -> str | Path | Pack:
    try:
        return carried_content(head, moved)
    except ValueError as error:
        raise ValueError(f"saved game: {error}") from None


def _read_head(saved: bytes) -> tuple[dict[str, Any], bytes]:
    if not saved.startswith(FILE_MARK):
        raise ValueError("saved game: these bytes are no saved game of fujikoro_env")
    try:
        size = int.from_bytes(saved[8:12], "little")
        head, body = json.loads(saved[12 : 12 + size]), saved[12 + size :]
    except ValueError:
        raise ValueError("saved game: its head can't be read, so the bytes are damaged") from None
    if head.get("version") != FILE_VERSION or head.get("layout") != _layout_digest():
        raise ValueError("saved game: written by another version of fujikoro_env")
    if len(body) != dtype_of(State).itemsize:
        raise ValueError(f"saved game: {len(body)} bytes of game, {dtype_of(State).itemsize} are needed")
    return head, body
