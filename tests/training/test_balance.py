"""Balance research: settings, games, runs that resume, restrictions and the tuner's parts."""

import dataclasses
import json
import tomllib

import numpy as np
import pandas as pd
import pytest

from fujikoro_env import Game, Rules, Session, load_pack
from fujikoro_env.content import ContentError, check_pack
from fujikoro_env.player import make_agents
from fujikoro_env.rules.base.actions import TABLE
from fujikoro_env.rules.base.names import Character
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_training.balance import run as running
from fujikoro_training.balance.again import can_be_repeated, game_again
from fujikoro_training.balance.analysis import (
    AHEAD,
    HOLDER,
    WIN,
    clearest_components,
    effects_of,
    never_used,
    with_findings,
)
from fujikoro_training.balance.cells import EVERYTHING, Cell
from fujikoro_training.balance.compare import CompareError, compare, side_of
from fujikoro_training.balance.playing import FACTORS, STREAMS, BalanceGames, dealt, line_up, play_cell
from fujikoro_training.balance.restrictions import RESTRICTIONS
from fujikoro_training.balance.run import run
from fujikoro_training.balance.settings import EXPERIMENTS, SettingsError, read_settings, settings_of
from fujikoro_training.balance.store import MANIFEST, SETTINGS, RunError, Store
from fujikoro_training.balance.tune import (
    Search,
    TuneError,
    Value,
    misses,
    parse_changes,
    parse_target,
    tune,
)
from fujikoro_training.balance.write_pack import PackError, write_pack

RUNNERS = ("runner",) * 3


def small(experiment, **more):
    return settings_of(
        {"experiment": experiment, "agents": ["runner"], "players": [2], "games": 4, "shard_games": 2, **more}
    )


# --- content --------------------------------------------------------------------------------------------------------


def test_starting_pieces_of_characters_are_content():
    base = load_pack("base")
    changed = base.changed({"characters.daisuke.vp": 5, "characters.masako.pack.1": 2})
    cell = Cell(
        "changed", RUNNERS, changes={"characters.daisuke.vp": 5, "characters.masako.pack.1": 2}, characters=True
    )
    games = dealt(cell, line_up(cell, range(30)), cell.make_rules().tables)
    players = games["players"][:, :3]
    assert set(players["vp"][players["character"] == Character.DAISUKE]) == {5}
    assert set(players["vp"][players["character"] != Character.DAISUKE]) == {0}
    assert set(players["pack"][players["character"] == Character.MASAKO][:, 1]) == {2}
    assert (changed.edition, base.edition) == ("changed", "rulebook")
    assert changed.digest != base.digest


def test_positions_at_the_start_know_the_starting_pieces():
    changes = {"characters.daisuke": {"vp": 5, "weapon": [0, 0, 0]}, "characters.masako.pack.1": 2}
    game = Game(Rules(players=2, characters=("daisuke", "masako"), content=load_pack("base").changed(changes)), seed=1)
    again = Game.from_json(game.to_json())
    assert again.digest() == game.digest()
    assert game.scores == (5, 0)


def test_a_pack_without_the_file_of_characters_has_those_of_the_rulebook(tmp_path):
    base = load_pack("base")
    write_pack(base, tmp_path / "old", "old", "nothing")
    (tmp_path / "old" / "characters.toml").unlink()
    assert load_pack(tmp_path / "old").digest == base.digest


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"characters.daisuke.vp": 99}, "99 VP; allowed: 0 to 20"),
        ({"characters.daisuke.weapon": [9, 0, 0]}, "9 cubes in the weapon; allowed: 0 to 8"),
        ({"characters.daisuke.pack": [1, 2]}, "write numbers of wood, metal, tooth"),
        ({"characters.yoshihiro.pack": [0, 6, 0]}, "8 metal in all; allowed: 0 to 6"),
        ({"characters.godzilla": {"vp": 1}}, "godzilla"),
        ({"characters.tomoe": None}, "is missing"),
    ],
)
def test_starting_pieces_that_no_board_takes_are_refused(change, says):
    with pytest.raises(ContentError) as error:
        load_pack("base").changed(change)
    assert says in "\n".join(str(fault) for fault in error.value.faults)


