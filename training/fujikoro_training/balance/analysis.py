"""Turns the rows of an experiment into effects: a table with one line for each estimate.

Columns: `agent`, `players`, `measure`, `level` (what was varied), `games`, `blocks`, `value` with `low` and `high` (95
% by block), `reference` (what is fair, or the value without the change), `p`, `p_adjusted`, `finding` ("above" or
"below" the reference after correction for many comparisons), `equivalent` (within the margin by an equivalence test).
"""

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, Final

import numpy as np
import pandas as pd

from fujikoro_training.balance.cells import BASE, EVERYTHING
from fujikoro_training.balance.playing import FACTORS
from fujikoro_training.balance.settings import Settings
from fujikoro_training.balance.statistics import (
    LEVEL,
    Estimate,
    Floats,
    adjusted,
    block_means,
    entropy,
    estimate,
    share,
    variance_share,
)

WIN, LEAD = "win share", "lead in VP"
FIRST: Final = "win share of the first player"
AHEAD: Final = "finishes ahead"
HOLDER, HOLDER_VP = "win share of the holder", "VP of the holder, less the others'"
ALONE, TOTAL = "share of the variance, alone", "share of the variance, with interactions"
GAME_MEASURES: Final = {  # column of the table of games, and the margin of the equivalence test
    "rounds": ("rounds", 0.5),
    "VP of the winner": ("winner_vp", 0.5),
    "VP of all players": ("mean_vp", 0.5),
    "margin of the winner": ("margin", 0.5),
}
PACE_MEASURES: Final = {
    "rounds": "rounds",
    "turns": "turns",
    "choices per turn": "choices_per_turn",
    "choices": "choices",
    "forced decisions": "forced",
    "legal actions per choice": "branching",
    "bits per choice": "bits",
    "lead changes": "lead_changes",
    "share of the game until the winner leads for good": "settled",
    "deficit of the winner, share of the final VP": "drama",
    "margin of the winner": "margin",
}
COLUMNS: Final = (
    "agent", "players", "measure", "level", "games", "blocks", "value", "low", "high", "reference", "p", "p_adjusted",
    "finding", "p_equivalent", "equivalent",
)  # fmt: skip
FOLLOWING: Final = ("p_adjusted", "finding", "equivalent")  # columns that follow from the others
COPIES: Final = re.compile(r" x \d+$")  # end of the name of a changed component
Row = dict[str, Any]


def effects_of(settings: Settings, games: pd.DataFrame, players: pd.DataFrame, actions: pd.DataFrame | None) -> Any:
    """The effects of an experiment as a data frame."""
    rows = list(_ANALYSES[settings.experiment](settings, games, players, actions))
    found = pd.DataFrame(rows, columns=[name for name in COLUMNS if name not in FOLLOWING])
    return with_findings(found, "fdr_bh" if settings.experiment == "components" else "holm")


def with_findings(found: pd.DataFrame, method: str) -> pd.DataFrame:
    """Add corrected p-values and what follows from them; all lines of a measure are one family."""
    found["p_adjusted"] = np.nan
    for _, places in found.groupby("measure").groups.items():
        found.loc[places, "p_adjusted"] = adjusted(found.loc[places, "p"].to_numpy(), method)
    is_found = found["p_adjusted"] < LEVEL
    above = found["value"] > found["reference"]
    found["finding"] = np.where(~is_found, "", np.where(above, "above", "below"))
    found["equivalent"] = found["p_equivalent"] < LEVEL
    return found[list(COLUMNS)]


def effect_row(
    agent: str, players: int, measure: str, level: str, games: int, reference: float, found: Estimate
) -> Row:
    """A line of the table of effects."""
    return {
        "agent": agent,
        "players": int(players),
        "measure": measure,
        "level": level,
        "games": int(games),
        "blocks": found.blocks,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "reference": reference,
        "p": found.p,
        "p_equivalent": found.p_equivalent,
    }


def _win_row(rows: pd.DataFrame, measure: str, level: str, fair: float, margin: float) -> Row:
    """The share of games won, over blocks."""
    return _mean_row(rows, "win", measure, level, fair, margin, share)


def _mean_row(
    rows: pd.DataFrame,
    column: str,
    measure: str,
    level: str,
    reference: float,
    margin: float,
    estimated: Callable[[Floats, float, float], Estimate] = estimate,
) -> Row:
    """The mean of a column over blocks."""
    means = block_means(rows[column].to_numpy(np.float64), rows["block"].to_numpy())
    agent = rows["agents"].iloc[0] if "agents" in rows else rows["agent"].iloc[0]
    found = estimated(means, reference, margin)
    return effect_row(agent, rows["players"].iloc[0], measure, level, len(rows), reference, found)


