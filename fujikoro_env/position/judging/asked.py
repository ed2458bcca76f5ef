"""What is asked, frame by frame: each must fit the table."""

from collections.abc import Callable
from typing import Any, Final

from fujikoro_env.position.judging import (
    asked_fight,
    asked_gear,
    asked_map,
    asked_powers,
    asked_setup,
    asked_swap,
    coop,
    monks,
)
from fujikoro_env.position.judging.case import Case
from fujikoro_env.rules.base.phases import Phase

MAY_BE_UNCONSCIOUS: Final = (Phase.REBIRTH, Phase.MAGIC_WEAPON, Phase.DRAGON_ORDER, Phase.DRAGON_WAY)
MAY_BE_OUTSIDE: Final = (Phase.CLAIM, Phase.MAGIC_WEAPON)

JUDGES: Final[dict[Phase, Callable[[Case, int, Any], None]]] = {
    **asked_setup.JUDGES,
    **asked_map.JUDGES,
    **asked_gear.JUDGES,
    **asked_fight.JUDGES,
    **asked_powers.JUDGES,
    **coop.JUDGES,
    **monks.JUDGES,
    **asked_swap.JUDGES,
}


def judge_frames(case: Case) -> None:
    for k, phase in enumerate(case.phases):
        if phase in JUDGES:
            JUDGES[phase](case, k, case.frames[k])
    actor, phase, me = int(case.frames[-1].actor), case.phases[-1], case.actor(-1)
    case.want("asked", phase in MAY_BE_UNCONSCIOUS or not me.unconscious, f"player {actor} is unconscious", "TURN-5")
    case.want("asked", phase in MAY_BE_OUTSIDE or not me.outside, f"player {actor} has left the volcano", "SHOG-1")
