"""Scenario 7, "The three fallen samurai": an enemy in each temple of a solo game."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import fujikoro_env.content
from fujikoro_env import Game, Rules
from fujikoro_env.content.model import GEAR, MAX_CARDS_PER_TYPE, RESOURCES
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.observation import columns
from fujikoro_env.position import PositionError
from fujikoro_env.render.rolls import rolls
from fujikoro_env.rules.base.counters import without_zeros
from fujikoro_env.rules.base.names import Gear, Outside, Reason, Supply, Terrain, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from tests.helpers.coop_tables import coop_table
from tests.helpers.decoded import on_spaces
from tests.helpers.fights import dice_left, fighting, is_over, load, order_of, roll
from tests.helpers.gear import BLUEPRINTS, MATCHING, put_blueprint, put_magic
from tests.helpers.invariants import bytes_of, check, check_play, is_weapon_of_bits
from tests.helpers.tables import (
    asked,
    blueprints_at,
    do,
    fresh,
    gear_of,
    legal,
    neighbours,
    play,
    play_batch,
    put,
    put_gear,
    put_pack,
    put_scrolls,
    refresh,
    space,
    spaces_of,
    where,
)

ENEMIES = (1, 2, 3)


def volcano(**rules):
    """A game with the human player, armed with WWMM, beside temple0."""
    game = coop_table(1, scenario=7, **rules)
    open_ground(game, "ring3.1")
    put(game, 0, beside(0))
    return game


def open_ground(game, place_name):
    """Turn a place into bare ground."""
    game.state.terrain[list(spaces_of(place_name))] = Terrain.GROUND


def beside(temple):
    return next(name for name in sorted(neighbours(f"temple{temple}")) if name.startswith("ring3.1"))


def disarm(game, enemy, weapon=None, helmet=None):
    """Replace the gear of an enemy by this gear, without magic."""
    me = game.state.players[enemy]
    for gear in (Gear.HELMET, Gear.WEAPON):
        game.state.supply[Supply.MAGIC] += bool(me.gear[gear].magic)
        me.gear[gear].magic = 0
    put_gear(game, enemy, weapon=weapon or [], helmet=helmet or [])


def enter(game, dice="", temple=0):
    load(game, dice)
    do(game, "move", f"step(temple{temple})")


# The enemies


@pytest.mark.rule("SCEN-71")
@pytest.mark.parametrize("seed", range(8))
def test_each_temple_has_an_enemy_with_magic_gear_by_its_blueprints(seed):
    game = fresh(1, seed, mode="solo", scenario=7)
    state, tables = game.state, game.rules.tables[0]
    for k, enemy in enumerate(ENEMIES):
        me = state.players[enemy]
        assert (where(game, enemy), me.character) == (f"temple{k}", 0)
        assert [slot // CARD_SLOTS for slot in slots_of(game, enemy)] == [0, 1, 2]
        for gear, slot in enumerate(slots_of(game, enemy)):
            needs = tables.blueprints[state.blueprints[slot].card - 1].needs
            assert [int(cubes).bit_count() for cubes in me.gear[gear].cubes] == needs.tolist()
            assert me.gear[gear].magic != 0
        assert is_weapon_of_bits(int(np.bitwise_or.reduce(me.gear[Gear.WEAPON].cubes)), True)
    check(game)


@pytest.mark.rule("SCEN-71", "SETUP-5")
@pytest.mark.parametrize("one_gear", [False, True])
def test_the_temples_hold_blueprints_as_in_usual_solo_play(one_gear):
    usual, game = fresh(1, 3, mode="solo"), fresh(1, 3, mode="solo", scenario=7, one_gear_per_enemy=one_gear)
    lying = [blueprints_at(game, Where.TEMPLE + k) for k in range(3)]
    assert lying == [blueprints_at(usual, Where.TEMPLE + k) for k in range(3)]
    assert [len(names) for names in lying] == [1, 1, 1]


@pytest.mark.rule("SCEN-71", "GATH-8")
def test_a_player_who_has_beaten_the_enemy_may_gather_the_blueprint_of_its_temple():
    game = beaten()
    (name,) = blueprints_at(game, Where.TEMPLE)
    enter(game)
    roll(game, "W1 W0 M0 M0")
    do(game, "done", "gather", "find(blueprint)")
    do(game, f"blueprint({name})")
    assert blueprints_at(game, Where.OWNED) == [name]


@pytest.mark.rule("SCEN-71")
def test_one_gear_for_each_enemy_as_an_option():
    types = set()
    for seed in range(12):
        game = fresh(1, seed, mode="solo", scenario=7, one_gear_per_enemy=True)
        for enemy in ENEMIES:
            me, (slot,) = game.state.players[enemy], slots_of(game, enemy)
            gear = slot // CARD_SLOTS
            assert [bool(grid.cubes.any()) for grid in me.gear] == [k == gear for k in range(3)]
            assert [bool(grid.magic) for grid in me.gear] == [k == gear for k in range(3)]
            types.add((enemy, gear))
        check(game)
        assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()
    assert types == {(enemy, gear) for enemy in ENEMIES for gear in range(3)}


@pytest.mark.rule("SCEN-71")
def test_one_gear_for_each_enemy_is_for_this_scenario_alone():
    with pytest.raises(ValueError, match=r"one_gear_per_enemy=True has no effect.*SCEN-71"):
        Rules(mode="solo", one_gear_per_enemy=True)


@pytest.mark.rule("SCEN-73")
def test_a_beaten_enemy_with_one_gear_leaves_its_one_blueprint():
    game = volcano(one_gear_per_enemy=True)
    disarm(game, 1)
    names = blueprints_at(game, Where.OWNED + 1)
    enter(game)
    roll(game, "W1 W0 M0 M0")
    assert legal(game) == {"done", *(f"blueprint({name})" for name in names)}
    assert len(names) == 1
    do(game, "done")
    assert blueprints_at(game, Where.GONE) == names


def slots_of(game, player):
    return [slot for slot in range(3 * CARD_SLOTS) if game.state.blueprints[slot].where == Where.OWNED + player]


@pytest.mark.rule("SCEN-71")
def test_the_blueprints_are_random():
    names = {tuple(blueprints_at(fresh(1, seed, mode="solo", scenario=7), Where.OWNED + 1)) for seed in range(10)}
    assert len(names) > 5


@pytest.mark.rule("SCEN-71", "SETUP-10")
def test_the_supply_is_enough_for_the_dearest_blueprints_of_all():
    pack, tables = Rules(1, mode="solo", scenario=7).pack, Rules(1, mode="solo").tables[0]
    for kind, name in enumerate(RESOURCES):
        dearest = 0
        for gear in range(len(GEAR)):
            first = gear * MAX_CARDS_PER_TYPE
            cards = tables.blueprints[first : first + tables.card_count[1, gear]]
            dearest += sum(sorted(int(card.needs[kind]) for card in cards)[-3:])
        first_cards = [int(card.needs[kind]) for card in tables.gear_cards]
        assert dearest + max(first_cards) + 4 <= pack.supply[name], name
    assert pack.supply["magic"] >= 9
    assert pack.supply["monk"] >= 3 + 1


@pytest.mark.rule("SCEN-71")
def test_a_pack_without_enough_cubes_for_the_enemies_is_refused(tmp_path):
    folder = tmp_path / "poor"
    shutil.copytree(Path(fujikoro_env.content.__file__).parent / "base", folder)
    supply, head = folder / "supply.toml", folder / "pack.toml"
    supply.write_text(supply.read_text().replace("tooth = 25", "tooth = 13"))
    head.write_text(head.read_text().replace('edition = "rulebook"', 'edition = "poor"\nchanges = "teeth"'))
    with pytest.raises(ValueError, match=r"it has 13 tooth, its enemies and the player may need \d+ \(SCEN-71\)"):
        Rules(1, mode="solo", scenario=7, content=folder)
    assert Rules(1, mode="solo", content=folder).seats == 1


# The duel


@pytest.mark.rule("SCEN-72", "MOVE-7")
def test_entering_the_temple_starts_the_duel():
    game = volcano()
    disarm(game, 1)
    enter(game)
    assert (asked(game), game.state.fight.defender) == ((Phase.WEAPON, 0), 1)
    assert order_of(game) == [0, 1]


@pytest.mark.rule("SCEN-72")
def test_without_the_scenario_temples_are_safe():
    game = coop_table(1)
    open_ground(game, "ring3.1")
    put(game, 0, beside(0))
    do(game, "move", "step(temple0)")
    assert game.phase == Phase.MOVE


@pytest.mark.rule("SCEN-72")
def test_a_pilgrim_meets_the_enemy_of_the_other_temple():
    game = volcano()
    put_scrolls(game, 0, "pilgrim")
    put(game, 0, "temple0")  # reborn there: no duel
    disarm(game, 3)
    enter(game, temple=2)
    assert (asked(game), game.state.fight.defender) == ((Phase.WEAPON, 0), 3)


@pytest.mark.rule("SCEN-72", "LAVA-3")
def test_rebirth_in_a_temple_starts_no_duel():
    game = volcano()
    frame = game.state.stack[game.state.depth]
    frame.phase, frame.actor = Phase.REBIRTH, 0
    game.state.depth += 1
    do(game, "step(temple1)")
    assert (asked(game), where(game, 0)) == ((Phase.ACTION, 0), "temple1")
    assert is_over(game)


@pytest.mark.rule("SCEN-72")
@pytest.mark.parametrize("ask_forced", [False, True])
def test_the_enemy_rolls_all_dice_of_every_weapon_and_is_never_asked(ask_forced):
    game = volcano(ask_forced=ask_forced)
    disarm(game, 1, weapon=["WWWMM.WW"], helmet=["TT"])
    put_gear(game, 0, helmet=["TTTT"])
    enter(game, "W0 W0 W0 M0 M0 W0 W0")  # longer than the human's weapon, so it comes first
    assert dice_left(game) == 0
    assert (asked(game)[1], game.phase in (Phase.WEAPON, Phase.DICE)) == (0, True)


@pytest.mark.rule("SCEN-72")
def test_the_enemy_breaks_the_lowest_cell():
    game = volcano()
    disarm(game, 1, weapon=["WWWWM"], helmet=["TT"])
    put_gear(game, 0, helmet=["TTTT"])
    enter(game, "W1* W0 W0 W0 M0")
    assert gear_of(game, 1, "weapon") == [".WWWM"]


@pytest.mark.rule("SCEN-72")
def test_the_enemy_pays_wood_metal_tooth_magic_in_this_order():
    game = volcano()
    disarm(game, 1, helmet=["TMW", "WM"])
    enter(game)
    roll(game, "W1 W1 M1 M0")  # two wood cover 2 hits, then the first metal
    assert gear_of(game, 1, "helmet") == ["T", ".M"]
    put_gear(game, 1, helmet=["TW"])
    put_magic(game, 1, "helmet")
    roll(game, "W1 W1 M2 M1")  # wood and tooth cover 4
    assert (gear_of(game, 1, "helmet"), game.state.players[1].gear[Gear.HELMET].magic) == ([], 0)


@pytest.mark.rule("SCEN-72", "WEAP-6")
def test_the_enemy_mends_its_weapon_by_the_same_order():
    game = volcano()
    disarm(game, 1, weapon=["WWMWW"], helmet=["TTTT"])
    put_gear(game, 0, helmet=["TTTT"])
    enter(game, "W0 W0 W0 W0 M2*")
    assert gear_of(game, 1, "weapon") == ["...WW"]


@pytest.mark.rule("SCEN-72")
def test_the_enemy_never_gives_up():
    game = volcano()
    disarm(game, 1, helmet=["TT"])
    enter(game)
    roll(game, "W1 W0 M0 M0")
    assert (asked(game), fighting(game)) == ((Phase.WEAPON, 0), [0])
    assert game.state.fight.fighters[1].inside == 1


@pytest.mark.rule("SCEN-72", "COOP-13")
def test_a_player_who_loses_to_an_enemy_loses_a_life_and_its_turn_and_nothing_else():
    game = volcano()
    disarm(game, 1, weapon=["WWWMM"], helmet=["TT"])
    put_pack(game, 0, wood=2)
    enter(game, "W1 W0 W0 M0 M0")
    me = game.state.players[0]
    assert (me.lives_lost, where(game, 0), me.unconscious, me.pack[0]) == (1, "start", 0, 2)
    assert (asked(game), game.state.round_number) == ((Phase.ACTION, 0), 2)
    assert where(game, 1) == "temple0"
    assert is_over(game)


@pytest.mark.rule("SCEN-72", "COOP-15")
def test_the_last_life_loses_the_game():
    game = volcano()
    disarm(game, 1, weapon=["WWWMM"], helmet=["TT"])
    game.state.players[0].lives_lost = 1
    enter(game, "W1 W0 W0 M0 M0")
    assert game.state.reason == Reason.LOST
    assert is_over(game)


@pytest.mark.rule("SCEN-72", "DUEL-2")
def test_a_player_who_gives_up_stays_in_the_temple_and_so_does_the_enemy():
    game = volcano()
    disarm(game, 1, weapon=["WWWMM"], helmet=["TT"])
    put_gear(game, 0, weapon=[])
    enter(game, "W0 W0 W0 M0 M0")
    do(game, "retreat")
    assert (asked(game), where(game, 0), where(game, 1)) == ((Phase.ACTION, 0), "temple0", "temple0")
    assert game.state.players[0].lives_lost == 0
    assert is_over(game)


def test_duels_with_enemies_are_counted_for_the_player_alone():
    game = volcano()
    disarm(game, 1, weapon=["WWWMM"], helmet=["TT"])
    put_gear(game, 0, weapon=[])
    enter(game, "W0 W0 W0 M0 M0")
    do(game, "retreat")
    assert without_zeros(game.counts[0]) == {"duels": {"begun": 1, "given_up": 1}}
    game = volcano()
    disarm(game, 1, weapon=["WWWMM"], helmet=["TT"])
    enter(game, "W1 W0 W0 M0 M0")
    assert without_zeros(game.counts[0]) == {"duels": {"begun": 1, "lost": 1}, "knock_outs": {"duel": 1}}
    game = volcano()
    disarm(game, 1)
    enter(game)
    roll(game, "W1 W0 M0 M0")
    assert without_zeros(game.counts[0]) == {"duels": {"begun": 1, "won": 1}}
    assert not game.state.counts["duels"][1:].any()


@pytest.mark.rule("SCEN-72", "DUEL-3")
def test_an_undecided_duel_leaves_both_in_the_temple():
    game = volcano()
    disarm(game, 1, helmet=["TT"])
    put_gear(game, 0, weapon=[])
    enter(game)
    assert (asked(game), where(game, 0), where(game, 1)) == ((Phase.ACTION, 0), "temple0", "temple0")
    assert is_over(game)


@pytest.mark.rule("SCEN-72")
@pytest.mark.parametrize(("supply", "magic"), [(1, True), (0, False)])
def test_a_helmet_that_still_matches_is_magic_again_after_the_duel(supply, magic):
    game = volcano()
    helmet = gear_of(game, 1, "helmet")
    put_gear(game, 1, weapon=[])
    game.state.players[1].gear[Gear.HELMET].magic = game.state.players[1].gear[Gear.WEAPON].magic = 0
    game.state.supply[Supply.MAGIC] = supply
    put_gear(game, 0, weapon=[])
    enter(game)
    assert gear_of(game, 1, "helmet") == helmet
    assert bool(game.state.players[1].gear[Gear.HELMET].magic) is magic
    assert game.state.players[1].gear[Gear.WEAPON].magic == 0  # not mended


@pytest.mark.rule("SCEN-72")
def test_damage_stays_and_a_helmet_that_does_not_match_stays_without_magic():
    game = volcano()
    disarm(game, 1, helmet=["W"])
    put_gear(game, 0, weapon=[])
    enter(game)
    assert gear_of(game, 1, "helmet") == ["W"]
    assert game.state.players[1].gear[Gear.HELMET].magic == 0


# Beaten


def beaten(**rules):
    """The human has beaten the enemy of temple0 and may steal."""
    game = volcano(**rules)
    disarm(game, 1)
    return game


@pytest.mark.rule("SCEN-73", "COOP-18")
def test_the_winner_steals_one_blueprint_and_the_enemy_leaves_the_game():
    game = beaten()
    names = blueprints_at(game, Where.OWNED + 1)
    before = game.state.supply.copy()
    enter(game)
    roll(game, "W1 W0 M0 M0")
    assert asked(game) == (Phase.STEAL, 0)
    assert legal(game) == {"done", *(f"blueprint({name})" for name in names)}
    do(game, f"blueprint({names[1]})")
    assert blueprints_at(game, Where.OWNED) == [names[1]]
    assert blueprints_at(game, Where.GONE) == [names[0], names[2]]
    assert not bytes_of(game.compiled.games, "players", 6)[0, 1].any()  # zeros
    assert game.state.supply[Supply.MAGIC] == before[Supply.MAGIC] + 1  # of its sandals
    assert (asked(game), where(game, 0)) == ((Phase.ACTION, 0), "temple0")
    assert is_over(game)


@pytest.mark.rule("SCEN-73")
def test_a_player_who_steals_nothing_leaves_the_blueprints_to_nobody():
    game = beaten()
    names = blueprints_at(game, Where.OWNED + 1)
    enter(game)
    roll(game, "W1 W0 M0 M0")
    do(game, "done")
    assert blueprints_at(game, Where.GONE) == names


@pytest.mark.rule("SCEN-73", "DUEL-5")
def test_room_for_the_blueprint_is_made_by_throwing_resources_away():
    game = beaten()
    put_pack(game, 0, wood=6)
    enter(game)
    roll(game, "W1 W0 M0 M0")
    assert legal(game) == {"done", "throw(wood)"}
    do(game, "throw(wood)")
    assert len(legal(game, "blueprint")) == 3


@pytest.mark.rule("SCEN-73", "COOP-18")
def test_two_blueprints_of_one_type_may_be_stolen():
    game = beaten()
    slot = slots_of(game, 2)[0]
    game.state.blueprints[slot].where = Where.OWNED
    enter(game)
    roll(game, "W1 W0 M0 M0")
    assert len(legal(game, "blueprint")) == 3


@pytest.mark.rule("SCEN-73")
def test_a_beaten_enemys_temple_is_safe():
    game = beaten()
    enter(game)
    roll(game, "W1 W0 M0 M0")
    do(game, "done")
    put(game, 0, beside(0))
    enter(game)
    assert game.phase == Phase.MOVE


# The end


def at_the_exit(enemies=(), gears=("helmet", "weapon", "sandals")):
    game = volcano()
    open_ground(game, "ring2.0")
    exit_space = space("ring2.0/centre")
    game.state.secret_exit = exit_space
    game.state.players[0].at = exit_space
    for enemy in ENEMIES:
        if enemy not in enemies:
            remove(game, enemy)
    for name in gears:
        put_blueprint(game, 0, BLUEPRINTS[name])
        put_gear(game, 0, **{name: MATCHING[name]})
        put_magic(game, 0, name)
    return game


def remove(game, enemy):
    for slot in slots_of(game, enemy):
        game.state.blueprints[slot].where = Where.GONE
    game.state.players[enemy].at = 0


def end_turn(game):
    do(game, "move", "done", "move", "done")


@pytest.mark.rule("SCEN-74", "COOP-21")
def test_with_all_beaten_and_three_magic_gears_the_exit_wins_the_game():
    game = at_the_exit()
    assert not game.state.dragons_beaten  # the legendary dragon does not matter
    end_turn(game)
    assert asked(game) == (Phase.LEAVE, 0)
    do(game, "yes")
    assert (game.state.reason, game.state.players[0].outside) == (Reason.WON, Outside.FOOT)


@pytest.mark.rule("SCEN-74")
@pytest.mark.parametrize("enemy", ENEMIES)
def test_the_exit_is_closed_while_an_enemy_is_left(enemy):
    game = at_the_exit(enemies=(enemy,))
    end_turn(game)
    assert asked(game) == (Phase.ACTION, 0)


@pytest.mark.rule("SCEN-74")
@pytest.mark.parametrize("missing", GEAR)
def test_all_three_gears_are_needed_to_leave(missing):
    game = at_the_exit(gears=[name for name in GEAR if name != missing])
    end_turn(game)
    assert asked(game) == (Phase.ACTION, 0)


# Positions, pictures, observations


def weak_enemies(seed, **rules):
    """A game past set-up in which enemies can be beaten, and the human stands in a temple with one."""
    game = coop_table(1, seed, scenario=7, **rules)
    for enemy in ENEMIES:
        disarm(game, enemy, weapon=["WW", ".M"], helmet=["WMT"])
    put_gear(game, 0, helmet=["MMMM", "TTTT"], weapon=["WWMM", "W.TT"])
    put_scrolls(game, 0, "pilgrim")
    put(game, 0, "temple0")
    refresh(game)
    return game


def play_toward_enemies(game, seed, most=400):
    """Play at random, but often walk from temple to temple."""
    luck = np.random.default_rng(seed)
    for _ in range(most):
        yield game
        if game.over:
            return
        names = [game.action_name(action) for action in game.legal_actions()]
        wanted = [name for name in names if name == "move" or name.startswith("step(temple")]
        name = luck.choice(wanted) if wanted and luck.random() < 0.6 else luck.choice(names)
        game.step(game.parse_action(name))


SEEDS = range(2) if INTERPRETED else range(12)


def test_invariants_hold_and_positions_can_be_written_down_in_games_with_duels():
    phases, robbed = set(), 0
    for seed in SEEDS:
        for game in play_toward_enemies(weak_enemies(seed, ask_forced=bool(seed % 2)), seed):
            check(game)
            if game.state.fight.defender:
                phases.add(game.phase)
                assert game.actor == 0
                assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()
        robbed += len(blueprints_at(game, Where.GONE))
    if not INTERPRETED:
        assert phases >= {Phase.WEAPON, Phase.DICE, Phase.PAY, Phase.BREAK, Phase.STEAL}
        assert robbed > 0


@pytest.mark.parametrize("one_gear", [False, True])
def test_random_games_can_be_written_down_at_every_decision(one_gear):
    rounds = 2 if INTERPRETED else 20
    game = Game(Rules(1, mode="solo", scenario=7, max_rounds=rounds, one_gear_per_enemy=one_gear), 5)
    for position in play(game, 5):
        assert Game.from_json(position.to_json()).to_bytes() == position.to_bytes()


@pytest.mark.parametrize(("tokens", "one_gear"), [(True, False), (False, True)])
def test_invariants_hold_in_random_games(tokens, one_gear):
    options = {"adventure_tokens": tokens, "one_gear_per_enemy": one_gear}
    rules = Rules(1, mode="solo", scenario=7, max_rounds=2 if INTERPRETED else 40, **options)
    check_play(rules, play_batch(rules, 2 if INTERPRETED else 40))


def duelling():
    """A duel in temple0 in which the human has to pay for the enemy's hits."""
    game = weak_enemies(1)
    put(game, 0, "temple1")
    put_gear(game, 1, weapon=["WWWMM", "WW"])
    enter(game, "W1 W0 W0 W0 W0 M0 M0")
    assert asked(game) == (Phase.PAY, 0)
    return game


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda it: it["enemies"].append({}), r"enemies: there are 4 of them, this game has 3 \(SCEN-71\)"),
        (lambda it: it["enemies"][1].update(space="start"), r"enemies\[1\].space: unknown key"),
        (lambda it: it["enemies"][1]["blueprints"].pop(), r"enemies\[1\].blueprints: one of each type is needed"),
        (lambda it: it["enemies"][1]["gear"].update(weapon=["W.W"]), r"two weapons in one part \(WEAP-6\)"),
        (lambda it: it["enemies"][1]["gear"].update(helmet=["", "", "WW"]), r"cubes outside the open grid \(CRAFT-6\)"),
        (lambda it: it["blueprints"].pop(), r"4 different cards for the sandals are needed"),
        (lambda it: it["asked"][-1].update(player=1), r"enemies are never asked \(SCEN-72\)"),
        (lambda it: it["enemies"].__setitem__(0, {}), r"there is no enemy to fight \(SCEN-72\)"),
        (lambda it: it["rules"].pop("scenario"), r"enemies: there are 3 of them, this game has 0 \(SCEN-71\)"),
        (lambda it: it["fight"]["fighters"].pop(), r"one entry is needed for each of the 4"),
    ],
)
def test_what_does_not_fit_the_enemies_is_refused(change, says):
    value = json.loads(duelling().to_json())
    change(value)
    with pytest.raises(PositionError) as wrong:
        Game.from_json(json.dumps(value))
    assert re.search(says, "\n".join(wrong.value.faults))


