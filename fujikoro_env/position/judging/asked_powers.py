"""Questions of scrolls and adventure tokens."""

from typing import Any, Final

from fujikoro_env.position.judging.case import Case
from fujikoro_env.position.judging.ground import may_be_laid_on, touch
from fujikoro_env.rules.base.names import Adventure, Character
from fujikoro_env.rules.base.phases import Phase


def judge_gunbai(case: Case, k: int, frame: Any) -> None:
    """Against the roll of the dragon or the monk, or the attacker's in a duel."""
    if case.phases[k - 1] in (Phase.DRAGON_ATTACK, Phase.MONK_ATTACK):
        fits = not frame.thing
    else:
        fits = case.in_duel() and frame.thing == case.frames[k - 1].actor + 1
    case.fits(k, fits, "not the roller's number", "ADV-2")


def judge_token_question(case: Case, k: int, frame: Any) -> None:
    me, gunbai = case.actor(k), case.phases[k] == Phase.ASK_GUNBAI
    holds = me.adventures[Adventure.GUNBAI if gunbai else Adventure.SMOKE_BOMB]
    needs_none = not gunbai and me.character == Character.DAISUKE  # CHAR-75
    case.fits(k, holds or needs_none, "the player has no such token", "ADV-1")


def judge_banner(case: Case, k: int, frame: Any) -> None:
    case.fits(k, 2 <= frame.left <= case.n, "so many can't have been asked", "ADV-2")


def judge_move_other(case: Case, k: int, frame: Any) -> None:
    banner, other = case.frames[k - 1], int(frame.thing)
    turn = other == (int(banner.actor) + int(banner.left) - 1) % case.n and other != banner.actor
    awake = turn and not case.people[other].unconscious and not case.people[other].outside
    case.fits(k, awake, "not the samurai whose turn it is", "ADV-2")
    if awake and case.phases[k] == Phase.CONSENT:
        free = touch(int(case.people[other].at), int(frame.at)) and may_be_laid_on(case, other, int(frame.at))
        case.fits(k, free, "the samurai can't be moved there", "MAP-11")


JUDGES: Final = {
    Phase.GUNBAI: judge_gunbai,
    **dict.fromkeys((Phase.ASK_GUNBAI, Phase.ASK_SMOKE), judge_token_question),
    Phase.BANNER: judge_banner,
    **dict.fromkeys((Phase.MOVE_OTHER, Phase.CONSENT), judge_move_other),
}
