"""Whole games: invariants, hidden information, plain Python, saved bytes, observations, content."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fuji_env import ContentError, Game, InvalidActionError, Rules, SavedGameError, load_pack
from fuji_env.content import check_pack
from fuji_env.observation import OBSERVATIONS, PARTS, WIDTH, columns, observation_space
from fuji_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fuji_env.settings import OPTIONS
from tests.helpers.fuji import do, give, put, renew, show, table
from tests.helpers.fuji_games import TABLES, choice, games, random_game
from tests.helpers.fuji_invariants import check
from tools.make_phases import sister_source

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("rules", "seed"), games())
def test_invariants_hold_in_random_games(rules, seed):
    for game in random_game(rules, seed):
        check(game)


def test_random_games_ask_every_question():
    asked = set()
    for rules, seed in games(6):
        for game in random_game(rules, seed):
            asked.add(game.phase)
    asking = {phase for phase in Phase if phase < FIRST_AUTOMATIC}
    assert asking - asked <= {Phase.WALK}  # rare: a longer walk around a token must be within reach


PLAYED = """
import json, sys
from fuji_env import Game, Rules
for rules, seed, actions in json.loads(sys.stdin.read()):
    game = Game(Rules(**rules), seed=seed)
    digests = [game.digest()]
    for action in actions:
        game.step(action)
        digests.append(game.digest())
    seen = [game.observe(0, "compact").tobytes().hex(), game.determinize(1, 5).digest(), game.view(0).digest()]
    print(json.dumps([digests, seen]))
