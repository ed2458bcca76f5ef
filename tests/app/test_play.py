"""`fujikoro play`: a person at the keyboard, tried by typing."""

import random
import re
import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from fujikoro_app import cli
from fujikoro_app.cli import main
from fujikoro_app.commands import play
from fujikoro_app.human import COMMANDS, Human, Keyboard, LeaveError
from fujikoro_app.keyboard_game import Adviser, KeyboardGame
from fujikoro_app.narration import labels, outcome_text
from fujikoro_app.rulebook import rules as rules_of_the_book
from fujikoro_app.rulebook import thing_text
from fujikoro_app.typed_input import Choice, meanings, words_of
from fujikoro_env import Game, Rules
from fujikoro_env.content import load_pack
from fujikoro_env.content.model import ADVENTURE_POWERS, SCROLL_POWERS
from fujikoro_env.declared import GAME
from fujikoro_env.player import MAKERS, Agent, RandomAgent, agent_names, agents_seed
from fujikoro_env.record import RECORDED
from fujikoro_env.render.choices import WINDS, Choices, lies_on, wind_between
from fujikoro_env.render.look import look
from fujikoro_env.render.news import news
from fujikoro_env.render.powers import POWER_WORDS
from fujikoro_env.render.rolls import rolls
from fujikoro_env.render.text import table_parts, table_text
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import FIRST_TILE_SPACE, START, geometry
from tests.helpers import bots

SETUP = ["monk(pool)", "wood 2,0", "wood 2,1", "metal 2,2", "metal 2,3"]  # up to the first question of round 1


def names(found: Iterable[Choice]) -> list[str]:
    return [choice.name for choice in found]


def choices_of(*listed: str) -> list[Choice]:
    return [Choice(name, number) for number, name in enumerate(listed)]


class Person:
    """A person who types the given lines and keeps everything that is printed."""

    def __init__(self, lines: Iterable[str] = (), width: int = 120, height: int = 0) -> None:
        self.lines, self.said, self.saved = iter(lines), list[str](), list[Path]()
        self.keyboard = Keyboard(self.read, self.said.append, lambda: (width, height))
        self.human = Human(self.keyboard, self.saved.append)

    def read(self, _prompt: str) -> str:
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    @property
    def text(self) -> str:
        return "\n".join(self.said)


def answer(game: Game, *lines: str) -> tuple[str, str]:
    """Name of the action that the typed lines lead to, and what was printed meanwhile."""
    person = Person(lines)
    person.human.reset(0, game.actor)
    action = person.human.act(game.view(game.actor))
    return game.action_name(action), person.text.rpartition("is asked: ")[2]


def legal_names(game: Game) -> list[str]:
    return [game.action_name(action) for action in game.legal_actions()]


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Replace standard input by these lines."""
    waiting = iter(lines)

    def read(_prompt: str = "") -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)


@pytest.fixture
def started() -> Game:
    """A game of two players, at the first player's first action."""
    game = Game(Rules(players=2, final_at=3), seed=11)
    while game.phase != Phase.ACTION:
        game.step(game.legal_actions()[0])
    return game


# What was meant


def test_brackets_commas_and_capitals_do_not_matter():
    assert (
        words_of("Lay(metal, weapon[2,3])") == words_of("lay METAL  weapon[2,3]") == words_of("lay(metal,weapon[2,3]")
    )
    assert len(words_of("lay(metal, weapon[2,3])")) == 3


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("move", ["move"]),
        ("mo", ["move"]),
        ("MO", ["move"]),
        ("step(ring1.0/petal3)", ["step(ring1.0/petal3)"]),
        ("step ring1.0/petal3", ["step(ring1.0/petal3)"]),
        ("step(ring1.0/petal3", ["step(ring1.0/petal3)"]),
        ("st ring1.0/c", ["step(ring1.0/centre)"]),
        ("ring1.0/c", ["step(ring1.0/centre)"]),
        ("1.0/c", ["step(ring1.0/centre)"]),
        ("ring1.0/p", ["step(ring1.0/petal3)", "step(ring1.0/petal4)"]),
        ("step", ["step(ring1.0/centre)", "step(ring1.0/petal3)", "step(ring1.0/petal4)"]),
        ("ne", ["step(ring1.0/petal3)"]),
        ("step ne", ["step(ring1.0/petal3)"]),
        ("m", ["move", "map"]),  # an action and a command
        ("map", ["map"]),
        ("step ring1.0/petal3 now", []),
        ("dance", []),
        ("", []),
        ("()", []),
    ],
)
def test_meanings(text, meant):
    listed = choices_of("move", "step(ring1.0/centre)", "step(ring1.0/petal3)", "step(ring1.0/petal4)", "map")
    listed[2] = Choice("step(ring1.0/petal3)", 2, short="ne")
    assert names(meanings(text, listed)) == meant


