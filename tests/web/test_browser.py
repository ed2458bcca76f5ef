"""The pages of `fujikoro web` in Chromium. `make test` runs the first test, `make test-web` all."""

import random
import signal

import pytest

from fujikoro_app.cli import main
from fujikoro_env import Rules, Session
from fujikoro_env.player import make_agents
from tests.helpers.web import browser, play_by_clicking, running_server

FULL_SPEED = """() => {
    const slider = document.querySelector("#speed");
    slider.value = slider.max;
    slider.dispatchEvent(new Event("change"));
}"""
WIDE, PHONE = {"width": 1500, "height": 950}, {"width": 390, "height": 844}


def open_page(chromium, address, faults, **settings):
    """A page that notes errors of scripts and refusals of the content policy."""
    page = chromium.new_page(viewport=WIDE, **settings)
    page.set_default_timeout(60_000)  # the machine may be busy
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if "Content Security" in said.text else None)
    page.goto(address)
    return page


def begin_game(page, address, rounds=1, mode="competitive", scenario="", seed=7, others="random"):
    """Start a game in the lobby, as one person against agents."""
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    page.select_option("#mode", mode)
    page.select_option("#scenario", scenario)
    page.fill("#max_rounds", str(rounds))
    page.fill("#seed", str(seed))
    for select in page.query_selector_all("#seats div:not(:first-child) select"):
        select.select_option(others)
    page.click("button.main")
    page.wait_for_selector("body[data-step]")
    page.evaluate(FULL_SPEED)


def test_a_short_game_by_clicks_and_its_replay(tmp_path):
    faults: list[str] = []
    with browser() as chromium, running_server(tmp_path) as (address, _):
        page = open_page(chromium, address, faults)
        begin_game(page, address, rounds=3)
        assert play_by_clicking(page, random.Random(1)) > 5
        assert page.query_selector_all("#end-table tr")
        page.click("#end .to-replay")
        page.wait_for_selector("body[data-ready]")
        page.click("[data-go='1']")
        page.wait_for_selector("body[data-step='1']")
        assert "step 1 of" in page.text_content("#step")
        assert not faults


@pytest.mark.web
@pytest.mark.parametrize(
    ("mode", "scenario"),
    [
        ("competitive", "each_for_himself"),
        ("competitive", "dragons_on_the_move"),
        ("competitive", "who_is_worthy"),
        ("coop", ""),
        ("coop", "tame_the_beast"),
        ("solo", "three_fallen_samurai"),
        ("solo", "ronin"),
    ],
)
@pytest.mark.parametrize("keyboard", [False, True])
def test_every_mode_by_mouse_and_by_keyboard(tmp_path, mode, scenario, keyboard):
    faults: list[str] = []
    with browser() as chromium, running_server(tmp_path) as (address, _):
        page = open_page(chromium, address, faults)
        begin_game(page, address, rounds=2, mode=mode, scenario=scenario)
        assert play_by_clicking(page, random.Random(2), keyboard) > 3
        assert not faults


@pytest.mark.web
@pytest.mark.parametrize("keyboard", [False, True])
def test_another_game_by_mouse_and_by_keyboard(tmp_path, keyboard):
    faults: list[str] = []
    with browser() as chromium, running_server(tmp_path) as (address, _):
        page = open_page(chromium, address, faults)
        page.wait_for_selector("body[data-ready]")
        page.select_option("#game", "fuji")
        page.fill("#seed", "7")
        page.click("button.main")
        page.wait_for_selector("body[data-step]")
        page.evaluate(FULL_SPEED)
        assert play_by_clicking(page, random.Random(3), keyboard) > 3
        page.click("#end .to-replay")
        page.wait_for_selector("body[data-ready]")
        page.click("[data-go='1']")
        page.wait_for_selector("body[data-step='1']")
        page.click("#judge")
        page.wait_for_selector("#judged p")
        assert not faults


