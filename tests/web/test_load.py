"""Load on the web server: many games and many spectators must not slow a click down much."""

import asyncio
import json
import statistics
import time
import urllib.request

import pytest
from websockets.asyncio.client import connect

from tests.helpers.web import running_server, socket_path

GAMES, SPECTATORS, CLICKS = 20, 50, 12
MOST_RATIO = 15  # a click under load, compared with one on an idle server


def post(address, path, data):
    request = urllib.request.Request(f"{address}{path}", json.dumps(data).encode(), {"Origin": address})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


async def click(socket, state):
    """Answer the current question, and wait for the next state. Returns the time that it took, and the state."""
    begun = time.perf_counter()
    action = state["choices"][0]["action"]
    await socket.send(json.dumps({"do": "act", "action": action, "step": state["step"]}))
    after = await next_state(socket, lambda found: found["step"] > state["step"])
    took = time.perf_counter() - begun
    return took, after if after["choices"] else await next_state(socket, lambda found: found["choices"])


async def next_state(socket, is_so):
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 60))
        if "state" in message and is_so(message["state"]):
            return message["state"]


async def clicks(address):
    """Median time of a click of one person who plays alone."""
    links = post(address, "/api/tables", {"seats": [{"name": "Ada"}], "mode": "solo", "seed": 7})
    async with connect(socket_url(address, links["seats"][0]["link"]), origin=address) as socket:
        state, times = await next_state(socket, lambda found: found["choices"]), []
        for _ in range(CLICKS):
            took, state = await click(socket, state)
            times.append(took)
    return statistics.median(times)


def socket_url(address, link):
    return f"{address.replace('http', 'ws', 1)}{socket_path(link)}"


async def listen(address, link, sizes):
    async with connect(socket_url(address, link), origin=address, max_size=None) as socket:
        while True:
            sizes.append(len(await socket.recv()))


async def measure(address):
    idle = await clicks(address)
    seats = [{"agent": "random"}, {"agent": "random"}]
    games = [post(address, "/api/tables", {"seats": seats})["watch"] for _ in range(GAMES)]
    sizes: list[int] = []
    watched = [*games, *games[:1] * SPECTATORS]
    listeners = [asyncio.create_task(listen(address, link, sizes)) for link in watched]
    async with asyncio.timeout(120):  # the worker process has to start first
        while len(sizes) < 3 * len(watched):
            await asyncio.sleep(0.2)
    loaded = await clicks(address)
    assert all(not listener.done() for listener in listeners)
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)
    return idle, loaded, len(sizes)


@pytest.mark.web
def test_clicks_stay_quick_under_load(tmp_path):
    with running_server(tmp_path) as (address, _):
        idle, loaded, pictures = asyncio.run(measure(address))
    print(f"click: {1000 * idle:.0f} ms idle, {1000 * loaded:.0f} ms under load; {pictures} pictures sent")
    assert pictures > 3 * (GAMES + SPECTATORS)
    assert loaded < MOST_RATIO * idle
