"""What moves are worth, by margin."""

from fuji_env.agents.guide.map_sense import worth_of_place
from fuji_env.agents.guide.mind import DEATH, MARGINS, Scene, Weight
from fuji_env.rules.base.names import Gear, Injury
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.map import NO_WALK
from fuji_env.rules.move import tokens_of_move
from fuji_env.rules.stamina import STEPS_OF_A_HELMET
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, count_bits, has

COOL = 3  # eruptions that a place must still survive to be no worry


@rule
def set_stakes(x: Scene, figure: int) -> None:
    """Work out what the move of a figure to its marker is worth, by margin."""
    s, t = x.s, x.t
    me, stakes = s.figures[figure], x.mind.stakes
    tokens = tokens_of_move(s, t, me)
    failed = worth_after(x, figure, me.at, t.failed[s.settings.level])
    stakes[figure, 0] = failed
    moved = worth_of_landing(x, figure, tokens)
    for margin in range(1, MARGINS):
        loss = int(t.loss[s.settings.level, margin])
        done = worth_after(x, figure, me.marker - 1, loss) + moved
        stakes[figure, margin] = failed if tokens == NO_WALK else done


@rule
def worth_of_landing(x: Scene, figure: int, tokens: int) -> int:
    """Return what the tokens of a move are worth."""
    me, worth = x.s.figures[figure], 0
    if tokens > 0:
        worth -= count_bits(tokens) * int(x.w[Weight.ERUPTION])
    if has(x.s.equipment_tokens, me.marker - 1) and not has(me.injuries, Injury.EQUIPMENT):
        worth += int(x.w[Weight.TOKEN])
    return worth


@rule
def worth_after(x: Scene, figure: int, place: int, loss: int) -> int:
    """Return what it is worth that a figure stands on a place after losing this much stamina."""
    me = x.s.figures[figure]
    if has(me.effects, Gear.HELMET):
        loss = max(loss - STEPS_OF_A_HELMET, 0)
    worth = worth_of_place(x, place) - cost_of_stamina(x, me.stamina, me.stamina + loss)
    left = int(x.mind.burns[place]) - 1  # eruptions that the figure survives after this round's
    if left <= 0:
        return worth - DEATH
    if left == 1:
        worth -= int(x.w[Weight.HOT])
    elif left < COOL:
        worth -= int(x.w[Weight.WARM])
    return worth


@rule
def cost_of_stamina(x: Scene, before: int, after: int) -> int:
    """Return what the stamina spent costs."""
    t = x.t
    if after >= t.track:
        return DEATH + 0
    crossed = (bit(after + 1) - 1) & ~(bit(before + 1) - 1) & int(t.plasters)
    cost = (after - before) * int(x.w[Weight.STAMINA]) + count_bits(crossed) * int(x.w[Weight.INJURY])
    return cost + (tiredness(t, after) - tiredness(t, before)) * int(x.w[Weight.TIRED])


@rule
def tiredness(t: Tables, stamina: int) -> int:
    """Return the square of the steps of stamina beyond half the track."""
    beyond = max(stamina - int(t.track) // 2, 0)
    return beyond * beyond
