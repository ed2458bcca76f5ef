"""Rolling dice, and who may see them (DICE, ROLL-1)."""

from fuji_env.content.model import DICE
from fuji_env.rules.base.chance import roll
from fuji_env.rules.base.frames import owner
from fuji_env.rules.base.names import Injury, Talk
from fuji_env.rules.base.state import ALL_DICE, State
from fuji_env.rules.base.tables import Tables
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, has

OPEN_THIRD_DICE = 0b111000  # dice that lie in front of the third screen (TWO-2)


@rule
def dice_of(s: State, t: Tables, figure: int) -> int:
    """Return how many dice a figure's player rolls, by skill card and injuries (DICE-2, STAM-5)."""
    me = s.figures[figure]
    lost = 1 if has(me.injuries, Injury.DIE) else 0
    return t.skill_dice[me.skill] - lost


@rule
def is_third(s: State, dice_set: int) -> bool:
    """Whether a set of dice lies behind and before the third screen, and belongs to nobody (TWO-2)."""
    return dice_set >= s.settings.figures


@rule
def dice_in(s: State, dice_set: int) -> int:
    """Return the number of dice of a set in this round."""
    return DICE + 0 if is_third(s, dice_set) else s.figures[dice_set].dice


@rule
def roll_all(s: State, t: Tables) -> None:
    """Roll all dice behind the screens (ROLL-1)."""
    s.screens = 1
    for dice_set in range(s.settings.sets):
        if not is_third(s, dice_set):
            s.figures[dice_set].dice = dice_of(s, t, dice_set)
        for die in range(dice_in(s, dice_set)):
            s.dice[dice_set, die] = roll(s)


@rule
def roll_again(s: State, figure: int, dice: int) -> None:
    """Roll some dice of a figure again, all together (REROLL-2)."""
    for die in range(DICE):
        if has(dice, die):
            s.dice[figure, die] = roll(s)


@rule
def free_dice(s: State, figure: int) -> int:
    """Return the dice of a figure that are in use and not set aside."""
    me = s.figures[figure]
    return (bit(me.dice) - 1) & ~me.aside


@rule
def forget_dice(s: State, figure: int, dice: int) -> None:
    """Nobody else knows these dice any longer, because they were rolled again or turned."""
    for player in range(s.settings.players):
        s.known[player, figure] = int(s.known[player, figure]) & ~dice


@rule
def shown_dice(s: State, dice_set: int) -> int:
    """Return the dice of a set that lie open for all, as a bit set."""
    if s.screens == 0 or s.settings.talk == Talk.OPEN:
        return ALL_DICE + 0
    if is_third(s, dice_set):
        return OPEN_THIRD_DICE + 0
    return s.figures[dice_set].aside


@rule
def is_own(s: State, player: int, dice_set: int) -> bool:
    """Whether a set of dice belongs to a player."""
    return not is_third(s, dice_set) and owner(s, dice_set) == player


@rule
def seen_die(s: State, player: int, dice_set: int, die: int) -> int:
    """Return what a player sees of a die: its number, or 0 if it does not see it. Nobody sees the rerolls of others
    before all are done (REROLL-3)."""
    if is_own(s, player, dice_set):
        return int(s.dice[dice_set, die])
    if not has(shown_dice(s, dice_set) | int(s.known[player, dice_set]), die):
        return 0
    is_aside = not is_third(s, dice_set) and has(s.figures[dice_set].aside, die)
    if s.before[dice_set, die] != 0 and not is_aside:
        return int(s.before[dice_set, die])
    return int(s.dice[dice_set, die])


@rule
def remember_dice(s: State) -> None:
    """Phase 3 begins: others see the dice as they are now until it ends."""
    for dice_set in range(s.settings.sets):
        for die in range(DICE):
            s.before[dice_set, die] = s.dice[dice_set, die]


@rule
def show_rerolls(s: State) -> None:
    """Phase 3 is over: dice that were rolled again are unknown to all others."""
    for dice_set in range(s.settings.sets):
        for die in range(DICE):
            s.before[dice_set, die] = 0
    for figure in range(s.settings.figures):
        forget_dice(s, figure, s.figures[figure].rerolled)
        s.figures[figure].rerolled = 0


@rule
def open_screens(s: State) -> None:
    """Take the screens off: all see all dice (MOVE-1)."""
    s.screens = 0
    for player in range(s.settings.players):
        for dice_set in range(s.settings.sets):
            s.known[player, dice_set] = 0
