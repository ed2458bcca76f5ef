"""DRAGON FIGHT: joining, heroic monks, rounds by initiative, and spoils.

DRAGON_FIGHT and DRAGON_ATTACK go through the players in order.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit
from fujikoro_env.rules.base.actions import NO, RETREAT, STEP
from fujikoro_env.rules.base.counters import VpSource
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import Character, Cube, Gear, Marker, Outside, Reason, ScrollPower, Supply
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import DRAGONS_TURN, MOST_FIGHT_ROUNDS, PLAYERS, Frame, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.sneak import walk
from fujikoro_env.rules.coop.coop import end_at_once, fall, is_coop, lose_game, send_to_start
from fujikoro_env.rules.coop.sharing import share_out
from fujikoro_env.rules.fights.attack import (
    battle_initiative,
    begin_attack,
    clear_fight,
    clear_table,
    count_knock_out,
    enter_fight,
    in_order,
    roll_dice,
)
from fujikoro_env.rules.fights.damage import absorb
from fujikoro_env.rules.fights.dragons import dragon_health
from fujikoro_env.rules.fights.hero import has_monk
from fujikoro_env.rules.final.score import award
from fujikoro_env.rules.gather import offer_cubes
from fujikoro_env.rules.map.board import dragon_on_tile_of, is_full, is_inside, is_lava, may_be_laid_on, touches
from fujikoro_env.rules.map.geometry import SPACES, START
from fujikoro_env.rules.move import forget_path, is_monk_fought_on
from fujikoro_env.rules.powers.holdings import has_scroll
from fujikoro_env.rules.powers.reactions import ask_for_gunbai, ask_for_smoke
from fujikoro_env.rules.scenarios.tame import is_legendary, is_tame, must_not_die
from fujikoro_env.rules.scenarios.terms import Term, holds
from fujikoro_env.rules.turn.stages import TURN_END

BEGIN, JOINING, SENDING, ORDERING, ROUNDS, SPOILS, END = range(7)
ROLLING, TEETH, HITS = range(3)
JOINING_STEPS = 4  # CHAR-74
UNCONSCIOUS = 1
FIRST_OF_TIES = 50  # greater than the tie-break value of any player


@rule
def go_dragon_fight(s: State, t: Tables) -> None:
    """Take the next step of the fight, according to its stage."""
    frame = top(s)
    if frame.stage == BEGIN:
        begin_dragon_fight(s, t, frame)
    elif frame.stage == JOINING:
        ask_next_to_join(s, t, frame)
    elif frame.stage == SENDING:
        ask_next_to_send(s, t, frame)
    elif frame.stage == ORDERING:
        set_order(s, t)
        frame.stage = ROUNDS
    elif frame.stage == ROUNDS:
        next_turn(s, t, frame)
    elif frame.stage == SPOILS:
        offer_next_tooth(s, frame)
    else:
        end_fight(s, t)


@rule
def begin_dragon_fight(s: State, t: Tables, frame: Frame) -> None:
    """Begin the fight with the active samurai, or with the defenders if the dragon came to them."""
    s.fight.dragon = frame.thing
    s.fight.health = dragon_health(s, t, frame.thing - 1)
    s.fight.active = frame.actor
    if s.fight.came != 0:
        enter_defenders(s, t)
        come_to(frame, JOINING, 0)
    else:
        enter_fight(s, frame.actor, s.path[s.path_length - 2])
        s.counts[frame.actor].fights_begun[t.dragon_colour[frame.thing - 1]] += 1
        come_to(frame, JOINING, 1)


@rule
def enter_defenders(s: State, t: Tables) -> None:
    """Enter all samurai on the tile into the fight with a dragon that came to them (COOP-12). Their own spaces count as
    those they "came from", which tells defenders apart from samurai who join."""
    for p in range(s.settings.players):
        if is_inside(s, p) and dragon_on_tile_of(s, t, s.players[p].at) == s.fight.dragon:
            enter_fight(s, p, s.players[p].at)
            s.counts[p].fights_defended[t.dragon_colour[s.fight.dragon - 1]] += 1


@rule
def is_defender(s: State, t: Tables, p: int) -> bool:
    """Whether the dragon or monk came to this samurai."""
    if s.fight.came == 0:
        return False
    return s.fight.monk != 0 or dragon_on_tile_of(s, t, s.fight.fighters[p].came_from) == s.fight.dragon


@rule
def come_to(frame: Frame, stage: int, left: int) -> None:
    """Move the frame to a stage."""
    frame.stage = stage
    frame.left = left


@rule
def may_join_on(s: State, t: Tables, p: int, space: int) -> bool:
    """Whether a samurai may join on a space: a free space of the dragon's tile without lava (DRAG-3)."""
    on_tile = t.place_of[space] >= 0 and s.dragon_at[t.place_of[space]] == s.fight.dragon
    return on_tile and not is_lava(s, space) and not is_full(s, p, space)


