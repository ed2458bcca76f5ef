"""The band: its answers are legal everywhere, depend on nothing hidden, and are sensible in hand-made positions."""

from typing import Any

import numpy as np
import pytest

from fujikoro_agents.scripted.band_agent import REASONS, ROLE, Band, errand_of_game
from fujikoro_agents.scripted.band_weights import BAND_WEIGHTS, Weight
from fujikoro_agents.scripted.errands import FIGHTS, GATHERS, GOES, WALK
from fujikoro_agents.scripted.ladder import Players, ScriptedGames
from fujikoro_agents.scripted.plans import DEED, GOAL
from fujikoro_agents.scripted.skills import BAND
from fujikoro_env import Game, Rules
from fujikoro_env.content.model import GEAR
from fujikoro_env.rules.base.names import GEARS, Marker, Reason, Spot
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_training import band_ablation, band_tune
from fujikoro_training.band import EXIT, FIRST_SEED, MILESTONES, kinds, main, page, play
from tests.helpers.gear import put_blueprint, put_card, put_magic
from tests.helpers.midgame import midgame
from tests.helpers.tables import (
    do,
    give_turn,
    integers,
    lay_plain,
    put,
    put_dragon,
    put_gear,
    put_pack,
    refresh,
    space,
    table,
)

KINDS = [rules for _, rules in kinds()]
DECISIONS = 60


def players() -> Players:
    return Players(np.full((1, PLAYERS), BAND), np.arange(1, PLAYERS + 1))


def answer(game: Game) -> int:
    refresh(game)
    actions = integers([0])
    players().answer(game.compiled, 0, 1, actions)
    return int(actions[0])


def named(game: Game) -> str:
    return game.action_name(answer(game))


@pytest.mark.parametrize("rules", KINDS, ids=lambda rules: f"{rules.scenario or 'co-op'} {rules.players}")
def test_answers_are_legal_from_the_middle_of_a_game_on(rules):
    for seed in range(3):
        game, band = midgame(rules, seed), players()
        for _ in range(DECISIONS):
            if game.over:
                break
            actions = integers([0])
            band.answer(game.compiled, 0, 1, actions)
            assert actions[0] in game.legal_actions()
            game.step(int(actions[0]))


def test_nothing_hidden_is_read_and_the_position_is_left_as_it_was():
    rules = Rules(mode="coop", players=3)
    for seed in range(10):
        game = midgame(rules, seed)
        for _ in range(8):
            if game.over:
                break
            chosen, before = answer(game), game.to_bytes()
            assert chosen == answer(game)
            assert game.to_bytes() == before
            assert chosen == answer(game.determinize(game.actor, 1000 + seed))
            game.step(chosen)


def test_the_agent_plays_from_its_view_and_says_why():
    game, agent = Game(Rules(mode="solo"), 5), Band()
    agent.reset(5, 0)
    said = []
    for _ in range(80):
        if game.over:
            break
        game.step(agent.act(game.view(game.actor)))
        said.append(agent.explain())
    assert any("to explore ring1." in why and "is worth" in why for why in said)
    assert any("it makes the helmet and weapon and sandals" in why and "odds of" in why for why in said)


# --- positions ------------------------------------------------------------------------------------------------------


def coop(players: int = 2, **rules: Any) -> Game:
    """A game past set-up, with only plain tiles next to the start on the map and no gear cards under the actions."""
    game = table(players, mode="coop", adventure_tokens=False, **rules)
    lay_plain(game, "ring1.0", "ring1.1")
    for p in range(players):
        game.state.players[p].card_on[:] = 0
    return game


def beat_legend(game: Game) -> None:
    number = game.rules.pack.dragons.index(next(d for d in game.rules.pack.dragons if d.colour == "white"))
    game.state.dragons_left &= ~(1 << number)
    game.state.dragons_beaten |= 1 << number


def test_with_nothing_left_to_do_all_leave_by_the_exit():
    game = coop()
    beat_legend(game)
    game.state.secret_exit = space("ring1.0/petal0")
    for p, gears in enumerate((("helmet", "sandals"), ("weapon",))):
        for gear in gears:
            name = {"helmet": "sun_kabuto", "weapon": "cloud_cutter", "sandals": "steps_of_the_mountain"}[gear]
            rows = {"helmet": ["WMW", "M.M"], "weapon": ["WWMMM", ".M"], "sandals": ["MMM"]}[gear]
            put_blueprint(game, p, name)
            put_gear(game, p, **{gear: rows})
            put_magic(game, p, gear)
        put(game, p, "ring1.0/petal3")
    game.state.first_player = 0
    turns = 0
    while not game.over and turns < 40:
        game.step(answer(game))
        turns += 1
    assert game.state.reason == Reason.WON


