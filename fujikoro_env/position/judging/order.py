"""Frames among each other: which may lie on which, in what stages, and whom they ask."""

from typing import Final

from fujikoro_env.position.fields import SWAPPING
from fujikoro_env.position.judging.actors import actor_fits
from fujikoro_env.position.judging.case import ERUPTING, FIGHTS, RULE_OF, After, Case
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC, Phase

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
