"""`Game`: one game as a Python object.

>>> from fujikoro_env import Game, Rules
>>> game = Game(Rules(players=2), seed=7)
>>> while not game.over:
...     game.step(game.legal_actions()[0])
>>> game.outcome.reason
'round_cap'
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.actions import ALLOWED, InvalidActionError, whole_action
from fujikoro_env.content.model import CUBES
from fujikoro_env.kernel.commands import NO_ACTION, ONLY_LEGAL
from fujikoro_env.kernel.game import ChanceError as ChanceError
from fujikoro_env.kernel.game import IllegalActionError as IllegalActionError
from fujikoro_env.kernel.game import is_whole_number
from fujikoro_env.kernel.records import zeros
from fujikoro_env.kernel.text import quoted
from fujikoro_env.observation import global_state, mask_of_bits, observe
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.counters import CounterValues, counters_of
from fujikoro_env.rules.base.names import Deck, Fault, Outside, Reason
from fujikoro_env.rules.base.phases import QUESTIONS, Phase
from fujikoro_env.rules.base.state import LOADED_DICE, LOADED_DRAWS, State
from fujikoro_env.rules.engine.engine import deal_game, step_games
from fujikoro_env.rules.engine.hidden import blank_hidden, deal_hidden
from fujikoro_env.rules.final.score import rank_of_game
from fujikoro_env.saved import SavedGameError, read_saved, saved_bytes
from fujikoro_env.settings import Rules
from fujikoro_env.vocabulary import Vocabulary

DICE_LETTERS = "WMTG"  # wood, metal, tooth, and the green die of magic
SEED_BITS = 62
NOT_OVER, NO_FAULT = int(Reason.PLAYING), int(Fault.NONE)  # ints: looking up an enum at every step is slow


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
    players: tuple[PlayerOutcome, ...] = field(repr=False)  # left out of the repr because it is long


def outcome_of(state: Any, ranking: tuple[int, ...]) -> Outcome:
    """The outcome of a finished game, given its final record."""
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
    """One game of Fuji Koro, always at a decision: player `actor` must answer the question `phase`.

    `rules` define the game that is played. `seed`, an integer from 0 to 2**62 - 1, fixes all chance: the same rules,
    seed and actions produce the same game on any machine. `str(game)` shows the table as text, and notebooks show it as
    a picture.
    """

    def __init__(self, rules: Rules | None = None, seed: int = 0) -> None:
        self.rules = rules or Rules()
        if not is_whole_number(seed) or not 0 <= seed < 1 << SEED_BITS:
            raise ValueError(f"seed={quoted(seed)}: allowed are the whole numbers from 0 to 2**{SEED_BITS} - 1")
        self._hold(zeros(State, 1), np.zeros((1, act.WORDS), np.uint32), self.rules.tables)
        self.rules.write_settings(self._games[0].settings)
        deal_game(self._games, self._tables, 0, int(seed))
        self._checked(self._run(NO_ACTION))

    def _hold(self, games: Any, masks: Any, tables: Any) -> None:
        """Take over a batch of one game and its mask."""
        self._games, self._masks, self._tables = games, masks, tables
        action: Any = np.zeros(1, np.int64)
        self._action, self._chosen = action, memoryview(action)
        # Views into the record, because reading an attribute of a NumPy record is a hundred times slower. Items of a
        # memoryview are plain Python numbers.
        self._reason, self._depth = memoryview(games["reason"]), memoryview(games["depth"])
        self._actors = memoryview(games["stack"]["actor"][0])
        self._mask_bytes = masks.view(np.uint8)[0]
        self._words = games.view(np.int64).reshape(1, -1)
        self._viewer: int | None = None
        self._luck_is_loaded = False

    @classmethod
    def of_record(cls, games: Any, rules: Rules, viewer: int | None = None, mask: Any = None) -> "Game":
        """Wrap a record, given as an array of length 1. `viewer` is the player whose view the record is, if it is a
        view. `mask` holds the bits of its legal actions; without it, call `find_legal` before anything else."""
        game = cls.__new__(cls)
        game.rules = rules
        game._hold(games, np.zeros((1, act.WORDS), np.uint32), rules.tables)
        game._viewer = viewer
        game._luck_is_loaded = bool(games[0].loaded_dice[0] != 0 or games[0].loaded_draws[:, 0].any())
        if mask is not None:
            game._masks[0] = mask
        return game

    def find_legal(self) -> int:
        """Find the legal actions of the current position without advancing it. Returns the fault, 0 if there is
        none."""
        return self._run(ONLY_LEGAL)

    def _run(self, action: int) -> int:
        self._chosen[0] = action
        return step_games(self._games, self._tables, 0, 1, self._action, self._masks)

    # the current decision

    @property
    def state(self) -> Any:
        """The game's NumPy record, for reading only. Writing to it bypasses the rules."""
        return self._games[0]

    @property
    def compiled(self) -> GameArrays:
        """The game as arrays of length 1, for compiled code. They share its memory."""
        return GameArrays(self._games, self._words, self._tables, self._masks)

    @property
    def viewer(self) -> int | None:
        """The player whose view this is; None for a full game."""
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
        """The question that the actor must answer; `Phase.NONE` when the game is over. docs/actions.md lists all
        phases."""
        return Phase.NONE if self.over else Phase(int(self._frame.phase))

    @property
    def actor(self) -> int:
        """The player who must decide; -1 when the game is over."""
        return self._actors[self._depth[0] - 1] if self._reason[0] == NOT_OVER else -1

    @property
    def question(self) -> str:
        """The question to the actor, as a sentence."""
        return "The game is over." if self.over else QUESTIONS[self.phase]

    @property
    def _frame(self) -> Any:
        return self.state.stack[self.state.depth - 1]

    def legal_mask(self, dtype: Any = np.bool_) -> NDArray[Any]:
        """Mask of the legal actions: (ACTIONS,) bool, or another one-byte `dtype`."""
        return mask_of_bits(self._mask_bytes, dtype)

    def legal_actions(self) -> NDArray[np.intp]:
        """Numbers of the legal actions, in ascending order."""
        return np.flatnonzero(self.legal_mask())

    def action_name(self, action: int) -> str:
        """Name of an action in this position, such as `step(ring1.0/petal4)`."""
        number = whole_action(action)
        if not 0 <= number < act.ACTIONS:
            raise InvalidActionError(f"action {number}: {ALLOWED}")
        return self.vocabulary.action_name(number)

    def parse_action(self, name: str) -> int:
        """Number of the action with this name, which need not be legal now."""
        return self.vocabulary.parse_action(name)

    # playing

    def step(self, action: int) -> None:
        """Carry out an action and advance to the next decision. An illegal action raises `IllegalActionError`, one that
        is not a whole number `InvalidActionError`; then nothing has changed."""
        if self._viewer is not None:
            raise TypeError(
                f"this is player {self._viewer}'s view, not a game: step the game, or the result of determinize()"
            )
        number = action if type(action) is int else whole_action(action)
        # Only loaded dice and draws can make a step fail halfway, so keep a copy to restore if there are any.
        kept = self._games.tobytes() if self._luck_is_loaded else None
        # Negative numbers are commands to the engine, not actions of players.
        fault = self._run(number) if 0 <= number < act.ACTIONS else Fault.ILLEGAL_ACTION
        if fault != NO_FAULT:
            self._refuse(whole_action(number), fault, kept)

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
            raise ChanceError("a loaded die is not of the kind that is rolled: load dice in rolling order")
        if fault == Fault.LOADED_DRAW:
            raise ChanceError("a loaded draw is not left in the deck")
        if fault != Fault.NONE:
            raise RuntimeError(
                f"internal error in the rules ({Fault(fault).name} in {self.phase.name}): please report it"
            )

    def clone(self) -> "Game":
        """An independent copy of the game."""
        copy = Game.__new__(Game)
        copy.rules = self.rules
        copy._hold(_copied(self._games), self._masks.copy(), self._tables)
        copy._viewer, copy._luck_is_loaded = self._viewer, self._luck_is_loaded
        return copy

    # hidden information

    def view(self, player: int) -> "Game":
        """A copy of the game as one player sees it, with everything hidden from that player blanked. It can be read and
        determinized, but not stepped. Agents get such views."""
        copy = self.clone()
        blank_hidden(copy._games, 0, self._player(player))
        copy._viewer = player
        return copy

    def determinize(self, player: int, seed: int) -> "Game":
        """A full game that is consistent with what the player sees: everything hidden is redealt from `seed`. A view
        and the original return the same game, so search can start from a view."""
        copy = self.clone()
        deal_hidden(copy._games, 0, self._player(player), int(seed))
        copy._viewer, copy._luck_is_loaded = None, False
        return copy

    def _player(self, player: int) -> int:
        if not 0 <= player < self.rules.players:
            raise ValueError(f"player {quoted(player)}: allowed are 0 to {self.rules.players - 1}")
        return int(player)

    # loaded dice and draws

    def load_dice(self, faces: Iterable[str]) -> None:
        """Set the results of the next dice, in rolling order: `W1` is a wood die with 1 hit, `M2*` a metal die with 2
        hits that breaks."""
        codes = [self._die_code(face) for face in faces]
        _write_queue(self.state.loaded_dice, codes, LOADED_DICE, "dice")
        self._luck_is_loaded = True

    def _die_code(self, face: str) -> int:
        kind, shown = DICE_LETTERS.find(face[:1]), face[1:]
        if kind < 0 or not face:
            raise ChanceError(f"die {quoted(face)}: the first letter is one of {', '.join(DICE_LETTERS)}")
        faces = [f"{f.hits}{'*' if f.breaks else ''}" for f in self.rules.pack.dice[kind].faces]
        if shown not in faces:
            raise ChanceError(f"die {quoted(face)}: a {CUBES[kind]} die shows {', '.join(dict.fromkeys(faces))}")
        return kind * 8 + faces.index(shown) + 1

    def load_draws(self, deck: str, ids: Iterable[str | int]) -> None:
        """Set the next draws from a deck: tiles1, tiles2, tiles3, squares, hexes, dragons, adventures, scrolls or
        blueprints (the face-down ones, SCEN-12)."""
        names = [member.name.lower() for member in Deck]
        if deck not in names:
            raise ChanceError(f"deck {quoted(deck)}: allowed are {', '.join(names)}")
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
        """Counters of each player so far, as in `game.counts[0]["vp"]["dragons"]`. docs/counters.md lists all
        counters."""
        return counters_of(self.state.counts[: self.rules.players])

    @property
    def outcome(self) -> Outcome | None:
        """The result of the game; None while it is still running."""
        if not self.over:
            return None
        return outcome_of(self.state, tuple(rank_of_game(self._games, 0, p) for p in range(self.rules.players)))

    # saving and loading

    def digest(self) -> str:
        """Hash of the position and its content. Equal positions have equal digests, in any process on any machine."""
        return hashlib.sha256(self.rules.pack.digest.encode() + self._games.tobytes()).hexdigest()[:16]

    def to_bytes(self) -> bytes:
        """The whole game as bytes, for `from_bytes`."""
        return saved_bytes(self._games, self.rules.pack, self._viewer)

    @classmethod
    def from_bytes(cls, saved: bytes, content: str | Path | None = None) -> "Game":
        """Restore a game saved by `to_bytes`. Bytes that are damaged, or that hold an impossible position, raise
        `SavedGameError`. `content`: the current path of the content pack, if it has moved. Changes made to the pack in
        Python are saved with the game and applied again."""
        from fujikoro_env.position import judge_game

        found = read_saved(saved, content)
        game = cls.of_record(found.games, found.rules, found.viewer)
        if fault := judge_game(game):
            raise SavedGameError(f"saved game: {fault}")
        if game.find_legal() != NO_FAULT or not (game.over or game._masks.any()):
            raise SavedGameError(f"saved game: nothing can be answered in {game.phase.name}")
        return game

    def to_json(self) -> str:
        """The position as JSON that people can read and edit. docs/positions.md describes the format."""
        from fujikoro_env.position import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, text: str, content: str | Path | None = None) -> "Game":
        """Read a position written by `to_json` or by hand. An invalid position raises
        `fujikoro_env.position.PositionError`. The game is not advanced, even if only one action is legal. `content`:
        the current path of the content pack, if it has moved."""
        from fujikoro_env.position import from_json

        return from_json(text, content)

    def __getstate__(self) -> bytes:
        return self.to_bytes()

    def __setstate__(self, saved: bytes) -> None:
        self.__dict__.update(Game.from_bytes(saved).__dict__)

    def __deepcopy__(self, _memo: dict[int, Any]) -> "Game":
        return self.clone()

    # observing and showing

    def observe(self, player: int, kind: str = "tensor") -> Any:
        """Observation of one player, who becomes seat 0 in it: a dictionary of arrays, or one vector if `kind` is
        "compact". docs/environment.md and docs/compact.md list all columns."""
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
    copy.view(np.uint8)[:] = games.view(np.uint8)  # bytes, because copying field by field is ten times slower
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
    raise ChanceError(f"{deck} has no {quoted(given)}: there are {', '.join(known)}")
