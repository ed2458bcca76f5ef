"""The questions that the game asks, and the steps that it takes by itself between them.

A phase that asks has two functions in its chapter: `legal_<phase>` marks the actions that are allowed, and `do_<phase>`
carries one out. A phase that goes on by itself has one, `go_<phase>`. `engine.py` maps phases to functions.
"""

from enum import IntEnum
from typing import Final


class Phase(IntEnum):
    NONE = 0
    # asked
    MONK_SPOT = 1
    SETUP_CUBES = 2
    ACTION = 3
    MOVE = 4
    PAY = 5
    EXPLORE_PLACE = 6
    EXPLORE_TURN = 7
    FIND = 8
    TAKE = 9
    BLUEPRINTS = 10
    SCROLL_CARD = 11
    SCROLL_SLOT = 12
    REST = 13
    CRAFT_WAY = 14
    CRAFT_LAY = 15
    WASTE = 16
    CLAIM_CARD = 17
    PLACE_CARD = 18
    CARD_BONUS = 19
    HALVES = 20
    LOOK = 21
    MAGIC_WEAPON = 22
    CALL_DUEL = 23
    JOIN = 24
    SEND_MONK = 25
    MONK_THROW = 26
    WEAPON = 27
    DICE = 28
    BREAK = 29
    REPAIR = 30
    RETREAT = 31
    LAY_LOSER = 32
    STEAL = 33
    LOSE_ITEM = 34
    DRAGON_TARGET = 35
    EXPLORE_MORE = 36
    FIND_SPACE = 37
    REROLL = 38
    GRIP = 39
    ASK_GUNBAI = 40
    ASK_SMOKE = 41
    MOVE_OTHER = 42
    CONSENT = 43
    RAIN = 44
    FLEE = 45
    REBIRTH = 46
    CLAIM = 47
    SETUP_SCROLL = 48
    JUMP = 49
    THEFT = 50
    TAKE_CARD = 51
    DRAGON_ORDER = 52
    DRAGON_WAY = 53
    RETREAT_TO = 54
    SHARE_TOOTH = 55
    LEAVE = 56
    SWAP_GIVE = 57
    SWAP_TAKE = 58
    SWAP_CONSENT = 59
    # going on by itself
    SETUP = 64
    TURN = 65
    DRAGON_FIGHT = 66
    DUEL = 67
    MAGIC_REFRESH = 68
    REST_END = 69
    ATTACK = 70
    AFTER_ROLL = 71
    DRAGON_ATTACK = 72
    MEND = 73
    SURPLUS = 74
    GUNBAI = 75
    SMOKE = 76
    BANNER = 77
    ERUPTION = 78
    ROUND = 79
    SHARING = 80
    MONK_FIGHT = 81
    MONK_ATTACK = 82
    MONKS = 83


FIRST_AUTOMATIC: Final = Phase.SETUP

QUESTIONS: Final[dict[Phase, str]] = {
    Phase.MONK_SPOT: "Where does the monk go?",
    Phase.SETUP_CUBES: "Lay the first gear: which cube, and where?",
    Phase.ACTION: "Which action?",
    Phase.MOVE: "Step where, or done?",
    Phase.PAY: "Which cube is given up?",
    Phase.EXPLORE_PLACE: "Explore which place?",
    Phase.EXPLORE_TURN: "How is the tile turned?",
    Phase.FIND: "Gather what?",
    Phase.TAKE: "Take which resource, or done?",
    Phase.BLUEPRINTS: "Take which blueprint, or done?",
    Phase.SCROLL_CARD: "Which scroll?",
    Phase.SCROLL_SLOT: "Into which scroll slot?",
    Phase.REST: "Craft which gear, or done?",
    Phase.CRAFT_WAY: "Add to it, or lay it anew?",
    Phase.CRAFT_LAY: "Lay which cube where, or done?",
    Phase.WASTE: "Which cube is waste?",
    Phase.CLAIM_CARD: "Which gear card is claimed?",
    Phase.PLACE_CARD: "Under which action does the gear card go?",
    Phase.CARD_BONUS: "Does the weapon card give a VP or a look?",
    Phase.HALVES: "The main action, the bonus of the gear card, or done?",
    Phase.LOOK: "Look at the top tile of which stack?",
    Phase.MAGIC_WEAPON: "Which weapon becomes magic?",
    Phase.CALL_DUEL: "Fight the samurai on this space?",
    Phase.JOIN: "Join the dragon fight, and where?",
    Phase.SEND_MONK: "Send which monk ahead, or none?",
    Phase.MONK_THROW: "Which resource does the monk throw?",
    Phase.WEAPON: "Fight with which weapon?",
    Phase.DICE: "Roll all dice, or how many of this kind?",
    Phase.BREAK: "Which cube breaks?",
    Phase.REPAIR: "The weapon is illegal: take which cube off?",
    Phase.RETREAT: "Leave the fight?",
    Phase.LAY_LOSER: "Where is the loser laid?",
    Phase.STEAL: "Steal what, or done?",
    Phase.DRAGON_TARGET: "Which dragon is hit?",
    Phase.EXPLORE_MORE: "Lay one more tile where, or done?",
    Phase.FIND_SPACE: "Gather from which space?",
    Phase.REROLL: "Roll again?",
    Phase.GRIP: "Which breaking die breaks nothing?",
    Phase.ASK_GUNBAI: "Use the gunbai against this roll?",
    Phase.ASK_SMOKE: "Leave the fight after this roll?",
    Phase.MOVE_OTHER: "Move the samurai where, or done?",
    Phase.CONSENT: "Let your samurai be moved there?",
    Phase.RAIN: "Take which lava tile off?",
    Phase.FLEE: "Flee from the lava where?",
    Phase.REBIRTH: "Reborn in which temple?",
    Phase.CLAIM: "Claim which bonus, or done?",
    Phase.TAKE_CARD: "Begin with which gear card?",
    Phase.DRAGON_ORDER: "Which dragon moves next?",
    Phase.DRAGON_WAY: "Where does the dragon go?",
    Phase.RETREAT_TO: "Retreat to which space beside the tile?",
    Phase.SHARE_TOOTH: "Who gets the tooth?",
    Phase.LEAVE: "Leave the volcano by the secret exit?",
    Phase.SWAP_GIVE: "Give which item, or nothing, or done?",
    Phase.SWAP_TAKE: "Take which item in return, or nothing?",
    Phase.SWAP_CONSENT: "Agree to the swap?",
    Phase.SETUP_SCROLL: "Begin with which scroll?",
    Phase.JUMP: "Land where?",
    Phase.THEFT: "Steal which scroll?",
    Phase.LOSE_ITEM: "The pack is too small: lose what?",
}