# --- settings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_settings_come_back_from_the_file_that_a_run_writes(experiment):
    settings = settings_of({"experiment": experiment, "seed": 3, "components": ["scroll seer"]})
    assert settings_of(tomllib.loads(settings.to_toml())) == settings
    assert settings_of(json.loads(json.dumps(settings.to_json()))) == settings


def test_every_fault_of_the_settings_gets_a_line():
    with pytest.raises(SettingsError) as error:
        settings_of({"experiment": "seat", "agents": ["ninja"], "players": [9], "games": 1, "colour": 1, "seed": True})
    assert len(error.value.faults) == 6
    assert all("\n" not in fault for fault in error.value.faults)


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"experiment": "seats", "agents": ["runner", "runner"]}, "something is there twice"),
        ({"experiment": "characters", "agents": ["mcts:iterations=4"]}, "only scripted agents"),
        ({"experiment": "seats", "rules": {"final_at": "x"}}, "final_at"),
        ({"experiment": "parameters", "parameters": [{"name": "x", "path": "no.such", "values": [1]}]}, "'no'"),
        ({"agents": ["runner"]}, "experiment is missing"),
        ({"experiment": "components", "components": ["scroll of nothing"]}, "has no 'scroll of nothing'"),
    ],
)
def test_settings_that_no_game_can_be_played_with_are_refused(said, says):
    with pytest.raises(SettingsError, match=says):
        settings_of(said)