def test_a_player_who_lacks_its_gear_does_not_leave():
    game = coop()
    beat_legend(game)
    game.state.secret_exit = space("ring1.0/petal3")
    put_blueprint(game, 0, "steps_of_the_mountain")
    put_gear(game, 0, sandals=["MMM"])
    put_magic(game, 0, "sandals")
    put(game, 0, "ring1.0/petal3")
    game.state.first_player = 0  # so that it is the one to make the helmet
    give_turn(game, 0)
    do(game, "move", "done", "move", "done")
    assert (game.phase, named(game)) == (Phase.LEAVE, "no")


def test_a_blueprint_is_built_as_soon_as_its_cubes_are_there():
    game = coop()
    put_blueprint(game, 0, "steps_of_the_mountain")
    put_pack(game, 0, metal=3)
    game.state.players[0].pool -= 1
    game.state.players[0].fields[0] += 1
    assert named(game) == "rest"
    do(game, "rest")
    assert named(game) == "build(blueprint steps_of_the_mountain)"


def test_the_weak_hide_from_a_big_dragon_that_comes():
    game = coop(1)
    put_dragon(game, "ring1.1", "blood_wing")
    put_gear(game, 0, weapon=["WWMM"], helmet=["MM"])
    put(game, 0, "ring1.0/petal3")
    do(game, "move", "done")
    refresh(game)
    assert named(game) == "move"
    do(game, "move")
    assert named(game) == "step(start)"


def test_a_player_beside_a_sleeping_dragon_rests_to_have_discs_for_its_flight():
    game = coop(1)
    take_dragons_off(game)
    put_dragon(game, "ring1.1", "blood_wing")
    sleeping = next(d for d in game.state.dragons if d.place != 0)
    sleeping.marker = Marker.ASLEEP
    put_gear(game, 0, weapon=["WWMM"], helmet=["MM"], sandals=["MMM"])
    put(game, 0, "ring1.0/petal3")
    do(game, "move", "done")
    refresh(game)
    assert game.state.players[0].pool == 2
    assert named(game) == "rest"
    sleeping.marker = 0  # it comes at the start of the next round, so this is no time to rest
    assert named(game) == "move"


def errand(game: Game) -> dict[str, int]:
    """The acting player's errand: its goal, where it leads this turn, and its purpose."""
    refresh(game)
    reasons: Any = np.zeros(REASONS, np.float32)
    errand_of_game(game.compiled, 0, reasons)
    return {"goal": int(reasons[GOAL]), "walk": int(reasons[WALK]), "deed": int(reasons[DEED])}


def test_nobody_leaves_by_the_start_tile_while_the_exit_is_not_found():
    game = coop(1)
    take_dragons_off(game)
    beat_legend(game)
    equip_with_all(game)
    put(game, 0, "ring1.0/petal0")
    assert game.state.secret_exit == 0
    assert errand(game)["deed"] != GOES


def test_a_rest_waits_for_a_place_where_no_dragon_comes():
    game = coop(2)
    take_dragons_off(game)
    put_dragon(game, "ring1.1", "blood_wing")
    put_blueprint(game, 0, "steps_of_the_mountain")
    put_gear(game, 0, weapon=["WWMM"])
    put_pack(game, 0, metal=3)  # enough to be magic after a rest
    put(game, 0, "ring1.0/petal3")
    do(game, "move", "done")
    assert game.state.players[0].pool > 0
    assert named(game) == "move"
    do(game, "move")
    assert named(game) == "step(start)"


def test_a_way_of_two_turns_has_its_night_where_no_dragon_comes():
    game = coop(1)
    lay_plain(game, "ring2.0", "ring2.1", "ring2.2", "ring2.3")
    take_dragons_off(game)
    beat_legend(game)
    equip_with_all(game)
    put(game, 0, "ring1.0/petal3")
    game.state.secret_exit = space("ring2.2/petal1")
    do(game, "move", "done")
    assert errand(game) == {"goal": space("ring2.2/petal1"), "walk": space("ring1.1/petal1"), "deed": GOES}
    put_dragon(game, "ring2.1", "blood_wing")  # beside that space
    assert errand(game) == {"goal": space("ring2.2/petal1"), "walk": space("start"), "deed": GOES}