def test_what_is_named_in_full_counts_before_what_is_begun():
    listed = choices_of("number(1)", "number(10)", "number(11)")
    assert names(meanings("1", listed)) == ["number(1)"]
    assert names(meanings("number(1)", listed)) == ["number(1)"]


def test_no_command_begins_the_name_of_an_action_or_a_thing():
    pack = Rules().pack
    things = [thing.id for family in (pack.scrolls, pack.gear_cards, pack.blueprints) for thing in family]
    words = [word for action in range(act.ACTIONS) for word in words_of(act.plain_name(action))] + things
    assert not [(command, word) for command in COMMANDS for word in words if word.startswith(command)]


def test_every_action_can_be_typed_by_its_name(started):
    luck = random.Random(5)
    for _ in range(100):
        if started.over:
            break
        legal = Choices(started)
        listed = [Choice(started.action_name(a), a, legal.short_names().get(a, "")) for a in legal.actions]
        for choice in listed:
            assert meanings(choice.name, listed) == [choice]
            assert not choice.short or meanings(choice.short, listed) == [choice]
        started.step(luck.choice(legal.actions))


# Answers


def test_an_answer_is_the_action(started):
    assert answer(started, "exp")[0] == "explore"


def test_what_is_ambiguous_is_listed_and_asked_again(started):
    name, said = answer(started, "m", "move")
    assert name == "move"
    assert "'m' could be move, map, mine" in said


def test_what_is_unknown_gets_one_line(started):
    _, said = answer(started, "dance", "move")
    assert [line for line in said.splitlines() if "'dance'" in line] == [
        "  'dance' is not possible now: ? lists what is, help explains how to type it"
    ]


def test_a_question_mark_lists_what_is_possible_with_its_meaning(started):
    _, said = answer(started, "?", "move")
    assert f"explore: {act.TABLE['explore'].doc}" in said
    assert "rest" not in said


def test_few_choices_are_listed_and_many_are_counted():
    game = Game(Rules(players=2), seed=1)
    assert "monk(pool)    one more action disc" in answer(game, "monk(pool)")[1]
    game.step(game.parse_action("monk(pool)"))
    _, said = answer(game, "?", "wood 0,0")
    counted, _, listed = said.partition("lay: ")
    assert "50 of the form lay(wood, weapon[0,0]); ? lists them all" in counted
    assert listed.count("lay(") == 50


def test_nothing_typed_asks_again(started):
    person = Person(["", "  ", "move"])
    person.human.act(started.view(0))
    assert person.text.count("Which action?") == 4  # in the table, and three times


@pytest.mark.parametrize("part", ["map", "display", "boards"])
def test_parts_of_the_table(started, part):
    assert table_parts(started.view(0), 120)[part] in answer(started, part, "move")[1]


def test_the_table_help_and_own_board(started):
    assert table_text(started.view(0)) in text_after(started, "table")
    assert "Player 1," not in text_after(started, "mine").rpartition("Which action?")[2]
    said = text_after(started, "help")
    assert all(f"  {command} " in said for command in COMMANDS)
    assert "turns to lava" in text_after(started, "legend").rpartition("Which action?")[2]


def text_after(game: Game, command: str) -> str:
    person = Person([command, "move"])
    person.human.act(game.view(0))
    return person.text


def test_tab_words_are_the_legal_names_and_the_commands(started):
    person = Person(["move"])
    person.human.act(started.view(0))
    assert person.keyboard.words == ["move", "explore", "gather", *COMMANDS]


@pytest.mark.parametrize("lines", [["quit"], ["q"], []])
def test_leaving(started, lines):
    with pytest.raises(LeaveError):
        Person(lines).human.act(started.view(0))


# What is shown


def test_the_table_is_shown_once_a_turn():
    game = Game(Rules(players=2, max_rounds=3), seed=2)
    luck, person = random.Random(2), Person()
    person.keyboard.read = lambda _prompt: luck.choice(person.keyboard.words[: -len(COMMANDS)])
    agents: dict[int, Agent] = {0: person.human, 1: RandomAgent()}
    KeyboardGame(game, agents).play()
    assert [n for n in range(1, 4) for _ in range(person.text.count(f"round {n} of 3"))] == [
        1,
        1,
        2,
        3,
    ]  # 1: set-up too


def test_a_small_screen_gets_the_map_last(started):
    person = Person(["move"], width=79, height=24)
    person.human.act(started.view(0))
    assert max(map(len, person.text.splitlines())) <= 79
    assert "Player 1," not in person.text
    assert person.text.index("Player 0,") < person.text.index("B0a") < person.text.rindex("Which action?")


