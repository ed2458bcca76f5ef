"""The table of phases: the questions that the game asks, and the steps that it takes by itself between them.

An entry declares everything about a phase: its number, its question or step, its rules, whose decision it is, what its
frame may lie on, and what the fields of its frame mean. Positions, observations, pictures and docs/phases.md are
derived from it.

A phase that asks has two functions in its chapter: `legal_<phase>` marks the legal actions, and `do_<phase>` carries
one out. A phase that runs by itself has one, `go_<phase>`. tools/make_phases.py finds them by name and writes
engine/dispatch.py, which calls them.
"""

from enum import IntEnum
from typing import Final

from fujikoro_env.content.model import MAX_PRINTED
from fujikoro_env.rules.base.names import Cube
from fujikoro_env.rules.base.phase_entry import After, Holds, Keeps, On, PhaseEntry, Whom, on
from fujikoro_env.rules.base.state import PATH, PLAYERS

# Parts shared by several entries.

ON_ACTION: Final = on(After.ACTION, "HALVES")
ON_CRAFT: Final = on("REST_END", "REST", After.TOKEN, After.ACTION)
ON_SETUP: Final = on("SETUP", "SETUP_CUBES", whom=Whom.ANYONE)

GEAR: Final = Keeps("gear", "thing", Holds.GEAR, "the gear")
STAGE: Final = Keeps("stage", "stage", Holds.NUMBER, "what comes next", most=6)
PASSED: Final = Keeps("asked", "left", Holds.NUMBER, "how many players have had their turn, in order", most=PLAYERS)
LIFTED: Final = Keeps("offer", "offer", Holds.RESOURCES, "cubes lifted off and not laid again", most=MAX_PRINTED)
LOSER: Final = Keeps("other", "thing", Holds.PLAYER, "the loser")
MOVED_SAMURAI: Final = Keeps("other", "thing", Holds.PLAYER, "the samurai who is moved")
ROLL: Final = (
    Keeps("weapon", "at", Holds.WEAPON, "the weapon"),
    Keeps("cells", "chosen", Holds.CELLS, "its cells"),
    Keeps("kind", "stage", Holds.NUMBER, "the kind of dice that is asked for", most=len(Cube)),
    Keeps("dice", "offer", Holds.RESOURCES, "the dice chosen so far", most=MAX_PRINTED),
    Keeps("magic_dice", "left", Holds.NUMBER, "the magic dice chosen so far", most=1),
)
SWAP_STEPS: Final = 6
SWAP: Final = (  # the same frame passes through the three phases of a swap
    Keeps("other", "thing", Holds.PLAYER, "the partner"),
    Keeps("left", "left", Holds.NUMBER, "steps left", most=SWAP_STEPS),
    Keeps("given", "marks", Holds.SWAP_ITEM, "the item given in this step"),
    Keeps("moved", "chosen", Holds.SWAP_ITEMS, "what has changed hands"),
    Keeps("owed", "offer", Holds.RESOURCES, "how many of each resource went", most=SWAP_STEPS),
    Keeps("owed_monks", "stage", Holds.NUMBER, "how many monks went", most=SWAP_STEPS),
    Keeps("scrolls_before", "cubes", Holds.SWAP_SCROLLS, "the scrolls of both players before the swap"),
)