def test_the_band_waits_for_everybody_while_there_is_time():
    """Both samurai stand beside the legendary dragon's tile, or one of them is far away."""
    game = coop(2)
    lay_plain(game, "ring2.0")
    take_dragons_off(game)
    put_dragon(game, "ring2.0", "lord_of_fuji")
    equip_with_all(game)
    put_gear(game, 0, helmet=["WMWT", "MTMT"], weapon=["WWMMM", "TMT"])
    put_gear(game, 1, helmet=["TTTT", "TTTT"], weapon=["WWTTT", "TTT"], sandals=["MWM"])
    put_blueprint(game, 1, "embers_embrace")
    put_magic(game, 1, "sandals")
    game.state.secret_exit = space("ring1.1/petal0")
    game.state.round_number = 8
    legend = next(dragon for dragon in game.state.dragons if dragon.place != 0)
    legend.damage = 10  # so that the odds alone are fair, not good
    put(game, 0, "temple0")
    put(game, 1, "start")
    assert errand(game)["deed"] != FIGHTS
    game.state.round_number = 24
    assert errand(game)["deed"] == FIGHTS  # now or never
    game.state.round_number = 8
    put(game, 1, "temple0")
    assert errand(game)["deed"] == FIGHTS


def equip_with_all(game: Game) -> None:
    outfit = {"helmet": ["WMW", "M.M"], "weapon": ["WWMMM", ".M"], "sandals": ["MMM"]}
    put_gear(game, 0, **outfit)
    for gear, name in zip(outfit, ("sun_kabuto", "cloud_cutter", "steps_of_the_mountain"), strict=True):
        put_blueprint(game, 0, name)
        put_magic(game, 0, gear)


def take_dragons_off(game: Game) -> None:
    for dragon in game.state.dragons:
        if dragon.place != 0:
            game.state.dragon_at[dragon.place - 1] = 0
            dragon.place = 0


def test_sandals_are_completed_before_other_gear_grows():
    game = coop()
    take_dragons_off(game)
    put_gear(game, 0, weapon=["WWMM"])
    put_pack(game, 0, wood=2, metal=1)
    game.state.players[0].pool -= 1
    game.state.players[0].fields[0] += 1
    assert named(game) == "rest"
    do(game, "rest")
    assert named(game) in ("craft(sandals)", *(f"build(card {card.id})" for card in game.rules.pack.gear_cards))


def test_a_weapon_grows_long_before_it_grows_broad():
    game = coop()
    take_dragons_off(game)
    game.state.players[0].monks[Spot.WEAPON] = 1
    put_gear(game, 0, weapon=["WWWWMMM"], sandals=["WWM"])
    put_pack(game, 0, metal=6)
    game.state.players[0].pool = 0
    game.state.players[0].fields[0] = 3
    do(game, "rest", "craft(weapon)")
    if game.phase == Phase.CRAFT_WAY:
        assert named(game) == "add"
        do(game, "add")
    assert named(game) == "lay(metal, weapon[0,7])"


def test_the_team_has_a_smith_for_each_gear_and_each_samurai_makes_some():
    for number in range(1, PLAYERS + 1):
        made = []
        for p in range(number):
            game = coop(number)
            give_turn(game, p)
            game.state.first_player = 0
            refresh(game)
            reasons: Any = np.zeros(REASONS, np.float32)
            errand_of_game(game.compiled, 0, reasons)
            made.append(int(reasons[ROLE]))
        assert all(made)
        assert np.bitwise_or.reduce(made) == (1 << GEARS) - 1


# --- the way home ---------------------------------------------------------------------------------------------------


def going_home(**gear: Any) -> Game:
    """A solo game with all blueprints: the legendary dragon is beaten, and the exit is on the next tile."""
    game = coop(1)
    take_dragons_off(game)
    beat_legend(game)
    equip_with_all(game)
    put_gear(game, 0, **gear)
    for changed in gear:
        game.state.players[0].gear[GEAR.index(changed)].magic = 0
    game.state.secret_exit = space("ring1.1/petal0")
    put(game, 0, "ring1.0/petal0")
    return game


def test_on_the_way_home_nobody_stops_for_a_monk():
    game = going_home(helmet=["WMW"])
    here = space("ring1.0/petal0")
    game.state.monk[here], game.state.stock_taken = 1, 1
    assert errand(game)["goal"] != here
    game.state.dragons_beaten = 0
    assert errand(game) == {"goal": here, "walk": here, "deed": GATHERS}


def test_cubes_that_another_gear_lacks_to_leave_are_no_spares():
    game = going_home(weapon=["WWM"])
    put_pack(game, 0, metal=2)
    game.state.players[0].pool = 0
    game.state.players[0].fields[0] = 3
    do(game, "rest")
    assert named(game) == "craft(weapon)"
    game.state.dragons_beaten = 0  # before the great fight a helmet is worth more
    assert named(game) == "craft(helmet)"


