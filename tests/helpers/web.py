"""A web server for tests: in this process without worker processes, or as a process of its own; and a browser."""

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from fujikoro_app.web import thinking
from fujikoro_app.web.limits import Limits
from fujikoro_app.web.server import make_app
from fujikoro_app.web.service import Service
from fujikoro_env.kernel.text import one_line

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
ORIGIN = "http://testserver"


class ThinkersHere(thinking.Thinkers):
    """Asks agents in this process: quick to start, for tests that are about something else."""

    def __init__(self) -> None:
        super().__init__(processes=1, seconds=60.0, most_waiting=10)  # no process starts before it is needed

    async def think(self, task: thinking.Task) -> thinking.Thought:
        found = thinking._think(task)
        if isinstance(found, str):
            raise thinking.ThinkingError(one_line(found))
        return found


def service_in(folder: Path, limits: Limits | None = None) -> Service:
    """The service in a folder, whose agents think in this process."""
    service = Service(folder / "data", folder / "runs", limits or Limits(), 1)
    service.thinkers = ThinkersHere()
    return service


@contextlib.contextmanager
def client_of(service: Service) -> Iterator[TestClient]:
    """A client of a running server."""
    with TestClient(make_app(service, ["testserver"]), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        yield client


def begin(client: TestClient, *seats: dict[str, str], **settings: Any) -> dict[str, Any]:
    """Start a game, and return its links."""
    answer = client.post("/api/tables", json={"seats": list(seats), **settings})
    assert answer.status_code == 200, answer.text
    links: dict[str, Any] = answer.json()
    return links


def socket_path(link: str) -> str:
    """Address of the socket of a page."""
    return link.replace("/table/", "/socket/")


class Player:
    """A person at a socket: keeps the newest state and everything that was received."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.texts: list[str] = []

    def read(self) -> dict[str, Any]:
        """Receive one message."""
        text = self.socket.receive_text()
        self.texts.append(text)
        message: dict[str, Any] = json.loads(text)
        self.state = message.get("state", self.state)
        return message

    def wait_for(self, kind: str) -> Any:
        """Receive messages until one of this kind comes."""
        while kind not in (message := self.read()):
            pass
        return message[kind]

    def wait_until(self, is_so: Any) -> dict[str, Any]:
        """Receive states until one fulfils a condition."""
        while not self.state or not is_so(self.state):
            self.read()
        return self.state

    def send(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def act(self, action: int) -> None:
        self.send(do="act", action=action, step=self.state["step"])

    def play(self, luck: random.Random, steps: int = 1 << 30) -> None:
        """Answer at random until the game is over, or this many times."""
        for _ in range(steps):
            self.wait_until(lambda state: state["choices"] or state["end"])
            if self.state["end"]:
                return
            step = self.state["step"]
            self.act(luck.choice(self.state["choices"])["action"])
            self.wait_until(lambda state, step=step: state["step"] > step)


@contextlib.contextmanager
def running_server(folder: Path, *arguments: str, port: int = 0) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server in a process of its own: its address and the process."""
    command = [sys.executable, "-m", "fujikoro_app.cli", "web", "--port", str(port), "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["."] + [p for p in sys.path if p])}
    process = subprocess.Popen(
        [*command, "--data", str(folder / "data"), "--runs", str(folder / "runs"), *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    try:
        greeting = process.stdout.readline()
        assert "http://" in greeting, greeting
        yield greeting.split("at ")[1].split()[0], process
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


@contextlib.contextmanager
def browser() -> Iterator[Any]:
    """Chromium, driven by Playwright. Skips the test where one of them is missing."""
    if shutil.which(CHROMIUM) is None:
        pytest.skip(f"{CHROMIUM} is not installed")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


# Everything that answers; if several actions are possible at the place that was clicked, the buttons of its menu.
ANSWERS = """() => {
    const isMenu = document.querySelector("#answers.menu");
    const buttons = "#answers > [data-choice], #answers > .turn-right, .palette [aria-pressed=false]";
    return [...document.querySelectorAll(isMenu ? buttons : `#board [data-action][tabindex], ${buttons}`)];
}"""
# Scrolls to an answer, and finds a point at which the mouse hits it and nothing that lies above it.
POINT = f"""number => {{
    const all = ({ANSWERS})();
    const chosen = all[number % all.length];
    chosen.scrollIntoView({{block: "center", behavior: "instant"}});
    const box = chosen.getBoundingClientRect();
    for (let k = 0; k < 81; k += 1) {{
        const [across, down] = [(k + 4) % 9 - 4, (Math.floor(k / 9) + 4) % 9 - 4]; // from the middle outwards
        const [x, y] = [box.x + box.width * (0.5 + 0.1 * across), box.y + box.height * (0.5 + 0.1 * down)];
        if (chosen.contains(document.elementFromPoint(x, y))) return [x, y];
    }}
    return chosen.outerHTML.slice(0, 200);
}}"""
HAS_FOCUS = f"() => ({ANSWERS})().includes(document.activeElement)"
ASKED = "() => document.querySelector('#ask.mine') || !document.querySelector('#end').hidden"
SHOWN = """() => document.body.dataset.step
    + ["#answers", "#map-preview"].map((part) => document.querySelector(part).innerHTML).join()"""
MOST_TABS = 400


def play_by_clicking(page: Any, luck: random.Random, keyboard: bool = False) -> int:
    """Play to the end with the mouse alone (marked pieces and buttons), or with the keyboard alone. Returns the number
    of answers."""
    for answers in range(3000):
        page.wait_for_function(ASKED)
        if page.is_visible("#end"):
            return answers
        before = page.evaluate(SHOWN)
        if keyboard:
            answer_with_keys(page, luck)
        else:
            point = page.evaluate(POINT, luck.randrange(1 << 20))
            assert isinstance(point, list), f"the mouse can't reach {point}"
            page.mouse.click(*point)
        page.wait_for_function(f"before => ({SHOWN})() !== before", arg=before)
    raise AssertionError("the game does not end")


def answer_with_keys(page: Any, luck: random.Random) -> None:
    """Go to one of the next answers with the Tab key, and choose it."""
    wanted = luck.randrange(1, 4)
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        wanted -= page.evaluate(HAS_FOCUS)
        if not wanted:
            page.keyboard.press("Enter")
            return
    raise AssertionError("the Tab key does not reach the answers")