@pytest.mark.parametrize("width", [60, 79, 100])
def test_a_narrow_table_has_no_long_lines(width):
    game, luck = Game(Rules(players=4), seed=3), np.random.default_rng(3)
    for _ in range(400):
        game.step(luck.choice(game.legal_actions()))
    longest = max(
        len(line) for name, part in table_parts(game, width).items() for line in part.split("\n") if name != "map"
    )
    assert longest <= width


def test_notes_are_broken_beside_their_names(started):
    for action in ("explore", "place(ring1.0)"):
        started.step(started.parse_action(action))
    person = Person(["turn(0)"], width=40)
    person.human.act(started.view(0))
    asked = person.text.rpartition("is asked: ")[2].splitlines()
    assert max(map(len, asked)) <= 40
    assert any(line.startswith(" " * 11) and line.strip() for line in asked)


def test_what_a_name_says_is_not_told_again(started):
    person = Person()
    person.human.reset(0, 1)
    for action in ("gather", "take(wood)", "take(metal)"):
        before = started.clone()
        started.step(started.parse_action(action))
        person.human.saw(RECORDED.event_of(1, before, before.parse_action(action), started, 1))
    person.human.tell_events()
    assert person.text.startswith("  player 0: gather, take(wood), take(metal)")


def test_a_duel_is_announced_with_the_other_samurai(started):
    mover, other = 0, 1
    state = started.state
    state.players[mover].at = state.players[other].at = FIRST_TILE_SPACE
    frame = state.stack[state.depth - 1]
    for asked in (mover, other):
        frame.phase, frame.actor, frame.thing = Phase.CALL_DUEL, asked, other
        assert look(started).detail == f"player {1 - asked}"


def test_what_others_did_is_told_by_name(started):
    person = Person(["move"])
    person.human.reset(0, 1)
    for action in ("explore", "place(ring1.0)", "turn(1)", "explore", "place(ring1.1)", "turn(0)"):
        before = started.clone()
        started.step(started.parse_action(action))
        person.human.saw(RECORDED.event_of(1, before, before.parse_action(action), started, 1))
    person.human.tell_events()
    (told,) = person.said
    assert told.split()[:4] == ["player", "0:", "explore,", "place(ring1.0),"]
    assert "is laid on ring1.0]" in " ".join(told.split())


def test_news_name_what_changed(started):
    before = look(started)
    s = started.state
    s.players[0].vp += 2
    s.players[0].pack[0] += 1
    s.players[1].unconscious = 1
    s.players[1].at = FIRST_TILE_SPACE
    s.final_player, s.countdown, s.rope = 1, 3, 1
    assert news(before, look(started)) == [
        "player 0 has +2 VP, +1 wood",
        "player 1 is knocked out",
        "player 1 is on ring1.0/centre",
        "final chapter, started by player 0, the rope is down",
        "countdown: lava 1",
        "countdown: lava 2",
        "countdown: rope",
    ]
    assert news(look(started), look(started)) == []


def test_others_tiles_stay_hidden_and_own_ones_are_told(started):
    before = started.clone()
    started.state.top[1], started.state.top_seen[1] = 1, 0b01
    top = started.vocabulary.deck_ids("tiles2")[0]
    texts = []
    for seat in (0, 1):
        person = Person(["table", "?", "display", "move"])
        person.human.reset(0, seat)
        person.human.saw(RECORDED.event_of(1, before, started.parse_action("move"), started, seat))
        person.human.act(started.view(seat))
        texts.append(person.text)
    assert f"on top of stack 2 lies {top}" in texts[0]
    assert top not in texts[1]


def test_agents_get_their_views_alone():
    views: list[Game] = []

    class Watcher(RandomAgent):
        def act(self, view: Game) -> int:
            views.append(view)
            return super().act(view)

    agents: dict[int, Agent] = {0: Watcher(), 1: RandomAgent()}
    KeyboardGame(Game(Rules(players=2, max_rounds=2), seed=3), agents).play()
    assert views
    assert all(not view.state.streams["words"].any() for view in views)
    with pytest.raises(TypeError, match="this is player 0's view"):
        views[0].step(int(views[0].legal_actions()[0]))


def test_rolls_are_those_of_the_game():
    """The rolls that are told agree with the dice that are still on the table after a step."""
    compared = 0
    for seed in range(12):
        game, luck = Game(Rules(players=3), seed), random.Random(seed)
        while not game.over:
            before, action = game.clone(), int(luck.choice(game.legal_actions()))
            game.step(action)
            told = rolls(before, action, game)
            if before.phase == Phase.DICE and game.phase in (Phase.BREAK, Phase.GRIP, Phase.REROLL) and told:
                compared += 1
                assert told[0].startswith(f"player {before.actor} rolls ")
                assert told[0].endswith(f"(hits: {game.state.fight.hits})")
                assert told[0].count("*") == game.state.fight.breaks.sum() or game.phase == Phase.GRIP
            if game.phase == Phase.ASK_GUNBAI and game.state.fight.dragon:
                assert told[-1].startswith("the dragon rolls tooth ")
                assert told[-1].endswith(f"(hits: {game.state.fight.hits})")
    assert compared > 10