def test_files_of_settings(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text('experiment = "seats"\nagents = ["runner"]\ngames = 7\n')
    assert read_settings(str(file), {"experiment": "seats", "games": 9}).games == 9
    with pytest.raises(SettingsError, match="they are for the experiment 'seats'"):
        read_settings(str(file), {"experiment": "luck"})
    file.write_text("experiment = ")
    with pytest.raises(SettingsError, match="not a TOML file"):
        read_settings(str(file), {})
    with pytest.raises(SettingsError, match="No such file"):
        read_settings(str(tmp_path / "none.toml"), {})


# --- games ----------------------------------------------------------------------------------------------------------


def test_seed_ranges_can_be_split():
    cell = Cell("x", RUNNERS, rotations=3, characters=True)
    whole = play_cell(cell, range(10, 13))
    parts = [play_cell(cell, range(10, 11)), play_cell(cell, range(11, 13))]
    for name in ("games", "players"):
        expected = getattr(whole, name).to_pandas()
        pd.testing.assert_frame_equal(
            expected, pd.concat([getattr(part, name).to_pandas() for part in parts], ignore_index=True)
        )


def test_a_block_gives_every_player_each_seat_once_with_the_same_character():
    rows = play_cell(Cell("x", RUNNERS, rotations=3, characters=True), range(2)).players.to_pandas()
    for _, those in rows.groupby(["block", "player"]):
        assert sorted(those["seat"]) == [0, 1, 2]
        assert those["character"].nunique() == 1
    assert rows.groupby(["block", "rotation"])["win"].sum().tolist() == [1.0] * 6
    sources = [name for name in rows.columns if name.startswith("vp_")]
    assert (rows[sources].sum(axis=1) == rows["vp"]).all()


def test_equal_agents_on_mirrored_seeds_win_exactly_their_share():
    rows = play_cell(Cell("x", RUNNERS, rotations=3), range(3)).players.to_pandas()
    shares = rows.groupby(["block", "player"])["win"].mean()
    assert np.allclose(shares, 1 / 3)


@pytest.mark.parametrize("stream", STREAMS)
def test_one_stream_can_be_drawn_again(stream):
    def deal(reseeded):
        cell = Cell(reseeded, RUNNERS, reseeded=reseeded)
        return dealt(cell, line_up(cell, range(5, 8)), cell.make_rules().tables)

    base, all_other, mixed = deal("nothing"), deal(EVERYTHING), deal(stream)
    for name, number in STREAMS.items():
        expected = all_other if name == stream else base
        assert (mixed["streams"]["words"][:, number] == expected["streams"]["words"][:, number]).all()
    assert (mixed["scroll_display"] == (all_other if stream == "scrolls" else base)["scroll_display"]).all()
    assert (mixed["gear_cards"]["card"] == (all_other if stream == "setup" else base)["gear_cards"]["card"]).all()


def test_luck_has_a_cell_for_every_source():
    labels = [cell.label for cell in small("luck", players=[3], ladder=["gatherer", "runner"]).cells()]
    assert labels == ["nothing", EVERYTHING, *FACTORS, "runner against gatherer"]


def chosen(restriction, agent="runner"):
    """Actions that the restricted player chose, in a few games, by name of their block and argument."""
    cell = Cell(restriction, (agent,) * 3, restriction=restriction, rotations=1)
    line = line_up(cell, range(6))
    games = BalanceGames(cell, line, keep_decisions=True)
    games.play()
    assert games.watcher is not None
    rows = games.watcher.decisions(cell, line.block, line.rotation).to_pandas()
    return rows[rows["seat"] == 0]


@pytest.mark.parametrize("name", ["explore", "craft"])
def test_a_restricted_player_does_not_use_the_option(name):
    numbers = range(TABLE[name].first, TABLE[name].first + TABLE[name].size)
    rows = chosen(name)
    assert len(rows) > 100
    assert not rows["action"].isin(numbers).any()


@pytest.mark.parametrize(
    ("name", "counted"), [("fight", ("fights_begun", "fights_joined")), ("scrolls", ("vp_scrolls_gathered",))]
)
def test_only_the_others_have_what_a_player_may_not_get(name, counted):
    rows = play_cell(Cell(name, RUNNERS, restriction=name), range(8)).players.to_pandas()
    columns = [column for column in rows.columns if column.startswith(counted)]
    assert rows[rows["player"] == 0][columns].to_numpy().sum() == 0
    assert rows[rows["player"] > 0][columns].to_numpy().sum() > 0


def test_a_forbidden_answer_of_an_agent_is_replaced():
    cell = Cell("explore", RUNNERS, restriction="explore")
    games = BalanceGames(cell, line_up(cell, range(1)), keep_decisions=False)
    games.masks[0] = 0
    games.masks[0, 0] = 1 << TABLE["done"].first | 1 << TABLE["no"].first
    games.actions[0] = TABLE["explore"].first
    games._replace_forbidden(0, 1)
    assert games.actions[0] in (TABLE["done"].first, TABLE["no"].first)


def test_all_restrictions_name_actions_that_exist():
    for restriction in RESTRICTIONS.values():
        assert restriction.bits.any() or restriction.skills


def test_other_agents_play_one_by_one():
    rows = play_cell(Cell("x", ("python:fujikoro_env.player.RandomAgent", "random")), range(2)).players.to_pandas()
    assert len(rows) == 4
    assert set(rows["agent"]) == {"python:fujikoro_env.player.RandomAgent", "random"}


# --- runs -----------------------------------------------------------------------------------------------------------


def test_a_run_goes_on_after_a_kill_and_ends_with_the_same_rows(tmp_path, monkeypatch):
    settings = small("seats")
    whole = run(settings, tmp_path / "whole", 1)

    played = play_cell
    calls = []

    def killed(*args):
        calls.append(args)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return played(*args)

    monkeypatch.setattr(running, "play_cell", killed)
    with pytest.raises(KeyboardInterrupt):
        run(settings, tmp_path / "killed", 1)
    (tmp_path / "killed" / "games-0000-0001.parquet.99.part").write_text("half")
    again = run(settings, tmp_path / "killed", 1)
    assert len(calls) == 3  # the first shard was not played again
    pd.testing.assert_frame_equal(whole, again)
    assert not list((tmp_path / "killed").glob("*.part"))
    assert Store(tmp_path / "killed").settings() == settings
    assert (tmp_path / "killed" / SETTINGS).read_text() == settings.to_toml()


def test_runs_of_other_settings_content_or_version_are_not_mixed(tmp_path):
    settings = small("seats", games=2)
    run(settings, tmp_path / "run", 1)
    with pytest.raises(RunError, match=r"has settings\.seed 0, not 5"):
        run(dataclasses.replace(settings, seed=5), tmp_path / "run", 1)
    manifest = json.loads((tmp_path / "run" / MANIFEST).read_text())
    for key, value in (("package", "9"), ("engine", "f00"), ("actions", "f00")):
        (tmp_path / "run" / MANIFEST).write_text(json.dumps({**manifest, key: value}))
        with pytest.raises(RunError, match=f"has {key} "):
            run(settings, tmp_path / "run", 1)
    label = next(iter(manifest["content"]))
    (tmp_path / "run" / MANIFEST).write_text(json.dumps({**manifest, "content": {label: "f00"}}))
    with pytest.raises(RunError, match="has content"):
        run(settings, tmp_path / "run", 1)


def test_folders_that_hold_no_run_are_left_alone(tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(RunError, match="contains other files"):
        run(small("seats"), tmp_path, 1)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / MANIFEST).write_text("[]")
    with pytest.raises(RunError, match="not the manifest"):
        run(small("seats"), tmp_path / "bad", 1)


def test_a_precise_cell_gets_no_further_games(tmp_path):
    settings = small("seats", games=40, shard_games=2, precision=0.5)
    run(settings, tmp_path / "run", 1)
    assert len(list((tmp_path / "run").glob("games-*.parquet"))) < 20


def test_a_precision_also_stops_experiments_with_shares_of_the_first_player(tmp_path):
    end = {"name": "end", "rule": "final_at", "values": [10]}
    run(small("parameters", games=16, shard_games=4, precision=0.49, parameters=[end]), tmp_path / "run", 1)
    assert len(list((tmp_path / "run").glob("games-*.parquet"))) < 8


@pytest.mark.parametrize(
    ("experiment", "more", "levels"),
    [
        ("characters", {"players": [3], "games": 6}, {WIN, AHEAD}),
        ("components", {"components": ["scroll seer"], "copies": [0, 2]}, {"rounds", HOLDER}),
        ("parameters", {"parameters": [{"name": "end", "rule": "final_at", "values": [10]}]}, {"rounds"}),
        ("restricted", {"restrictions": ["explore"]}, {WIN, "lead in VP"}),
        ("luck", {"ladder": ["gatherer", "runner"]}, {WIN, "share of the variance, alone"}),
        ("pace", {"decisions": True}, {"lead changes", "chosen when offered"}),
    ],
)
def test_every_experiment_ends_with_effects(tmp_path, experiment, more, levels):
    effects = run(small(experiment, **more), tmp_path / "run", 1)
    assert levels <= set(effects["measure"])
    assert Store(tmp_path / "run").games() > 0
    pd.testing.assert_frame_equal(Store(tmp_path / "run").effects(), effects)
    if experiment == "pace":
        store = Store(tmp_path / "run")
        asked, games, actions = store.table("decisions"), store.table("games"), store.table("actions")
        assert asked is not None
        assert games is not None
        assert actions is not None
        assert len(asked) == games["decisions"].sum() == (games["choices"] + games["forced"]).sum()
        assert (asked["legal"] == 1).sum() == games["forced"].sum()
        assert len(never_used(actions)) > 0


# --- analysis of planted effects ------------------------------------------------------------------------------------


def planted(settings, strengths, blocks, seed):
    """Rows of synthetic games: players win with chances in the ratio of the strengths of their levels."""
    chance = np.random.default_rng(seed)
    n = settings.players[0]
    rows = []
    for block in range(blocks):
        levels = chance.permutation(list(strengths))[:n]
        weights = np.array([strengths[level] for level in levels])
        order = chance.choice(n, n, replace=False, p=weights / weights.sum())
        for seat, level in enumerate(levels):
            rank = int(np.flatnonzero(order == seat)[0]) + 1
            rows.append({"block": block, "rotation": 0, "seat": seat, "order": seat, "character": level, "rank": rank,
                         "win": float(rank == 1), "agents": "x", "players": n})  # fmt: skip
    return pd.DataFrame(rows)


def test_a_planted_character_is_found_and_fair_ones_are_not():
    settings = small("characters", players=[3], within=0.05)
    strong = planted(settings, {"a": 2.0, "b": 1.0, "c": 1.0, "d": 1.0}, 3000, 1)
    found = effects_of(settings, None, strong, None).set_index("level")
    assert found.loc["a", "finding"] == "above"
    assert found.loc["a before b", "finding"] == "above"
    fair = effects_of(settings, None, planted(settings, dict.fromkeys("abcd", 1.0), 3000, 2), None)
    assert (fair["finding"] == "").all()
    assert fair[fair["measure"] == WIN]["equivalent"].all()


def test_a_planted_seat_is_found():
    settings = small("seats", players=[3])
    rows = planted(settings, dict.fromkeys("abc", 1.0), 2000, 3)
    assert (effects_of(settings, None, rows, None)["finding"] == "").all()
    gained = np.random.default_rng(4).random(2000) < 0.1  # the first player takes a tenth of the games
    rows.loc[rows["block"].map(lambda block: gained[block]), "win"] = 0.0
    rows.loc[(rows["order"] == 0) & rows["block"].map(lambda block: gained[block]), "win"] = 1.0
    found = effects_of(settings, None, rows, None).set_index("level")
    assert found.loc["1. in turn", "finding"] == "above"


def test_findings_are_corrected_within_a_measure():
    rows = [{"agent": "x", "players": 2, "measure": "m", "level": str(k), "games": 1, "blocks": 1, "value": 1.0,
             "low": 0.0, "high": 2.0, "reference": 0.0, "p": 0.02, "p_equivalent": 1.0} for k in range(10)]  # fmt: skip
    assert (with_findings(pd.DataFrame(rows), "holm")["finding"] == "").all()
    assert (with_findings(pd.DataFrame(rows[:1]), "holm")["finding"] == "above").all()


# --- comparing and tuning -------------------------------------------------------------------------------------------


def test_an_agent_against_itself_differs_by_nothing():
    found = compare(side_of("runner"), side_of("runner"), "runner", 2, 4, 0)
    assert [one.gap.value for one in found] == [0.0, 0.0]
    assert str(found[0]).startswith("win share 50.0% and 50.0%, +0.0 points")


def test_settings_are_compared_on_common_seeds():
    found = compare(side_of("final_at=10"), side_of("base"), "runner", 2, 6, 0)
    assert found[0].measure == "rounds"
    assert found[0].gap.high < 0


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        ("ninja", "runner", "neither an agent"),
        ("runner", "base", "both must be alike"),
        ("final_at=x", "base", "write values as in TOML"),
        ("dragons.red.health=0", "base", "health"),
        ("no_option=1", "base", "no_option"),
    ],
)
def test_sides_that_can_not_be_compared_get_one_line(a, b, says):
    with pytest.raises(CompareError, match=says) as error:
        compare(side_of(a), side_of(b), "runner", 2, 2, 0)
    assert "\n" not in str(error.value)