def test_without_word_of_the_enemies_all_are_beaten():
    game = Game.from_json('{"version": 1, "rules": {"players": 1, "mode": "coop", "scenario": 7}, "players": [{}]}')
    assert not game.state.players["at"].any()
    assert len(blueprints_at(game, Where.GONE)) == 9
    assert [len(blueprints_at(game, Where.TEMPLE + k)) for k in range(3)] == [1, 1, 1]
    check(game)


def test_the_table_shows_the_enemies():
    game = duelling()
    text = str(game)
    assert "enemy 0 (" in text  # in the order of the fight
    assert "Enemy 2: temple2" in text
    assert all(name in text for name in blueprints_at(game, Where.OWNED + 3))
    assert game._repr_svg_()


def test_the_observation_shows_the_enemies_in_the_seats_after_the_player():
    game = duelling()
    seen = game.observe(0)
    players, gear, cards = seen["players"], seen["gear"], seen["cards"]
    assert players[1:4, columns("players")["at"]].ravel().tolist() == [space(f"temple{k}") for k in range(3)]
    assert players[:, columns("players")["plays"]].ravel().tolist() == [1, 1, 1, 1, 0, 0]
    assert gear[1].any()
    owners = cards[3 * CARD_SLOTS :, columns("cards")["owner"]].ravel()
    assert sorted(owners[owners > 0].tolist()) == sorted([k + 1 for k in ENEMIES] * 3)
    assert on_spaces(seen, "samurai")[space("temple2")].tolist() == [0, 0, 0, 1, 0, 0]


def test_beaten_enemies_are_gone_from_the_observation():
    game = duelling()
    remove(game, 2)
    seen = game.observe(0)
    assert seen["players"][:, columns("players")["plays"]].ravel().tolist() == [1, 1, 0, 1, 0, 0]
    assert on_spaces(seen, "samurai")[space("start")].tolist()[1:] == [0] * 5


def test_rolls_of_enemies_are_told_die_by_die():
    game = weak_enemies(1)
    put(game, 0, "temple1")
    put_gear(game, 1, weapon=["WWWMM", "", ".....WWT"])
    put_magic(game, 1, "weapon")
    do(game, "move")
    before = game.clone()
    game.step(game.parse_action("step(temple0)"))
    (told,) = rolls(before, before.parse_action("step(temple0)"), game)
    dice = told.partition(" (hits")[0].replace("*", "").split(", ")
    kinds = [word for die in dice for word in die.split() if word in ("wood", "metal", "tooth", "magic")]
    assert told.startswith("enemy 0 rolls ")
    assert kinds[:6] == ["wood", "wood", "wood", "metal", "metal", "magic"]
    assert kinds[6:] in ([], ["wood", "wood", "tooth"])  # hits are paid for in between