@pytest.mark.parametrize(
    ("here", "there", "wind"),
    [
        ("start", "ring1.0/petal4", "e"),
        ("start", "ring1.0/petal3", "ese"),
        ("ring1.0/centre", "ring1.0/petal0", "e"),
        ("ring1.0/centre", "ring1.0/petal1", "se"),
        ("ring1.0/centre", "ring1.0/petal5", "ne"),
        ("ring1.0/petal4", "start", "w"),
    ],
)
def test_directions_are_those_of_the_map(here, there, wind):
    spaces = geometry().space_names
    assert wind_between(spaces.index(here), spaces.index(there)) == wind


def test_the_start_has_a_direction_for_each_neighbour():
    around = [int(space) for space in geometry().neighbours[START] if space >= 0]
    assert sorted(wind_between(START, space) for space in around) == sorted(WINDS)


def test_turned_tiles_lie_as_they_were_announced(started):
    started.step(started.parse_action("explore"))
    started.step(started.parse_action("place(ring1.0)"))
    legal = Choices(started)
    for turn in range(6):
        laid = started.clone()
        laid.step(laid.parse_action(f"turn({turn})"))
        lava = [k for k in range(6) if laid.state.terrain[FIRST_TILE_SPACE + 1 + k] == 2]
        monks = [k for k in range(6) if laid.state.monk[FIRST_TILE_SPACE + 1 + k]]
        winds = ("e", "se", "sw", "w", "nw", "ne")
        note = legal.note(act.TURN + turn)
        assert all(f"{winds[k]} lava" in note for k in lava)
        assert all(f"{winds[k]} monk" in note for k in monks)


def test_every_power_has_words():
    assert list(POWER_WORDS) == [*SCROLL_POWERS, *ADVENTURE_POWERS, "jump", "sneak", "steal"]


def test_every_choice_of_random_games_can_be_shown():
    game, luck = Game(Rules(players=3, final_at=10, max_rounds=30), seed=1), random.Random(1)
    while not game.over:
        if luck.random() < 0.3:
            legal = Choices(game)
            assert all("\n" not in legal.note(action) for action in legal.actions)
        game.step(luck.choice(game.legal_actions()))


# The command


def test_a_whole_game_by_piped_input(monkeypatch, capsys):
    game, lines = Game(Rules(players=2, max_rounds=2), seed=5), list[str]()
    others = RandomAgent()
    others.reset(agents_seed(5), 1)
    luck = random.Random(1)
    while not game.over:
        action = luck.choice(game.legal_actions()) if game.actor == 0 else others.act(game.view(1))
        lines += [game.action_name(action)] if game.actor == 0 else []
        game.step(int(action))
    typed(monkeypatch, *lines)
    assert main(["play", "--players", "2", "--seed", "5", "--max-rounds", "2"]) == 0
    said = capsys.readouterr().out
    assert said.endswith(f"{outcome_text(game, labels(['you', 'random']))}\n")
    assert "The game is over in round 2: that was the last round." in said
    assert f"random (player 1) with {game.scores[1]} VP" in said


