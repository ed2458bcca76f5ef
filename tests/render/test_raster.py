"""The table as pixels and in a window, the events shown in it, and whether all of its words can be read."""

import copy
import pickle
import re
import sys
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test.render_test import render_test
from PIL import Image

from fujikoro_env import Game, Rules, fujikoro_v0
from fujikoro_env.content.model import ADVENTURE_POWERS, Face
from fujikoro_env.kernel.drawing.lettering import WIDTH_OF, fitting_size, last_lines, shortened, text_width, wrapped
from fujikoro_env.player import RandomAgent
from fujikoro_env.render import layers, raster, table_svg, window
from fujikoro_env.render.events import STEPS, Chronicle
from fujikoro_env.render.film import Film
from fujikoro_env.render.layers import Painter
from fujikoro_env.render.look import TableLook, look
from fujikoro_env.render.modes import RENDER_MODES, Renderer
from fujikoro_env.render.raster import load_pygame
from fujikoro_env.render.rolls import Roll
from fujikoro_env.render.shapes import adventure_code
from fujikoro_env.render.svg import HEIGHT, WIDTH, draw_table
from fujikoro_env.render.window import DISPLAYS, Window
from tests.helpers.mid_games import FOLDER
from tests.helpers.midgame import midgame, rush_into_a_fight
from tests.helpers.pictures import words_of

SMALL = 160, 132  # pixels: quick to draw
LEAST_LETTERS, NARROW = 9, 830  # pixels: font size, when the picture is shown that wide
TABLES: list[dict[str, Any]] = [
    *({"players": players} for players in (2, 4, 6)),
    {"players": 6, "characters": "random"},
    {"players": 3, "mode": "coop", "characters": "random"},
    {"players": 6, "mode": "coop"},
    {"mode": "solo"},
    *({"scenario": scenario} for scenario in range(1, 9)),
]


def steps(game: Game, number: int, seed: int = 1) -> Iterator[int]:
    """Play at random, and return the actions."""
    luck = np.random.default_rng(seed)
    for _ in range(number):
        if not game.over:
            action = int(luck.choice(game.legal_actions()))
            game.step(action)
            yield action


def pixels(svg: str, size: tuple[int, int] = SMALL) -> Any:
    return raster.raster(svg, *size)


@pytest.fixture
def game() -> Game:
    return Game(Rules(players=2), seed=1)


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make windows small and invisible."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(window, "WIDTH", SMALL[0])
    monkeypatch.setattr(window, "HEIGHT", SMALL[1])


# --- pixels ---------------------------------------------------------------------------------------------------------


def test_a_picture_is_an_array_of_pixels(game):
    picture = raster.raster(table_svg(game))
    assert picture.shape == (1056, 1280, 3)
    assert picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 500
    picture[0, 0] = 1  # the caller may change it


@pytest.mark.parametrize("size", [(640, 400), (333, 208), (200, 300)])
def test_a_picture_is_as_large_as_wanted(game, size):
    assert pixels(table_svg(game), size).shape == (size[1], size[0], 3)


def test_equal_games_give_equal_pictures(game):
    assert (pixels(table_svg(game)) == pixels(table_svg(game.clone()))).all()
    next(steps(game, 1))
    other = Game(Rules(players=2), seed=2)
    assert (pixels(table_svg(game)) != pixels(table_svg(other))).any()


def test_letters_are_drawn_without_fonts_of_the_system(game):
    """Regular and bold letters are drawn without using the fonts of the machine."""
    svg = table_svg(game)
    assert (pixels(svg, (640, 400)) != pixels(re.sub(r"<text.*?</text>", "", svg), (640, 400))).any()
    for weight in ("normal", "bold"):
        words = f'<text x="5" y="60" font-size="50" fill="#fff" font-weight="{weight}">Fuji</text>'
        family = svg.partition('font-family="')[2].partition('"')[0]
        drawn = pixels(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 100" font-family="{family}">{words}</svg>'
        )
        assert 1000 < np.count_nonzero(drawn[..., 0] > 128) < 4000


