"""Fuji as tools see it, found by the name `fuji`."""

from typing import Any, Final

from fuji_env.content import ContentError, load_pack
from fuji_env.content.model import SKILLS
from fuji_env.game import Game
from fuji_env.player import AGENTS
from fuji_env.render.text import table_text
from fuji_env.rules.base.actions import TABLE
from fuji_env.rules.base.phases import QUESTIONS, Phase
from fuji_env.settings import OPTIONS, VARIANTS, Rules, RulesError
from fuji_env.worths import worths_of
from fujikoro_env.kernel.declared import DeclaredGame, Setting


def _is_team(_rules: Any) -> bool:
    return True


def _skills(game: Any) -> list[str]:
    return [SKILLS[int(game.state.figures[k].skill)] for k in range(game.rules.figures)]


GAME: Final = DeclaredGame(
    name="fuji",
    title="Fuji",
    make_rules=Rules,
    make_game=Game,
    rules_errors=(RulesError, ContentError, OSError),
    settings=(
        Setting("players", "how many play", (2, 3, 4)),
        Setting("variant", "of the game for two", VARIANTS),
        Setting("scenario", "its number or name", tuple(scenario.id for scenario in load_pack("base").scenarios)),
        Setting("level", "how hard it is", (1, 2, 3, 4)),
        Setting("skills", "skill cards, one for each figure"),
        Setting("content", "content pack"),
    ),
    options=OPTIONS,
    actions=TABLE.size,
    blocks=TABLE,
    phases=Phase,
    questions=QUESTIONS,
    agents=AGENTS,
    is_team=_is_team,
    table_text=table_text,
    advisers=("guide", "random"),
    traits=_skills,
    worths=worths_of,
    batches="fuji_env.envs.batch:BatchedGames",
    sessions="fuji_env.session:Session",
    picture="fuji_env.render.svg:table_svg",
    texts="fuji_env.render.keyboard:TEXTS",
    search="fuji_env.agents.search:SEARCH",
    observations=dict.fromkeys(("compact", "tensor"), "fuji_env.observation:observation_space"),
)
