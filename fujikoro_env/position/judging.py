"""Judging a whole position: first which frames lie on which and whom they ask, then all else, chapter by chapter.

Judges are plain Python by the letter of the rules, apart from the compiled ones, so that each checks the other.
"""

from collections.abc import Callable
from typing import Final

from fujikoro_env.position import judging_coop, judging_fights, judging_players, judging_table
from fujikoro_env.position.errors import Faults
from fujikoro_env.position.fields import NOBODYS, SWAPPING
from fujikoro_env.position.judging_case import ERUPTING, FIGHTS, RULE_OF, After, Case
from fujikoro_env.position.judging_fights import judge_enemy, judge_fight, judge_path
from fujikoro_env.position.judging_players import judge_board, judge_counts, judge_gear, judge_pack
from fujikoro_env.position.judging_table import judge_samurai, judge_table, judge_terms, judge_terms_of_frames
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fujikoro_env.rules.base.state import Frame, State
from fujikoro_env.settings import Rules


def judge(s: State, rules: Rules, faults: Faults) -> None:
    case = Case(s, rules, faults)
    judge_order_of_frames(case)
    faults.stop()  # what follows trusts that the frames belong together
    judge_table(case)
    for p in range(case.n):
        judge_board(case, p)
        judge_pack(case, p)
        judge_gear(case, p)
        judge_samurai(case, p)
        judge_counts(case, p)
    for enemy in range(case.n, rules.seats):
        judge_enemy(case, enemy)
    judge_fight(case)
    judge_path(case)
    judge_terms(case)
    if not s.reason:
        judge_frames(case)
        judge_terms_of_frames(case)
    faults.stop()


# --- what is asked: each frame must fit the table -------------------------------------------------------------------

MAY_BE_UNCONSCIOUS: Final = (Phase.REBIRTH, Phase.MAGIC_WEAPON, Phase.DRAGON_ORDER, Phase.DRAGON_WAY)
MAY_BE_OUTSIDE: Final = (Phase.CLAIM, Phase.MAGIC_WEAPON)

JUDGES: Final[dict[Phase, Callable[[Case, int, Frame], None]]] = {
    **judging_coop.JUDGES,
    **judging_table.JUDGES,
    **judging_players.JUDGES,
    **judging_fights.JUDGES,
}


def judge_frames(case: Case) -> None:
    for k, phase in enumerate(case.phases):
        if phase in JUDGES:
            JUDGES[phase](case, k, case.frames[k])
    actor, phase, me = int(case.frames[-1].actor), case.phases[-1], case.actor(-1)
    case.want("asked", phase in MAY_BE_UNCONSCIOUS or not me.unconscious, f"player {actor} is unconscious", "TURN-5")
    case.want("asked", phase in MAY_BE_OUTSIDE or not me.outside, f"player {actor} has left the volcano", "SHOG-1")


# --- which frame may lie on which, and in what stages ---------------------------------------------------------------

ACTION_FRAMES: Final = (After.ACTION, Phase.HALVES)
CRAFTING: Final = (Phase.REST_END, Phase.REST, After.TOKEN, After.ACTION)