@pytest.mark.parametrize("lines", [["quit"], []], ids=["quit", "end of file"])
def test_leaving_is_no_fault(lines, monkeypatch, capsys):
    typed(monkeypatch, *lines)
    assert main(["play", "--players", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "You left the game in round 1; VP by player: 0, 0."


def test_an_interrupt_leaves(monkeypatch, capsys):
    def interrupted(_prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert main(["play", "--players", "2"]) == 0
    assert "You left the game" in capsys.readouterr().out


def test_all_seats_at_one_keyboard(monkeypatch, capsys):
    typed(monkeypatch, *SETUP, *SETUP, "quit")
    assert main(["play", "--all", "--players", "2", "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "player 0 is asked" in said
    assert "player 1 is asked" in said


def test_a_saved_game_goes_on(monkeypatch, capsys, tmp_path):
    file = tmp_path / "My Game.json"
    typed(monkeypatch, *SETUP, f"save {file}", "quit")
    assert main(["play", "--players", "2", "--final-at", "7", "--seed", "1"]) == 0
    assert f"fujikoro play --position '{file}' --seat 0" in capsys.readouterr().out
    typed(monkeypatch, "quit")
    assert main(["play", "--position", str(file)]) == 0
    said = capsys.readouterr().out
    assert "final chapter at 7 VP" in said
    assert "Which action?" in said


def test_saving_never_writes_over_a_file(monkeypatch, capsys, tmp_path):
    file = tmp_path / "kept.json"
    file.write_text("precious")
    typed(monkeypatch, "save", f"save {file}", f"save {tmp_path / 'no' / 'such'}", f"save {tmp_path}", "quit")
    assert main(["play", "--players", "2"]) == 0
    said = capsys.readouterr().out
    assert "save needs the name of a file: save FILE" in said
    assert f"not saved: {file} exists already, and is left as it is" in said
    assert "No such file or directory" in said
    assert file.read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--seat", "3", "--players", "3"], "--seat 3: allowed are 0 to 2"),
        (["--seat=-1"], "--seat -1: allowed are 0 to 3"),
        (["--seat", "x"], "'x'"),
        (["--seat", "1", "--all"], "not allowed with"),
        (["--players", "9"], "players=9"),
        (["--final-at", "0"], "final_at=0"),
        (["--position", "no/such/file"], "position no/such/file: No such file or directory"),
        (["--position", "game.json", "--players", "3"], "--players does not go with --position"),
    ],
)
def test_bad_options_get_one_line(arguments, told, capsys):
    assert main(["play", *arguments]) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert told in line
    assert said.out == ""


def test_a_file_that_is_no_position_gets_one_line(tmp_path, capsys):
    for number, content in enumerate((b"not json", b"{}", b"\xff\xfe")):
        file = tmp_path / f"{number}.json"
        file.write_bytes(content)
        assert main(["play", "--position", str(file)]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"fujikoro: position {file}: ")


def test_the_outcome_shares_ranks_of_ties():
    game = Game(Rules(players=2, max_rounds=1), seed=0)
    while not game.over:
        game.step(game.legal_actions()[0])
    lines = outcome_text(game).splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("1. player ")


# Opponents, advice, taking back


class Careful(RandomAgent):
    """An agent that chooses at random, explains itself, and counts its decisions."""

    asked = 0
    seeds: ClassVar[set[int]] = set()

    def reset(self, seed: int, seat: int) -> None:
        super().reset(seed, seat)
        Careful.seeds.add(seed)

    def act(self, view: Game) -> int:
        Careful.asked += 1
        return super().act(view)

    def explain(self) -> str:
        return "42 % against 7 %"


class Clumsy(RandomAgent):
    def act(self, view: Game) -> int:
        raise RuntimeError("no\nidea")


class Speechless(RandomAgent):
    def explain(self) -> str:
        raise RuntimeError("no\nidea")


CAREFUL, CLUMSY = "python:test_play_agents.Careful", "python:test_play_agents.Clumsy"


@pytest.fixture
def agents_by_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "test_play_agents", sys.modules[__name__])
    Careful.asked = 0
    Careful.seeds.clear()


def test_opponents_are_any_agents(agents_by_name, monkeypatch, capsys):
    typed(monkeypatch, *SETUP, "quit")
    assert main(["play", "--players", "3", "--seed", "1", "--opponents", f"random,{CAREFUL}"]) == 0
    said = capsys.readouterr().out
    assert Careful.asked > 0
    assert f"{CAREFUL} (player 2): " in said
    assert "random (player 1): " in said


def test_opponents_sit_in_playing_order_after_the_person():
    args = cli._parser().parse_args(["play", "--seat", "1", "--players", "3", "--opponents", "random,python:x.Y"])
    game = Game(Rules(players=3), 1)
    assert play.named_opponents(args, game, [1]) == {2: "random", 0: "python:x.Y"}
    args.opponents = "random"
    assert list(play.named_opponents(args, game, [1])) == [2, 0]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["play", "--opponents", "shinobi"], "agent 'shinobi' is not known: there are "),
        (
            ["play", "--opponents", "random,random"],
            "--opponents: 2 agents are named; allowed is one, or one for each of 3",
        ),
        (["play", "--opponents", "random,"], "--opponents 'random,': a name is missing"),
        (["play", "--opponents", "depth=3"], "--opponents parameter 'depth=3' belongs to no name: write NAME:depth=3"),
        (["play", "--opponents", "random", "--all"], "--opponents: there is no other seat"),
        (["play", "--opponents", "python:tests.helpers.bots.NeverMade"], "can't be made: RuntimeError: no wood"),
        (["play", "--adviser", "shinobi"], "agent 'shinobi' is not known"),
        (["watch", "--by", "shinobi"], "agent 'shinobi' is not known"),
        (["watch", "--by", "random,random", "--players", "3"], "--by: 2 agents are named"),
    ],
)
def test_agents_that_there_are_not_get_one_line(arguments, told, capsys):
    assert main(arguments) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert told in line
    assert said.out == ""