def test_targets_and_changes_are_read():
    assert parse_target("characters within 3 points") == 0.03
    values = parse_changes(["characters.*.vp=0..6", "characters.daisuke.weapon.1=0..2"], "base")
    assert len(values) == 8
    assert values[-1] == Value("characters.daisuke.weapon.1", 0, 2, 2)


@pytest.mark.parametrize("text", ["dragons within 3 points", "characters within 0 points", "characters"])
def test_targets_that_are_not_known_are_refused(text):
    with pytest.raises(TuneError, match="allowed is"):
        parse_target(text)


@pytest.mark.parametrize(
    "change",
    ["characters.*.vp", "characters.*.vp=5..2", "supply.wood=1..2", "characters.daisuke.pack=0..2", "x=1..2",
     "characters.ninja.vp=0..1", "characters.daisuke.pack.7=0..2"],
)  # fmt: skip
def test_changes_that_can_not_be_made_are_refused(change):
    with pytest.raises(TuneError, match="change"):
        parse_changes([change], "base")


def test_the_search_meets_a_target_with_a_small_change(monkeypatch):
    """Synthetic games: each VP at the start is worth 2 points to its character, so that 5 VP are needed."""
    from fujikoro_training.balance import tune as module
    from fujikoro_training.balance.statistics import Estimate

    def shares(search, changes, agent, games, seed):
        vp = changes.get("characters.masako.vp", 0) - changes.get("characters.tomoe.vp", 0)
        return {"masako": Estimate(0.15 + 0.02 * vp, 0, 1, 9, 1, 1), "tomoe": Estimate(0.35 - 0.02 * vp, 0, 1, 9, 1, 1)}

    monkeypatch.setattr(module, "win_shares", shares)
    values = parse_changes(["characters.masako.vp=0..10", "characters.tomoe.vp=0..10"], "base")
    search = Search("base", 0.03, values, "runner", 4, 10, 200, 1)
    found = tune(search)
    assert misses(search, found.after) == []
    assert sorted(misses(search, found.before)) == ["masako", "tomoe"]
    assert 3 <= found.changes["characters.masako.vp"] <= 5
    assert "characters.tomoe.vp" not in found.changes