# What a frame may lie on.
LIES_ON: Final[dict[Phase, tuple[Phase | After, ...]]] = {
    **dict.fromkeys((Phase.SETUP, Phase.ACTION, Phase.CLAIM, Phase.ROUND, Phase.LEAVE, Phase.MONKS), (Phase.TURN,)),
    Phase.MAGIC_REFRESH: (Phase.TURN, Phase.ACTION, *ACTION_FRAMES, Phase.ROUND, Phase.MONKS, Phase.MONK_FIGHT),
    Phase.MAGIC_WEAPON: (After.ACTION, After.ERUPTION, After.TOKEN, After.FIGHT),
    Phase.LOOK: (Phase.TURN, Phase.HALVES),
    Phase.SETUP_CUBES: (Phase.SETUP, Phase.SETUP_CUBES),
    Phase.SETUP_SCROLL: (Phase.SETUP_CUBES,),
    Phase.TAKE_CARD: (Phase.SETUP,),
    Phase.MONK_SPOT: (
        *(Phase.SETUP, Phase.SETUP_CUBES, Phase.SETUP_SCROLL, Phase.MONK_SPOT),
        *(*ACTION_FRAMES, Phase.DUEL, Phase.MONK_FIGHT),
    ),
    Phase.HALVES: (After.ACTION,),
    Phase.REST_END: (After.ACTION,),
    Phase.ERUPTION: (After.ERUPTION,),
    **dict.fromkeys((Phase.MOVE, Phase.EXPLORE_PLACE, Phase.EXPLORE_MORE, Phase.FIND_SPACE, Phase.FIND), ACTION_FRAMES),
    **dict.fromkeys((Phase.BLUEPRINTS, Phase.SCROLL_CARD, Phase.DUEL), ACTION_FRAMES),
    **dict.fromkeys((Phase.DRAGON_ORDER, Phase.DRAGON_WAY), (Phase.ROUND,)),
    Phase.DRAGON_FIGHT: (*ACTION_FRAMES, Phase.ROUND),
    Phase.MONK_FIGHT: (*ACTION_FRAMES, Phase.TURN, Phase.MONKS, Phase.MONK_FIGHT),
    Phase.MONK_ATTACK: (Phase.MONK_FIGHT,),
    Phase.EXPLORE_TURN: (*ACTION_FRAMES, Phase.EXPLORE_MORE),
    Phase.TAKE: (
        *ACTION_FRAMES,
        Phase.ACTION,
        Phase.DRAGON_FIGHT,
        Phase.DRAGON_ATTACK,
        Phase.SHARING,
        Phase.MONK_ATTACK,
    ),
    Phase.SHARING: (Phase.DRAGON_FIGHT, Phase.SMOKE),
    Phase.SHARE_TOOTH: (Phase.SHARING,),
    Phase.RETREAT_TO: (Phase.ATTACK, Phase.SMOKE, Phase.DRAGON_FIGHT, Phase.RETREAT_TO, Phase.MONK_FIGHT),
    Phase.SCROLL_SLOT: (*ACTION_FRAMES, Phase.DUEL, Phase.MOVE),
    **dict.fromkeys((Phase.JUMP, Phase.THEFT), (Phase.MOVE,)),
    Phase.PAY: (
        *(*ACTION_FRAMES, Phase.DRAGON_FIGHT, Phase.DUEL, Phase.ERUPTION, Phase.MONK_FIGHT),
        *(Phase.DRAGON_ATTACK, Phase.ATTACK, Phase.SMOKE, Phase.MONK_ATTACK),
    ),
    Phase.CALL_DUEL: (Phase.MOVE,),
    Phase.REST: CRAFTING,
    **dict.fromkeys((Phase.CRAFT_WAY, Phase.CRAFT_LAY, Phase.WASTE), CRAFTING),
    **dict.fromkeys((Phase.CLAIM_CARD, Phase.CARD_BONUS), (Phase.REST_END,)),
    Phase.PLACE_CARD: (Phase.REST_END, Phase.SETUP, Phase.SETUP_CUBES, Phase.MONK_SPOT),
    **dict.fromkeys((Phase.DRAGON_TARGET, Phase.BANNER, Phase.RAIN, *SWAPPING), (Phase.ACTION,)),
    **dict.fromkeys((Phase.MOVE_OTHER, Phase.CONSENT), (Phase.BANNER,)),
    Phase.FLEE: (Phase.ERUPTION,),
    Phase.REBIRTH: (
        *(Phase.ERUPTION, Phase.DRAGON_ATTACK, Phase.DUEL),
        *(Phase.ATTACK, Phase.SMOKE, Phase.DRAGON_FIGHT, Phase.RETREAT_TO, Phase.REBIRTH),
    ),
    **dict.fromkeys((Phase.JOIN, Phase.SEND_MONK, Phase.MONK_THROW, Phase.SURPLUS), (Phase.DRAGON_FIGHT,)),
    Phase.DRAGON_ATTACK: (Phase.DRAGON_FIGHT,),
    Phase.ATTACK: FIGHTS,
    **dict.fromkeys((Phase.WEAPON, Phase.DICE, Phase.REROLL, Phase.AFTER_ROLL, Phase.RETREAT), (Phase.ATTACK,)),
    Phase.MEND: (Phase.AFTER_ROLL, Phase.DRAGON_FIGHT, Phase.JUMP),
    **dict.fromkeys((Phase.BREAK, Phase.REPAIR), (Phase.MEND,)),
    Phase.GRIP: (Phase.BREAK,),
    Phase.GUNBAI: (Phase.AFTER_ROLL, Phase.DRAGON_ATTACK, Phase.MONK_ATTACK),
    Phase.ASK_GUNBAI: (Phase.GUNBAI,),
    Phase.SMOKE: (Phase.DRAGON_FIGHT, Phase.ATTACK, Phase.MONK_FIGHT),
    Phase.ASK_SMOKE: (Phase.SMOKE,),
    **dict.fromkeys((Phase.LAY_LOSER, Phase.STEAL), (Phase.DUEL,)),
    Phase.LOSE_ITEM: (Phase.SURPLUS,),
}
# In which stages a frame can be while another lies on it.
STAGES: Final[dict[Phase, dict[Phase, tuple[int, ...]]]] = {
    Phase.TURN: {
        Phase.SETUP: (0,),
        Phase.LOOK: (1,),
        Phase.ACTION: (2, 3),
        Phase.MAGIC_REFRESH: (2, 3, ERUPTING),
        Phase.CLAIM: (5,),
        Phase.ROUND: (0,),
        Phase.LEAVE: (6,),
        Phase.MONKS: (0,),
        Phase.MONK_FIGHT: (3,),  # the dragon knocked the active samurai out
    },
    Phase.ROUND: {
        Phase.MAGIC_REFRESH: (1, 2),
        **dict.fromkeys((Phase.DRAGON_ORDER, Phase.DRAGON_WAY, Phase.DRAGON_FIGHT), (2,)),
    },
    Phase.DRAGON_FIGHT: {
        Phase.PAY: (0,),
        Phase.JOIN: (1,),
        **dict.fromkeys((Phase.SEND_MONK, Phase.MONK_THROW, Phase.MEND, Phase.SURPLUS), (2,)),
        **dict.fromkeys((Phase.ATTACK, Phase.DRAGON_ATTACK, Phase.SMOKE), (4,)),
        Phase.TAKE: (5,),
        Phase.SHARING: (4, 6),
        **dict.fromkeys((Phase.RETREAT_TO, Phase.REBIRTH), (6,)),
    },
    Phase.DUEL: {
        Phase.PAY: (0,),
        Phase.ATTACK: (1,),
        **dict.fromkeys((Phase.LAY_LOSER, Phase.REBIRTH), (3,)),
        **dict.fromkeys((Phase.STEAL, Phase.SCROLL_SLOT, Phase.MONK_SPOT), (4,)),
    },
    Phase.MONK_FIGHT: {
        **dict.fromkeys((Phase.PAY, Phase.MAGIC_REFRESH, Phase.MONK_FIGHT), (0,)),
        **dict.fromkeys((Phase.ATTACK, Phase.MONK_ATTACK, Phase.SMOKE), (1,)),
        **dict.fromkeys((Phase.MONK_SPOT, Phase.RETREAT_TO), (3,)),
    },
    Phase.MONK_ATTACK: {Phase.GUNBAI: (1,), Phase.TAKE: (2,), Phase.PAY: (3,)},
    Phase.MEND: {Phase.BREAK: (0,), Phase.REPAIR: (1,)},
    Phase.DRAGON_ATTACK: {Phase.GUNBAI: (1, 2), Phase.TAKE: (1,), Phase.PAY: (2,), Phase.REBIRTH: (2,)},
    Phase.AFTER_ROLL: {Phase.MEND: (0,), Phase.GUNBAI: (1,)},
    Phase.ATTACK: {
        **dict.fromkeys((Phase.RETREAT, Phase.RETREAT_TO, Phase.REBIRTH), (1,)),
        **dict.fromkeys((Phase.WEAPON, Phase.DICE, Phase.REROLL, Phase.AFTER_ROLL, Phase.SMOKE, Phase.PAY), (0,)),
    },
    Phase.ERUPTION: {Phase.PAY: (1,), Phase.FLEE: (0,), Phase.REBIRTH: (0,)},
}