@pytest.mark.web
def test_two_people_play_on_two_browsers_and_a_killed_server_comes_back(tmp_path):
    faults: list[str] = []
    with browser() as chromium:
        with running_server(tmp_path) as (address, process):
            page = open_page(chromium, address, faults)
            page.wait_for_selector("body[data-ready]")
            page.fill("#max_rounds", "1")
            page.select_option("#seats div:nth-child(2) select", "")
            page.click("button.main")
            links = page.wait_for_selector("#links").query_selector_all("a")
            pages = [open_page(chromium, link.get_attribute("href") and address + link.get_attribute("href"), faults)
                     for link in links[:2]]  # fmt: skip
            for one in pages:
                one.wait_for_selector("body[data-step]")
            step = pages[0].get_attribute("body", "data-step")
            mine = next(one for one in pages if one.query_selector("#ask.mine"))
            mine.query_selector("#answers > [data-choice]").click()
            for one in pages:
                one.wait_for_function("s => document.body.dataset.step !== s", arg=step)
            before = pages[0].get_attribute("body", "data-step")
            port = int(address.rpartition(":")[2])
            process.send_signal(signal.SIGKILL)
            process.wait()
            pages[0].wait_for_selector("#offline:not([hidden])")
        with running_server(tmp_path, port=port):
            for one in pages:
                one.wait_for_selector("#offline", state="hidden")
                assert one.get_attribute("body", "data-step") == before
            mine = next(one for one in pages if one.query_selector("#ask.mine"))
            mine.wait_for_selector("#board [data-action]")
        assert not faults


@pytest.mark.web
def test_cubes_are_dragged_tiles_turned_things_explained(tmp_path):
    faults: list[str] = []
    with browser() as chromium, running_server(tmp_path) as (address, _):
        page = open_page(chromium, address, faults)
        begin_game(page, address, rounds=2)
        page.click("#answers [data-choice]")  # the monk
        page.wait_for_selector(".palette")
        cube = page.query_selector("[data-cube]").bounding_box()
        cell = page.query_selector("rect.lit").bounding_box()
        step = page.get_attribute("body", "data-step")
        page.mouse.move(cube["x"] + 10, cube["y"] + 10)
        page.mouse.down()
        page.mouse.move(cell["x"] + 5, cell["y"] + 5, steps=4)
        assert page.query_selector(".ghost")
        page.mouse.up()
        page.wait_for_function("s => document.body.dataset.step !== s", arg=step)
        page.hover("[data-info='space 0']")
        page.wait_for_selector("#explained:not([hidden])")
        assert "start" in page.text_content("#explained")
        while not page.query_selector(".explore[data-choice]"):
            page.wait_for_selector("#ask.mine")
            step = page.get_attribute("body", "data-step")
            page.query_selector("#board [data-action], #answers [data-choice]").dispatch_event("click")
            page.wait_for_function("s => document.body.dataset.step !== s", arg=step)
        page.click(".explore[data-choice]")
        page.wait_for_selector(".space.lit")
        page.query_selector(".space.lit").dispatch_event("click")
        page.wait_for_selector(".turn-right")
        before = page.inner_html("#map-preview")
        page.keyboard.press("ArrowRight")
        assert page.inner_html("#map-preview") != before
        page.click("button.turn")
        page.wait_for_selector(".turn-right", state="detached")
        assert not faults


@pytest.mark.web
def test_analysis_branches_and_a_phone(tmp_path):
    faults: list[str] = []
    session = Session(Rules(players=2, max_rounds=2), seed=7, agents=make_agents(["random", "random"], 1))
    session.play()
    file = tmp_path / "game.json"
    file.write_text(session.recording().to_json())
    with browser() as chromium, running_server(tmp_path) as (address, _):
        page = open_page(chromium, f"{address}/replay", faults)
        page.set_input_files("#file", str(file))
        page.wait_for_selector("body[data-ready]")
        page.set_viewport_size(PHONE)
        page.click("#judge")
        page.wait_for_selector("#judged table", timeout=120_000)
        page.click("#branch")
        page.wait_for_url("**/table/**")
        page.wait_for_selector("body[data-step]")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert not faults


@pytest.mark.web
def test_the_page_of_runs_lists_games_and_plays_one_again(tmp_path):
    faults: list[str] = []
    main(
        [
            *("tournament", "--players", "random,random", "--games", "2", "--seats", "2", "--max-rounds", "1"),
            *("--workers", "1", "--out", str(tmp_path / "runs" / "small")),
        ]
    )
    with browser() as chromium, running_server(tmp_path) as (address, _):
        page = open_page(chromium, f"{address}/runs", faults)
        page.click("[data-run='small'] a")
        page.click(".games button")
        page.wait_for_url("**/table/**")
        page.wait_for_selector("body[data-step]")
        assert not faults
