"""Values of the positions that a lookahead reaches. Features take most of the time, so those of the other players are
computed once before the turn and kept for players whose own record the turn has not changed."""

from typing import Any, Final, NamedTuple

import numpy as np

from fujikoro_agents.stepping import WorkArrays
from fujikoro_agents.values.features import BLOCK, TABLE, new_blocks, write_block, write_order, write_table
from fujikoro_agents.values.network import INPUTS, LEAD, OUTPUTS, lead_at_end, run_network, write_inputs
from fujikoro_env.kernel.jit import Floats, FloatTable, IntArray, IntTable, rule
from fujikoro_env.kernel.records import dtype_of
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.state import Player, State

BYTES_OF_WORD: Final = 8
_FIELDS: Any = dtype_of(State).fields
FIRST_WORD: Final[int] = _FIELDS["players"][1] // BYTES_OF_WORD  # of the players' records
WORDS_OF_PLAYER: Final = dtype_of(Player).itemsize // BYTES_OF_WORD


class Learned(NamedTuple):
    """A value network and what it remembers during a turn."""

    network: Floats
    kept: FloatTable  # features of the other players before the turn
    known: IntTable  # memory of estimated fights


@rule
def keep_others(work: WorkArrays, base: int, p: int, learned: Learned) -> None:
    """Write the features of all players but `p` before its turn."""
    s = work.games[base]
    for q in range(s.settings.players):
        if q != p:
            write_block(s, work.tables[0], q, learned.kept[q], learned.known)


@rule
def lead_after_turn(work: WorkArrays, base: int, index: int, p: int, learned: Learned) -> float:
    """Expected lead in VP of player `p` in the game at `index`, after its turn; the game at `base` is the same before
    the turn."""
    s, t, before = work.games[index], work.tables[0], work.games[base]
    if s.reason != Reason.PLAYING:
        return lead_at_end(s, p)
    players, blocks = int(s.settings.players), new_blocks()
    may_keep = s.final_player == before.final_player and s.countdown == before.countdown
    for q in range(players):
        if q != p and may_keep and is_same_player(work.words[base], work.words[index], q):
            for k in range(BLOCK):
                blocks[q, k] = learned.kept[q][k]
            write_order(s, q, blocks[q])
        else:
            write_block(s, t, q, blocks[q], learned.known)
    x: Any = np.empty(INPUTS, np.float32)
    table: Any = np.empty(TABLE, np.float32)
    out: Any = np.empty(OUTPUTS, np.float32)
    write_table(s, table)
    write_inputs(blocks, 0, players, p, table, x)
    run_network(x, learned.network, out)
    return LEAD * float(out[0])


@rule
def is_same_player(one: IntArray, other: IntArray, q: int) -> bool:
    """Whether the record of player `q` is the same in two games, given as words."""
    first = FIRST_WORD + q * WORDS_OF_PLAYER
    for word in range(first, first + WORDS_OF_PLAYER):
        if one[word] != other[word]:
            return False
    return True
