"""SCEN-41, SCEN-42: fights against monks. They follow the rules of a dragon fight except for what is defined here."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.counters import MonkFightCount, VpSource
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import Cube, Gear
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import DRAGONS_TURN, MOST_FIGHT_ROUNDS, Frame, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.fights.attack import (
    battle_initiative,
    begin_attack,
    clear_table,
    enter_fight,
    roll_dice,
)
from fujikoro_env.rules.fights.damage import absorb
from fujikoro_env.rules.fights.dragon_fight import end_fight, knock_out, retreat, walk_back
from fujikoro_env.rules.final.score import lose_points
from fujikoro_env.rules.gather import offer_cubes
from fujikoro_env.rules.monk import FROM_MAP, ask_monk_spot, can_take_monk
from fujikoro_env.rules.powers.reactions import ask_for_gunbai, ask_for_smoke

BEGIN, ROUNDS, PRIZE, END = range(4)
ROLLING, WOOD, HITS = range(3)
HEALTH = 4
DICE = 4
INITIATIVE = 4  # by option; otherwise a monk comes before all samurai
PENALTY = 5


@rule
def go_monk_fight(s: State, t: Tables) -> None:
    """Take the next step of the fight, according to its stage."""
    frame = top(s)
    if frame.stage == BEGIN:
        begin_monk_fight(s, t, frame)
    elif frame.stage == ROUNDS:
        next_turn_with_monk(s, t, frame)
    elif frame.stage == PRIZE:
        frame.stage = END
        win_monk(s, frame)
    else:
        end_fight(s, t)


@rule
def begin_monk_fight(s: State, t: Tables, frame: Frame) -> None:
    """Begin the fight: nobody joins, and no monks are sent (SCEN-41)."""
    p = frame.actor
    if s.monk[frame.thing - 1] == 0:  # the other samurai on this space has already won it, after a dragon fight
        pop(s)
        return
    s.counts[p].monk_fights[MonkFightCount.FOUGHT] += 1
    s.fight.monk = frame.thing
    s.fight.health = HEALTH
    s.fight.active = p
    enter_fight(s, p, frame.at)
    s.fight.fighters[p].initiative = battle_initiative(s, t, p)
    first = monk_is_first(s, s.fight.fighters[p].initiative)
    s.fight.order[0] = DRAGONS_TURN if first else p + 1
    s.fight.order[1] = p + 1 if first else DRAGONS_TURN
    frame.stage = ROUNDS


@rule
def monk_is_first(s: State, initiative: int) -> bool:
    """Whether the monk comes first (SCEN-41). Among ties it is the defender, that is, the one who was attacked
    (INIT-3)."""
    if s.settings.monk_initiative == 0 or initiative < INITIATIVE:
        return True
    return initiative == INITIATIVE and s.fight.came == 0


@rule
def next_turn_with_monk(s: State, t: Tables, frame: Frame) -> None:
    """Begin the next turn, or end the round or the fight."""
    p = frame.actor
    if s.fight.health <= 0:
        frame.stage = PRIZE
    elif s.fight.fighters[p].inside == 0:
        frame.stage = END
    elif s.fight.turn == 2:
        end_round_with_monk(s, t, frame)
    else:
        s.fight.turn += 1
        if s.fight.order[s.fight.turn - 1] == DRAGONS_TURN:
            push(s, Phase.MONK_ATTACK, p)
        else:
            begin_attack(s, p)


@rule
def end_round_with_monk(s: State, t: Tables, frame: Frame) -> None:
    """End a round; after 30 rounds the samurai retreats, as in DRAG-7."""
    s.fight.turn = 0
    s.fight.rounds += 1
    if s.fight.rounds == MOST_FIGHT_ROUNDS:
        frame.stage = END
        retreat(s, t, frame.actor)


@rule
def win_monk(s: State, frame: Frame) -> None:
    """Ask where the monk goes; it stays on the map if the player has no room for it (SCEN-42)."""
    s.counts[frame.actor].monk_fights[MonkFightCount.WON] += 1
    if can_take_monk(s, frame.actor):
        ask_monk_spot(s, frame.actor, FROM_MAP, frame.thing - 1)


@rule
def go_monk_attack(s: State, t: Tables) -> None:
    """Roll 4 wood dice for the monk, offer a wood for each breaking die as in ATK-5, then deal the hits."""
    frame = top(s)
    p, stage = frame.actor, frame.stage
    frame.stage += 1
    if stage == ROLLING:
        clear_table(s)
        roll_dice(s, t, Cube.WOOD, DICE)
        ask_for_gunbai(s, 0)
    elif stage == WOOD:
        offer_cubes(s, p, Cube.WOOD, s.fight.breaks[Cube.WOOD])
    elif stage == HITS:
        if not absorb(s, p, Gear.HELMET, s.fight.hits):
            lose_to_monk(s, t, p)
    else:
        clear_table(s)
        pop(s)
        ask_for_smoke(s)


@rule
def lose_to_monk(s: State, t: Tables, p: int) -> None:
    """Knock the samurai out at the cost of VP (SCEN-42). It goes back if it came to the monk (DRAG-4), and stays if the
    monk came to it."""
    lose_points(s, p, PENALTY, VpSource.MONK_DEFEATS)
    if s.fight.came == 0:
        walk_back(s, t, p)
    s.fight.fighters[p].inside = 0
    knock_out(s, p)
