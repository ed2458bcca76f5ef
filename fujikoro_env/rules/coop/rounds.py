"""COOP-2, COOP-8: the start of a round in co-op. The countdown goes on, dragons wake, and those that are awake move.
SCEN-21: in a competitive scenario they move when a round has ended.

DRAGON_ORDER asks which dragon moves next, DRAGON_WAY where it goes.
"""

from fujikoro_env.content.model import MAX_DRAGONS
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, has
from fujikoro_env.rules.base.actions import PLACE
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import Marker, Mode, Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.coop.coop import first_inside
from fujikoro_env.rules.coop.dragon_moves import anybody_visible, next_places
from fujikoro_env.rules.final.final import erupt_if_called
from fujikoro_env.rules.final.score import end_game, has_vp
from fujikoro_env.rules.map.board import is_inside
from fujikoro_env.rules.map.geometry import PLACES

COUNTING, WAKING, MOVING = range(3)


@rule
def end_coop_round(s: State, t: Tables) -> None:
    """COOP-2: lost when the last final round ends. END-2: or with the round cap, a ronin's only clock (SCEN-81)."""
    last = s.settings.max_rounds if has_vp(s) else s.settings.full_rounds + t.countdown_length[Mode.COOP]
    if s.round_number >= min(last, s.settings.max_rounds):
        end_game(s, Reason.LOST)
    else:
        s.round_number += 1
        push(s, Phase.ROUND, 0)


@rule
def send_dragons(s: State) -> None:
    """SCEN-21: all of them but those that sleep, by option."""
    push(s, Phase.ROUND, 0).stage = WAKING


@rule
def go_round(s: State, t: Tables) -> None:
    """COOP-8."""
    frame = top(s)
    if frame.stage == COUNTING:
        frame.stage = WAKING
        count_round(s, t)
    elif frame.stage == WAKING:
        frame.stage = MOVING
        frame.chosen = wake_dragons(s)
    elif frame.chosen == 0 or not anybody_visible(s):
        pop(s)
    else:
        push(s, Phase.DRAGON_ORDER, first_inside(s))


@rule
def count_round(s: State, t: Tables) -> None:
    """COOP-2, COOP-20: after the full rounds each round enters a space of the final chapter. SCEN-33: and once before
    that, as a lava phase; then the countdown goes back."""
    full, lava = s.settings.full_rounds, s.settings.lava_after
    lava_ends = lava + t.countdown_length[Mode.COOP]
    if has_vp(s):
        return
    if s.round_number > full or (lava != 0 and lava < s.round_number <= lava_ends):
        s.countdown += 1
        erupt_if_called(s, t.countdown[Mode.COOP, s.countdown - 1])
    else:
        s.countdown = 0


@rule
def wake_dragons(s: State) -> int:
    """COOP-8: awake markers are removed, sleeping ones turn awake; gives the dragons without a marker."""
    movers = 0
    for dragon in range(MAX_DRAGONS):
        if s.dragons[dragon].place != 0:
            s.dragons[dragon].marker = max(0, s.dragons[dragon].marker - 1)
            if s.dragons[dragon].marker == Marker.NONE:
                movers |= bit(dragon)
    return movers


@rule
def legal_dragon_order(s: State, mask: Words) -> None:
    """COOP-11: dragons go by the place where they are. The frame of the round lies under the question."""
    movers = s.stack[s.depth - 2].chosen
    for place in range(PLACES + 1):
        if s.dragon_at[place] != 0 and has(movers, s.dragon_at[place] - 1):
            allow(mask, PLACE + place)


@rule
def do_dragon_order(s: State, t: Tables, action: int) -> None:
    dragon = s.dragon_at[action - PLACE]
    pop(s)
    top(s).chosen &= ~bit(dragon - 1)
    if next_places(s, t, action - PLACE) != 0:  # COOP-10: else it stays
        push(s, Phase.DRAGON_WAY, first_inside(s)).thing = dragon


@rule
def legal_dragon_way(s: State, t: Tables, mask: Words) -> None:
    """COOP-11: among equal ways the players choose."""
    places = next_places(s, t, s.dragons[top(s).thing - 1].place - 1)
    for place in range(PLACES + 1):
        if has(places, place):
            allow(mask, PLACE + place)


@rule
def do_dragon_way(s: State, t: Tables, action: int) -> None:
    """COOP-12: a dragon that enters a tile with samurai fights them all."""
    dragon, place = top(s).thing, action - PLACE
    pop(s)
    s.dragon_at[s.dragons[dragon - 1].place - 1] = 0
    s.dragons[dragon - 1].place = place + 1
    s.dragon_at[place] = dragon
    if anybody_on_tile(s, t, place):
        s.fight.came = 1
        push(s, Phase.DRAGON_FIGHT, s.active).thing = dragon


@rule
def anybody_on_tile(s: State, t: Tables, place: int) -> bool:
    for p in range(s.settings.players):
        if is_inside(s, p) and t.place_of[s.players[p].at] == place:
            return True
    return False