def _seats(settings: Settings, games: Any, players: pd.DataFrame, _: Any) -> Iterator[Row]:
    for (_, n), rows in players.groupby(["agents", "players"], sort=False):
        for order, those in rows.groupby("order"):
            yield _win_row(those, WIN, f"{order + 1}. in turn", 1 / n, settings.within)


def _characters(settings: Settings, games: Any, players: pd.DataFrame, _: Any) -> Iterator[Row]:
    for (_, n), rows in players.groupby(["agents", "players"], sort=False):
        for character, those in rows.groupby("character"):
            yield _win_row(those, WIN, character, 1 / n, settings.within)
    for (agent, n), rows in players.groupby(["agents", "players"], sort=False):
        ranks = rows.pivot_table(index=["block", "rotation"], columns="character", values="rank", observed=True)
        blocks = ranks.index.get_level_values("block").to_numpy()
        for one, other in combinations(ranks.columns, 2):
            both = (ranks[one].notna() & ranks[other].notna()).to_numpy()
            if both.sum() < 2:
                continue
            gap = ranks[other].to_numpy()[both] - ranks[one].to_numpy()[both]
            found = share(block_means((np.sign(gap) + 1) / 2, blocks[both]), 0.5, settings.within)
            yield effect_row(agent, n, AHEAD, f"{one} before {other}", int(both.sum()), 0.5, found)


def _changes(settings: Settings, games: pd.DataFrame) -> Iterator[Row]:
    """Measures of each cell, compared with the cell without a change on the same seeds."""
    for (agent, n), rows in games.groupby(["agent", "players"], sort=False):
        base = rows[rows["cell"] == BASE].set_index("block")
        for cell, those in rows.groupby("cell", sort=False):
            if cell == BASE:
                continue
            paired = those.set_index("block").join(base.add_suffix("_base"), how="inner")
            for measure, (column, margin) in GAME_MEASURES.items():
                gap = (paired[column] - paired[f"{column}_base"]).to_numpy(np.float64)
                found, reference = estimate(gap, 0.0, margin), float(paired[f"{column}_base"].mean())
                yield effect_row(agent, n, measure, cell, len(paired), reference, shifted(found, reference))


def shifted(found: Estimate, by: float) -> Estimate:
    """Turn a difference from a value into the value that it leads to."""
    return Estimate(found.value + by, found.low + by, found.high + by, found.blocks, found.p, found.p_equivalent)


def _components(settings: Settings, games: pd.DataFrame, players: pd.DataFrame, _: Any) -> Iterator[Row]:
    yield from _changes(settings, games)
    players = players.assign(others=_lead(players))
    for (_, n), rows in players[players["cell"] == BASE].groupby(["agents", "players"], sort=False):
        yield from _holders(rows, 1 / n, settings.within, "")
    doubled = players[players["cell"].str.endswith(" x 2")]
    for (cell, _, n), rows in doubled.groupby(["cell", "agents", "players"], sort=False):
        name = cell.removesuffix(" x 2")
        yield from _holders(rows, 1 / n, settings.within, " x 2", (name, f"{name}_2"))


def _lead(players: pd.DataFrame) -> Any:
    """VP of each player less the mean of the others in its game."""
    game = players.groupby(["cell", "agents", "players", "block", "rotation"], sort=False)["vp"]
    n = players["players"].astype(np.float64)
    vp = players["vp"].astype(np.float64)
    return vp - (game.transform("sum") - vp) / (n - 1)


def _holders(rows: pd.DataFrame, fair: float, margin: float, mark: str, only: tuple[str, ...] = ()) -> Iterator[Row]:
    held = rows.explode("held").dropna(subset=["held"])
    held = held.drop_duplicates(["block", "rotation", "seat", "held"])
    if only:
        held = held[held["held"].isin(only)].assign(held=only[0]).drop_duplicates(["block", "rotation", "seat", "held"])
    for name, those in held.groupby("held"):
        yield _win_row(those, HOLDER, f"{name}{mark}", fair, margin)
        yield _mean_row(those, "others", HOLDER_VP, f"{name}{mark}", 0.0, 0.5)