def test_any_agents_can_be_watched(agents_by_name, capsys):
    assert main(["watch", "--players", "2", "--max-rounds", "2", "--by", f"{CAREFUL},random"]) == 0
    assert Careful.asked > 0
    said = capsys.readouterr().out
    assert "The game is over in round 2" in said
    assert f"· {CAREFUL} (player 0) " in said


FAILURES = [
    ("Raises", "ValueError: no idea"),
    ("Leaves", "SystemExit: 1"),
    ("Cheats", r"\d+ is not a legal action"),
    ("ReturnsLeavingIndex", "SystemExit: 1"),
    ("Mumbles", r"tests\.helpers\.bots\.UnprintableError: <exception str\(\) failed>"),
    ("Escapes", r"ValueError: \\x1b\[2J\\x00\\u202ex{100,}…"),
    ("EditsItsView", "it changed its view, which is for reading only"),
]


@pytest.mark.parametrize(("name", "told"), FAILURES)
def test_who_fails_forfeits_and_the_watched_game_goes_on(name, told, monkeypatch, capsys, tmp_path):
    agent, file = f"python:tests.helpers.bots.{name}", tmp_path / "game.json"
    command = ["watch", "--by", f"random,{agent}", "--players", "2", "--max-rounds", "3", "--save", str(file)]
    assert main(command) == 1
    said = capsys.readouterr()
    assert said.err == ""
    failed = rf"player 1 \({name}\) failed: {told}"
    assert re.search(rf"^{failed}; it forfeits, and a random agent plays on for it$", said.out, re.MULTILINE)
    assert "The game is over in round 3" in said.out
    marked = rf"^{re.escape(agent)} \(player 1\) forfeited in round 2, so it ranks last: {failed}$"
    assert re.search(marked, said.out, re.MULTILINE)
    assert f"{agent} (forfeited)" in file.read_text()
    assert main(["replay", str(file), "--check"]) == 0


def test_in_coop_a_game_with_a_forfeit_counts_as_lost(capsys):
    command = ["watch", "--by", "python:tests.helpers.bots.Raises", "--mode", "coop", "--players", "2"]
    assert main([*command, "--max-rounds", "3"]) == 1
    assert capsys.readouterr().out.count("so the game counts as lost: player ") == 2


@pytest.mark.parametrize(("name", "told"), FAILURES[:2])
def test_who_fails_forfeits_and_the_person_plays_on(name, told, monkeypatch, capsys):
    monkeypatch.setattr(bots, "FAILS_IN_ROUND", 0)
    typed(monkeypatch, *SETUP, "quit")
    opponents = ["--opponents", f"python:tests.helpers.bots.{name}"]
    assert main(["play", *opponents, "--players", "2", "--seed", "1"]) == 1
    said = capsys.readouterr()
    assert said.err == ""
    assert re.search(rf"^player 1 \({name}\) failed: {told}; it forfeits", said.out, re.MULTILINE)
    assert "You left the game in round" in said.out


def test_an_agent_that_can_not_be_reset_gets_one_line(capsys):
    assert main(["watch", "--by", "python:tests.helpers.bots.NeverReady", "--players", "2"]) == 2
    told = "fujikoro: agent 'python:tests.helpers.bots.NeverReady' can't be reset: OSError: no paper\n"
    assert capsys.readouterr().err == told


def test_an_adviser_that_fails_or_changes_its_view_does_no_harm():
    game = Game(Rules(2), seed=1)
    view = game.view(game.actor)
    before = view.digest()
    for failing in (bots.Leaves(), bots.EditsItsView()):
        failing.fails_in_round = 0
        Adviser("it", failing, 0)(view)
    assert view.digest() == before
    assert Adviser("it", failing, 0)(view).startswith("it would ")


def test_nobody_is_told_the_seed_of_the_game(agents_by_name, monkeypatch):
    """The seed would reveal everything hidden, and the future."""
    typed(monkeypatch, "hint", *SETUP, "quit")
    assert main(["play", "--players", "2", "--seed", "77", "--opponents", CAREFUL, "--adviser", CAREFUL]) == 0
    assert main(["watch", "--players", "2", "--seed", "77", "--max-rounds", "1", "--by", CAREFUL]) == 0
    assert Careful.asked > 3
    assert Careful.seeds == {agents_seed(77)}


def test_a_hint_names_an_action_and_says_why(agents_by_name, monkeypatch, capsys):
    typed(monkeypatch, "hint", "hint", "quit")
    assert main(["play", "--players", "2", "--seed", "1", "--adviser", CAREFUL]) == 0
    hints = [line for line in capsys.readouterr().out.splitlines() if f"{CAREFUL} would choose" in line]
    assert len(hints) == 2
    assert hints[0] == hints[1]  # asked again it does not change its mind
    assert hints[0].strip().startswith(f"{CAREFUL} would choose monk(")
    assert hints[0].endswith("): 42 % against 7 %")