@rule
def may_join(s: State, t: Tables, p: int) -> bool:
    """Whether a samurai may join: conscious, beside the tile and able to step onto it (DRAG-2, DRAG-3). Under SCEN-14
    nobody may."""
    me = s.players[p]
    if holds(s, Term.FIGHTS_ALONE):
        return False
    if me.unconscious != 0 or me.outside != Outside.INSIDE or s.fight.fighters[p].inside != 0:
        return False
    if me.character == Character.DAISUKE:
        return may_join_from_afar(s, t, p)
    for k in range(t.neighbour_count[me.at]):
        if may_join_on(s, t, p, t.neighbours[me.at, k]):
            return True
    return False


@rule
def may_join_from_afar(s: State, t: Tables, p: int) -> bool:
    """Whether Daisuke can join by moving up to 4 spaces, not over lava (CHAR-74)."""
    reached = walk(s, t, p, s.players[p].at, JOINING_STEPS)
    for space in range(SPACES):
        if reached[space] != 0 and may_join_on(s, t, p, space):
            return True
    return False


@rule
def ask_next_to_join(s: State, t: Tables, frame: Frame) -> None:
    """Ask the next player whether to join, in player order from the active player's left (DRAG-2)."""
    if frame.left == s.settings.players:
        come_to(frame, SENDING, 0)
        return
    p = in_order(s, frame.left)
    frame.left += 1
    if may_join(s, t, p):
        push(s, Phase.JOIN, p)


@rule
def legal_join(s: State, t: Tables, mask: Words) -> None:
    """Allow each space to join on, and no."""
    p = top(s).actor
    here = s.players[p].at
    allow(mask, NO)
    if s.players[p].character == Character.DAISUKE:
        allow_joining_from_afar(s, t, p, mask)
        return
    for k in range(t.neighbour_count[here]):
        if may_join_on(s, t, p, t.neighbours[here, k]):
            allow(mask, STEP + t.neighbours[here, k])


@rule
def allow_joining_from_afar(s: State, t: Tables, p: int, mask: Words) -> None:
    """Allow each space that Daisuke can reach to join on."""
    reached = walk(s, t, p, s.players[p].at, JOINING_STEPS)
    for space in range(SPACES):
        if reached[space] != 0 and may_join_on(s, t, p, space):
            allow(mask, STEP + space)


@rule
def do_join(s: State, t: Tables, action: int) -> None:
    """Move the samurai into the fight, if it joins."""
    p = top(s).actor
    pop(s)
    if action != NO:
        enter_fight(s, p, s.players[p].at)
        s.players[p].at = action - STEP
        s.counts[p].fights_joined[t.dragon_colour[s.fight.dragon - 1]] += 1


@rule
def ask_next_to_send(s: State, t: Tables, frame: Frame) -> None:
    """Ask the next fighter whether to send a monk against a dragon that is not legendary, in player order from the
    active player (HERO-1)."""
    legendary = is_legendary(t, s.fight.dragon - 1)
    if s.fight.health <= 0:
        win(s, t, frame)
    elif legendary or frame.left == s.settings.players:
        come_to(frame, ORDERING, 0)
    else:
        p = in_order(s, frame.left)
        frame.left += 1
        if s.fight.fighters[p].inside != 0 and has_monk(s.players[p]):
            push(s, Phase.SEND_MONK, p)