def _parameters(settings: Settings, games: pd.DataFrame, players: pd.DataFrame, _: Any) -> Iterator[Row]:
    yield from _changes(settings, games)
    for (_, n, cell), rows in players.groupby(["agents", "players", "cell"], sort=False):
        yield _win_row(rows[rows["order"] == 0], FIRST, cell, 1 / n, settings.within)


def _restricted(settings: Settings, games: Any, players: pd.DataFrame, _: Any) -> Iterator[Row]:
    players = players.assign(lead=_lead(players))
    for (_, n, cell), rows in players[players["player"] == 0].groupby(["agents", "players", "cell"], sort=False):
        yield _win_row(rows, WIN, cell, 1 / n, settings.within)
        yield _mean_row(rows, "lead", LEAD, cell, 0.0, 0.5)


def _luck(settings: Settings, games: Any, players: pd.DataFrame, _: Any) -> Iterator[Row]:
    players = players.assign(lead=_lead(players))
    first = players[players["player"] == 0]
    for n, rows in first.groupby("players", sort=False):
        by_cell = dict(iter(rows.groupby("cell", sort=False)))
        results = rows[rows["cell"].isin(["nothing", EVERYTHING, *FACTORS])]
        wide = results.pivot_table(index="block", columns="cell", values="lead").dropna()
        if len(wide) > 1:
            agent = results["agents"].iloc[0]
            for factor in FACTORS:
                columns = [wide[name].to_numpy(np.float64) for name in ("nothing", EVERYTHING, factor)]
                found = variance_share(columns[0], columns[1], columns[2])
                alone = (found.alone, found.alone_low, found.alone_high)
                total = (found.total, found.total_low, found.total_high)
                for measure, (value, low, high) in ((ALONE, alone), (TOTAL, total)):
                    part = Estimate(value, low, high, len(wide), float("nan"), float("nan"))
                    yield effect_row(agent, n, measure, factor, len(wide), 0.0, part)
        for cell, those in by_cell.items():
            if " against " in cell:
                yield _win_row(those, WIN, cell, 1 / n, settings.within)
                yield _mean_row(those, "lead", LEAD, cell, 0.0, 0.5)


def _pace(settings: Settings, games: pd.DataFrame, _: Any, actions: pd.DataFrame | None) -> Iterator[Row]:
    for (agent, n), rows in games.groupby(["agent", "players"], sort=False):
        for measure, column in PACE_MEASURES.items():
            found = estimate(block_means(rows[column].to_numpy(np.float64), rows["block"].to_numpy()))
            plain = Estimate(found.value, found.low, found.high, found.blocks, float("nan"), float("nan"))
            yield effect_row(agent, n, measure, "", len(rows), float("nan"), plain)
        if actions is not None:
            those = actions[(actions["agent"] == agent) & (actions["players"] == n)]
            used = those.groupby("block", sort=False)[["offered", "chosen"]].sum()
            exact = entropy(used["chosen"].to_numpy())
            yield effect_row(
                agent, n, "entropy of the kinds of actions, in bits", "", len(rows), float("nan"), _exactly(exact)
            )
            for name, counts in used.iterrows():
                part = counts["chosen"] / max(1, counts["offered"])
                yield effect_row(
                    agent, n, "chosen when offered", str(name), int(counts["offered"]), float("nan"), _exactly(part)
                )


def _exactly(value: float) -> Estimate:
    return Estimate(float(value), float("nan"), float("nan"), 0, float("nan"), float("nan"))


def clearest_components(effects: pd.DataFrame, most: int = 10) -> list[str]:
    """Components with the clearest effects in an experiment `components`, by p-value, to be played again by others."""
    known = effects.dropna(subset=["p"]).sort_values("p", kind="stable")
    return list(dict.fromkeys(COPIES.sub("", str(level)) for level in known["level"]))[:most]


def never_used(actions: pd.DataFrame) -> pd.DataFrame:
    """Actions that were offered as a choice and never chosen, the most often offered first."""
    summed = actions.groupby(["agent", "action"], sort=False)[["offered", "chosen"]].sum().reset_index()
    unused = summed[(summed["offered"] > 0) & (summed["chosen"] == 0)]
    return unused.sort_values("offered", ascending=False, kind="stable")


_ANALYSES: Final[dict[str, Callable[..., Iterator[Row]]]] = {
    "seats": _seats,
    "characters": _characters,
    "components": _components,
    "parameters": _parameters,
    "restricted": _restricted,
    "luck": _luck,
    "pace": _pace,
}