class Phase(IntEnum):
    """All phases, each with its entry. Phases that ask are numbered from 1 without gaps, below 64; phases that run by
    themselves are numbered from 64. Only append new ones: observations and scripted players rely on the numbers."""

    entry: PhaseEntry

    def __new__(cls, entry: PhaseEntry | int) -> "Phase":
        """Create a member from its entry. `Phase(3)` looks one up by number and does not come here."""
        assert isinstance(entry, PhaseEntry)
        phase = int.__new__(cls, entry.number)
        phase._value_ = entry.number
        phase.entry = entry
        return phase

    NONE = PhaseEntry(0)

    # --- phases that ask

    MONK_SPOT = PhaseEntry(
        1,
        question="Where does the monk go?",
        rules=("MONK-1",),
        whom=Whom.ACTIVE,
        lies_on=ON_SETUP
        + on("SETUP_SCROLL", "MONK_SPOT", whom=Whom.ANYONE)
        + ON_ACTION
        + on("DUEL", stages=(4,), whom=Whom.WINNER)
        + on("MONK_FIGHT", stages=(3,), whom=Whom.SAME),
        keeps=(
            Keeps("from", "stage", Holds.MONK_SOURCE, "where the monk comes from"),
            Keeps("space", "at", Holds.SPACE, "the space of a monk from the map", stage=0),
            Keeps("other", "at", Holds.PLAYER, "the player from whose pack it is stolen", stage=2),
        ),
    )
    SETUP_CUBES = PhaseEntry(
        2,
        question="Lay the first gear: which cube, and where?",
        rules=("SETUP-8", "SETUP-7"),
        whom=Whom.ANYONE,
        lies_on=ON_SETUP,
        keeps=(GEAR, Keeps("offer", "offer", Holds.RESOURCES, "the cubes in hand", most=MAX_PRINTED)),
    )
    ACTION = PhaseEntry(
        3,
        question="Which action?",
        rules=("TURN-1", "TURN-2", "TURN-4", "TURN-7"),
        whom=Whom.ACTIVE,
        lies_on=on("TURN", stages=(2, 3)),
        keeps=(Keeps("extra", "stage", Holds.FLAG, "one more action for a status marker (SCEN-18)"),),
    )
    MOVE = PhaseEntry(
        4,
        question="Step where, or done?",
        rules=("MOVE-1", "MOVE-3"),
        whom=Whom.ACTIVE,
        lies_on=ON_ACTION,
        keeps=(
            Keeps("left", "left", Holds.NUMBER, "steps left", most=6),
            Keeps("lava", "marks", Holds.NUMBER, "lava spaces to pay for", most=PATH),
            Keeps("free_lava", "thing", Holds.NUMBER, "steps onto lava that are still free", most=32),
            Keeps("so_far", "stage", Holds.MOVE_MARKS, "`on_card`, `jumped`, `stolen`, `sneak`, `sneaking`"),
        ),
    )
    PAY = PhaseEntry(
        5,
        question="Which cube is given up?",
        rules=("DMG-1", "DMG-4"),
        whom=Whom.ACTIVE,
        lies_on=ON_ACTION
        + on("DRAGON_FIGHT", "DUEL", "MONK_FIGHT", stages=(0,))
        + on("ERUPTION", stages=(1,), whom=Whom.NEXT_IN_ERUPTION)
        + on("DRAGON_ATTACK", stages=(2,), whom=Whom.NEXT_FIGHTER)
        + on("ATTACK", stages=(0,), whom=Whom.ATTACKED)
        + on("SMOKE", whom=Whom.ATTACKED)
        + on("MONK_ATTACK", stages=(3,), whom=Whom.SAME),
        keeps=(GEAR, Keeps("left", "left", Holds.NUMBER, "hits still to be covered", most=MAX_PRINTED, least=1)),
    )
    EXPLORE_PLACE = PhaseEntry(
        6, question="Explore which place?", rules=("EXPL-1",), whom=Whom.ACTIVE, lies_on=ON_ACTION
    )
    EXPLORE_TURN = PhaseEntry(
        7,
        question="How is the tile turned?",
        rules=("EXPL-1",),
        whom=Whom.ACTIVE,
        lies_on=ON_ACTION + on("EXPLORE_MORE"),
        keeps=(
            Keeps("place", "at", Holds.PLACE, "the place that is explored"),
            Keeps("tile", "thing", Holds.TILE, "the tile drawn"),
        ),
    )
    FIND = PhaseEntry(
        8,
        question="Gather what?",
        rules=("GATH-1",),
        whom=Whom.ACTIVE,
        lies_on=ON_ACTION,
        keeps=(Keeps("space", "at", Holds.SPACE, "the space that is gathered from"),),
    )
    TAKE = PhaseEntry(
        9,
        question="Take which resource, or done?",
        rules=("GATH-1", "GATH-3"),
        whom=Whom.ACTIVE,
        lies_on=ON_ACTION
        + on("ACTION")
        + on("DRAGON_FIGHT", stages=(5,), whom=Whom.NEXT_FIGHTER)
        + on("DRAGON_ATTACK", stages=(1,), whom=Whom.NEXT_FIGHTER)
        + on("SHARING", whom=Whom.FIGHTER)
        + on("MONK_ATTACK", stages=(2,), whom=Whom.SAME),
        keeps=(
            Keeps("offer", "offer", Holds.RESOURCES, "what is still offered", most=MAX_PRINTED),
            Keeps("left", "left", Holds.NUMBER, "how many may still be taken; 0: all", most=MAX_PRINTED),
            Keeps("taken", "marks", Holds.NUMBER, "how many were taken", most=MAX_PRINTED),
            Keeps("optional", "stage", Holds.FLAG, "taking is optional"),
        ),
    )
    BLUEPRINTS = PhaseEntry(
        10,
        question="Take which blueprint, or done?",
        rules=("GATH-7",),
        whom=Whom.ACTIVE,
        lies_on=ON_ACTION,
        keeps=(
            Keeps("left", "left", Holds.NUMBER, "how many may still be taken", most=2, least=1),
            Keeps("taken", "marks", Holds.NUMBER, "how many were taken", most=1),
        ),
    )
    SCROLL_CARD = PhaseEntry(
        11,
        question="Which scroll?",
        rules=("SCROLL-1",),
        whom=Whom.ACTIVE,
        lies_on=ON_ACTION,
        keeps=(Keeps("space", "at", Holds.SPACE, "the space of the token"),),
    )
    SCROLL_SLOT = PhaseEntry(
        12,
        question="Into which scroll slot?",
        rules=("SCROLL-2", "SCROLL-3", "SCROLL-4"),
        whom=Whom.ACTIVE,
        lies_on=ON_ACTION + on("DUEL", stages=(4,), whom=Whom.WINNER) + on("MOVE"),
        keeps=(
            Keeps("card", "thing", Holds.SCROLL, "the scroll card in hand"),
            Keeps("token", "marks", Holds.COLOUR, "the token in hand"),
        ),
    )
    REST = PhaseEntry(
        13,
        question="Craft which gear, or done?",
        rules=("REST-1",),
        whom=Whom.ACTIVE,
        lies_on=ON_CRAFT,
        keeps=(
            Keeps("crafted", "chosen", Holds.GEARS, "gear that may not be crafted any more"),
            Keeps("craft", "stage", Holds.CRAFT, "`by_token`, `after_action`, `sandals_too`; 0: of a rest"),
        ),
    )
    CRAFT_WAY = PhaseEntry(
        14,
        question="Add to the gear, or rebuild it?",
        rules=("CRAFT-1",),
        whom=Whom.ACTIVE,
        lies_on=ON_CRAFT,
        keeps=(GEAR,),
    )
    CRAFT_LAY = PhaseEntry(
        15,
        question="Lay which cube where, or done?",
        rules=("CRAFT-1", "CRAFT-2"),
        whom=Whom.ACTIVE,
        lies_on=ON_CRAFT,
        keeps=(GEAR, LIFTED, Keeps("before", "cubes", Holds.LAYOUT, "the layout before the craft")),
    )
    WASTE = PhaseEntry(
        16,
        question="Which cube is waste?",
        rules=("CRAFT-2",),
        whom=Whom.ACTIVE,
        lies_on=ON_CRAFT,
        keeps=(GEAR, LIFTED),
    )
    CLAIM_CARD = PhaseEntry(
        17,
        question="Which gear card is claimed?",
        rules=("GEAR-1",),
        whom=Whom.ACTIVE,
        lies_on=on("REST_END"),
    )
    PLACE_CARD = PhaseEntry(
        18,
        question="Under which action does the gear card go?",
        rules=("GEAR-2", "GEAR-5"),
        whom=Whom.ACTIVE,
        lies_on=on("REST_END") + ON_SETUP + on("MONK_SPOT", whom=Whom.ANYONE),
        keeps=(Keeps("card", "thing", Holds.GEAR_CARD, "the card claimed"),),
    )
    CARD_BONUS = PhaseEntry(
        19,
        question="Does the weapon card give a VP or a look?",
        rules=("GEAR-5",),
        whom=Whom.ACTIVE,
        lies_on=on("REST_END") + ON_SETUP + on("MONK_SPOT", whom=Whom.ANYONE),
    )
    HALVES = PhaseEntry(
        20,
        question="The main action, the bonus of the gear card, or done?",
        rules=("GEAR-3",),
        whom=Whom.ACTIVE,
        lies_on=on(After.ACTION),
        keeps=(
            Keeps("action", "thing", Holds.DISC_FIELD, "the action"),
            Keeps("done", "marks", Holds.HALVES, "the halves that are done"),
        ),
    )
    LOOK = PhaseEntry(
        21,
        question="Look at the top tile of which stack?",
        rules=("GEAR-5",),
        whom=Whom.ACTIVE,
        lies_on=on("TURN", stages=(1,)) + on("HALVES"),
        keeps=(Keeps("may_skip", "stage", Holds.FLAG, "looking is optional"),),
    )
    MAGIC_WEAPON = PhaseEntry(
        22,
        question="Which weapon becomes magic?",
        rules=("MAGIC-1",),
        whom=Whom.ANYONE,
        lies_on=on(After.ACTION, After.ERUPTION, After.TOKEN, After.FIGHT),
        asks_unconscious=True,
        asks_outside=True,
    )
    CALL_DUEL = PhaseEntry(
        23,
        question="Fight the samurai on this space?",
        rules=("MOVE-6",),
        whom=Whom.DUELLIST,
        lies_on=on("MOVE"),
        keeps=(
            Keeps("other", "thing", Holds.PLAYER, "the other samurai"),
            Keeps("other_asked", "stage", Holds.FLAG, "the other samurai is asked"),
        ),
    )
    JOIN = PhaseEntry(
        24,
        question="Join the dragon fight, and where?",
        rules=("DRAG-2", "DRAG-3"),
        whom=Whom.NEXT_TO_JOIN,
        lies_on=on("DRAGON_FIGHT", stages=(1,)),
    )
    SEND_MONK = PhaseEntry(
        25,
        question="Send which monk ahead, or none?",
        rules=("HERO-1",),
        whom=Whom.NEXT_FIGHTER,
        lies_on=on("DRAGON_FIGHT", stages=(2,)),
    )
    MONK_THROW = PhaseEntry(
        26,
        question="Which resource does the monk throw?",
        rules=("HERO-2",),
        whom=Whom.NEXT_FIGHTER,
        lies_on=on("DRAGON_FIGHT", stages=(2,)),
        keeps=(Keeps("monk", "thing", Holds.MONK_SPOT, "the spot that the monk came from"),),
    )
    WEAPON = PhaseEntry(
        27,
        question="Fight with which weapon?",
        rules=("ATK-1",),
        whom=Whom.SAME,
        lies_on=on("ATTACK", stages=(0,)),
    )
    DICE = PhaseEntry(
        28,
        question="Roll all dice, or how many of this kind?",
        rules=("ATK-1", "ATK-2"),
        whom=Whom.SAME,
        lies_on=on("ATTACK", stages=(0,)),
        keeps=ROLL,
    )
    BREAK = PhaseEntry(
        29,
        question="Which cube breaks?",
        rules=("ATK-3",),
        whom=Whom.SAME,
        lies_on=on("MEND", stages=(0,)),
        keeps=(
            Keeps("cells", "chosen", Holds.CELLS, "the cells of the weapon"),
            Keeps("weapon", "at", Holds.WEAPON_OR_LEFT, "the weapon"),
            Keeps("offer", "offer", Holds.RESOURCES, "the breaking dice", most=MAX_PRINTED),
        ),
    )
    REPAIR = PhaseEntry(
        30,
        question="The weapon is illegal: take which cube off?",
        rules=("WEAP-6",),
        whom=Whom.SAME,
        lies_on=on("MEND", stages=(1,)),
    )
    RETREAT = PhaseEntry(
        31,
        question="Leave the fight?",
        rules=("DRAG-5", "DUEL-2"),
        whom=Whom.SAME,
        lies_on=on("ATTACK", stages=(1,)),
    )
    LAY_LOSER = PhaseEntry(
        32,
        question="Where is the loser laid?",
        rules=("DUEL-4",),
        whom=Whom.WINNER,
        lies_on=on("DUEL", stages=(3,)),
        keeps=(LOSER,),
    )
    STEAL = PhaseEntry(
        33,
        question="Steal what, or done?",
        rules=("DUEL-5", "DUEL-6", "DUEL-7", "DUEL-8"),
        whom=Whom.WINNER,
        lies_on=on("DUEL", stages=(4,)),
        keeps=(LOSER,),
    )
    LOSE_ITEM = PhaseEntry(
        34,
        question="The pack is too small: lose what?",
        rules=("HERO-5", "SCROLL-6"),
        whom=Whom.SAME,
        lies_on=on("SURPLUS"),
    )
    DRAGON_TARGET = PhaseEntry(
        35,
        question="Which dragon is hit?",
        rules=("ADV-1", "DRAG-9"),
        whom=Whom.ACTIVE,
        lies_on=on("ACTION"),
        keeps=(Keeps("power", "thing", Holds.POWER, "`dragon_bane` or `harpoon`"),),
    )
    EXPLORE_MORE = PhaseEntry(
        36,
        question="Lay one more tile where, or done?",
        rules=("SCROLL-5",),
        whom=Whom.ACTIVE,
        lies_on=ON_ACTION,
        keeps=(
            Keeps("place", "at", Holds.PLACE, "the first place explored"),
            Keeps("left", "left", Holds.NUMBER, "how many more tiles may be laid", most=2),
            Keeps("may_go_on", "stage", Holds.FLAG, "the scroll or token that allows more tiles is in use"),
        ),
    )
    FIND_SPACE = PhaseEntry(
        37, question="Gather from which space?", rules=("SCROLL-5",), whom=Whom.ACTIVE, lies_on=ON_ACTION
    )
    REROLL = PhaseEntry(
        38,
        question="Roll again?",
        rules=("SCROLL-5",),
        whom=Whom.SAME,
        lies_on=on("ATTACK", stages=(0,)),
        keeps=ROLL,
    )
    GRIP = PhaseEntry(
        39,
        question="Which breaking die breaks nothing?",
        rules=("SCROLL-5",),
        whom=Whom.SAME,
        lies_on=on("BREAK"),
    )
    ASK_GUNBAI = PhaseEntry(
        40,
        question="Use the gunbai against this roll?",
        rules=("ADV-1",),
        whom=Whom.NEXT_FIGHTER,
        lies_on=on("GUNBAI"),
    )
    ASK_SMOKE = PhaseEntry(
        41,
        question="Leave the fight after this roll?",
        rules=("ADV-1", "CHAR-75"),
        whom=Whom.NEXT_FIGHTER,
        lies_on=on("SMOKE"),
    )
    MOVE_OTHER = PhaseEntry(
        42,
        question="Move the samurai where, or done?",
        rules=("ADV-1",),
        whom=Whom.ACTIVE,
        lies_on=on("BANNER"),
        keeps=(MOVED_SAMURAI,),
    )
    CONSENT = PhaseEntry(
        43,
        question="Let your samurai be moved there?",
        rules=("ADV-1",),
        whom=Whom.OTHER,
        lies_on=on("BANNER"),
        keeps=(MOVED_SAMURAI, Keeps("space", "at", Holds.SPACE, "the space to move to")),
    )
    RAIN = PhaseEntry(
        44,
        question="Take which lava tile off?",
        rules=("ADV-1",),
        whom=Whom.ACTIVE,
        lies_on=on("ACTION"),
    )
    FLEE = PhaseEntry(
        45,
        question="Flee from the lava where?",
        rules=("LAVA-1", "LAVA-2"),
        whom=Whom.NEXT_IN_ERUPTION,
        lies_on=on("ERUPTION", stages=(0,)),
    )
    REBIRTH = PhaseEntry(
        46,
        question="Reborn in which temple?",
        rules=("LAVA-3", "SCEN-22", "SCEN-61"),
        whom=Whom.FALLEN,
        lies_on=on("ERUPTION", stages=(0,), whom=Whom.NEXT_IN_ERUPTION)
        + on("DRAGON_ATTACK", stages=(2,))
        + on("DUEL", stages=(3,), whom=Whom.LOSER)
        + on("ATTACK", stages=(1,))
        + on("DRAGON_FIGHT", stages=(6,))
        + on("RETREAT_TO", whom=Whom.FIGHTER)
        + on("SMOKE", "REBIRTH"),
        keeps=(Keeps("unconscious", "stage", Holds.FLAG, "the samurai lies there unconscious (SCEN-22)"),),
        asks_unconscious=True,
    )
    CLAIM = PhaseEntry(
        47,
        question="Claim which bonus, or done?",
        rules=("SHOG-1", "SHOG-5"),
        whom=Whom.ACTIVE,
        lies_on=on("TURN", stages=(5,)),
        asks_outside=True,
    )
    SETUP_SCROLL = PhaseEntry(
        48,
        question="Begin with which scroll?",
        rules=("CHAR-41",),
        whom=Whom.ANYONE,
        lies_on=on("SETUP_CUBES"),
    )
    JUMP = PhaseEntry(49, question="Land where?", rules=("CHAR-43",), whom=Whom.ACTIVE, lies_on=on("MOVE"))
    THEFT = PhaseEntry(
        50,
        question="Steal which scroll?",
        rules=("CHAR-73",),
        whom=Whom.ACTIVE,
        lies_on=on("MOVE"),
        keeps=(Keeps("other", "thing", Holds.PLAYER, "the samurai who is robbed"),),
    )
    TAKE_CARD = PhaseEntry(
        51,
        question="Begin with which gear card?",
        rules=("COOP-6", "COOP-7"),
        whom=Whom.ANYONE,
        lies_on=on("SETUP"),
    )
    DRAGON_ORDER = PhaseEntry(
        52,
        question="Which dragon moves next?",
        rules=("COOP-11", "COOP-10"),
        whom=Whom.GROUP,
        lies_on=on("ROUND", stages=(2,)),
        asks_unconscious=True,
    )
    DRAGON_WAY = PhaseEntry(
        53,
        question="Where does the dragon go?",
        rules=("COOP-11", "COOP-12"),
        whom=Whom.GROUP,
        lies_on=on("ROUND", stages=(2,)),
        keeps=(Keeps("dragon", "thing", Holds.DRAGON, "the dragon that moves"),),
        asks_unconscious=True,
    )
    RETREAT_TO = PhaseEntry(
        54,
        question="Retreat to which space beside the tile?",
        rules=("COOP-12", "DRAG-7"),
        whom=Whom.FIGHTER,
        lies_on=on("ATTACK", stages=(1,))
        + on("DRAGON_FIGHT", stages=(6,))
        + on("MONK_FIGHT", stages=(3,))
        + on("SMOKE", "RETREAT_TO"),
    )
    SHARE_TOOTH = PhaseEntry(
        55,
        question="Who gets the tooth?",
        rules=("COOP-16",),
        whom=Whom.FIRST_FIGHTER,
        lies_on=on("SHARING"),
    )
    LEAVE = PhaseEntry(
        56,
        question="Leave the volcano by the secret exit?",
        rules=("COOP-21",),
        whom=Whom.ACTIVE,
        lies_on=on("TURN", stages=(6,)),
    )
    SWAP_GIVE = PhaseEntry(
        57,
        question="Give which item, or nothing, or done?",
        rules=("COOP-17",),
        whom=Whom.ANYONE,
        lies_on=on("ACTION"),
        keeps=SWAP,
    )
    SWAP_TAKE = PhaseEntry(
        58,
        question="Take which item in return, or nothing?",
        rules=("COOP-17",),
        whom=Whom.ANYONE,
        lies_on=on("ACTION"),
        keeps=SWAP,
    )
    SWAP_CONSENT = PhaseEntry(
        59,
        question="Agree to the swap?",
        rules=("COOP-17",),
        whom=Whom.ANYONE,
        lies_on=on("ACTION"),
        keeps=SWAP,
    )

    # --- phases that run by themselves

    SETUP = PhaseEntry(
        64,
        step="asks each player in turn for its monks and first cubes",
        rules=("SETUP-8",),
        lies_on=on("TURN", stages=(0,)),
        keeps=(Keeps("stage", "stage", Holds.NUMBER, "how many players have been asked", most=6),),
    )
    TURN = PhaseEntry(
        65,
        step="runs a turn; the lowest frame of the stack",
        rules=("TURN-1", "TURN-8"),
        keeps=(STAGE,),
    )
    DRAGON_FIGHT = PhaseEntry(
        66,
        step="runs a dragon fight",
        rules=("DRAG-1",),
        whom=Whom.ACTIVE,
        lies_on=ON_ACTION + on("ROUND", stages=(2,)),
        keeps=(Keeps("dragon", "thing", Holds.DRAGON, "the dragon"), STAGE, PASSED),
    )
    DUEL = PhaseEntry(
        67,
        step="runs a duel",
        rules=("DUEL-1", "DUEL-3"),
        whom=Whom.ACTIVE,
        lies_on=ON_ACTION,
        keeps=(Keeps("other", "thing", Holds.PLAYER, "the defender"), STAGE),
    )
    MAGIC_REFRESH = PhaseEntry(
        68,
        step="lays and lifts magic cubes; lies below every action and comes up when it ends",
        rules=("MAGIC-1", "MAGIC-5"),
        whom=Whom.ACTIVE,
        lies_on=on("TURN", stages=(2, 3, 6))
        + on("ACTION")
        + ON_ACTION
        + on("ROUND", stages=(1, 2))
        + on("MONKS")
        + on("MONK_FIGHT", stages=(0,)),
    )
    REST_END = PhaseEntry(
        69,
        step="offers gear cards after a rest",
        rules=("REST-1", "GEAR-1"),
        whom=Whom.ACTIVE,
        lies_on=on(After.ACTION),
    )
    ATTACK = PhaseEntry(
        70,
        step="runs a fighter's turn",
        rules=("ATK-1",),
        whom=Whom.ANYONE,
        lies_on=on("DRAGON_FIGHT", stages=(4,)) + on("DUEL", "MONK_FIGHT", stages=(1,)),
        keeps=(STAGE,),
        may_be_enemys=True,
    )
    AFTER_ROLL = PhaseEntry(
        71,
        step="breaks cubes, then deals the hits of a roll",
        rules=("ATK-3",),
        whom=Whom.SAME,
        lies_on=on("ATTACK", stages=(0,)),
        keeps=(STAGE,),
        may_be_enemys=True,
    )
    DRAGON_ATTACK = PhaseEntry(
        72,
        step="rolls for the dragon: teeth, then hits for each fighter",
        rules=("ATK-4", "ATK-5"),
        lies_on=on("DRAGON_FIGHT", stages=(4,)),
        keeps=(STAGE, PASSED),
    )
    MEND = PhaseEntry(
        73,
        step="repairs a weapon that has lost cubes, and checks its magic",
        rules=("WEAP-6", "MAGIC-2"),
        whom=Whom.ACTIVE,
        lies_on=on("AFTER_ROLL", stages=(0,), whom=Whom.SAME)
        + on("DRAGON_FIGHT", stages=(2,), whom=Whom.NEXT_FIGHTER)
        + on("JUMP"),
        keeps=(STAGE, Keeps("weapon", "at", Holds.WEAPON_OR_LEFT, "the weapon")),
    )
    SURPLUS = PhaseEntry(
        74,
        step="throws away what the pack has no room for",
        rules=("HERO-5", "PACK-5"),
        whom=Whom.NEXT_FIGHTER,
        lies_on=on("DRAGON_FIGHT", stages=(2,)),
    )
    GUNBAI = PhaseEntry(
        75,
        step="asks each player with a gunbai",
        rules=("ADV-1",),
        lies_on=on("AFTER_ROLL", "MONK_ATTACK", stages=(1,)) + on("DRAGON_ATTACK", stages=(1, 2)),
        keeps=(
            Keeps("roller", "thing", Holds.PLAYER_OR_NONE, "the player who rolled, from 1; 0: the dragon"),
            PASSED,
        ),
    )
    SMOKE = PhaseEntry(
        76,
        step="asks each fighter who may leave after a roll",
        rules=("ADV-1", "CHAR-75"),
        lies_on=on("DRAGON_FIGHT", stages=(4,)) + on("ATTACK", stages=(0,)) + on("MONK_FIGHT", stages=(1,)),
        keeps=(PASSED,),
    )
    BANNER = PhaseEntry(
        77,
        step="lets the user of a sashimono move each other samurai",
        rules=("ADV-1",),
        whom=Whom.ACTIVE,
        lies_on=on("ACTION"),
        keeps=(PASSED,),
    )
    ERUPTION = PhaseEntry(
        78,
        step="deals with each samurai on lava",
        rules=("LAVA-1",),
        whom=Whom.ACTIVE,
        lies_on=on(After.ERUPTION),
        keeps=(PASSED, Keeps("paid", "stage", Holds.FLAG, "the next samurai has paid")),
    )
    ROUND = PhaseEntry(
        79,
        step="wakes and moves the dragons between rounds",
        rules=("COOP-8", "COOP-2", "SCEN-21"),
        lies_on=on("TURN", stages=(0,)),
        keeps=(STAGE, Keeps("dragons", "chosen", Holds.DRAGONS, "dragons that still have to move")),
    )
    SHARING = PhaseEntry(
        80,
        step="shares out the teeth of a dragon",
        rules=("COOP-16", "PACK-2"),
        lies_on=on("DRAGON_FIGHT", stages=(4, 6)) + on("SMOKE"),
        keeps=(Keeps("left", "left", Holds.NUMBER, "teeth left", most=MAX_PRINTED),),
    )
    MONK_FIGHT = PhaseEntry(
        81,
        step="runs a fight with a monk",
        rules=("SCEN-41", "SCEN-42"),
        whom=Whom.ANYONE,
        lies_on=ON_ACTION + on("TURN", stages=(3,)) + on("MONKS") + on("MONK_FIGHT", stages=(0,)),
        keeps=(
            Keeps("space", "thing", Holds.SPACE_OR_NONE, "the monk's space"),
            Keeps("came_from", "at", Holds.SPACE, "where the samurai came from"),
            STAGE,
        ),
    )
    MONK_ATTACK = PhaseEntry(
        82,
        step="rolls for the monk",
        rules=("SCEN-41", "ATK-5"),
        whom=Whom.SAME,
        lies_on=on("MONK_FIGHT", stages=(1,)),
        keeps=(STAGE,),
    )
    MONKS = PhaseEntry(
        83,
        step="moves the monks towards the samurai at the end of a round",
        rules=("SCEN-43",),
        lies_on=on("TURN", stages=(0,)),
    )