def judge_order_of_frames(case: Case) -> None:
    turn = RULE_OF[Phase.TURN]
    case.want("asked[0]", case.phases[0] == Phase.TURN, "the lowest frame is not TURN", turn)
    if case.s.reason:
        case.want("asked", len(case.frames) == 1, "the game is over, so nothing is asked", "END-1")
        return
    last = case.phases[-1]
    case.want("asked", last < FIRST_AUTOMATIC, f"{last.name} asks nothing", RULE_OF[last])
    for k in range(1, len(case.frames)):
        _judge_pair(case, k)


def _judge_pair(case: Case, k: int) -> None:
    """A frame and the one that it lies on."""
    above, below = case.phases[k], case.phases[k - 1]
    rule = RULE_OF[above]
    fits = case.role(k - 1) in LIES_ON.get(above, ())
    case.want(f"asked[{k}]", fits, f"{above.name} does not fit: it can't lie on {below.name}", rule)
    stages = STAGES.get(below, {}).get(above)
    fits = stages is None or int(case.frames[k - 1].stage) in stages
    case.want(f"asked[{k - 1}].stage", fits, f"does not fit {above.name}, which lies on it", rule)
    asked = case.frames[k].actor < case.n or above in (Phase.ATTACK, Phase.AFTER_ROLL)
    case.want(f"asked[{k}].player", asked, "enemies are never asked", "SCEN-72")
    case.want(f"asked[{k}].player", actor_fits(case, k), f"{above.name} does not ask this player", rule)


