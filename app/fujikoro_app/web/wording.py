"""Actions as labels of buttons, in plain English: "go to ring1.0/petal3", "roll 2 metal dice"."""

from collections.abc import Sequence
from typing import Final

from fujikoro_env.content.model import CUBES
from fujikoro_env.game import Game
from fujikoro_env.render.look import kept
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.phases import Phase

ALONE: Final = {  # actions without an argument
    "main": "main action",
    "bonus": "bonus of the gear card",
    "add": "add to what lies there",
    "rebuild": "rebuild: lift all cubes first",
    "score": "1 VP each time",
    "look": "a look at a stack each time",
    "roll": "roll all dice",
    "retreat": "leave the fight",
}
WITH: Final = {  # actions with an argument
    "step": "{}",
    "place": "{}",
    "turn": "turn {}",
    "cell": "{}",
    "magic": "magic cube of the {}",
    "craft": "craft the {}",
    "card": "{}",
    "blueprint": "blueprint {}",
    "scroll": "{}",
    "slot": "scroll slot {}",
    "monk": "the {} spot",
    "take": "take {}",
    "throw": "throw away {}",
    "find": "gather the {}",
    "number": "{}",
    "stack": "stack {}",
    "weapon": "the {} weapon",
    "use": "use {}",
    "claim": "claim {}",
    "item": "{}",
}
ANSWERS: Final = {  # actions whose label depends on the question
    (Phase.MOVE, "step"): "step to {}",
    (Phase.FLEE, "step"): "flee to {}",
    (Phase.REBIRTH, "step"): "be reborn on {}",
    (Phase.RETREAT_TO, "step"): "retreat to {}",
    (Phase.JUMP, "step"): "jump to {}",
    (Phase.LAY_LOSER, "step"): "lay the loser on {}",
    (Phase.RAIN, "step"): "take the lava tile off {}",
    (Phase.FIND_SPACE, "step"): "gather from {}",
    (Phase.MOVE_OTHER, "step"): "move the samurai to {}",
    (Phase.JOIN, "step"): "join at {}",
    (Phase.EXPLORE_PLACE, "place"): "explore {}",
    (Phase.EXPLORE_MORE, "place"): "explore {}",
    (Phase.DRAGON_WAY, "place"): "to {}",
    (Phase.DRAGON_ORDER, "place"): "the dragon on {}",
    (Phase.DRAGON_TARGET, "place"): "the dragon on {}",
    (Phase.SEND_MONK, "monk"): "send a monk: {}",
    (Phase.MAGIC_WEAPON, "weapon"): "the {} weapon becomes magic",
    (Phase.TAKE, "done"): "take no more",
    (Phase.BLUEPRINTS, "done"): "take no more",
    (Phase.REST, "done"): "craft no more",
    (Phase.CRAFT_LAY, "done"): "the gear is finished",
    (Phase.MOVE, "done"): "stop here",
    (Phase.SWAP_GIVE, "no"): "give nothing",
    (Phase.SWAP_GIVE, "done"): "no more swaps",
    (Phase.SWAP_TAKE, "no"): "take nothing",
    (Phase.JOIN, "yes"): "join the fight",
    (Phase.JOIN, "no"): "stay out of it",
    (Phase.SEND_MONK, "no"): "send none",
    (Phase.RETREAT, "no"): "stay in the fight",
    (Phase.REROLL, "yes"): "roll again",
    (Phase.REROLL, "no"): "keep this roll",
    (Phase.CALL_DUEL, "yes"): "fight",
    (Phase.CALL_DUEL, "no"): "no duel",
    (Phase.LEAVE, "yes"): "leave the volcano",
    (Phase.LEAVE, "no"): "stay",
}


def words_of(view: Game, action: int, names: Sequence[str] = ()) -> str:
    """The label of an action. `names`: names of the players by seat."""
    block = act.block_of(action)
    argument = view.action_name(action).partition("(")[2].removesuffix(")").replace("_", " ")
    if own := _special(view, block.name, action - block.first, argument, names):
        return own
    usual = WITH.get(block.name, "{}") if argument else ALONE.get(block.name, block.name)
    return ANSWERS.get((view.phase, block.name), usual).format(argument)


def _special(view: Game, block: str, index: int, argument: str, names: Sequence[str]) -> str:
    """Labels that are more than a form with the argument; "" for all others."""
    match block:
        case "number" if view.phase == Phase.DICE:
            kind = CUBES[kept(view, "kind")]
            return f"{index} {kind} {'die' if index == 1 else 'dice'}" if index else f"no {kind} dice"
        case "lay":
            kind, _, cell = argument.partition(", ")
            return f"lay {kind} on {cell}"
        case "build":
            return f"lay the pattern of {argument.removeprefix('card ').removeprefix('blueprint ')}"
        case "player":
            seat = int(argument) if argument.isdecimal() else -1
            name = names[seat] if 0 <= seat < len(names) else ""
            return f"{name} (player {seat})" if name else f"player {argument}"
        case "scroll" if argument == "deck":
            return "the top of the scroll deck"
    return ""