def test_a_tuned_pack_is_written_as_a_folder_that_passes_the_checks(tmp_path):
    pack = load_pack("base").changed({"characters.masako.vp": 3})
    write_pack(pack, tmp_path / "mine", "mine", "masako has 3 VP more")
    assert check_pack(tmp_path / "mine") == []
    assert load_pack(tmp_path / "mine").digest == pack.digest
    with pytest.raises(PackError, match="exists already"):
        write_pack(pack, tmp_path / "mine", "mine", "again")


assert PLAYERS == 6


# --- games again ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cell",
    [
        Cell("characters", ("runner", "gatherer"), rotations=2, characters=True),
        Cell("forced", ("gatherer",) * 3, forced=True),
        Cell("changed", ("runner", "smith"), changes={"dragons.red.health": 18}, rules={"final_at": 20}),
    ],
    ids=lambda cell: cell.label,
)
def test_games_can_be_played_again_one_by_one(cell):
    rows = play_cell(cell, range(5, 6)).players.to_pandas()
    for (block, rotation), those in rows.groupby(["block", "rotation"]):
        again = game_again(cell, int(block), int(rotation))
        session = Session(again.rules, again.seed, agents=make_agents(again.agents, again.agents_seed))
        session.play()
        assert list(session.game.scores) == list(those["vp"])
        assert again.agents == list(those["agent"])