def test_without_word_of_it_the_best_agent_advises(monkeypatch, capsys):
    monkeypatch.setattr("fujikoro_env.player.AGENTS.registered", {**MAKERS, "wanderer": Careful})
    typed(monkeypatch, "hint", "quit")
    assert main(["play", "--players", "2", "--seed", "1"]) == 0
    best = next(name for name in GAME.advisers if name in agent_names())
    assert f"{best} would choose monk(" in capsys.readouterr().out
    assert best != "random"


@pytest.mark.parametrize("adviser", [CLUMSY, "python:test_play_agents.Speechless"])
def test_an_adviser_that_fails_does_not_end_the_game(adviser, agents_by_name, monkeypatch, capsys):
    typed(monkeypatch, "hint", "quit")
    assert main(["play", "--players", "2", "--adviser", adviser]) == 0
    said = capsys.readouterr().out
    assert "has no advice: RuntimeError: no idea" in said
    assert "You left the game in round 1" in said


class Decided(RandomAgent):
    """An agent that always takes the same action."""

    def act(self, view: Game) -> int:
        return view.parse_action("rest")

    def explain(self) -> str:
        return "worth 55.1; next best: move, 53.0"


def test_a_hint_is_a_sentence(started):
    assert Adviser("shogun", Decided(), 1)(started) == "shogun would rest: worth 55.1; next best: move, 53.0"


class Terse(Decided):
    """An agent that only repeats its answer."""

    def explain(self) -> str:
        return "action: rest"


def test_a_hint_repeats_nothing(started):
    assert Adviser("guide", Terse(), 1)(started) == "guide would rest"


# Rules and things


def test_the_rules_that_are_shown_are_those_of_the_docs():
    """The rulebook shows the text of docs/rules.md. tests/house/test_house.py compares the copy in the wheel."""
    docs = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    assert files("fujikoro_app").joinpath("rules.md").read_text(encoding="utf-8") == docs
    assert set(rules_of_the_book()) == set(re.findall(r"^- ([A-Z]+-\d+) ", docs, re.MULTILINE))


def test_a_rule_is_shown_by_its_id(started):
    _, said = answer(started, "rule MOVE-6", "rule map-2", "explore")
    assert "MOVE-6 " in said
    assert "MAP-2 The start tile is one space. A temple is one space." in said
    assert "MAP-3" not in said


def test_a_chapter_is_shown_by_its_name(started):
    _, said = answer(started, "rule match", "explore")
    assert re.findall(r"^  ([A-Z]+-\d+) ", said, re.MULTILINE) == ["MATCH-1", "MATCH-2"]


@pytest.mark.parametrize(
    ("thing", "told"),
    [
        ("kama", "kama: gear card, weapon with the pattern "),
        ("ember_path", "ember_path: scroll; once per move, one step over lava costs no sandals"),
        (
            "Sake Gourd",
            "sake_gourd: adventure token; take your discs back without resting (W1, with a disc on a field)",
        ),
        ("jade_fang", "jade_fang: green dragon; initiative "),
        ("mossy_gate", "mossy_gate: tile of level I; "),
        ("mossy_gat", "nothing is called 'mossy_gat': did you mean mossy_gate"),
        ("zzzz", "nothing is called 'zzzz': name a card, scroll, token, dragon or tile"),
    ],
)
def test_things_are_explained(thing, told, started):
    _, said = answer(started, f"explain {thing}", "explore")
    assert told in " ".join(said.split())


def test_everything_that_has_a_name_is_explained():
    pack = load_pack("base")
    things: tuple[Any, ...] = (*pack.gear_cards, *pack.blueprints, *pack.scrolls, *pack.dragons, *pack.tiles)
    for name in (*(thing.id for thing in things), *(token.power for token in pack.adventures)):
        assert thing_text(name, pack).startswith(f"{name}: ")


def test_commands_that_need_a_word_say_so(started):
    _, said = answer(started, "rule", "explain", "rule NONE-1", "explore")
    assert "rule MOVE-1: show the text of a rule" in said
    assert "explain kama: show what a card" in said
    assert "there is no rule 'NONE-1': write an id like MOVE-1, or one of MAP, SETUP, " in said


def test_explain_does_not_hide_explore(started):
    assert answer(started, "expl")[0] == "explore"


# Crafting


def crafting() -> tuple[Game, str]:
    """A player who rebuilds a weapon and has the cubes for a card in the display, and the action that builds it."""
    for seed in range(100):
        game = Game(Rules(players=2), seed)
        while game.state.round_number == 1 and game.phase != Phase.CRAFT_LAY:
            wanted = [name for name in ("craft(weapon)", "rebuild", "rest", "gather") if name in legal_names(game)]
            game.step(game.parse_action(wanted[0]) if wanted else game.legal_actions()[0])
        builds = [name for name in legal_names(game) if name.startswith("build(card ")]
        if builds:
            return game, builds[0]
    raise AssertionError("no display has a card that four cubes can make")