# --- whom a frame asks ----------------------------------------------------------------------------------------------

OF_THE_ACTIVE: Final = (
    *(Phase.ACTION, Phase.MOVE, Phase.EXPLORE_PLACE, Phase.EXPLORE_TURN, Phase.EXPLORE_MORE, Phase.FIND, Phase.HALVES),
    *(Phase.FIND_SPACE, Phase.BLUEPRINTS, Phase.SCROLL_CARD, Phase.REST, Phase.REST_END, Phase.CRAFT_WAY, Phase.LOOK),
    *(Phase.CRAFT_LAY, Phase.WASTE, Phase.CLAIM_CARD, Phase.PLACE_CARD, Phase.CARD_BONUS, Phase.DRAGON_FIGHT),
    *(Phase.DUEL, Phase.MAGIC_REFRESH, Phase.BANNER, Phase.MOVE_OTHER, Phase.RAIN, Phase.CLAIM, Phase.DRAGON_TARGET),
    *(Phase.ERUPTION, Phase.JUMP, Phase.THEFT),
)
OF_THE_SAME: Final = (
    *(Phase.WEAPON, Phase.DICE, Phase.REROLL, Phase.RETREAT, Phase.AFTER_ROLL),
    *(Phase.BREAK, Phase.GRIP, Phase.REPAIR, Phase.LOSE_ITEM),
)
OF_THE_GROUP: Final = (Phase.DRAGON_ORDER, Phase.DRAGON_WAY)
OF_THE_NEXT: Final = (Phase.DRAGON_FIGHT, Phase.DRAGON_ATTACK, Phase.GUNBAI, Phase.SMOKE)  # what they lie on
FOR_ITS_SAMURAI: Final = (Phase.MONK_FIGHT, Phase.MONK_ATTACK)  # what they lie on
JUDGED_ELSEWHERE: Final = (Phase.ATTACK, Phase.MONK_FIGHT, *SWAPPING, *NOBODYS)
JUDGED_WITH_SETUP: Final = (Phase.SETUP, Phase.SETUP_CUBES, Phase.SETUP_SCROLL, Phase.MONK_SPOT)  # what they lie on
ON_SHARING: Final = (Phase.SHARING, Phase.RETREAT_TO)  # any fighter may be asked on them


