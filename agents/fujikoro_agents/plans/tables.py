"""Tables of the level `plans`: the features of a choice, and the summary of a position.

Every number is scaled to its bounds. The compiled functions use the column constants below the tables; docs/plans.md is
generated from the tables.
"""

from typing import Final

from fujikoro_agents.scripted.evaluation import NAMES
from fujikoro_env.envs.levels import Feature

CHOICES: Final = 16

FEATURES: Final = (
    Feature("usual", "choice 0: what the script would do; its other features describe the script's own aim"),
    Feature("explore", "deed: explore a place"),
    Feature("gather", "deed: gather"),
    Feature("fight", "deed: fight a dragon"),
    Feature("rest", "deed: rest, and craft"),
    Feature("leave", "deed: go to the exit"),
    Feature("bonus", "deed: an action for the bonus of the gear card on its field"),
    Feature("hide", "deed: go where no danger comes before the next turn (co-op)"),
    Feature("meet", "deed: go to the meeting point of the team (co-op)"),
    Feature("answer", "a legal answer to a question, at the phases named in the setting `phases`"),
    Feature("distance", "steps to the goal, divided by 12"),
    Feature("moves", "move actions to the goal, divided by 4"),
    Feature("actions", "actions in all, divided by 6"),
    Feature("this_turn", "whether it can be done this turn"),
    Feature("discs", "discs left in the pool afterwards, divided by 6; negative: rests are needed", -1.0),
    Feature("gain", "expected gain in VP (in co-op worth to the team), divided by 10", -1.0),
    Feature("rate", "expected gain per action, divided by 5"),
    Feature("odds", "probability of beating the dragon"),
    Feature("fall", "probability of being knocked out by it"),
    Feature("prize", "VP of the dragon, divided by 10"),
    Feature("level", "level of the place to explore, divided by 3"),
    Feature("scroll", "a scroll of the own colour lies there"),
    Feature("monk", "a monk stands there"),
    Feature("adventure", "an adventure token lies there"),
    Feature("spoils", "spoils of a dragon lie there"),
    Feature("temple", "the goal is a temple"),
    Feature("stock", "wood and metal can be taken from the supply there"),
    Feature("wood", "wood of the resource token there, divided by 4"),
    Feature("metal", "metal of the resource token there, divided by 4"),
    Feature("teeth", "teeth of the resource token there, divided by 4"),
    Feature("helmet", "the helmet is crafted"),
    Feature("weapon", "the weapon is crafted"),
    Feature("sandals", "the sandals are crafted"),
    Feature("cubes", "cubes in the pack that can be laid, divided by 8"),
    Feature("build", "worth of what a rest could build now, divided by 10"),
    Feature("field_move", "the bonus is on the field of move"),
    Feature("field_explore", "the bonus is on the field of explore"),
    Feature("field_gather", "the bonus is on the field of gather"),
    Feature("rivals", "other samurai that are nearer to the goal by tiles, divided by 5"),
    Feature("danger", "danger of a night at the goal, divided by 20 (co-op)"),
    Feature("way_home", "moves from the goal to the rope, divided by 8 (final chapter)"),
    Feature("late", "there is no time to come back to the rope afterwards (final chapter)"),
    Feature("kept", "the aim that was chosen at the last question"),
    Feature("same_start", "it begins with the same action as choice 0"),
    Feature("yes", "the answer `yes`"),
    Feature("no", "the answer `no`"),
    Feature("done", "the answer `done`"),
    Feature("number", "number of the answer within its block of actions, divided by the size of the block"),
)
WIDTH: Final = len(FEATURES)
COLUMNS: Final = {feature.name: column for column, feature in enumerate(FEATURES)}
USUAL: Final = COLUMNS["usual"]
EXPLORE: Final = COLUMNS["explore"]
GATHER: Final = COLUMNS["gather"]
FIGHT: Final = COLUMNS["fight"]
REST: Final = COLUMNS["rest"]
LEAVE: Final = COLUMNS["leave"]
BONUS: Final = COLUMNS["bonus"]
HIDE: Final = COLUMNS["hide"]
MEET: Final = COLUMNS["meet"]
ANSWER: Final = COLUMNS["answer"]
DISTANCE: Final = COLUMNS["distance"]
MOVES: Final = COLUMNS["moves"]
ACTIONS: Final = COLUMNS["actions"]
THIS_TURN: Final = COLUMNS["this_turn"]
DISCS: Final = COLUMNS["discs"]
GAIN: Final = COLUMNS["gain"]
RATE: Final = COLUMNS["rate"]
ODDS: Final = COLUMNS["odds"]
FALL: Final = COLUMNS["fall"]
PRIZE: Final = COLUMNS["prize"]
LEVEL: Final = COLUMNS["level"]
SCROLL: Final = COLUMNS["scroll"]
MONK: Final = COLUMNS["monk"]
ADVENTURE: Final = COLUMNS["adventure"]
SPOILS: Final = COLUMNS["spoils"]
TEMPLE: Final = COLUMNS["temple"]
STOCK: Final = COLUMNS["stock"]
CUBES_THERE: Final = COLUMNS["wood"]  # wood, metal, teeth
GEAR: Final = COLUMNS["helmet"]  # helmet, weapon, sandals
CUBES: Final = COLUMNS["cubes"]
BUILD: Final = COLUMNS["build"]
FIELD: Final = COLUMNS["field_move"]  # move, explore, gather
RIVALS: Final = COLUMNS["rivals"]
DANGER: Final = COLUMNS["danger"]
WAY_HOME: Final = COLUMNS["way_home"]
LATE: Final = COLUMNS["late"]
KEPT: Final = COLUMNS["kept"]
SAME_START: Final = COLUMNS["same_start"]
YES: Final = COLUMNS["yes"]
NO: Final = COLUMNS["no"]
DONE: Final = COLUMNS["done"]
NUMBER: Final = COLUMNS["number"]