@rule
def place_in_order(s: State, t: Tables, who: int) -> int:
    """Return a number that is higher the earlier a fighter comes (INIT-2, INIT-3): those who sent a monk, then by
    initiative. Among ties the defender is first, then player order from the active player."""
    if who == DRAGONS_TURN:
        tie = FIRST_OF_TIES if s.fight.came == 0 else 0
        return 100 * t.dragon_initiative[s.fight.dragon - 1] + tie
    fighter = s.fight.fighters[who - 1]
    tie = PLAYERS - (who - 1 - s.fight.active + s.settings.players) % s.settings.players
    return 10000 * fighter.monk + 100 * fighter.initiative + tie


@rule
def set_order(s: State, t: Tables) -> None:
    """Fix the order of the fighters for the whole fight (INIT-2), from the highest `place_in_order` to the lowest."""
    for p in range(s.settings.players):
        s.fight.fighters[p].initiative = battle_initiative(s, t, p)
    before = 100000
    for k in range(PLAYERS + 1):
        best, who = -1, 0
        for candidate in range(1, DRAGONS_TURN + 1):
            fights = candidate == DRAGONS_TURN or s.fight.fighters[candidate - 1].inside != 0
            place = place_in_order(s, t, candidate) if fights else -1
            if best < place < before:
                best, who = place, candidate
        s.fight.order[k] = who
        before = best


@rule
def samurai_left(s: State) -> int:
    """Return how many samurai are still in the fight."""
    count = 0
    for p in range(s.settings.players):
        count += s.fight.fighters[p].inside
    return count


@rule
def next_turn(s: State, t: Tables, frame: Frame) -> None:
    """Begin the next fighter's turn, or end the round or the fight."""
    if is_tame(s, t):
        end_at_once(s, Reason.WON)
    elif s.fight.health <= 0:
        win(s, t, frame)
    elif samurai_left(s) == 0:
        frame.stage = END
    elif s.fight.turn > PLAYERS or s.fight.order[s.fight.turn] == 0:
        end_round(s, t, frame)
    else:
        who = s.fight.order[s.fight.turn]
        s.fight.turn += 1
        if who == DRAGONS_TURN:
            push(s, Phase.DRAGON_ATTACK, 0)
        elif s.fight.fighters[who - 1].inside != 0:
            begin_attack(s, who - 1)


@rule
def end_round(s: State, t: Tables, frame: Frame) -> None:
    """End a round; after 30 rounds all fighters retreat (DRAG-7)."""
    s.fight.turn = 0
    s.fight.rounds += 1
    if s.fight.rounds == MOST_FIGHT_ROUNDS:
        frame.stage = END
        for k in range(s.settings.players - 1, -1, -1):  # the last question pushed is asked first
            p = in_order(s, k)
            if s.fight.fighters[p].inside != 0:
                retreat(s, t, p)


@rule
def legal_retreat(mask: Words) -> None:
    """Allow retreating and staying."""
    allow(mask, RETREAT)
    allow(mask, NO)


@rule
def way_back(s: State, t: Tables, p: int) -> int:
    """Return the space that the samurai came from; if MAP-11 forbids it, the last allowed space of its path, else the
    start tile (DRAG-4)."""
    came_from = s.fight.fighters[p].came_from
    if may_be_laid_on(s, t, p, came_from):
        return came_from
    if p == s.fight.active:
        for k in range(s.path_length - 3, -1, -1):
            if may_be_laid_on(s, t, p, s.path[k]):
                return s.path[k]
    return START


@rule
def walk_back(s: State, t: Tables, p: int) -> None:
    """Move a samurai out of the fight and back (DRAG-5)."""
    back = way_back(s, t, p)
    s.fight.fighters[p].inside = 0
    if back == START:
        send_to_start(s, p)
    else:
        s.players[p].at = back


