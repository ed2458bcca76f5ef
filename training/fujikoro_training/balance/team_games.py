"""Plays the cells of experiments with teams, and turns their rows into effects."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
from scipy import stats
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from fujikoro_env.kernel.declared import find_game
from fujikoro_training.balance.analysis import COLUMNS, FOLLOWING, WIN, Row, effect_row, shifted, with_findings
from fujikoro_training.balance.cells import BASE
from fujikoro_training.balance.playing import Rows
from fujikoro_training.balance.statistics import Estimate, estimate, share
from fujikoro_training.balance.team import TeamCell, TeamSettings
from fujikoro_training.teams import play_team
from fujikoro_training.tournament.entrants import digest_of

WITH: Final = "win share with"
MEASURES: Final = {"rounds": 0.5, "score": 0.5}  # columns, with the margin of the equivalence test


def play_team_cell(cell: TeamCell, seeds: range) -> Rows:
    """Play a cell on consecutive seeds: a row for each game."""
    found = play_team(find_game(cell.game), cell.agent, cell.make_rules(), len(seeds), seeds.start)
    n = found.games
    games = {
        "cell": [cell.label] * n,
        "agent": [cell.agent] * n,
        "players": np.full(n, cell.players, np.int8),
        "block": np.array(seeds, np.int64),
        "rounds": found.rounds.astype(np.int16),
        "reason": list(found.reasons),
        "won": found.won,
        "score": found.scores.astype(np.int16),
        "traits": pa.array([list(traits) for traits in found.traits], pa.list_(pa.string())),
    }
    return Rows(pa.table(games), None)


def fingerprint(settings: TeamSettings) -> dict[str, Any]:
    """What determines the games beside the settings: the code of the game and of the agents."""
    game = find_game(settings.game)
    return {
        "engine": game.recording_class.game.engine_digest,
        "actions": game.action_digest,
        "agents": {name: team_agent_digest(settings.game, name) for name in settings.named_agents},
    }


def team_agent_digest(game: str, name: str) -> str:
    """Digest of the code of an agent of a game, and of the files that its name mentions."""
    return digest_of(type(find_game(game).agents.make(name)), name)


# --- effects --------------------------------------------------------------------------------------------------------


def team_effects(settings: TeamSettings, games: pd.DataFrame) -> pd.DataFrame:
    """The effects of an experiment, with a line for each estimate."""
    rows: list[Row] = []
    for _, those in games.groupby(["agent", "players"], sort=False):
        if settings.experiment == "characters":
            rows += _by_trait(settings, those)
        else:
            rows += _by_setting(settings, those)
    found = pd.DataFrame(rows, columns=[name for name in COLUMNS if name not in FOLLOWING])
    found = with_findings(found, "holm")
    places = {measure: place for place, measure in enumerate(dict.fromkeys(found["measure"]))}
    return found.sort_values("measure", key=lambda column: column.map(places), kind="stable", ignore_index=True)


def _by_setting(settings: TeamSettings, games: pd.DataFrame) -> Iterator[Row]:
    """Each cell, compared with the cell without a change on the same seeds."""
    base = games[games["cell"] == BASE].set_index("block")
    for cell, those in games.groupby("cell", sort=False):
        row = partial(effect_row, those["agent"].iloc[0], those["players"].iloc[0], level=str(cell), games=len(those))
        paired = those.set_index("block").join(base.add_suffix("_base"), how="inner")
        won = those["won"].to_numpy(np.float64)
        found, reference = share(won, float("nan")), float(base["won"].mean())
        gap = estimate((paired["won"].astype(float) - paired["won_base"].astype(float)).to_numpy(), 0, settings.within)
        found = Estimate(found.value, found.low, found.high, found.blocks, gap.p, gap.p_equivalent)
        yield row(measure=WIN, reference=reference, found=_uncompared(found) if cell == BASE else found)
        for reason in sorted(set(games["reason"][~games["won"]])):
            yield row(measure=f"share lost by {reason}", reference=float("nan"), found=_plain_share(those, reason))
        for column, margin in MEASURES.items():
            gap = estimate((paired[column] - paired[f"{column}_base"]).to_numpy(np.float64), 0.0, margin)
            reference = float(base[column].mean())
            if cell == BASE:  # intervals are those of differences, of which it has none
                gap = replace(_uncompared(gap), low=float("nan"), high=float("nan"))
            yield row(measure=column, reference=reference, found=shifted(gap, reference))


def _plain_share(games: pd.DataFrame, reason: str) -> Estimate:
    """The share of the games that ended for a reason, compared with nothing."""
    return _uncompared(share((games["reason"] == reason).to_numpy(np.float64), 0.0))


def _uncompared(found: Estimate) -> Estimate:
    """An estimate that is compared with nothing, and so doesn't count among the comparisons."""
    return replace(found, p=float("nan"), p_equivalent=float("nan"))


def _by_trait(settings: TeamSettings, games: pd.DataFrame) -> Iterator[Row]:
    """The games in which a trait was dealt, compared with those in which it was not."""
    won = games["won"].to_numpy(np.float64)
    traits = [set(traits) for traits in games["traits"]]
    for trait in sorted(set().union(*traits)):
        is_with = np.array([trait in those for those in traits])
        found, others = share(won[is_with], 0.0), won[~is_with]
        p, p_equivalent = _compared(won[is_with], others, settings.within)
        yield effect_row(
            games["agent"].iloc[0],
            games["players"].iloc[0],
            level=trait,
            games=int(is_with.sum()),
            measure=WITH,
            reference=float(others.mean()) if len(others) else float("nan"),
            found=Estimate(found.value, found.low, found.high, found.blocks, p, p_equivalent),
        )


def _compared(some: Any, others: Any, margin: float) -> tuple[float, float]:
    """P-values that two groups of games are won equally often (Fisher), and that their shares differ by the margin or
    more."""
    if len(some) < 2 or len(others) < 2:
        return float("nan"), float("nan")
    counts = [[group.sum(), len(group) - group.sum()] for group in (some, others)]
    p = float(stats.fisher_exact(counts)[1])
    if not np.ptp(some) and not np.ptp(others):
        return p, float("nan")
    groups = CompareMeans(DescrStatsW(some), DescrStatsW(others))
    return p, float(groups.ttost_ind(-margin, margin, usevar="unequal")[0])