FIRST_AUTOMATIC: Final = Phase.SETUP
QUESTIONS: Final[dict[Phase, str]] = {phase: phase.entry.question for phase in Phase if phase.entry.question}


def frames_with(holds: Holds, slot: str) -> list[tuple[Phase, int | None]]:
    """Return the phases whose frames hold this kind of content in this slot, each with the stage that does; None: all
    stages."""
    fields = [(phase, field) for phase in Phase for field in phase.entry.keeps]
    return [(phase, field.stage) for phase, field in fields if field.holds == holds and field.slot == slot]


def phase_bits(holds: Holds, slot: str, first: int = 0) -> int:
    """Return a bit for each of the 64 phases from `first` on whose frames hold this kind of content in this slot.
    Compiled code tests a bit faster than it searches a tuple."""
    phases = [phase for phase, _ in frames_with(holds, slot)]
    return sum(1 << phase - first for phase in phases if first <= phase < first + FIRST_AUTOMATIC)


def slot_of(phase: Phase, name: str) -> str:
    """Return the field of `Frame` that the phase uses for the content with this name."""
    return next(field.slot for field in phase.entry.keeps if field.name == name)


def grounds(phase: Phase) -> dict[Phase | After, On]:
    """Return the phases and events that a frame of the phase may lie on."""
    return {Phase[each.ground] if isinstance(each.ground, str) else each.ground: each for each in phase.entry.lies_on}
