"""Enumerations that give the numbers in the records their meaning."""

from enum import IntEnum

from fujikoro_env.kernel.commands import Fault as Fault


class Variant(IntEnum):
    """Ways to play with two players (TWO-1); NONE with more."""

    NONE, A, B = range(3)


class Talk(IntEnum):
    """Values of the option `talk` (PLAN-6)."""

    WORDS, NONE, OPEN = range(3)


class Word(IntEnum):
    """What a player may say on a planning turn (PLAN-6)."""

    NOTHING, WEAK, FAIR, STRONG, WARN_LEFT, WARN_RIGHT = range(6)


class Skill(IntEnum):
    """Skill cards (SKILL-1 to SKILL-6), in the order of the content."""

    EQUIPMENT_MANAGER, SCOUT, BUDDY, SURVIVALIST, GATHERER, TINKERER = range(6)


class Gear(IntEnum):
    """Equipment cards, in the order of the content."""

    (
        RADIO,
        HIKING_BOOTS,
        TRAIL_MAP,
        ROPE,
        BINOCULARS,
        WHISTLE,
        TEA_FLASK,
        FIRST_AID_KIT,
        GLOVES,
        ENERGY_DRINK,
        FLARE,
        POCKET_KNIFE,
        DUCT_TAPE,
        WALKING_POLE,
        HELMET,
    ) = range(15)


class WorksFor(IntEnum):
    """For whom an equipment card works (EQUIP-2)."""

    SELF, PAIR, ALL = range(3)


class Injury(IntEnum):
    """What an injury takes away (STAM-4)."""

    REROLL, EQUIPMENT, DIE, SKILL = range(4)


class Reason(IntEnum):
    """Reason why a game ended: won in the villages, or lost to lava or for lack of stamina."""

    PLAYING, VILLAGES, LAVA, STAMINA = range(4)


class Stream(IntEnum):
    """Sources of chance, each with its own random generator."""

    SETUP, EQUIPMENT, DICE = range(3)


# Sizes of the enumerations: compiled code can't call len() on an enumeration.
STREAMS = len(Stream)
WORDS = len(Word)
GEAR_CARDS = len(Gear)
SKILLS = len(Skill)
INJURIES = len(Injury)
ALL_INJURIES = (1 << INJURIES) - 1
PLANNING_PHASE, EQUIPMENT_PHASE = 1, 2  # bits of the phases 2 and 4, in which equipment is played (EQUIP-1)