@rule
def may_retreat_to(s: State, t: Tables, p: int, space: int) -> bool:
    """Whether a defender may retreat to a space: a free one beside the dragon's tile (COOP-12) or the monk's space
    (SCEN-43)."""
    if not may_be_laid_on(s, t, p, space):
        return False
    if s.fight.monk != 0:
        return are_adjacent(t, s.fight.monk - 1, space)
    return touches(t, space, s.dragons[s.fight.dragon - 1].place - 1)


@rule
def are_adjacent(t: Tables, space: int, other: int) -> bool:
    """Whether two spaces are adjacent."""
    for k in range(t.neighbour_count[space]):
        if t.neighbours[space, k] == other:
            return True
    return False


@rule
def can_leave(s: State, t: Tables, p: int) -> bool:
    """Whether a samurai can retreat; a defender needs a free space beside the tile (COOP-12)."""
    if not is_defender(s, t, p):
        return True
    for space in range(SPACES):
        if may_retreat_to(s, t, p, space):
            return True
    return False


@rule
def retreat(s: State, t: Tables, p: int) -> None:
    """Move a samurai back to where it came from (DRAG-5); a defender chooses a space instead (COOP-12)."""
    if is_defender(s, t, p):
        push(s, Phase.RETREAT_TO, p)
    else:
        walk_back(s, t, p)


@rule
def legal_retreat_to(s: State, t: Tables, mask: Words) -> None:
    """Allow each space to retreat to; if there is none and all must retreat, the start tile (DRAG-7)."""
    p = top(s).actor
    if not can_leave(s, t, p):
        allow(mask, STEP + START)
        return
    for space in range(SPACES):
        if may_retreat_to(s, t, p, space):
            allow(mask, STEP + space)


@rule
def do_retreat_to(s: State, action: int) -> None:
    """Retreat to the chosen space."""
    p = top(s).actor
    pop(s)
    s.fight.fighters[p].inside = 0
    if action == STEP + START:
        send_to_start(s, p)
    else:
        s.players[p].at = action - STEP


@rule
def knock_out(s: State, p: int) -> None:
    """Knock a samurai out. If it is active, its turn ends after the fight (TURN-6), unless the dragon came to it: that
    happens in nobody's turn."""
    s.players[p].unconscious = 1
    count_knock_out(s, p)
    if p == s.active and s.fight.came == 0:
        s.turn_over = 1


@rule
def carry_to_temple(s: State, p: int) -> None:
    """Ask for the temple where a samurai lies until its next turn (SCEN-22)."""
    push(s, Phase.REBIRTH, p).stage = UNCONSCIOUS


@rule
def go_dragon_attack(s: State, t: Tables) -> None:
    """Roll for the dragon, then go through the fighters for teeth and for hits."""
    frame = top(s)
    if frame.stage == ROLLING:
        clear_table(s)
        roll_dice(s, t, Cube.TOOTH, t.colour_dice[t.dragon_colour[s.fight.dragon - 1]])
        come_to(frame, HITS if is_coop(s) else TEETH, 0)
        ask_for_gunbai(s, 0)
    elif frame.left == s.settings.players:
        if frame.stage == HITS:
            end_dragon_attack(s)
        else:
            come_to(frame, HITS, 0)
    else:
        p = in_order(s, frame.left)
        frame.left += 1
        if s.fight.fighters[p].inside != 0:
            meet_dragon(s, t, p, frame.stage)


@rule
def end_dragon_attack(s: State) -> None:
    """End the dragon's attack; in co-op one tooth per breaking die is shared out after the hits (COOP-16)."""
    teeth = s.fight.breaks[Cube.TOOTH] + 0
    clear_table(s)
    pop(s)
    ask_for_smoke(s)
    if is_coop(s):
        share_out(s, teeth)


