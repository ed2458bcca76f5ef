"""Plans in words."""

from typing import Any, Final

from fujikoro_agents.plans import tables as f
from fujikoro_agents.plans.following import TO_CRAFT_GEAR, TO_HIDE
from fujikoro_agents.scripted.aims import DEEDS_OF_SPACE, NO_AIM
from fujikoro_agents.scripted.plans import TO_CRAFT, TO_EXPLORE, TO_FIGHT, TO_GATHER, TO_LEAVE, TO_USE_BONUS
from fujikoro_env.content.model import GEAR
from fujikoro_env.game import Game
from fujikoro_env.rules.map.geometry import geometry

FIELDS: Final = ("move", "explore", "gather")
FOUND: Final = {
    f.SCROLL: "a scroll",
    f.MONK: "a monk",
    f.ADVENTURE: "an adventure",
    f.SPOILS: "spoils",
}


def choice_text(game: Game, choice: int, aim: int, action: int, features: Any) -> str:
    """A choice in words. Choice 0 is what the script would do, in the words of the script's own aim."""
    if aim == NO_AIM:
        return _by_script(game, choice, game.action_name(action))
    return _by_script(game, choice, _aim_text(game, aim, features))


def _by_script(game: Game, choice: int, text: str) -> str:
    if choice > 0:
        return text
    script = "band" if game.rules.is_coop and not game.rules.has_vp else "runner"
    return f"as {script} would: {text}"


def _aim_text(game: Game, aim: int, features: Any) -> str:
    deed, space = aim % DEEDS_OF_SPACE, aim // DEEDS_OF_SPACE
    worth = f", worth {10 * features[f.GAIN]:.1f}" if features[f.GAIN] else ""
    if deed >= TO_CRAFT_GEAR:
        return f"rest and lay all cubes on the {GEAR[deed - TO_CRAFT_GEAR]}"
    if deed == TO_CRAFT:
        return f"rest and craft{worth}"
    if TO_USE_BONUS <= deed < TO_HIDE:
        return f"{FIELDS[deed - TO_USE_BONUS]} for the bonus of the gear card{worth}"
    return f"{_goal_text(game, deed, space, features)}{_way(features)}{worth}"


def _goal_text(game: Game, deed: int, space: int, features: Any) -> str:
    where = geometry().space_names[space]
    if deed == TO_FIGHT:
        place = game.rules.tables[0].place_of[space]
        dragon = int(game.state.dragon_at[place]) - 1
        return f"fight {game.vocabulary.deck_ids('dragons')[dragon]} at {where}, odds {features[f.ODDS]:.0%}"
    if deed == TO_EXPLORE:
        return f"explore level {round(3 * features[f.LEVEL])} from {where}"
    if deed == TO_GATHER:
        return f"gather {_finds(features)} at {where}"
    if deed == TO_LEAVE:
        return f"go to the exit at {where}"
    return f"hide at {where}" if deed == TO_HIDE else f"meet the team at {where}"


def _finds(features: Any) -> str:
    """What can be gathered."""
    cubes = [
        f"{round(4 * features[f.CUBES_THERE + kind])} {name}"
        for kind, name in enumerate(("wood", "metal", "teeth"))
        if features[f.CUBES_THERE + kind] > 0
    ]
    found = [name for column, name in FOUND.items() if features[column] > 0]
    if features[f.TEMPLE] > 0:
        found.append("a blueprint or stock")
    elif features[f.STOCK] > 0:
        found.append("stock")
    return " or ".join([*found, *([" and ".join(cubes)] if cubes else [])]) or "something"


def _way(features: Any) -> str:
    far = round(12 * features[f.DISTANCE])
    if far == 0:
        return ""
    return f", {'12 or more' if far >= 12 else far} step{'s' if far > 1 else ''} away"