def test_missing_libraries_get_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    for mode in ("rgb_array", "human"):
        with pytest.raises(ImportError, match=r"need resvg_py: pip install 'fujikoro_env\[render\]'") as caught:
            fujikoro_v0.env(render_mode=mode)
        assert "\n" not in str(caught.value)
    env = fujikoro_v0.env(render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.game)


# --- in layers ------------------------------------------------------------------------------------------------------


def near(one: Any, other: Any) -> bool:
    """Whether two pictures are equal except for the smoothing of a few edges."""
    difference = np.abs(one.astype(int) - other.astype(int)).max(axis=2)
    return bool((difference > 16).mean() < 0.001)


SIZES = (WIDTH, HEIGHT), (WIDTH * 5 // 8, HEIGHT * 5 // 8)


@pytest.mark.parametrize(
    ("table", "size"),
    [({"players": 6, "mode": "coop"}, SIZES[0]), ({"players": 4}, SIZES[1]), ({"mode": "solo"}, SIZES[1])],
    ids=str,
)
def test_frames_drawn_in_layers_equal_the_whole_drawing(table, size):
    """One painter draws a fight, another game, and the fight again."""
    painter, chronicle, game = Painter(), Chronicle(), midgame(Rules(**table), seed=2)
    rush_into_a_fight(game, np.random.default_rng(2))
    chronicle.begin(game)
    for action in steps(game, 6):
        chronicle.note(action, game)
    picture = draw_table(look(game), chronicle.lines(), chronicle.rolls())
    fresh = draw_table(look(Game(Rules(**table), seed=1)))
    for shown in (picture, fresh, picture):
        assert near(painter.paint(shown, *size), raster.raster(shown.svg, *size))


def test_a_frame_is_the_callers_own(game):
    painter, picture = Painter(), draw_table(look(game))
    first = painter.paint(picture, *SMALL)
    first[:] = 0
    assert painter.paint(picture, *SMALL).any()


def test_a_small_change_draws_little(game, monkeypatch):
    painter = Painter()
    drawn: list[Any] = []

    def counted(*given: Any) -> Any:
        drawn.append(given)
        return raster.rgba(*given)

    painter.paint(draw_table(look(game)), WIDTH, HEIGHT)
    monkeypatch.setattr("fujikoro_env.render.layers.rgba", counted)
    painter.paint(draw_table(look(game)), WIDTH, HEIGHT)
    assert not drawn
    game.state.players[1].vp += 1
    painter.paint(draw_table(look(game)), WIDTH, HEIGHT)
    assert 1 <= len(drawn) <= 4


def test_patches_are_kept_up_to_a_limit(game, monkeypatch):
    monkeypatch.setattr(layers, "MOST_KEPT", 1 << 20)
    painter, picture = Painter(), draw_table(look(game))
    frame = painter.paint(picture, WIDTH, HEIGHT)
    assert 0 < sum(colour.nbytes + cover.nbytes for colour, cover in painter._kept.values()) <= 1 << 20
    other = Game(Rules(players=4), seed=2)
    painter.paint(draw_table(look(other)), WIDTH, HEIGHT)
    assert (painter.paint(picture, WIDTH, HEIGHT) == frame).all()


# --- films and names ------------------------------------------------------------------------------------------------


def frames_of(saved: Any) -> int:
    """Number of frames. Image formats with several frames add this attribute."""
    return int(saved.n_frames)


@pytest.mark.parametrize("suffix", ["gif", "webp"])
def test_a_game_is_filmed(game, tmp_path, suffix):
    film = Film(game, names=["shogun", "hunter"], width=SMALL[0])
    for _ in range(3):
        film.step(int(game.legal_actions()[0]))
    film.save(tmp_path / f"game.{suffix}")
    with Image.open(tmp_path / f"game.{suffix}") as saved:
        assert (saved.size, frames_of(saved)) == (SMALL, 4)


def test_a_film_of_another_kind_gets_one_line(game, tmp_path):
    with pytest.raises(ValueError, match=r"^film .*: the name must end in \.gif or \.webp"):
        Film(game, width=SMALL[0]).save(tmp_path / "game.mp4")


def test_the_page_of_the_environment_shows_how_to_film(tmp_path, monkeypatch):
    _, example = re.findall(r"```python\n(.*?)```", fujikoro_v0.__doc__ or "", re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(example.replace("width=830", f"width={SMALL[0]}"), "fujikoro_v0", "exec"), {})
    with Image.open(tmp_path / "game.webp") as saved:
        assert frames_of(saved) > 1


def test_opponents_have_names_in_pictures(monkeypatch):
    shown: list[TableLook] = []
    monkeypatch.setattr("fujikoro_env.render.layers.Painter.paint", lambda *_: None)
    monkeypatch.setattr("fujikoro_env.render.modes.draw_table", lambda table, *_: shown.append(table))
    env = gymnasium.make("FujiKoro-v0", opponents=["random", RandomAgent()], seat=1, players=3, render_mode="rgb_array")
    env.reset(seed=1)
    env.unwrapped.render()
    assert [player.agent for player in shown[0].players] == ["RandomAgent", "learner", "random"]


def test_agents_have_names(game):
    shown = [w.text for w in words_of(table_svg(game, names=["shogun", "hunter"]))]
    assert {"shogun", "hunter"} <= set(shown)
    assert any(f"player {game.actor} ({['shogun', 'hunter'][game.actor]}) is asked:" in text for text in shown)
    with pytest.raises(ValueError, match=r"has 1 names, and the game 2 players$"):
        table_svg(game, names=["shogun"])


# --- the fight and the legend ---------------------------------------------------------------------------------------


def test_dice_of_a_fight_are_drawn():
    faces = Face(2, breaks=True), Face(1, breaks=False)
    roll = Roll("player 1", ((0, faces[0]), (1, faces[1])))
    picture = table_svg(midgame(Rules(players=2), seed=2), rolls=[roll])
    shown = [w.text for w in words_of(picture) if 400 < w.left < 722 and w.baseline > 939]
    assert shown[-4:] == ["player 1", "2", "1", "= 3"]


def test_a_fight_tells_the_names_of_its_players():
    """A name that two players share is followed by the seat."""
    game, faces = midgame(Rules(players=3), seed=2), Face(2, breaks=True)
    rolls = [Roll(f"player {seat}", ((0, faces),)) for seat in range(3)]
    picture = table_svg(game, names=["hunter", "policy:runs/mine/policy.safetensors", "hunter"], rolls=rolls)
    shown = [w.text for w in words_of(picture) if 400 < w.left < 722 and w.baseline > 939]
    assert {"hunter (0)", "policy:mine", "hunter (2)"} <= set(shown)


def test_the_legend_explains_every_adventure_code(game):
    shown = [w.text for w in words_of(table_svg(game))]
    codes = [adventure_code(power) for power in ADVENTURE_POWERS]
    assert len(set(codes)) == len(codes)
    assert {*codes, *(power.replace("_", " ") for power in ADVENTURE_POWERS)} <= set(shown)


# --- reading it -----------------------------------------------------------------------------------------------------


def positions(rules: Rules) -> Iterator[Game]:
    """Positions of a game: newly dealt, mid-game, and some steps into a fight if one comes up."""
    yield Game(rules, seed=1)
    game = midgame(rules, seed=2)
    yield game
    rush_into_a_fight(game, np.random.default_rng(2))
    list(steps(game, 3))
    yield game


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_all_words_can_be_read(table):
    """Words are large enough, inside the picture, made of letters that the fonts have, and don't overlap."""
    events = ["player 1: move, step(ring1.4/petal0) [a fight with rain whelp begins], throw(wood) [-1 wood; +1 VP]"] * 9
    for game in positions(Rules(**table)):
        words = sorted((w for w in words_of(table_svg(game, events)) if w.text.strip()), key=lambda w: w.baseline)
        assert all(set(w.text) <= WIDTH_OF.keys() for w in words)
        assert min(w.size for w in words) * NARROW / WIDTH >= LEAST_LETTERS
        assert all(w.left >= 0 and w.right <= WIDTH and w.size < w.baseline < HEIGHT for w in words)
        assert not [(a.text, b.text) for a, b in overlapping(words)]


def overlapping(words: list[Any]) -> Iterator[tuple[Any, Any]]:
    for k, one in enumerate(words):
        yield from ((one, other) for other in words[k + 1 :] if one.overlaps(other))


def test_widths_of_words_are_near_the_truth():
    """Estimated widths are compared with the drawn pixels."""
    for text in ("trident of the sea king", "player 0 is asked:", "step(ring2.10/petal3)"):
        for weight in ("normal", "bold"):
            words = f'<text y="70" font-size="40" fill="#fff" font-weight="{weight}">{text}</text>'
            svg = (
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 100" font-family="sans-serif">{words}</svg>'
            )
            end = int(np.flatnonzero(pixels(svg, (800, 100)).any(axis=(0, 2))).max())
            assert 0.9 < end / text_width(text, 40, weight == "bold") < 1.01


def test_words_are_broken_and_shortened():
    width = text_width("player 1: this,", 10)
    assert wrapped("player 1: this, that", width, 10) == ["player 1: this,", "that"]
    assert shortened("player 1: this, that", width, 10) == "player 1: …"
    assert shortened("short", width, 10) == "short"
    assert fitting_size("player 1: this,", width / 2, 10) == pytest.approx(5)
    assert last_lines("player 1: this, that, and more", text_width("player 1: … and more", 10), 10, 1) == [
        "player 1: … and more"
    ]


def test_the_track_shows_the_vp_of_all_and_no_piece_on_another(game):
    game = Game(Rules(players=6), seed=1)
    for vp in ([0] * 6, [0, 3, 3, 3, 3, 47], [30, 31, 30, 31, 30, 31]):
        game.state.players["vp"][:6] = vp
        marks = [w for w in words_of(table_svg(game)) if w.baseline < 45 and w.left > 735 and w.text in "012345"]
        pieces = {w.text: w for w in marks if w.baseline < 42}
        assert sorted(pieces) == list("012345")
        order = sorted(range(6), key=lambda seat: vp[seat])
        for one, other in pairwise(order):
            if vp[one] + 5 < vp[other]:
                assert pieces[str(one)].left < pieces[str(other)].left


def test_enemies_have_the_same_number_in_picture_and_text():
    game = Game(Rules(scenario=7), seed=1)
    texts = [w.text for w in words_of(table_svg(game))]
    for enemy in range(3):
        assert f"enemy {enemy}" in texts
        assert texts.count(f"E{enemy}") == 2  # on the map and on its board


# --- the last steps -------------------------------------------------------------------------------------------------


def test_events_tell_who_did_what():
    game, chronicle = Game(Rules(players=3), seed=1), Chronicle()
    chronicle.begin(game)
    assert chronicle.lines() == []
    actor = game.actor
    name = game.action_name(game.legal_actions()[0])
    action = int(game.legal_actions()[0])
    game.step(action)
    chronicle.note(action, game)
    assert chronicle.lines()[0].startswith(f"player {actor}: {name.replace('_', ' ')}")
    assert chronicle.lines()[0] in " ".join(w.text for w in words_of(table_svg(game, chronicle.lines())))


def test_events_tell_dice_and_vp_and_forget_what_is_long_ago():
    """The game is in its final chapter and includes a fight."""
    game, chronicle = Game.from_json((FOLDER / "countdown.json").read_text()), Chronicle()
    chronicle.begin(game)
    for action in steps(game, 3 * STEPS, seed=12):
        chronicle.note(action, game)
    told = chronicle.lines()
    assert 1 < len(told) <= STEPS
    assert any("rolls" in line for line in told)
    assert any("VP" in line for line in told)
    chronicle.begin(game)
    assert chronicle.lines() == []


def test_a_chronicle_has_a_beginning(game):
    with pytest.raises(ValueError, match="begins with begin"):
        Chronicle().note(0, game)


def test_nothing_is_kept_unless_it_is_shown(monkeypatch):
    env = fujikoro_v0.raw_env(players=2)
    env.reset(seed=1)
    monkeypatch.setattr(Game, "clone", lambda _: pytest.fail("a copy that nobody needs"))
    env.step(int(env.game.legal_actions()[0]))


def test_an_environment_shows_its_last_steps(monkeypatch):
    shown: list[list[str]] = []
    monkeypatch.setattr("fujikoro_env.render.layers.Painter.paint", lambda *_: None)
    monkeypatch.setattr("fujikoro_env.render.modes.draw_table", lambda _, events, rolls: shown.append(list(events)))
    env = fujikoro_v0.raw_env(players=2, render_mode="rgb_array")
    env.reset(seed=1)
    env.render()
    name = env.game.action_name(env.game.legal_actions()[0])
    env.step(int(env.game.legal_actions()[0]))
    env.render()
    env.reset(seed=1)
    env.render()
    assert shown[0] == shown[2] == []
    assert name.replace("_", " ") in shown[1][0]


# --- the window -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_screen")
def test_render_modes_are_as_pettingzoo_wants_them():
    assert fujikoro_v0.raw_env.metadata["render_modes"] == list(RENDER_MODES)
    assert fujikoro_v0.raw_env.metadata["render_fps"] > 0
    make: Any = partial(fujikoro_v0.env, players=2)
    render_test(make)


@pytest.mark.usefixtures("no_screen")
def test_a_window_opens_with_the_first_picture_and_closes(game):
    shown = Window("test", 100)
    assert not shown.is_open
    for _ in range(2):
        shown.show(draw_table(look(game)))
        assert shown.is_open
        assert load_pygame().display.get_caption()[0] == "test"
        shown.close()
        assert not shown.is_open
        assert not load_pygame().display.get_init()
    shown.close()


@pytest.mark.usefixtures("no_screen")
def test_a_window_that_somebody_shut_stays_shut(game):
    shown = Window("test", 100)
    shown.show(draw_table(look(game)))
    load_pygame().event.post(load_pygame().event.Event(load_pygame().QUIT))
    shown.show(draw_table(look(game)))
    assert not shown.is_open
    shown.show(draw_table(look(game)))
    assert not shown.is_open


@pytest.mark.usefixtures("no_screen")
def test_a_window_of_another_shape_shows_all_in_its_middle(game):
    shown, pygame = Window("test", 100), load_pygame()
    shown.show(draw_table(look(game)))
    pygame.display.set_mode((SMALL[0], 2 * SMALL[1]), pygame.RESIZABLE)
    shown.show(draw_table(look(game)))
    seen = pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)
    bar = SMALL[1] // 2
    assert (seen[:bar] == raster.BACKGROUND).all()
    assert near(seen[bar:-bar], pixels(table_svg(game))[: SMALL[1]])
    shown.close()