# Features of a player's board, from the evaluation of positions (scripted/evaluation.py), and what they are divided by.
SCALES: Final = {
    "vp": 60,
    "scoring_card": 1,
    "helmet_card": 1,
    "sandals_card": 1,
    "helmet_progress": 1,
    "weapon_progress": 1,
    "sandals_progress": 1,
    "hits": 20,
    "initiative": 12,
    "helmet": 24,
    "full_sandals": 1,
    "wood": 6,
    "metal": 6,
    "tooth": 6,
    "room": 3,
    "pool_monk": 2,
    "scroll_monk": 2,
    "weapon_monk": 2,
    "pack_monk": 2,
    "powers": 8,
    "tokens": 4,
    "blueprints": 20,
    "claims": 40,
    "discs": 8,
    "unconscious": 1,
}
BOARD: Final = tuple(NAMES.index(name) for name in SCALES)  # columns of the evaluation
DIVISORS: Final = tuple(float(scale) for scale in SCALES.values())


def _board(whose: str) -> tuple[Feature, ...]:
    return tuple(
        Feature(f"{whose}_{name}", f"`{name}` of the evaluation{f', divided by {scale}' if scale > 1 else ''}")
        for name, scale in SCALES.items()
    )


SUMMARY: Final = (
    Feature("players", "number of players, divided by 6"),
    Feature("time", "current round, divided by the last one"),
    Feature("to_final", "VP that the leader still needs to start the final chapter, as a share of all it needs"),
    Feature("final", "the final chapter has begun"),
    Feature("turns_left", "turns left in the final chapter, divided by 10"),
    Feature("rope", "the rope hangs"),
    Feature("last_action", "the last action of the turn"),
    Feature("tiles", "tiles laid, divided by 30"),
    Feature("dragons", "dragons on the map, divided by 16"),
    Feature("lead", "own VP minus the mean of the others, divided by 30", -1.0),
    Feature("ahead", "players with more VP, divided by 5"),
    Feature("coop", "a co-op or solo game"),
    Feature("rounds_left", "rounds left, divided by 20 (co-op)"),
    Feature("legend", "the legendary dragon has been found (co-op)"),
    Feature("exit", "the secret exit has been found (co-op)"),
    Feature("exit_open", "the exit is open (co-op)"),
    Feature("lives", "lives lost, divided by 3 (co-op)"),
    Feature("inside", "the player is inside the volcano"),
    *_board("own"),
    *_board("rival"),  # of the other player with most VP
)
SUMMARY_WIDTH: Final = len(SUMMARY)
(
    S_PLAYERS,
    S_TIME,
    S_TO_FINAL,
    S_FINAL,
    S_TURNS_LEFT,
    S_ROPE,
    S_LAST_ACTION,
    S_TILES,
    S_DRAGONS,
    S_LEAD,
    S_AHEAD,
    S_COOP,
    S_ROUNDS_LEFT,
    S_LEGEND,
    S_EXIT,
    S_EXIT_OPEN,
    S_LIVES,
    S_INSIDE,
    S_OWN,
) = range(19)
S_RIVAL: Final = S_OWN + len(SCALES)