@pytest.mark.parametrize("exit_at", ["ring1.1/petal0", "ring2.2/petal1"], ids=["on its tile", "behind it"])
def test_a_player_who_has_no_other_way_out_fights_the_dragon_that_bars_it(exit_at):
    game = going_home()
    lay_plain(game, "ring2.2")  # which can be entered from ring1.1 only
    put(game, 0, "ring1.0/petal3")
    put_dragon(game, "ring1.1", "bamboo_fang")
    game.state.secret_exit = space(exit_at)
    game.state.round_number = 30  # when a small chance is better than none
    assert errand(game)["deed"] == FIGHTS
    game.state.secret_exit = space("ring1.0/petal0")
    assert errand(game)["deed"] == GOES


def test_spare_resources_make_room_for_needed_ones():
    game = going_home(sandals=["M.M"], helmet=["WM.", "M.M"])
    put_blueprint(game, 0, "dragon_tread")
    put_pack(game, 0, wood=1, metal=2)  # full, with three markers; the wood is for the helmet
    teeth = next(k for k, token in enumerate(game.rules.pack.tokens) if token.shows[2] > 0)
    game.state.token[space("ring1.0/petal0")], game.state.face_up[space("ring1.0/petal0")] = teeth + 1, 1
    assert errand(game) == {"goal": space("ring1.0/petal0"), "walk": space("ring1.0/petal0"), "deed": GATHERS}
    do(game, "gather", "find(resources)")
    assert named(game) == "throw(metal)"
    do(game, "throw(metal)")
    assert named(game) == "take(tooth)"


def test_a_bonus_that_no_gear_has_room_for_is_carried_as_a_spare():
    game = coop(1)
    take_dragons_off(game)
    equip_with_all(game)
    put_gear(game, 0, helmet=["WMWT", "MTMT"], weapon=["WWMMM", "TMT"])
    put_card(game, 0, "reed_hat", "explore")
    do(game, "explore", "bonus")
    assert named(game) == "take(metal)"


# --- the page -------------------------------------------------------------------------------------------------------


def test_the_page_has_a_line_for_each_kind_of_game(tmp_path, capsys):
    lines = [play(name, rules, 2) for name, rules in list(kinds())[:2]]
    text = page(lines, 2)
    assert all(part in text for part in ("| 1 player |", "| 2 players |", "legendary beaten"))
    low, high = lines[0].interval
    assert 0 <= low <= lines[0].wins / 2 <= high <= 1


def test_a_bad_number_of_games_is_refused_in_one_line(capsys):
    with pytest.raises(SystemExit) as refused:
        main(["--games", "0"])
    assert refused.value.code == 2
    assert "--games 0: allowed are whole numbers from 1" in capsys.readouterr().err


def test_a_variant_of_the_ablation_changes_what_it_names_and_nothing_else(tmp_path, monkeypatch, capsys):
    tables = Rules(mode="coop", players=2).tables
    before = tables.tobytes()
    easier = next(variant for variant in band_ablation.VARIANTS if "harmless, 4" in variant.name)
    monkeypatch.setattr(band_ablation, "VARIANTS", (easier,))
    monkeypatch.setattr(band_ablation, "TEAMS", (2, 2))
    assert band_ablation.main(["--games", "2", "--out", str(tmp_path / "page.md")]) == 0
    assert tables.tobytes() == before
    written = (tmp_path / "page.md").read_text()
    assert "small dragons harmless" in written
    assert "| 2 | 1 |" in written
    settings = ScriptedGames(Rules(mode="coop", players=2), np.arange(2), np.full((2, PLAYERS), BAND)).games["settings"]
    full = settings["full_rounds"].copy()
    easier.change_settings(settings)
    assert (settings["full_rounds"] == 4 + full).all()
    usual, changed = Rules().pack.dragons, easier.rules(2).pack.dragons
    assert all((d.initiative, *d.health) == (1, 2, 2, 2) for d in changed if d.colour != "white")
    assert [d for d in changed if d.colour == "white"] == [d for d in usual if d.colour == "white"]


def test_rich_tokens_show_twice_as_much():
    usual, rich = Rules().pack.tokens, Rules().pack.changed(band_ablation.rich_tokens()).tokens
    assert [tuple(2 * number for number in token.shows) for token in usual] == [token.shows for token in rich]
    assert [token.monk for token in usual] == [token.monk for token in rich]


