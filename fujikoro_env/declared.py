"""Fuji Koro as tools see it, found by the name `fujikoro`."""

from typing import Any, Final

from fujikoro_env.content import ContentError
from fujikoro_env.game import Game
from fujikoro_env.kernel.declared import DeclaredGame, Setting
from fujikoro_env.player import AGENTS
from fujikoro_env.render.text import table_text
from fujikoro_env.rules.base.actions import ACTIONS, TABLE
from fujikoro_env.rules.base.phases import QUESTIONS, Phase
from fujikoro_env.settings import OPTIONS, Rules, RulesError


def _is_team(rules: Any) -> bool:
    return bool(rules.is_coop)


GAME: Final = DeclaredGame(
    name="fujikoro",
    title="Fuji Koro",
    make_rules=Rules,
    make_game=Game,
    rules_errors=(RulesError, ContentError, OSError),
    settings=(
        Setting("players", "how many play"),
        Setting("mode", "competitive, coop or solo"),
        Setting("characters", "asymmetric boards"),
        Setting("scenario", "1 to 8, or its name"),
        Setting("content", "content pack"),
        Setting("final_at", "VP that start the final chapter"),
        Setting("max_rounds", "the game ends after so many rounds"),
        Setting("peaceful", "the peaceful variant", (False, True)),
        Setting("adventure_tokens", "whether adventure tokens are used", (True, False)),
    ),
    options=OPTIONS,
    actions=ACTIONS,
    blocks=TABLE,
    phases=Phase,
    questions=QUESTIONS,
    agents=AGENTS,
    is_team=_is_team,
    table_text=table_text,
    advisers=("shogun", "runner", "hunter", "smith", "gatherer", "wanderer", "random"),
    team_advisers=("band",),
    batches="fujikoro_env.envs.batch:BatchedGames",
    sessions="fujikoro_env.session:Session",
    texts="fujikoro_app.own_texts:TEXTS",
    observations=dict.fromkeys(("compact", "tensor"), "fujikoro_env.observation:observation_space"),
)