def test_games_of_restricted_players_and_of_luck_can_not_be_played_again():
    assert not can_be_repeated(Cell("craft", RUNNERS, restriction="craft"))
    assert not can_be_repeated(Cell("dice", RUNNERS, reseeded="dice"))


def test_the_clearest_components_are_named_once_and_without_their_copies():
    effects = pd.DataFrame(
        {
            "level": ["scroll seer x 0", "scroll seer x 2", "dragon red", "tile moor x 2"],
            "p": [0.2, 0.001, 0.01, float("nan")],
        }
    )
    assert clearest_components(effects) == ["scroll seer", "dragon red"]
    assert clearest_components(effects, 1) == ["scroll seer"]


def test_packs_with_other_characters_are_compared_with_characters():
    found = {one.measure: one for one in compare(side_of("tuned"), side_of("base"), "runner", 2, 24, 3)}
    assert found["win share of takeko"].gap.blocks > 1
    assert any(one.gap.value for one in found.values())
    with pytest.raises(CompareError, match="only"):
        compare(side_of("tuned"), side_of("base"), "mcts:iterations=4", 2, 24, 3)


def test_one_seed_is_too_few_to_compare():
    with pytest.raises(CompareError, match="at least 3"):
        compare(side_of("runner"), side_of("smith"), "runner", 2, 2, 3)
