"""Recipes of all learners: PPO, values of positions, and pupils of a lookahead."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from fujikoro_training.learning.recipe import Recipe, RecipeError, read_settings, recipe_of
from fujikoro_training.pupil import recipe as pupil
from fujikoro_training.pupil.recipe import PupilRecipe, pupil_recipe_of
from fujikoro_training.values import recipe as values
from fujikoro_training.values.recipe import ValueRecipe, value_recipe_of

AnyRecipe = Recipe | ValueRecipe | PupilRecipe
MAKERS: Final[dict[Any, Callable[[str, Mapping[str, Any]], AnyRecipe]]] = {
    values.LEARNER: value_recipe_of,
    pupil.LEARNER: pupil_recipe_of,
}


def read_any_recipe(name: str, changes: Sequence[str] = ()) -> AnyRecipe:
    """Read a recipe of any learner, with changes of the form `section.key=value`."""
    said = read_settings(name, changes)
    if "learner" not in said:
        return recipe_of(Path(name).stem, said)
    learner = said["learner"]
    if not isinstance(learner, str) or learner not in MAKERS:
        allowed = f"allowed are {', '.join(MAKERS)}; without a learner, PPO is used"
        raise RecipeError(f"recipe {Path(name).stem}: learner={learner!r}: {allowed}")
    return MAKERS[learner](Path(name).stem, said)
