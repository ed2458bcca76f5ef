"""Plays a cell on a range of seeds: a pure function from both to tables with one row for each game and player.

Scripted agents play in compiled batches. Other agents are asked game by game, which is slower, and can't be restricted,
have characters assigned or luck drawn again.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from fujikoro_agents.scripted.ladder import Players, ScriptedGames
from fujikoro_agents.scripted.luck import luck_of_games
from fujikoro_env.content.model import ADVENTURE_POWERS, GEAR, MAX_CARDS_PER_TYPE, Pack
from fujikoro_env.envs.batch import blank_game
from fujikoro_env.envs.seats import play_out
from fujikoro_env.kernel.commands import WAIT
from fujikoro_env.kernel.records import zeros
from fujikoro_env.player import agents_seed
from fujikoro_env.rules.base.actions import ACTIONS, WORDS
from fujikoro_env.rules.base.counters import COUNTERS
from fujikoro_env.rules.base.names import Character, Fault, Outside, Reason, Stream, Where
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.base.tables import cards_of_type
from fujikoro_env.rules.characters.boards import PLAYABLE
from fujikoro_env.rules.engine.batches import deal_games
from fujikoro_env.rules.engine.engine import step_games
from fujikoro_training.balance.cells import EVERYTHING, Cell
from fujikoro_training.balance.restrictions import RESTRICTIONS, WORD_BITS, Restricted, asked, skills_lost
from fujikoro_training.balance.watching import Watcher
from fujikoro_training.benchmark.scripted import skills_of

OTHER_SEED: Final = 1 << 40  # added to a seed for luck that is drawn again
LINE_UP, CHARACTER_DEAL, SEAT = "line-up", "characters", "seat"
CHOICES: Final = "choices"  # luck of the agents themselves
STREAMS: Final = {stream.name.lower(): stream for stream in Stream}
FACTORS: Final = (LINE_UP, CHARACTER_DEAL, SEAT, *STREAMS, CHOICES)
# What a deal draws from a stream before the first decision, beside the stream's own state.
DEALT_BY: Final = {Stream.SCROLLS: ("scroll_deck", "scroll_display")}
COUNTER_COLUMNS: Final = tuple(f"{name}_{label}" for name, counter in COUNTERS.items() for label in counter.labels)


@dataclass(frozen=True)
class Rows:
    """Tables of some games: games, players, and if they were watched, actions and decisions."""

    games: Any
    players: Any
    actions: Any = None
    decisions: Any = None


@dataclass(frozen=True)
class Line:
    """Seeds and seats of the games of a cell, one entry for each game."""

    seeds: dict[str, NDArray[np.int64]]  # by factor
    block: NDArray[np.int64]  # seed of the block
    rotation: NDArray[np.int64]
    player_at: NDArray[np.int64]  # (games, players): number of the player in each seat
    agent_of: NDArray[np.int64]  # (games, players): place in `cell.agents` of each player
    character_of: NDArray[np.int64]  # (games, players): character of each player; 0 for the symmetric board


def play_cell(cell: Cell, seeds: range, keep_decisions: bool = False) -> Rows:
    """Play all games of a cell whose blocks have these seeds."""
    line = line_up(cell, seeds)
    if is_scripted(cell):
        return _played_in_batch(cell, line, keep_decisions)
    return _played_one_by_one(cell, line)


def is_scripted(cell: Cell) -> bool:
    """Whether all agents of a cell can play in compiled batches."""
    return all(skills_of(name) is not None for name in cell.agents)


def line_up(cell: Cell, seeds: range) -> Line:
    """Seeds, seats and characters of all games."""
    n = cell.players
    block = np.repeat(np.array(seeds, np.int64), cell.rotations)
    rotation = np.tile(np.arange(cell.rotations), len(seeds))
    by_factor = {
        factor: block + OTHER_SEED * (cell.reseeded in (factor, EVERYTHING)) if cell.reseeded else block
        for factor in FACTORS
    }
    shift = rotation
    agent_of = np.tile(np.arange(n), (len(block), 1))
    if cell.reseeded:  # a study of luck: line-up and seat are chance, too
        shift = np.array([_chance(seed, SEAT).integers(n) for seed in by_factor[SEAT]])
        agent_of = np.array([_chance(seed, LINE_UP).permutation(n) for seed in by_factor[LINE_UP]])
    player_at = (np.arange(n)[None, :] - shift[:, None]) % n
    characters = np.zeros((len(block), n), np.int64)
    if cell.characters:
        names = np.array(PLAYABLE)
        drawn = {
            seed: names[_chance(seed, CHARACTER_DEAL).permutation(len(names))[:n]]
            for seed in np.unique(by_factor[CHARACTER_DEAL])
        }
        characters = np.array([drawn[seed] for seed in by_factor[CHARACTER_DEAL]])
    return Line(by_factor, block, rotation, player_at, agent_of, characters)


def _chance(seed: int | np.int64, factor: str) -> np.random.Generator:
    return np.random.default_rng([int(seed), FACTORS.index(factor)])


# --- compiled batches -----------------------------------------------------------------------------------------------


class BalanceGames(ScriptedGames):
    """Scripted games with characters, luck and restrictions of their own."""

    def __init__(self, cell: Cell, line: Line, keep_decisions: bool) -> None:
        rules = cell.make_rules()
        every = np.arange(len(line.block))
        names = [skills_of(name) for name in cell.agents]
        skills = np.zeros((len(every), PLAYERS), np.int64)
        by_player = np.array(names, np.int64)[line.agent_of]
        by_player[:, 0] &= ~skills_lost(cell.restriction)
        skills[:, : cell.players] = np.take_along_axis(by_player, line.player_at, axis=1)
        super().__init__(rules, line.seeds["setup"], skills)
        self.games[:] = dealt(cell, line, self.tables)
        own = np.array([agents_seed(int(seed)) for seed in line.seeds[CHOICES]])
        self.players = Players(skills, luck_of_games(own))
        self.watcher = Watcher(self.games, cell.players, keep_decisions) if cell.watched or keep_decisions else None
        seat_of_first = np.argmax(line.player_at == 0, axis=1)
        self._restricted = Restricted(RESTRICTIONS[cell.restriction], seat_of_first) if cell.restriction else None
        self.by_seat = np.zeros((len(every), PLAYERS), np.int64)

    def play_some(self, first: int, last: int) -> None:
        """Play games first to last - 1 to their end. Forbidden actions are taken out of the masks before agents
        answer; an answer that is forbidden all the same is replaced by a random one."""
        playing = last - first
        while playing > 0:
            fault = step_games(self.games, self.tables, first, last, self.actions, self.masks)
            if fault != Fault.NONE:
                raise RuntimeError(f"internal error in the rules ({Fault(fault).name}): please report it")
            if self._restricted:
                self._restricted.limit(self.games, self.masks, first, last)
            playing = self.players.answer(self.compiled, first, last, self.actions)
            if self._restricted:
                self._replace_forbidden(first, last)
            self.decisions += playing
            self.on_answers(first, last)

    def _replace_forbidden(self, first: int, last: int) -> None:
        """Agents that look ahead try out plans under the usual rules, so they may want what is forbidden."""
        rows = first + np.flatnonzero(self.actions[first:last] != WAIT)
        actions = self.actions[rows]
        allowed = self.masks[rows, actions // WORD_BITS] >> (actions % WORD_BITS).astype(np.uint32) & 1
        for row in rows[allowed == 0]:
            legal = np.flatnonzero(unpacked(self.masks[row : row + 1])[0])
            luck = np.random.default_rng([int(self.players.luck[row * PLAYERS]), self.decisions])
            self.actions[row] = luck.choice(legal)

    def on_answers(self, first: int, last: int) -> None:
        rows = first + np.flatnonzero(self.actions[first:last] != WAIT)
        phases, actors = asked(self.games, rows)
        self.by_seat[rows, actors] += 1
        if self.watcher:
            self.watcher.see(rows, actors, phases, self.masks[rows], self.actions[rows])


def dealt(cell: Cell, line: Line, tables: Any) -> Any:
    """The games of a cell, dealt: every random stream from its own seed."""
    games = _deal(cell, line, tables, line.seeds["setup"])
    for name, stream in STREAMS.items():
        if (line.seeds[name] != line.seeds["setup"]).any():
            others = _deal(cell, line, tables, line.seeds[name])
            games["streams"][:, stream] = others["streams"][:, stream]
            for drawn in DEALT_BY.get(stream, ()):
                games[drawn] = others[drawn]
    return games


def _deal(cell: Cell, line: Line, tables: Any, seeds: NDArray[np.int64]) -> Any:
    n = len(seeds)
    games: Any = zeros(State, n)
    games.view(np.uint8).reshape(n, -1)[:] = blank_game(cell.make_rules())
    characters = np.take_along_axis(line.character_of, line.player_at, axis=1)
    games["settings"]["characters"][:, : cell.players] = characters
    every: Any = np.arange(n)
    deal_games(games, tables, every, np.ascontiguousarray(seeds, np.int64))  # type: ignore[arg-type]
    return games


def unpacked(masks: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Masks of words of 32 bits as bools, (n, actions)."""
    assert masks.shape[1] == WORDS
    raw = np.ascontiguousarray(masks).view(np.uint8)
    return np.unpackbits(raw, axis=1, count=ACTIONS, bitorder="little").astype(np.bool_)