@pytest.mark.usefixtures("no_screen")
def test_a_window_draws_by_itself():
    env = fujikoro_v0.raw_env(players=2, render_mode="human")
    env.reset(seed=1)
    before = load_pygame().image.tobytes(load_pygame().display.get_surface(), "RGB")
    env.step(int(env.game.legal_actions()[0]))
    assert load_pygame().image.tobytes(load_pygame().display.get_surface(), "RGB") != before
    env.close()


@pytest.mark.usefixtures("no_screen")
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_an_environment_with_a_window_can_be_copied(copied):
    env = fujikoro_v0.env(players=2, render_mode="human")
    env.reset(seed=1)
    twin = copied(env)
    assert twin.game.digest() == env.game.digest()
    assert twin.render() is None
    twin.close()
    assert env.render() is None  # in a window of its own again
    env.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display to ask")
def test_without_a_display_there_is_one_line(game, monkeypatch):
    for name in DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(RuntimeError, match=r'^render_mode="human" needs a display, and none can be opened: use "rgb_'):
        Renderer("human").show(game)
    monkeypatch.setenv("SDL_VIDEODRIVER", "nonsense")
    with pytest.raises(RuntimeError, match=r"none can be opened \(nonsense not available\)") as caught:
        Renderer("human").show(game)
    assert "\n" not in str(caught.value)