def actor_fits(case: Case, k: int) -> bool:
    phase, ground, actor, active = case.phases[k], case.phases[k - 1], int(case.frames[k].actor), int(case.s.active)
    if ground in JUDGED_WITH_SETUP:
        return True
    if phase in OF_THE_ACTIVE or phase == Phase.LEAVE:
        return actor == active
    if phase in OF_THE_GROUP:
        return actor == case.first_inside()
    if phase == Phase.SHARE_TOOTH:
        return actor == case.first_fighter()
    if phase in OF_THE_SAME or (phase == Phase.MEND and ground == Phase.AFTER_ROLL):
        return actor == int(case.frames[k - 1].actor)
    if ground == Phase.ERUPTION:
        return actor == (active + int(case.frames[k - 1].left)) % case.n
    if phase in JUDGED_ELSEWHERE:
        return True
    if ground in ON_SHARING or phase == Phase.RETREAT_TO:
        return _is_fighting(case, k)
    if phase == Phase.PAY and ground in (Phase.ATTACK, Phase.SMOKE):
        return _is_attacked(case, k)
    if phase == Phase.PAY and ground in FIGHTS:
        return actor == active
    if phase == Phase.REBIRTH and case.rules.is_coop:  # SCEN-61: out of the fight, and the start tile is a dragon's
        return not case.s.fight.fighters[actor].inside
    if ground in FOR_ITS_SAMURAI:
        return actor == int(case.frames[k - 1].actor)
    if ground in OF_THE_NEXT:
        return _is_next(case, k)
    if ground == Phase.DUEL:
        loses = phase == Phase.REBIRTH  # SCEN-22; the winner is asked for all else
        return actor in case.duellists() and (actor + 1 == int(case.s.fight.loser)) == loses
    return _is_asked_by_name(case, k)


def _is_fighting(case: Case, k: int) -> bool:
    """Who retreats on its own turn is the attacker."""
    actor, ground = int(case.frames[k].actor), case.phases[k - 1]
    return bool(case.s.fight.fighters[actor].inside) and (
        ground != Phase.ATTACK or actor == int(case.frames[k - 1].actor)
    )


def _is_attacked(case: Case, k: int) -> bool:
    """One of the duellists, not the one who attacks."""
    below = zip(case.frames[:k], case.phases[:k], strict=True)
    attackers = [int(frame.actor) for frame, phase in below if phase == Phase.ATTACK]
    actor = int(case.frames[k].actor)
    return actor in case.duellists() and [actor] != attackers != []


def _is_next(case: Case, k: int) -> bool:
    """In player order, counted by the frame below; only who is asked to join is not in the fight yet."""
    actor, fight = int(case.frames[k].actor), case.s.fight
    next_player = (int(fight.active) + int(case.frames[k - 1].left) - 1) % case.n
    return actor == next_player and bool(fight.fighters[actor].inside) != (case.phases[k] == Phase.JOIN)


def _is_asked_by_name(case: Case, k: int) -> bool:
    """Questions to the other samurai say whom; whatever is left goes to the active player."""
    phase, frame, active = case.phases[k], case.frames[k], int(case.s.active)
    actor, other = int(frame.actor), int(frame.thing)
    if phase == Phase.CALL_DUEL:
        return actor == (other if frame.stage else active)
    if phase == Phase.CONSENT:
        return actor == other
    return phase == Phase.MAGIC_WEAPON or actor == active