def test_the_actions_of_a_game_are_counted():
    """A solo game has 31 rounds of two actions. Tokens add some; knock-outs, which end turns or the game, cost some."""
    counted = band_ablation.actions_of(1, 4)
    actions = sum(counted[name] for name in band_ablation.ACTIONS)
    assert 40 < actions <= 62
    assert counted["explores"] >= sum(counted[f"tiles {level}"] for level in ("I", "II", "III")) - 2
    assert counted["tiles I"] <= 6


def test_great_fights_are_counted_by_who_is_in_them():
    games = ScriptedGames(Rules(mode="coop", players=2), np.arange(2), np.full((2, PLAYERS), BAND)).games
    fights = band_ablation.GreatFights(2, 12)
    games["fight"]["dragon"][:] = (13, 5)  # the legendary dragon, and another
    games["fight"]["fighters"]["inside"][0, :2] = 1
    fights.watch(games)
    games["fight"]["fighters"]["inside"][0, 0] = 0  # one falls
    fights.watch(games)
    games["fight"]["dragon"][:] = 0
    games["dragons_beaten"][0] = 1 << 12
    fights.watch(games)
    assert fights.fought == {(2, True): 1}


def test_a_searcher_plays_in_the_place_of_the_band(monkeypatch):
    monkeypatch.setattr(band_ablation, "TEAMS", (1,))
    rows = list(band_ablation.rows_of_searches(1, "random"))
    assert rows == ["| 1 | 1 | 0 | 0 | 0 | 0 |"]


@pytest.mark.parametrize(
    ("given", "said"),
    [(["--searched", "-1"], "allowed are whole numbers from 0"), (["--searcher", "nobody"], "'nobody' is not known")],
)
def test_a_bad_searcher_is_refused_in_one_line(given, said, capsys):
    with pytest.raises(SystemExit) as refused:
        band_ablation.main(["--games", "1", *given])
    assert refused.value.code == 2
    assert said in capsys.readouterr().err


def test_an_ablation_of_no_games_is_refused_in_one_line(capsys):
    with pytest.raises(SystemExit) as refused:
        band_ablation.main(["--games", "0"])
    assert refused.value.code == 2
    assert "--games 0: allowed are whole numbers from 1" in capsys.readouterr().err


def test_the_same_seeds_give_the_same_games():
    rules = Rules(mode="coop", players=2)
    results = [ScriptedGames(rules, np.arange(4), np.full((4, PLAYERS), BAND)).play() for _ in range(2)]
    assert results[0].games.tobytes() == results[1].games.tobytes()


@pytest.mark.long  # compiles the band once more, with weights as an argument
@pytest.mark.parametrize("players", [1, 2])
def test_weights_that_are_given_play_as_those_of_the_band_do(players):
    """The tuner plays the same games as the agents; other weights lead to other games."""
    rules = Rules(mode="coop", players=players)
    usual: Any = np.array([row[players > 1] for row in BAND_WEIGHTS], np.float32)
    won, marks = band_tune.play(rules, FIRST_SEED, 4, usual)
    line = play("some", rules, 4)
    assert won.sum() == line.wins
    assert list((marks > 0).mean(axis=0)) == line.reached
    usual[Weight.FIND_EXIT] *= 5
    assert (band_tune.play(rules, FIRST_SEED, 4, usual)[1] != marks).any()


def test_a_game_is_worth_1_if_it_is_won_and_else_what_it_reached():
    marks: Any = np.zeros((2, len(MILESTONES)), np.int64)
    marks[:, EXIT] = 7
    parts = band_tune.PARTS[EXIT]
    assert band_tune.worth(np.array([True, False]), marks) == pytest.approx((1 + parts) / 2)
    assert sum(band_tune.PARTS.values()) < 1


@pytest.mark.long  # compiles games of its own for more than a minute
def test_tuning_prints_every_weight(capsys, monkeypatch):
    pytest.importorskip("cma", reason="of the extra `tune`")
    monkeypatch.setattr(band_tune, "POPULATION", 4)
    assert band_tune.main(["--players", "1", "--games", "2", "--minutes", "0"]) == 0
    told = capsys.readouterr().out
    assert "generation 1:" in told
    assert all(f"\n{which.name} = " in told for which in Weight)


@pytest.mark.parametrize(
    ("given", "said"),
    [(["--games", "0"], "allowed are whole numbers from 1"), (["--minutes", "-1"], "allowed are numbers from 0")],
)
def test_tuning_refuses_what_it_can_not_do_in_one_line(given, said, capsys):
    with pytest.raises(SystemExit) as refused:
        band_tune.main(given)
    assert refused.value.code == 2
    assert said in capsys.readouterr().err
