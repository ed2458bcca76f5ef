"""The table of Fuji as SVG and as text."""

import re
from xml.etree import ElementTree

import pytest

from fuji_env import Game, Rules
from fuji_env.content.model import EQUIPMENT
from fuji_env.observation import columns
from fuji_env.render.keyboard import EFFECTS, TEXTS
from fuji_env.render.svg import HEIGHT, LAVA, WIDTH, table_svg
from fuji_env.rules.base.phases import Phase
from tests.helpers.fuji import give, injure, plan, table
from tests.helpers.fuji_games import games, random_game

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [part.text or "" for part in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize(("rules", "seed"), games(1))
def test_every_table_can_be_drawn(rules, seed):
    for number, game in enumerate(random_game(rules, seed)):
        if number % 15 == 0 or game.over:
            for shown in (game, game.view(0)):
                root = ElementTree.fromstring(table_svg(shown))
                assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
                assert not [text for text in texts(table_svg(shown)) if "{" in text]


@pytest.mark.parametrize("scenario", range(1, 8))
def test_the_map_of_each_scenario_lies_left_of_the_panels(scenario):
    game = Game(Rules(players=2, scenario=scenario), seed=1)
    pattern = r'<g transform="translate\(([\d.]+) [\d.]+\)"><g transform="scale'
    cards = [float(x) for x in re.findall(pattern, table_svg(game))]
    assert len(cards) >= len(game.rules.pack.scenarios[scenario - 1].places())
    assert max(cards) < 808


def test_a_view_shows_no_hidden_dice():
    game = Game(Rules(players=3, skills=("survivalist", "scout", "buddy")), seed=1)
    assert "?" not in texts(table_svg(game))
    assert texts(table_svg(game.view(0))).count("?") == 11
    assert texts(table_svg(game.view(2))).count("?") == 10


def test_what_a_figure_has_is_shown():
    game = table(skills=("tinkerer", "scout", "gatherer"))
    give(game, 0, "rope")
    injure(game, 1, "die")
    game.state.figures[2].stamina = 9
    plan(game, "d3", "e2", "c2")
    said = " ".join(texts(table_svg(game, ["ada", "guide", ""])))
    assert "tinkerer, ada (player 0)" in said
    assert "scout, guide (player 1)" in said
    assert "gatherer, player 2" in said
    assert "to d3 in 2" in said
    assert "rope" in said
    assert "injuries: die" in said
    assert "stamina 9 of 20" in table_svg(game)
    assert game._repr_svg_() == table_svg(game)


def test_lava_hides_what_the_card_asked_for():
    game = table()
    before = table_svg(game).count(LAVA)
    game.state.lava = int(game.state.lava) | 1 << game.vocabulary.find_place("d3")
    assert table_svg(game).count(LAVA) == before + 1


def test_the_end_is_told():
    *_, game = random_game({"players": 3}, 1)
    assert any(text.startswith("The game is lost to the ") for text in texts(table_svg(game)))


def test_notes_tell_what_the_dice_show_and_nothing_hidden():
    game = table(skills=("tinkerer", "scout", "gatherer"))
    both = game.parse_action("roll(1+3)")
    number = int(game.state.dice[game.figure, 0])
    first, second = TEXTS.choices(game).note(both).split(", ")
    assert first == f"{game.rules.pack.dice[0].colour(number)} {number}"
    assert TEXTS.choices(game).note(game.parse_action("die(3)")) == second
    assert "your dice" not in TEXTS.choices(game).note(both)
    stranger = next(seat for seat in range(3) if seat != game.actor)
    assert not TEXTS.choices(game.view(stranger)).note(both)


def test_notes_say_what_places_are_worth_and_what_cards_do():
    game = table()
    choices = TEXTS.choices(game)
    values = game.observe(game.actor)["map"][columns("map")["values"]]
    for action in choices.actions:
        block = choices.block_of(action)
        if block.name == "place":
            row, column, _ = game.rules.pack.scenarios[game.rules.scenario_number].places()[action - block.first]
            assert f"your dice {int(values[0, row, column])}" in choices.note(action)
    assert EFFECTS.keys() == set(EQUIPMENT)


def test_questions_about_dice_show_them():
    game = table()
    while game.phase != Phase.REROLL:
        game.step(game.legal_actions()[0])
    first, dice = TEXTS.choices(game).question(80)
    assert first.endswith(game.question)
    number = int(game.state.dice[game.figure, 0])
    assert dice.startswith(f"dice 1: {game.rules.pack.dice[0].colour(number)} {number}, 2: ")
    assert "counts " in dice


def test_the_table_explains_its_symbols():
    assert TEXTS.part("legend", table()) in TEXTS.table(table())