"""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="compares compiled code with plain Python")
def test_compiled_games_equal_plain_python():
    played, expected = [], []
    for rules, seed in games(1):
        game, luck = Game(Rules(**rules), seed=seed), np.random.default_rng(seed)
        actions: list[int] = []
        digests = [game.digest()]
        while not game.over and len(actions) < 60:
            actions.append(choice(game, luck))
            game.step(actions[-1])
            digests.append(game.digest())
        seen = [game.observe(0, "compact").tobytes().hex(), game.determinize(1, 5).digest(), game.view(0).digest()]
        played.append((rules, seed, actions))
        expected.append([digests, seen])
    paths = os.pathsep.join((str(ROOT), str(ROOT / "sisters")))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    run = subprocess.run(
        [sys.executable, "-c", PLAYED], input=json.dumps(played), env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert [json.loads(line) for line in run.stdout.splitlines()] == expected


def test_same_seed_and_actions_give_the_same_game():
    for rules, seed in games(1):
        first, second = ([one.digest() for one in random_game(rules, seed)] for _ in range(2))
        assert first == second


# --- hidden information -----------------------------------------------------------------------------------------------


def scrambled(game, player, luck):
    """The same game with other hidden dice, and other luck to come."""
    other = game.clone()
    if game.state.screens and game.rules.options["talk"] != "open":
        hidden = (game.state.dice != 0) & (game.view(player).state.dice == 0)
        for name in ("dice", "before"):
            array = other.state[name]
            array[hidden & (array != 0)] = luck.integers(1, 7, int((hidden & (array != 0)).sum()))
    other.state.streams["words"] = luck.integers(1, 1 << 32, other.state.streams["words"].shape, dtype=np.uint32)
    return other


@pytest.mark.parametrize(("rules", "seed"), games(2))
def test_nothing_hidden_leaks(rules, seed):
    luck = np.random.default_rng(seed)
    for number, game in enumerate(random_game(rules, seed)):
        if number % 4:
            continue
        for player in range(game.rules.players):
            other = scrambled(game, player, luck)
            assert game.view(player).digest() == other.view(player).digest()
            assert game.determinize(player, 9).digest() == other.determinize(player, 9).digest()
            assert game.determinize(player, 9).digest() == game.view(player).determinize(player, 9).digest()
            assert (game.observe(player, "compact") == other.observe(player, "compact")).all()
            assert (game.observe(player, "compact") == game.view(player).observe(player, "compact")).all()


def test_a_determinized_game_can_be_played_and_keeps_what_the_player_sees():
    for rules, seed in games(1):
        luck = np.random.default_rng(seed)
        for number, game in enumerate(random_game(rules, seed)):
            if game.over or number % 10:
                continue
            player = game.actor
            dealt = game.view(player).determinize(player, number)
            seen = game.view(player).state.dice
            assert ((dealt.state.dice == seen) | (seen == 0)).all()
            assert ((dealt.state.dice != 0) == (game.state.dice != 0)).all()
            assert dealt.legal_actions().tolist() == game.legal_actions().tolist()
            check(dealt)
            for _ in range(20):
                if not dealt.over:
                    dealt.step(choice(dealt, luck))
                    check(dealt)


def test_loaded_dice_do_not_survive_in_views_and_deals():
    game = table(skills=("survivalist", "scout", "tinkerer"))
    game.load_dice([6] * 20)
    assert not game.view(0).state.loaded_dice.any()
    assert not game.determinize(0, 1).state.loaded_dice.any()


def test_views_of_others_hide_the_legal_actions():
    game = Game(Rules(players=3), seed=2)
    others = [player for player in range(3) if player != game.actor]
    assert all(not len(game.view(player).legal_actions()) for player in others)
    assert game.view(game.actor).legal_actions().tolist() == game.legal_actions().tolist()


def test_clones_are_independent():
    game = Game(Rules(), seed=1)
    before, copy = game.digest(), game.clone()
    copy.step(int(copy.legal_actions()[0]))
    assert game.digest() == before != copy.digest()
    assert copy.legal_actions().tolist() != [] or copy.over


# --- saving -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "seed"), games(1))
def test_saved_games_go_on_in_the_same_way(rules, seed):
    luck = np.random.default_rng(seed)
    for number, game in enumerate(random_game(rules, seed)):
        if number % 15:
            continue
        again, copy = Game.from_bytes(game.to_bytes()), game.clone()
        assert again.digest() == game.digest()
        assert again.legal_actions().tolist() == game.legal_actions().tolist()
        for _ in range(5):
            if not copy.over:
                action = int(luck.choice(copy.legal_actions()))
                again.step(action)
                copy.step(action)
        assert again.digest() == copy.digest()
        view = game.view(0)
        assert Game.from_bytes(view.to_bytes()).digest() == view.digest()


def test_damaged_bytes_are_refused_with_one_line():
    game = Game(Rules(), seed=1)
    saved = game.to_bytes()
    for damaged in (b"", b"hello", saved[:-1], saved[:100], saved[:200] + b"x" + saved[201:]):
        with pytest.raises(SavedGameError) as error:
            Game.from_bytes(damaged)
        assert "\n" not in str(error.value)


def test_impossible_records_are_refused():
    for change in (
        lambda s: setattr(s, "lead", 7),
        lambda s: setattr(s.figures[0], "at", 26),
        lambda s: setattr(s.figures[0], "marker", 27),
        lambda s: setattr(s, "depth", 1),
        lambda s: setattr(s.stack[s.depth - 1], "phase", 99),
        lambda s: s.cards.__setitem__(0, 0),
        lambda s: s.dice.__setitem__((0, 0), 9),
        lambda s: setattr(s.figures[0], "injuries", 1),
        lambda s: setattr(s, "lava", 0),
        lambda s: setattr(s, "deck", 1),
    ):
        game = Game(Rules(players=3, skills=("survivalist", "scout", "buddy")), seed=1)
        change(game.state)
        with pytest.raises(SavedGameError, match="saved game: "):
            Game.from_bytes(game.to_bytes())


# --- observations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", OBSERVATIONS)
def test_observations_fit_their_space(kind):
    space = observation_space(kind)
    for rules, seed in games(1):
        for number, game in enumerate(random_game(rules, seed)):
            if number % 10 == 0:
                assert all(space.contains(game.observe(player, kind)) for player in range(game.rules.players))


def test_writers_write_as_much_as_the_table_says():
    game = Game(Rules(players=2), seed=1)
    assert len(game.observe(0, "compact")) == WIDTH == sum(part.width for part in PARTS)
    assert game.observe(0)["rules"].tolist() == [1, 0, 0, 1, 0, 1, 1, 0, 0, 0]


def test_everything_public_is_where_the_table_says():
    game = table(skills=("buddy", "scout", "tinkerer"), level=3, late_eruption=True)
    give(game, 1, "rope", "helmet")
    game.state.figures[1].stamina, game.state.figures[1].injuries = 9, 0b0110
    put(game, 1, "d2")
    do(game, "place(d3)", "say(strong)")
    show(game, {1: "65432"})
    renew(game)
    seen = game.observe(1)
    places, figures, dice, turn = (seen[name] for name in ("map", "figures", "dice", "turn"))

    def plane(name, place):
        row, column, _ = game.rules.pack.scenarios[0].places()[game.vocabulary.find_place(place)]
        return places[columns("map")[name], row, column].tolist()

    def of(part, name, row):
        return row[columns(part)[name]].tolist()

    assert plane("figures", "d2") == [1, 0, 0, 0]  # seat 0 is the observer
    assert plane("markers", "d3") == [0, 0, 1, 0]
    assert plane("steps", "e2") == [2]
    assert plane("lava", "a1") == [1]
    assert plane("soon", "b1") == [6]
    assert plane("soon", "b2") == [5]
    assert plane("village", "i5") == [1]
    assert plane("eruption_token", "e4") == [1]
    assert of("figures", "stamina", figures[0]) == [9]
    assert of("figures", "injuries", figures[0]) == [0, 1, 1, 0]
    assert of("figures", "skill", figures[0]) == [0, 1, 0, 0, 0, 0]
    assert of("figures", "equipment", figures[0]) == [0, 0, 0, 1, *[0] * 10, 1]
    assert of("figures", "said", figures[2]) == [0, 0, 0, 1, 0, 0]
    assert of("figures", "leads", figures[2]) == [1]
    assert [of("figures", "plays", figures[k]) for k in range(4)] == [[1], [1], [1], [0]]
    assert of("dice", "number", dice[0]) == [0, 0, 0, 0, 0, 1]
    assert of("dice", "colour", dice[0]) == [1, 0, 0]
    assert not dice[6:].any()
    assert of("turn", "asked", turn) == [1]
    assert np.flatnonzero(of("turn", "phase", turn)).tolist() == [Phase.PLAN - 1]
    assert of("turn", "round", turn) == [1]
    assert of("rules", "level", seen["rules"]) == [3]
    assert of("rules", "late_eruption", seen["rules"]) == [1]


def test_the_global_state_shows_all_dice():
    game = Game(Rules(players=3, skills=("survivalist", "scout", "buddy")), seed=1)
    other = game.clone()
    other.state.dice[1, 0] = other.state.dice[1, 0] % 6 + 1
    assert (game.observe(0, "compact") == other.observe(0, "compact")).all()
    assert (game.global_state() != other.global_state()).any()
    assert game.global_state().shape == (WIDTH,)


# --- rules, content, phases -------------------------------------------------------------------------------------------


def test_rules_say_what_is_wrong_in_one_line():
    for given, text in (
        ({"players": 5}, "players=5: allowed are the numbers 2 to 4"),
        ({"scenario": 8}, "scenario=8: allowed are 1 to 7 and 'open_slope'"),
        ({"level": 0}, "level=0: allowed are the numbers 1 to 4"),
        ({"players": 2, "variant": "C"}, "variant='C': allowed are 'A', 'B'"),
        ({"skills": ["scout"]}, "skills=.*4 different ones"),
        ({"talk": "loud"}, "talk='loud': allowed are 'words', 'none', 'open'"),
        ({"hard": True}, "unknown option 'hard': there are late_eruption, talk"),
    ):
        with pytest.raises(ValueError, match=text) as error:
            Rules(**given)
        assert "\n" not in str(error.value)


def test_settings_are_read_back():
    kinds: list[dict[str, Any]] = [*TABLES, {"players": 3, "skills": ("scout", "buddy", "gatherer")}]
    for given in kinds:
        rules = Rules(**given)
        again = Rules.read_settings(Game(rules, seed=1).state.settings, "base")
        assert again == rules
        assert again.options == rules.options
    assert list(OPTIONS) == ["talk", "late_eruption"]


def test_actions_that_are_no_whole_numbers_are_refused():
    game = Game(Rules(), seed=1)
    wrong: list[Any] = [0.0, None, "done", True, [1]]
    for action in wrong:
        with pytest.raises(InvalidActionError):
            game.step(action)
    assert pickle.loads(pickle.dumps(Rules(players=3))) == Rules(players=3)


def test_the_shipped_pack_has_no_faults_and_says_where_everything_comes_from():
    assert check_pack("base") == []
    pack = load_pack("base")
    seen = [one.id for one in pack.areas if one.source == "source"]
    assert sorted(seen) == sorted(
        ["pink", "blue", "even", "odd yellow", "1 or 2", "1 or 3", "5", "pink or 4", "yellow or 6", "blue or odd"]
    )
    assert sum(one.reroll for one in pack.areas) == 8
    assert {one.source for one in pack.skills} == {"source"}
    assert {one.source for one in pack.scenarios} == {"reconstructed"}


@pytest.mark.parametrize(
    ("file", "old", "new", "text"),
    [
        ("scenarios.toml", "R.W..    ", "RXW..    ", "eruption tokens: 3 cards"),
        ("conditions.toml", '"odd", "blue"', '"odd", "green"', ""),
        ("levels.toml", "failed = 3", "failed = 1", "a failed move costs at least as much"),
        ("skills.toml", "dice = 5", "dice = 7", "dice are 5 or 6"),
        ("track.toml", "plasters = [4, 8", "plasters = [8, 4", "plasters must ascend"),
        ("equipment.toml", "phases = [2]", "phases = [3]", "phases are 2, 4 or both"),
        ("dice.toml", '"pink", "blue", "yellow"', '"pink", "blue"', "three colours are needed"),
        ("pack.toml", 'changes = ""', "what = 3", "unknown key 'what'"),
    ],
)
def test_faults_of_a_pack_are_found(tmp_path, file, old, new, text):
    folder = ROOT / "sisters" / "fuji_env" / "content" / "base"
    for path in folder.glob("*.toml"):
        content = path.read_text(encoding="utf-8")
        (tmp_path / path.name).write_text(content.replace(old, new, 1) if path.name == file else content)
    if not text:
        assert check_pack(tmp_path) == []
        return
    with pytest.raises(ContentError, match=text):
        load_pack(tmp_path)


def test_the_dispatch_is_up_to_date():
    path, source = sister_source("fuji_env")
    assert path.read_text(encoding="utf-8") == source, "run python tools/make_phases.py"


def test_every_phase_names_its_rules():
    known = (ROOT / "docs" / "fuji" / "rules.md").read_text(encoding="utf-8")
    for phase in Phase:
        if phase:
            assert bool(phase.entry.question) == (phase < FIRST_AUTOMATIC)
            assert bool(phase.entry.step) == (phase >= FIRST_AUTOMATIC)
            assert phase.entry.rules
            assert all(f"- {rule} " in known for rule in phase.entry.rules)


def test_the_table_as_text_shows_a_view_without_hidden_dice():
    game = Game(Rules(players=2, skills=("buddy", "scout")), seed=1)
    assert "dice ?" not in str(game)
    assert "dice ? ? ? ? ?" in str(game.view(0))
    assert "place(" in str(game)
