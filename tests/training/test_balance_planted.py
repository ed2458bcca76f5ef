"""Analyses of balance experiments on synthetic games: a planted effect is found, and no effect gives no finding."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("statsmodels", reason="the extra balance is not installed")

from fujikoro_training.balance.analysis import ALONE, FIRST, HOLDER, HOLDER_VP, LEAD, TOTAL, WIN, effects_of
from fujikoro_training.balance.cells import BASE, EVERYTHING
from fujikoro_training.balance.playing import FACTORS
from fujikoro_training.balance.settings import settings_of

N = 4  # players
COMMON = {"agents": "x", "agent": "x", "players": N}


def small(experiment):
    return settings_of({"experiment": experiment, "agents": ["runner"], "players": [N]})


def seats(block, win, rotation=0, **more):
    """Rows of the players of a game that the player of the seat `win` wins."""
    return [
        {**COMMON, "cell": BASE, "block": block, "rotation": rotation, "seat": seat, "order": seat, "player": seat,
         "win": float(win == seat), "vp": 40.0, **{name: column[seat] for name, column in more.items()}}
        for seat in range(N)
    ]  # fmt: skip


def games_with_cards(chance, games, cards, strong=()):
    """Each card is held by a random player in a fifth of the games; strong ones bring VP and victories."""
    rows = []
    for block in range(games):
        held: list[list[str]] = [[] for _ in range(N)]
        for card in cards:
            if chance.random() < 0.2:
                held[chance.integers(N)].append(card)
        strength = np.array([3.0 if set(strong) & set(cards) else 1.0 for cards in held])
        winner = chance.choice(N, p=strength / strength.sum())
        vp = 40 + 8 * chance.normal(size=N) + 10 * (strength > 1)
        rows += [{**row, "vp": vp[row["seat"]]} for row in seats(block, winner, held=held)]
    return pd.DataFrame(rows)


def changed_games(chance, games, cells):
    """Games of the usual pack and of changed ones on the same seeds; a change may add rounds."""
    luck = chance.normal(20, 2, games)
    return pd.DataFrame(
        {**COMMON, "cell": cell, "block": block, "rounds": luck[block] + more + chance.normal(),
         "winner_vp": 60 + chance.normal(), "mean_vp": 45 + chance.normal(), "margin": 9 + chance.normal()}
        for cell, more in {BASE: 0.0, **cells}.items() for block in range(games)
    )  # fmt: skip


def test_a_planted_component_is_found():
    chance = np.random.default_rng(1)
    cards = [f"gear card {letter}" for letter in "abcdefgh"]
    players = games_with_cards(chance, 300, cards, strong=cards[:1])
    games = changed_games(chance, 300, {"gear card a x 0": 1.0, "gear card b x 0": 0.0})
    found = effects_of(small("components"), games, players, None).set_index(["measure", "level"])
    assert found.loc[(HOLDER, "gear card a"), "finding"] == "above"
    assert found.loc[(HOLDER_VP, "gear card a"), "finding"] == "above"
    assert (found.loc[HOLDER].drop("gear card a")["finding"] == "").all()
    assert found.loc[("rounds", "gear card a x 0"), "finding"] == "above"
    assert found.loc[("rounds", "gear card b x 0"), "finding"] == ""
    assert found.loc[("rounds", "gear card b x 0"), "equivalent"]


def test_components_without_effects_that_few_players_hold_give_no_findings():
    """With t-tests, shares of few games without a win would be findings in half of these experiments."""
    chance = np.random.default_rng(2)
    cards = [f"gear card {number}" for number in range(30)]
    wrong = 0
    for _ in range(10):
        players = games_with_cards(chance, 60, cards)
        found = effects_of(small("components"), changed_games(chance, 60, {}), players, None)
        wrong += bool((found[found["measure"] == HOLDER]["finding"] != "").any())
    assert wrong <= 2


def test_a_planted_parameter_is_found():
    chance = np.random.default_rng(3)
    games = changed_games(chance, 300, {"end = 40": 2.0, "end = 31": 0.0})
    first = [0.5, 0.2, 0.2, 0.1]
    players = pd.DataFrame([row for block in range(300) for row in seats(block, chance.choice(N, p=first))])
    found = effects_of(small("parameters"), games, players, None).set_index(["measure", "level"])
    assert found.loc[("rounds", "end = 40"), "value"] == pytest.approx(22, abs=0.4)
    assert found.loc[("rounds", "end = 40"), "finding"] == "above"
    assert found.loc[("rounds", "end = 31"), "finding"] == ""
    assert found.loc[(FIRST, BASE), "finding"] == "above"


def test_a_restriction_that_costs_victories_is_found():
    chance = np.random.default_rng(4)
    rows = []
    for cell, win in (("craft", 0.1), ("powers", 0.25)):
        for block in range(150):
            for rotation in range(N):
                winner = chance.choice(N, p=[win, *[(1 - win) / 3] * 3])
                rows += [{**row, "cell": cell, "vp": 40 - 5 * (cell == "craft" and row["seat"] == 0)}
                         for row in seats(block, winner, rotation)]  # fmt: skip
    found = effects_of(small("restricted"), None, pd.DataFrame(rows), None).set_index(["measure", "level"])
    assert found.loc[(WIN, "craft"), "finding"] == found.loc[(LEAD, "craft"), "finding"] == "below"
    assert found.loc[(LEAD, "craft"), "value"] == pytest.approx(-5)
    assert found.loc[(WIN, "powers"), "finding"] == ""


def test_a_planted_source_of_luck_is_found():
    """The lead is that of the line-up and of the dice, 16 to 4, and nothing else matters."""
    chance = np.random.default_rng(5)
    (line_up, dice), (other_line_up, other_dice) = chance.normal(size=(2, 2, 400))
    leads = dict.fromkeys(("nothing", *FACTORS), 4 * line_up + 2 * dice)
    leads |= {"line-up": 4 * other_line_up + 2 * dice, "dice": 4 * line_up + 2 * other_dice}
    leads[EVERYTHING] = 4 * other_line_up + 2 * other_dice
    rows = [
        {**row, "cell": cell, "vp": 40 + (lead[block] if row["seat"] == 0 else 0)}
        for cell, lead in leads.items() for block in range(400) for row in seats(block, 0)
    ]  # fmt: skip
    found = effects_of(small("luck"), None, pd.DataFrame(rows), None).set_index(["measure", "level"])
    for measure in (ALONE, TOTAL):
        assert found.loc[(measure, "line-up"), "value"] == pytest.approx(0.8, abs=0.1)
        assert found.loc[(measure, "dice"), "value"] == pytest.approx(0.2, abs=0.1)
        assert found.loc[(measure, "tokens"), "value"] == 0