def _played_in_batch(cell: Cell, line: Line, keep_decisions: bool) -> Rows:
    games = BalanceGames(cell, line, keep_decisions)
    found = games.play()
    n = cell.players
    rows = _tables(cell, line, found.games, found.ranks[:, :n], found.scores[:, :n], games.by_seat[:, :n])
    watcher = games.watcher
    if watcher is None:
        return rows
    pace = watcher.pace(found.ranks[:, :n]) if cell.watched else {}
    table = rows.games
    for name, column in pace.items():
        table = table.append_column(name, pa.array(column))
    actions = watcher.usage(cell) if cell.watched else None
    return Rows(table, rows.players, actions, watcher.decisions(cell, line.block, line.rotation))


# --- other agents ---------------------------------------------------------------------------------------------------


def _played_one_by_one(cell: Cell, line: Line) -> Rows:
    kinds = list(dict.fromkeys(cell.agents))
    of_player = np.array([kinds.index(name) for name in cell.agents])
    games = play_out(cell.make_rules(), line.block, kinds, of_player[line.player_at])
    n = cell.players
    unknown = np.zeros((len(line.block), n), np.int64)
    return _tables(cell, line, games.ended, games.ranks[:, :n], games.scores[:, :n], unknown)


# --- tables ---------------------------------------------------------------------------------------------------------


