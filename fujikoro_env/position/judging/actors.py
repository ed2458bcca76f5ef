"""Whom a frame asks: the active player, the same as the frame below, or who is next in player order."""

from typing import Final

from fujikoro_env.position.fields import NOBODYS, SWAPPING
from fujikoro_env.position.judging.case import FIGHTS, Case
from fujikoro_env.rules.base.phases import Phase

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
