"""The table of actions, from which offsets, names, parsing, masks and documentation are derived.

An action is a number below `ACTIONS`: a block and an index into it. All phases, modes and player counts share the same
blocks. The meaning of an index is fixed, except for cards, which are numbered by their slot on the table.
"""

from typing import Final

from fujikoro_env.content.model import ADVENTURE_POWERS, GEAR, PALACE_TRACKS, RESOURCES, SCROLL_POWERS
from fujikoro_env.kernel.action_table import WORD_BITS as WORD_BITS
from fujikoro_env.kernel.action_table import ActionTable, Block
from fujikoro_env.rules.base.state import CARD_SLOTS, GEAR_CELLS, GEAR_WIDTH, PLAYERS, SCROLL_DISPLAY, SCROLL_SLOTS
from fujikoro_env.rules.map.geometry import geometry


def _cells() -> tuple[str, ...]:
    return tuple(
        f"{gear}[{cell // width},{cell % width}]"
        for gear, width, cells in zip(GEAR, GEAR_WIDTH, GEAR_CELLS, strict=True)
        for cell in range(cells)
    )


def _slots(word: str) -> tuple[str, ...]:
    return tuple(f"{gear} {word} {slot}" for gear in GEAR for slot in range(CARD_SLOTS))


def _lays() -> tuple[str, ...]:
    return tuple(f"{kind}, {cell}" for kind in RESOURCES for cell in CELL_NAMES)


CELL_NAMES: Final = _cells()
OPEN_SCROLLS: Final = tuple(f"open {k}" for k in range(SCROLL_DISPLAY))
CHARACTER_POWERS: Final = ("jump", "steal", "sneak", "craft")
MOST_DICE: Final = 16  # most dice of one kind in one weapon: Takeko's 16 cubes

TABLE: Final = ActionTable(
    Block("yes", "agree"),
    Block("no", "decline"),
    Block("done", "stop here"),
    Block("move", "the action: go some steps (MOVE-1)"),
    Block("explore", "the action: lay a tile on a place beside the samurai (EXPL-1)"),
    Block("gather", "the action: take what lies on the samurai's space (GATH-1)"),
    Block("rest", "the action: take the discs back, and craft (REST-1)"),
    Block("main", "the main half of an action with a gear card (GEAR-3)"),
    Block("bonus", "the bonus half of an action with a gear card (GEAR-3)"),
    Block("step", "go to, or name, a space", geometry().space_names),
    Block("place", "name the place of a tile", geometry().place_names),
    Block("turn", "rotate a tile by this many sixths", tuple("012345")),
    Block("lay", "lay a cube from the hand on a cell", _lays()),
    Block("cell", "give up, or take off, the cube on a cell", CELL_NAMES),
    Block("magic", "give up the magic cube of a gear", GEAR),
    Block("craft", "craft this gear", GEAR),
    Block("add", "craft by adding to what lies there"),
    Block("rebuild", "craft from scratch: lift all cubes first"),
    Block("build", "lay the pattern of a card", (*_slots("card"), *_slots("blueprint"))),
    Block("card", "name a gear card in play", _slots("card")),
    Block("blueprint", "name a blueprint in play", _slots("blueprint")),
    Block("scroll", "name an open scroll card, or the top of the deck", (*OPEN_SCROLLS, "deck")),
    Block("slot", "name a scroll slot", tuple(f"{k + 1}" for k in range(SCROLL_SLOTS))),
    Block("monk", "name a monk spot, or the pack", ("pool", "scroll", "weapon", "pack", "carried")),
    Block("take", "take a resource, or all that is offered", (*RESOURCES, "all")),
    Block("throw", "throw a pack resource away to make room (PACK-2)", RESOURCES),
    Block("find", "what to gather", ("resources", "stock", "scroll", "monk", "blueprint", "adventure", "spoils")),
    Block("number", "how many", tuple(f"{n}" for n in range(MOST_DICE + 1))),
    Block("player", "name a player, counted from the acting player", tuple(f"{k} seats on" for k in range(PLAYERS))),
    Block("stack", "look at the top tile of a stack", ("1", "2", "3")),
    Block("weapon", "fight with this weapon, or lay the magic there", ("left", "right", "sandals")),
    Block("score", "the weapon card gives 1 VP each time (GEAR-5)"),
    Block("look", "the weapon card gives a look at a stack each time (GEAR-5)"),
    Block("roll", "roll all dice of the weapon"),
    Block("retreat", "leave the fight; in a duel, give up"),
    Block("use", "use a power", (*SCROLL_POWERS, *ADVENTURE_POWERS, *CHARACTER_POWERS)),
    Block("claim", "claim a shogun bonus", PALACE_TRACKS),
    Block("item", "name a pack item", (*RESOURCES, "monk", "scroll 1", "scroll 2")),
)
ACTIONS: Final = TABLE.size
WORDS: Final = TABLE.words  # of a mask

YES: Final = TABLE["yes"].first
NO: Final = TABLE["no"].first
DONE: Final = TABLE["done"].first
MOVE: Final = TABLE["move"].first  # move, explore and gather are consecutive, in the order of `Disc`
EXPLORE: Final = TABLE["explore"].first
GATHER: Final = TABLE["gather"].first
REST: Final = TABLE["rest"].first
MAIN: Final = TABLE["main"].first
BONUS: Final = TABLE["bonus"].first
STEP: Final = TABLE["step"].first
PLACE: Final = TABLE["place"].first
TURN: Final = TABLE["turn"].first
LAY: Final = TABLE["lay"].first
CELL: Final = TABLE["cell"].first
MAGIC: Final = TABLE["magic"].first
CRAFT: Final = TABLE["craft"].first
ADD: Final = TABLE["add"].first
REBUILD: Final = TABLE["rebuild"].first
BUILD: Final = TABLE["build"].first
CARD: Final = TABLE["card"].first
BLUEPRINT: Final = TABLE["blueprint"].first
SCROLL: Final = TABLE["scroll"].first
SLOT: Final = TABLE["slot"].first
MONK: Final = TABLE["monk"].first
TAKE: Final = TABLE["take"].first
THROW: Final = TABLE["throw"].first
FIND: Final = TABLE["find"].first
NUMBER: Final = TABLE["number"].first
PLAYER: Final = TABLE["player"].first
STACK: Final = TABLE["stack"].first
WEAPON: Final = TABLE["weapon"].first
SCORE: Final = TABLE["score"].first
LOOK: Final = TABLE["look"].first
ROLL: Final = TABLE["roll"].first
RETREAT: Final = TABLE["retreat"].first
USE: Final = TABLE["use"].first
CLAIM: Final = TABLE["claim"].first
ITEM: Final = TABLE["item"].first

TAKE_ALL: Final = TAKE + len(RESOURCES)
SCROLL_DECK: Final = SCROLL + SCROLL_DISPLAY
CELLS: Final = len(CELL_NAMES)
BUILD_BLUEPRINT: Final = BUILD + len(GEAR) * CARD_SLOTS
ITEM_MONK: Final = ITEM + len(RESOURCES)
ITEM_SCROLL: Final = ITEM_MONK + 1
FIRST_CELL: Final = (0, GEAR_CELLS[0], GEAR_CELLS[0] + GEAR_CELLS[1])  # first cell of each gear, among all cells
block_of: Final = TABLE.block_of
plain_name: Final = TABLE.plain_name