def _tables(cell: Cell, line: Line, ended: Any, ranks: Any, scores: Any, decisions: Any) -> Rows:
    n, number = cell.players, len(line.block)
    first = ranks == 1
    wins = first / first.sum(axis=1, keepdims=True)
    order = (np.arange(n)[None, :] - ended["first_player"].astype(np.int64)[:, None]) % n
    games = {
        "cell": [cell.label] * number,
        "agent": [cell.agent] * number,
        "players": np.full(number, n, np.int8),
        "block": line.block,
        "rotation": line.rotation.astype(np.int8),
        "rounds": ended["round_number"].astype(np.int16),
        "reason": [Reason(int(reason)).name.lower() for reason in ended["reason"]],
        "decisions": decisions.sum(axis=1).astype(np.int32),
        "winner_vp": scores.max(axis=1).astype(np.int16),
        "mean_vp": scores.mean(axis=1).astype(np.float32),
        "margin": (np.sort(scores, axis=1)[:, -1] - np.sort(scores, axis=1)[:, -2]).astype(np.int16)
        if n > 1
        else np.zeros(number, np.int16),
    }
    seat = np.tile(np.arange(n), number)
    agents = np.array(cell.agents)[np.take_along_axis(line.agent_of, line.player_at, axis=1)]
    by_player = ended["players"][:, :n]
    players = {
        "cell": [cell.label] * (number * n),
        "agents": [cell.agent] * (number * n),
        "players": np.full(number * n, n, np.int8),
        "block": np.repeat(line.block, n),
        "rotation": np.repeat(line.rotation, n).astype(np.int8),
        "seat": seat.astype(np.int8),
        "order": order.reshape(-1).astype(np.int8),
        "player": line.player_at.reshape(-1).astype(np.int8),
        "agent": agents.reshape(-1),
        "character": [Character(int(one)).name.lower() for one in by_player["character"].reshape(-1)],
        "rank": ranks.reshape(-1).astype(np.int8),
        "win": wins.reshape(-1).astype(np.float32),
        "vp": scores.reshape(-1).astype(np.int16),
        "left": [Outside(int(one)).name.lower() for one in by_player["outside"].reshape(-1)],
        "left_round": by_player["left_round"].reshape(-1),
        "decisions": decisions.reshape(-1).astype(np.int32),
        "held": _held(cell.pack, ended, n),
        **_counters(ended["counts"][:, :n]),
    }
    return Rows(_arrow(games), _arrow(players))


def _counters(counts: Any) -> dict[str, Any]:
    return {
        f"{name}_{label}": counts[name][..., place].reshape(-1)
        for name, counter in COUNTERS.items()
        for place, label in enumerate(counter.labels)
    }


def _held(pack: Pack, ended: Any, players: int) -> list[list[str]]:
    """Components that each player has at the end: its gear cards, blueprints, scrolls and adventure tokens."""
    held: list[list[str]] = [[] for _ in range(len(ended) * players)]
    for kind, field, cards in (
        ("gear card", "gear_cards", pack.gear_cards),
        ("blueprint", "blueprints", pack.blueprints),
    ):
        names = [cards_of_type(cards, gear) for gear in range(len(GEAR))]
        owner = ended[field]["where"].astype(np.int64) - Where.OWNED
        for game, slot in zip(*np.nonzero((owner >= 0) & (owner < players)), strict=True):
            card = int(ended[field]["card"][game, slot]) - 1
            found = names[card // MAX_CARDS_PER_TYPE][card % MAX_CARDS_PER_TYPE]
            held[game * players + owner[game, slot]].append(f"{kind} {found.id}")
    scrolls, tokens = ended["players"]["scrolls"][:, :players], ended["players"]["adventures"][:, :players]
    for game, seat, slot in zip(*np.nonzero(scrolls), strict=True):
        held[game * players + seat].append(f"scroll {pack.scrolls[scrolls[game, seat, slot] - 1].id}")
    for game, seat, kind_number in zip(*np.nonzero(tokens), strict=True):
        held[game * players + seat].append(f"adventure {ADVENTURE_POWERS[kind_number]}")
    return held


def _arrow(columns: dict[str, Any]) -> Any:
    made = {
        name: pa.array(column, pa.list_(pa.string())) if name == "held" else pa.array(column)
        for name, column in columns.items()
    }
    return pa.table(made)