def test_what_completes_a_pattern_comes_first():
    game, build = crafting()
    assert game.action_name(Choices(game.view(game.actor)).completing()[0]).startswith("build(card ")
    done, card = game.clone(), build.removeprefix("build(card ").removesuffix(")")
    done.step(done.parse_action(build))
    rows = look(done).players[game.actor].gear[1].rows
    kinds = {"W": "wood", "M": "metal"}
    cells = [(r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter in kinds]
    lays = [f"lay({kinds[rows[r][c]]}, weapon[{r},{c}])" for r, c in cells]
    while len(lays) > 1:
        lay = next(lay for lay in lays if lay in legal_names(game))
        game.step(game.parse_action(lay))
        lays.remove(lay)
    choices = Choices(game.view(game.actor))
    last = game.parse_action(lays[0])
    assert last in choices.completing()
    assert card in choices.note(last)
    _, said = answer(game, lays[0])
    assert "completes" in re.findall(r"^  lay\(.*", said, re.MULTILINE)[0]


@pytest.mark.parametrize(
    ("rows", "cell", "found"),
    [
        (["WM..", "...."], (0, 1), True),
        (["MW..", "...."], (0, 1), True),  # turned by half
        (["W...", "M..."], (1, 0), True),
        (["WM..", "..W."], (1, 2), False),  # it was there before: this cube is not part of it
        (["WW..", "...."], (0, 1), False),
        ([".M..", "...."], (0, 1), False),
    ],
)
def test_patterns_are_found_turned_and_with_the_cube_in_them(rows, cell, found):
    assert lies_on(("WM",), rows, cell) is found


class Typist(Person):
    """A person who plays by a script, and keeps the digests of the positions in which it decided."""

    def at(self, game: Game) -> KeyboardGame:
        others: dict[int, Agent] = {seat: RandomAgent() for seat in range(1, game.rules.players)}
        for seat, agent in others.items():
            agent.reset(9, seat)
        return KeyboardGame(game, {0: self.human, **others})


def played_until_left(lines: Iterable[str], seed: int = 4) -> tuple[Game, str]:
    person = Typist(lines)
    table = person.at(Game(Rules(players=3), seed))
    with pytest.raises(LeaveError):
        table.play()
    return table.game, person.text


def test_undo_takes_back_to_the_decision_before():
    once, _ = played_until_left(["monk(pool)"])
    undone, said = played_until_left(["monk(pool)", "wood 2,0", "undo"])
    assert undone.digest() == once.digest()
    assert "taken back: lay(wood, weapon[2,0])" in said
    again, _ = played_until_left(["monk(pool)", "wood 2,0", "undo", "undo"])
    assert again.digest() == Game(Rules(players=3), 4).digest()


def test_nothing_is_left_to_take_back_at_the_beginning():
    game, said = played_until_left(["undo", "monk(pool)", "undo", "undo"])
    assert game.digest() == Game(Rules(players=3), 4).digest()
    assert said.count("there is nothing to take back") == 2


def test_the_same_decisions_have_the_same_luck_after_an_undo():
    """Random agents decide and dice roll in between. After an undo, all of it repeats."""
    luck, game = random.Random(3), Game(Rules(players=3), 4)
    script: list[str] = []
    person = Typist()

    def read(_prompt: str) -> str:
        if len(script) == 40:
            raise EOFError
        script.append(luck.choice(person.keyboard.words[: -len(COMMANDS)]))
        return script[-1]

    person.keyboard.read = read
    table = person.at(game)
    with pytest.raises(LeaveError):
        table.play()
    assert table.game.state.round_number > 3  # others have played
    back = [*script, *["undo"] * 15, *script[-15:]]
    again, _ = played_until_left(back)
    assert again.digest() == table.game.digest()


def test_another_decision_after_an_undo_counts():
    first, _ = played_until_left(["monk(pool)", "wood 2,0"])
    other, _ = played_until_left(["monk(pool)", "wood 2,1", "undo", "wood 2,0"])
    assert first.digest() == other.digest()


def test_what_is_saved_is_the_game_after_an_undo(monkeypatch, tmp_path):
    straight, back = tmp_path / "straight.json", tmp_path / "back.json"
    for lines in (["monk(pool)", f"save {straight}"], ["monk(pool)", "wood 2,0", "undo", f"save {back}"]):
        typed(monkeypatch, *lines, "quit")
        assert main(["play", "--players", "2", "--seed", "1"]) == 0
    assert straight.read_text() == back.read_text()