@rule
def meet_dragon(s: State, t: Tables, p: int, stage: int) -> None:
    """Offer a fighter a tooth per breaking die (ATK-5), or deal it the hits, which hit every samurai in the fight
    (ATK-4)."""
    if stage == TEETH:
        offer_cubes(s, p, Cube.TOOTH, s.fight.breaks[Cube.TOOTH])
    elif not absorb(s, p, Gear.HELMET, hits_on(s, t, p)):
        if is_coop(s):
            fall(s, p)
        elif holds(s, Term.BACK_IN_TEMPLES):
            knock_out(s, p)
            carry_to_temple(s, p)
        else:
            walk_back(s, t, p)
            knock_out(s, p)


@rule
def hits_on(s: State, t: Tables, p: int) -> int:
    """Return the hits of the dragon's roll on a samurai, one less with falling_petal."""
    if has_scroll(s.players[p], t, ScrollPower.FALLING_PETAL):
        return max(0, s.fight.hits - 1)
    return s.fight.hits


@rule
def win(s: State, t: Tables, frame: Frame) -> None:
    """Remove the beaten dragon. Every samurai still in the fight gets its full VP and a tooth (DRAG-6); in co-op the
    dragon's teeth are shared out (COOP-16)."""
    dragon = s.fight.dragon - 1
    if must_not_die(s, t, dragon):
        lose_game(s)
        return
    for k in range(s.settings.players):  # FINAL-1: if several reach the mark at once, the first in player order counts
        p = in_order(s, k)
        if s.fight.fighters[p].inside != 0:
            s.counts[p].fights_won[t.dragon_colour[dragon]] += 1
            award(s, p, t.colour_vp[t.dragon_colour[dragon]], VpSource.DRAGONS)
    s.dragon_at[s.dragons[dragon].place - 1] = 0
    s.dragons[dragon].place = 0
    s.supply[Supply.DAMAGE] += s.dragons[dragon].damage
    s.dragons[dragon].damage = 0
    s.dragons[dragon].marker = Marker.NONE
    s.dragons_beaten |= bit(dragon)
    if holds(s, Term.TROPHIES):
        s.players[last_blow(s, frame)].trophies |= bit(dragon)
    if is_coop(s):
        frame.stage = END
        share_out(s, t.colour_teeth[t.dragon_colour[dragon]])
    elif holds(s, Term.SPOILS):  # SCEN-17: the other spoils lie on the dragon's space
        frame.stage = END
    else:
        come_to(frame, SPOILS, 0)


@rule
def last_blow(s: State, frame: Frame) -> int:
    """Return the player whose roll or monk beat the dragon (SCEN-23)."""
    if frame.stage == SENDING:
        return in_order(s, frame.left - 1)
    return s.fight.order[s.fight.turn - 1] - 1


@rule
def offer_next_tooth(s: State, frame: Frame) -> None:
    """Offer a tooth to the next samurai still in the fight."""
    if frame.left == s.settings.players:
        frame.stage = END
        return
    p = in_order(s, frame.left)
    frame.left += 1
    if s.fight.fighters[p].inside != 0:
        offer_cubes(s, p, Cube.TOOTH, 1)


@rule
def end_fight(s: State, t: Tables) -> None:
    """Continue where the fight began, or with the end of the turn (TURN-6), after restoring magic (MAGIC-5)."""
    pop(s)
    if s.turn_over != 0:
        s.turn_over = 0
        while s.depth > 1:
            pop(s)
        top(s).stage = TURN_END
    if holds(s, Term.MONKS_FIGHT) and s.fight.dragon != 0:
        line_up_for_monks(s, t)
    clear_fight(s)
    forget_path(s)
    push(s, Phase.MAGIC_REFRESH, s.active)


@rule
def line_up_for_monks(s: State, t: Tables) -> None:
    """Queue fights with monks for the samurai who fought the dragon and stand on a monk's space, in player order
    (SCEN-41). The active samurai is last, because its turn may end with the fight. They retreat as in the dragon
    fight."""
    for k in range(s.settings.players, 0, -1):  # the last frame pushed fights first; in_order wraps around
        p = in_order(s, k)
        space = s.players[p].at
        if s.fight.fighters[p].inside != 0 and is_monk_fought_on(s, space):
            frame = push(s, Phase.MONK_FIGHT, p)
            frame.thing = space + 1
            frame.at = way_back(s, t, p)
