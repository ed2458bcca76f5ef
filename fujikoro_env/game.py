"""`Game`: one game as a Python object.

>>> from fujikoro_env import Game, Rules
>>> game = Game(Rules(players=2), seed=7)
>>> while not game.over:
...     game.step(game.legal_actions()[0])
>>> game.outcome.reason
'round_cap'
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.content.model import CUBES
from fujikoro_env.kernel.game import SEED_BITS as SEED_BITS
from fujikoro_env.kernel.game import ChanceError as ChanceError
from fujikoro_env.kernel.game import IllegalActionError as IllegalActionError
from fujikoro_env.kernel.game import Parts, TableGame
from fujikoro_env.kernel.text import quoted
from fujikoro_env.observation import global_state, observe
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.counters import CounterValues, counters_of
from fujikoro_env.rules.base.names import Deck, Outside, Reason
from fujikoro_env.rules.base.phases import QUESTIONS, Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.engine.engine import deal_game, step_games
from fujikoro_env.rules.engine.hidden import blank_hidden, deal_hidden
from fujikoro_env.rules.final.score import rank_of_game
from fujikoro_env.saved import FORMAT
from fujikoro_env.settings import Rules
from fujikoro_env.vocabulary import Vocabulary

DICE_LETTERS = "WMTG"  # wood, metal, tooth, and the green die of magic


def _blank(games: Any, _tables: Any, index: int, player: int) -> None:
    blank_hidden(games, index, player)


def _redeal(games: Any, _tables: Any, index: int, player: int, seed: int) -> None:
    deal_hidden(games, index, player, seed)


PARTS: Final = Parts(
    State, act.TABLE, Phase, QUESTIONS, deal_game, step_games, _blank, _redeal, FORMAT, ("loaded_dice", "loaded_draws")
)


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


class Game(TableGame):
    """One game of Fuji Koro, always at a decision: player `actor` must answer the question `phase`.

    `rules` define the game that is played. `seed`, an integer from 0 to 2**62 - 1, fixes all chance: the same rules,
    seed and actions produce the same game on any machine. `str(game)` shows the table as text, and notebooks show it as
    a picture.
    """

    parts: ClassVar[Parts] = PARTS
    rules: Rules

    def __init__(self, rules: Rules | None = None, seed: int = 0) -> None:
        super().__init__(Rules() if rules is None else rules, seed)

    @classmethod
    def of_record(cls, games: Any, rules: Rules, viewer: int | None = None, mask: Any = None) -> "Game":
        """Wrap a record, given as an array of length 1. `viewer` is the player whose view the record is, if it is a
        view. `mask` holds the bits of its legal actions; without it, call `find_legal` before anything else."""
        game = cls._wrapped(games, rules, viewer)
        if mask is not None:
            game._masks[0] = mask
        return game

    @property
    def compiled(self) -> GameArrays:
        """The game as arrays of length 1, for compiled code. They share its memory."""
        return GameArrays(self._games, self._words, self._tables, self._masks)

    @property
    def vocabulary(self) -> Vocabulary:
        """Names of actions, cards, tiles and tokens in this game."""
        return Vocabulary(self.rules.pack, self.state)

    @property
    def phase(self) -> Phase:
        """The question that the actor must answer; `Phase.NONE` when the game is over. docs/actions.md lists all
        phases."""
        return Phase(0 if self.over else int(self._games["stack"]["phase"][0, self._depth[0] - 1]))

    def _name_of(self, action: int) -> str:
        return self.vocabulary.action_name(action)

    def parse_action(self, name: str) -> int:
        """Number of the action with this name, which need not be legal now."""
        return self.vocabulary.parse_action(name)

    # loaded dice and draws

    def load_dice(self, faces: Iterable[str]) -> None:
        """Set the results of the next dice, in rolling order: `W1` is a wood die with 1 hit, `M2*` a metal die with 2
        hits that breaks."""
        codes = [self._die_code(face) for face in faces]
        self._load(self.state.loaded_dice, codes, "dice")

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
        self._load(self.state.loaded_draws[names.index(deck)], codes, deck)

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

    def _position_fault(self) -> str:
        from fujikoro_env.position import judge_game

        return judge_game(self)

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


def _id_code(given: str | int, known: list[str], deck: str) -> int:
    if isinstance(given, str) and given in known:
        return known.index(given) + 1
    if not isinstance(given, str) and 0 <= given < len(known):
        return int(given) + 1
    raise ChanceError(f"{deck} has no {quoted(given)}: there are {', '.join(known)}")
