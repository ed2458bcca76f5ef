"""`fujikoro web` without a browser: lobby, tokens, playing, undo, storage, recordings, hostile messages."""

import io
import json
import random
import re
import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from fujikoro_app.cli import main
from fujikoro_app.web.explaining import explained
from fujikoro_app.web.frames import frame_of
from fujikoro_app.web.games import web_game
from fujikoro_app.web.limits import Limits
from fujikoro_app.web.server import make_app
from fujikoro_app.web.serving import allowed_hosts
from fujikoro_app.web.storage import GameFiles, StorageError
from fujikoro_app.web.table import Table
from fujikoro_app.web.wording import words_of
from fujikoro_env import Game, Rules, Session
from fujikoro_env.kernel.declared import find_game
from fujikoro_env.player import make_agent, make_agents
from fujikoro_env.render.look import look
from fujikoro_env.render.targets import targets_of
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.hostile import HOSTILE_INPUTS
from tests.helpers.tables import one_of_each_phase
from tests.helpers.web import Player, ThinkersHere, begin, client_of, service_in, socket_path

ADA, BOB, RANDOM = {"name": "Ada"}, {"name": "Bob"}, {"agent": "random"}
OWNED = ("build", "card", "blueprint")  # actions about cards, which may be in a list of belongings, in words only


@pytest.fixture
def service(tmp_path):
    return service_in(tmp_path)


@pytest.fixture
def client(service):
    with client_of(service) as client:
        yield client


def only_table(service):
    (table,) = service.tables.values()
    return table


# the lobby


def test_the_lobby_offers_everything_that_can_be_chosen(client):
    found = client.get("/api/lobby").json()
    assert {"competitive", "coop", "solo"} == set(found["modes"])
    modes = {scenario["name"]: scenario["modes"] for scenario in found["scenarios"]}
    assert len(modes) == 8
    assert modes["each_for_himself"] == ["competitive"]
    assert modes["ronin"] == ["solo"]
    agents = {agent["name"] for agent in found["agents"]}
    assert {"shogun", "random", "mcts"} <= agents
    assert all(make_agent(agent) for agent in agents)
    assert "coop_lives" in found["options"]


def test_agents_have_our_ratings_where_no_tournament_was_played(client):
    """And the ladder's order shows in them."""
    found = {agent["name"]: agent["rating"] for agent in client.get("/api/lobby").json()["agents"]}
    ladder = [found[name] for name in ("random", "wanderer", "gatherer", "smith", "hunter", "runner", "shogun")]
    assert ladder == sorted(ladder)
    assert {"ppo", "pupil", "sensei", "mcts:iterations=64"} <= {name for name, rating in found.items() if rating}


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ([], "not a JSON object"),
        ({}, "seats"),
        ({"seats": [{}] * 7}, "1 to 6"),
        ({"seats": ["Ada"]}, "an object"),
        ({"seats": [{"agent": "nobody"}] * 2}, "agent 'nobody': allowed are"),
        ({"seats": [{"agent": "python:os.system"}] * 2}, "allowed are"),
        ({"seats": [{"agent": "policy:/etc/passwd"}] * 2}, "allowed are"),
        ({"seats": [{"agent": "mcts:iterations=99999999"}] * 2}, "allowed are"),
        ({"seats": [{}, {}], "players": 3}, "2 seats in a game of 3"),
        ({"seats": [{}, {}], "mode": "war"}, "mode"),
        ({"seats": [{}, {}], "max_rounds": "3"}, "whole numbers"),
        ({"seats": [{}, {}], "seed": -1}, "seed"),
        ({"seats": [{}, {}], "content": "/etc"}, "content"),
        ({"seats": [{}, {}], "options": {"no": 1}}, "options"),
        ({"seats": [{}, {}], "scenario": 99}, "scenario"),
    ],
)
def test_bad_wishes_get_one_line(client, service, wish, told):
    answer = client.post("/api/tables", json=wish)
    assert answer.status_code == 400
    assert told in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert not service.tables


def test_a_server_has_only_so_many_games(tmp_path):
    service = service_in(tmp_path, Limits(games=1))
    with client_of(service) as client:
        begin(client, ADA, BOB)
        assert "1 games are running" in client.post("/api/tables", json={"seats": [ADA, BOB]}).json()["error"]


# tokens, origins and headers


def test_seats_need_their_token(client, service):
    links = begin(client, ADA, BOB)
    tokens = [seat["link"].split("/")[-1] for seat in links["seats"]]
    assert len(set(tokens)) == 2
    assert all(len(token) >= 32 for token in tokens)
    assert client.get(links["seats"][0]["link"]).status_code == 200
    assert client.get(links["watch"]).status_code == 200
    for wrong in ("x", tokens[0][:-1], tokens[0] + "x", "%00", "é"):
        assert client.get(f"{links['watch']}/{wrong}").status_code == 403
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"{socket_path(links['watch'])}/{wrong}"):
            pass
    assert client.get(f"{links['watch']}/", follow_redirects=False).status_code == 403  # the token is missing
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"{socket_path(links['watch'])}/"):
        pass
    assert client.get("/table/nothing").status_code == 404
    assert "To the lobby" in client.get("/nothing").text
    assert client.get("/api/nothing").json() == {"error": "there is no such page here"}


def test_sockets_of_other_sites_are_refused(client):
    path = socket_path(begin(client, ADA, BOB)["watch"])
    for origin in ("http://evil.example", "null", "http://testserver.evil.example", "http://["):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers={"origin": origin}):
            pass


@pytest.mark.parametrize(
    ("bound", "called", "status"),
    [
        ("::1", "[::1]:8642", 200),
        ("::1", "evil.example", 400),
        ("127.0.0.1", "localhost:8642", 200),
        ("::1", "[::2]:8642", 400),
        ("0.0.0.0", "games.example", 200),
    ],
)
def test_a_server_answers_to_its_own_names_only(service, bound, called, status):
    with TestClient(make_app(service, allowed_hosts(bound, ["games.example"]))) as client:
        assert client.get("/replay", headers={"host": called}).status_code == status


def test_requests_of_other_sites_are_refused(client, service):
    for origin in ("http://evil.example", "null", "http://["):
        answer = client.post("/api/tables", json={"seats": [ADA, BOB]}, headers={"origin": origin})
        assert answer.status_code == 403
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400  # DNS rebinding
    assert not service.tables


def test_pages_run_no_foreign_or_inline_code(client):
    for path in ("/", "/replay", "/runs", begin(client, ADA, BOB)["watch"]):
        answer = client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert not re.search(r"<script(?![^>]*src=\"/static/)|\son\w+=|style=|javascript:", answer.text)
    for folder in ("static", "templates"):
        for file in files("fujikoro_app.web").joinpath(folder).iterdir():
            text = file.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
            assert not re.search(r"(https?:)?//[a-z0-9-]+\.[a-z]", text), file.name
            assert "innerHTML" not in text


# playing


def test_a_whole_game_is_played_at_a_socket(client, service):
    links = begin(client, ADA, RANDOM, max_rounds=2, seed=7)
    table = only_table(service)
    table.speed = 50.0
    with client.websocket_connect(socket_path(links["seats"][0]["link"])) as socket:
        ada = Player(socket)
        ada.wait_for("state")
        assert client.post(f"/api/table/{table.number}/replay", json={}).status_code == 403  # before the end
        ada.play(random.Random(1))
        assert ada.state["end"]["players"][0]["rank"] == 1
        assert [sum(player["sources"].values()) for player in ada.state["end"]["players"]] == [
            player["vp"] for player in ada.state["end"]["players"]
        ]
    assert len(table.points) == table.session.steps + 1
    assert any("Ada (player 0)" in line for _, line in table.log)
    replay = client.post(f"/api/table/{table.number}/replay", json={}).json()["replay"]
    assert client.get(f"/api{replay}").json()["last"] == table.session.steps


def test_answers_out_of_turn_late_or_impossible_change_nothing(client, service):
    links = begin(client, ADA, BOB, seed=7)
    table = only_table(service)
    asked = table.session.actor
    paths = [socket_path(seat["link"]) for seat in links["seats"]]
    with client.websocket_connect(paths[asked]) as one, client.websocket_connect(paths[1 - asked]) as other:
        me, they = Player(one), Player(other)
        me.wait_for("state")
        they.wait_for("state")
        legal, digest = me.state["choices"][0]["action"], table.session.game.digest()
        assert not they.state["choices"]
        they.act(legal)
        assert they.wait_for("error") == "you are not asked now"
        me.send(do="act", action=legal, step=99)
        assert me.wait_for("error") == "the game has gone on meanwhile"
        for wrong in (0, -1, 10**6):
            me.act(wrong)
            assert me.wait_for("error") in ("this is not possible now", "there is no such action")
        they.send(do="hint")
        assert they.wait_for("error") == "you are not asked now"
        with client.websocket_connect(socket_path(links["watch"])) as third:
            spectator = Player(third)
            spectator.wait_for("state")
            for request in ({"do": "undo"}, {"do": "resign", "agent": "random"}, {"do": "pause", "on": True}):
                spectator.send(**request)
                spectator.wait_for("error")
        assert table.session.game.digest() == digest


def test_people_are_told_what_happened_since_their_last_decision(client, service, monkeypatch):
    """Even a deed that is not over yet, and nothing of their own."""
    monkeypatch.setattr("fujikoro_app.web.table.secrets.randbits", lambda _bits: 7)  # the same game each time
    links = begin(client, RANDOM, ADA, max_rounds=1, seed=7)
    with client.websocket_connect(socket_path(links["seats"][0]["link"])) as socket:
        ada, turns = Player(socket), 0
        while not ada.wait_until(lambda state: state["choices"] or state["end"])["end"]:
            recent, step = ada.state["recent"], ada.state["step"]
            log = [line for _, line in only_table(service).log]
            assert not any("· Ada" in line for line in recent)
            assert all(line in log for line in recent[:-1])
            turns += any(line not in log for line in recent)
            ada.act(ada.state["choices"][0]["action"])
            ada.wait_until(lambda state, step=step: state["step"] > step)
    assert turns


def test_undo_needs_everybody(client, service):
    links = begin(client, ADA, BOB, seed=7)
    table = only_table(service)
    first = table.session.actor
    paths = [socket_path(seat["link"]) for seat in links["seats"]]
    with client.websocket_connect(paths[first]) as one, client.websocket_connect(paths[1 - first]) as other:
        me, they = Player(one), Player(other)
        me.play(random.Random(1), 2)
        me.send(do="undo")
        they.wait_until(lambda state: state["undo"])
        they.send(do="agree", yes=False)
        they.wait_until(lambda state: not state["undo"])
        assert table.session.steps == 2
        me.send(do="undo")
        they.wait_until(lambda state: state["undo"])
        they.send(do="agree", yes=True)
        me.wait_until(lambda state: state["step"] == 1 and not state["undo"])
        assert table.session.steps == 1
        assert len(table.points) == 2


def test_hints_resigning_and_explanations(client, service):
    links = begin(client, ADA, RANDOM, seed=7)
    table = only_table(service)
    table.speed = 50.0
    with client.websocket_connect(socket_path(links["seats"][0]["link"])) as socket:
        ada = Player(socket)
        ada.wait_until(lambda state: state["choices"])
        ada.send(do="hint")
        hint = ada.wait_for("hint")
        assert hint["action"] in [choice["action"] for choice in ada.state["choices"]]
        assert hint["why"]
        ada.send(do="explain", about="MOVE-1")
        assert ada.wait_for("explain")["text"].startswith("MOVE-1 ")
        ada.send(do="resign", agent="random")
        ada.wait_until(lambda state: not state["people"])
        assert table.seats[0].agent == "random"


def test_agents_are_watched_with_speed_pause_and_reasons(client, service):
    links = begin(client, RANDOM, RANDOM, seed=3, max_rounds=1)
    with client.websocket_connect(socket_path(links["host"])) as socket:
        host = Player(socket)
        host.send(do="pause", on=True)
        host.wait_until(lambda state: state["paused"])
        steps = host.state["step"]
        host.send(do="speed", value=50)
        host.wait_until(lambda state: state["speed"] == 50)
        assert only_table(service).session.steps == steps
        host.send(do="pause", on=False)
        host.wait_until(lambda state: "random" in state["why"])
        host.wait_until(lambda state: state["end"])
    with client.websocket_connect(socket_path(links["watch"])) as socket:
        spectator = Player(socket)
        spectator.wait_for("state")
        assert spectator.state["end"]
        assert not spectator.state["can_control"]


# what is drawn


@pytest.mark.parametrize("settings", [{"players": 3}, {"players": 2, "mode": "coop"}, {"scenario": 7}])
def test_every_target_is_drawn(settings):
    game, luck = Game(Rules(**settings), seed=5), random.Random(5)
    drawn: set[str] = set()
    for _ in range(150):
        if game.over:
            break
        view = game.view(game.actor)
        legal = [int(action) for action in view.legal_actions()]
        seen = [action for action in legal if act.block_of(action).name not in OWNED]
        wanted = {target for action in seen for target in targets_of(view, action)}
        if wanted - drawn:
            svg = "".join(part["svg"] for part in frame_of(view, [""] * game.rules.players).parts.values())
            for target in wanted:
                info = target.split("/")[-1] if target.startswith("player-") else target
                is_drawn = f'data-info="{info}"' in svg if info else f'id="{target[:-1]}"' in svg
                assert is_drawn or info.startswith("pack "), target  # what is thrown away may not be in the pack yet
            drawn |= wanted
        game.step(luck.choice(legal))
    assert drawn


def test_only_changed_parts_are_sent_and_they_are_small():
    session = Session(Rules(players=4), seed=7, agents=make_agents(["random"] * 4, 1))
    before, sizes = None, []
    for _ in range(60):
        frame = frame_of(session.view(session.actor), [""] * 4, (), session.actor)
        sent = json.dumps(frame.since(before)).encode()
        sizes.append(len(zlib.compress(sent)))
        if before:
            assert "background" not in frame.since(before)["parts"]
        before = frame
        session.advance()
    assert max(sizes) < 30_000
    assert sum(sizes[1:]) / len(sizes[1:]) < sizes[0] / 2


def test_buttons_are_worded_in_every_phase():
    for phase, game in one_of_each_phase().items():
        view = game.view(game.actor)
        labels = [words_of(view, int(action), ["Ada", "Bob"]) for action in view.legal_actions()]
        assert len(set(labels)) == len(labels), phase
        assert all(label and "_" not in label and "(" not in label.replace("(player", "") for label in labels), phase


def test_rolled_dice_are_drawn_as_targets():
    """The dice of a fight can be clicked where they are asked about."""
    for phase, block in ((Phase.GRIP, "item"), (Phase.REROLL, "yes")):
        game = one_of_each_phase()[phase]
        view = game.view(game.actor)
        actions = [int(action) for action in view.legal_actions()]
        targets = [targets_of(view, action) for action in actions if act.block_of(action).name == block]
        assert targets
        assert all("die " in target for each in targets for target in each)
        assert "Hits on its faces" in explained(view, targets[0][0])


def test_characters_are_marked_in_the_picture():
    game = Game(Rules(players=2, characters=("tomoe", "daisuke")), seed=7)
    frame = frame_of(game.view(0), ("a", "b"))
    for seat, name in enumerate(("tomoe", "daisuke")):
        assert f'data-info="character {name}"' in frame.parts[f"player-{seat}"]["svg"]


def test_explanations_know_spaces_cards_characters_and_rules():
    game = Game(Rules(players=2), seed=7)
    assert "safe" in explained(game.view(0), "space 0")
    assert "Ann (player 0), hunter (player 1)" in explained(game.view(0), "space 0", ["Ann", "hunter"])
    card = next(card.id for card in game.rules.pack.gear_cards)
    assert "pattern" in explained(game.view(0), card)
    assert "DMG-1" in explained(game.view(0), "helmet[0,1]")
    for tomoe in ("character tomoe", "Tomoe"):
        rules = re.findall(r"^CHAR-\d+", explained(game.view(0), tomoe), re.MULTILINE)
        assert rules == ["CHAR-61", "CHAR-62", "CHAR-63", "CHAR-64"]
    assert "nothing to say" in explained(game.view(0), "character nobody")
    assert "nothing to say" in explained(game.view(0), "<b>x</b>")
    assert "nothing to say" in explained(game.view(0), "space 99999999999")


# nothing hidden is sent


def peeked_by_one(game):
    """Names of top tiles that somebody has looked at but not everybody, with the seats that know each."""
    players = game.rules.players
    return {
        stack.top: set(stack.seen_by) for stack in look(game).stacks if stack.top and 0 < len(stack.seen_by) < players
    }


def game_with_peeks():
    """Actions of a short game in which one player looks at tiles that the other does not see."""
    for seed in range(60):
        session, luck, peeks = Session(Rules(players=2, max_rounds=6), seed=seed), random.Random(seed), 0
        while not session.over:
            session.submit(luck.choice(session.game.legal_actions().tolist()))
            peeks += bool(peeked_by_one(session.game))
        if peeks > 20:
            return seed, [step.action for step in session.recording().steps]
    raise AssertionError("nobody looked at a stack")


def test_nothing_hidden_is_sent(client, service):
    """Reads everything that is sent over a whole game in which one player knows tiles that the others do not."""
    seed, actions = game_with_peeks()
    links = begin(client, ADA, BOB, max_rounds=6, seed=seed)
    ready = only_table(service)
    paths = [socket_path(seat["link"]) for seat in links["seats"]]
    with (
        client.websocket_connect(paths[0]) as one,
        client.websocket_connect(paths[1]) as two,
        client.websocket_connect(socket_path(links["watch"])) as three,
    ):
        readers = {0: Player(one), 1: Player(two), -1: Player(three)}
        checked = known = 0
        for number, action in enumerate(actions):
            for reader in readers.values():
                reader.wait_until(lambda state, number=number: state["step"] >= number)
                if number % 10 == 0:
                    reader.send(do="explain", about="space 20")
                    reader.wait_for("explain")
            looked, seen = check_hidden(readers, peeked_by_one(ready.session.game), ready)
            checked, known = checked + looked, known + seen
            readers[ready.session.actor].act(action)
        for reader in readers.values():
            reader.wait_until(lambda state: state["end"])
        assert ready.session.over
        assert checked > 20
        assert known  # the test sees what is sent


def check_hidden(readers, hidden, table):
    """Check what was sent since the last check. Returns how often a hidden tile was looked for, and how often one was
    found by those who know it."""
    checked = known = 0
    secrets = [str(table.placed.agents_seed), table.placed.host, *table.placed.tokens, '"streams"']
    for seat, reader in readers.items():
        sent = "".join(reader.texts)
        reader.texts.clear()
        assert not [secret for secret in secrets if secret and secret in sent]
        for tile, knows in hidden.items():
            if seat not in knows:
                assert tile not in sent
                assert tile.replace("_", " ") not in sent
                checked += 1
            else:
                known += tile.replace("_", " ") in sent.replace("_", " ")
    return checked, known


@pytest.mark.parametrize("settings", [{"players": 3}, {"scenario": 1, "players": 2}])
def test_frames_depend_on_visible_things_only(settings):
    session = Session(Rules(**settings), seed=4)
    luck = random.Random(4)
    for k in range(120):
        if k % 12 == 0:
            for seat in range(session.game.rules.players):
                other = session.game.determinize(seat, k)
                names = [""] * session.game.rules.players
                assert frame_of(session.view(seat), names) == frame_of(other.view(seat), names)
        session.submit(luck.choice(session.game.legal_actions().tolist()))


# games on disk


def test_games_go_on_after_a_restart(tmp_path):
    service = service_in(tmp_path)
    with client_of(service) as client:
        links = begin(client, ADA, RANDOM, seed=7)
        table = only_table(service)
        table.speed = 50.0
        with client.websocket_connect(socket_path(links["seats"][0]["link"])) as socket:
            ada = Player(socket)
            ada.play(random.Random(1), 8)
            ada.send(do="undo")
            ada.wait_until(lambda state: state["again"])
            ada.play(random.Random(2), 3)
            ada.wait_until(lambda state: state["choices"])
        before = table.session.game.digest(), table.session.steps, table.points, table.log
    with (tmp_path / "data" / "games" / table.number / "moves.jsonl").open("a") as file:
        file.write('{"action": 1')  # the process ended in the middle of a line
    again = service_in(tmp_path)
    with client_of(again) as client:
        found = again.tables[table.number]
        assert (found.session.game.digest(), found.session.steps, found.points, found.log) == before
        with client.websocket_connect(socket_path(links["seats"][0]["link"])) as socket:
            ada = Player(socket)
            ada.play(random.Random(1), 2)


def test_damaged_games_are_left_out(tmp_path, capsys):
    service = service_in(tmp_path)
    with client_of(service) as client:
        begin(client, ADA, BOB, seed=7)
        begin(client, ADA, BOB, seed=8)
    damaged = tmp_path / "data" / "games" / next(iter(service.tables))
    (damaged / "moves.jsonl").write_text('{"action": 699}\n')
    with pytest.raises(StorageError):
        Table.resume(GameFiles(damaged), ThinkersHere())
    again = service_in(tmp_path)
    with client_of(again):
        assert len(again.tables) == 1
    assert "left out" in capsys.readouterr().err


class FullDisk(io.BytesIO):
    """A file that takes three bytes of a line."""

    def write(self, data):
        return super().write(data[:3])


def test_a_full_disk_loses_no_move_and_is_one_line(tmp_path, monkeypatch):
    service = service_in(tmp_path)
    with client_of(service) as client:
        links = begin(client, ADA, BOB, seed=7)
        table = only_table(service)
        seat, before = table.session.actor, table.session.game.digest()
        with client.websocket_connect(socket_path(links["seats"][seat]["link"])) as socket:
            ada = Player(socket)
            ada.wait_until(lambda state: state["choices"])
            action, kept = ada.state["choices"][0]["action"], Path.open
            monkeypatch.setattr(Path, "open", lambda path, *how, **more: FullDisk())
            ada.act(action)
            assert "can't be saved: No space left" in ada.wait_for("error")
            assert table.session.game.digest() == before
            monkeypatch.setattr(Path, "open", kept)
            ada.act(action)
            ada.wait_until(lambda state: state["step"] > 0)


# recordings


@pytest.fixture(scope="module")
def recording():
    session = Session(Rules(players=2, max_rounds=2), seed=7, agents=make_agents(["random", "random"], 1))
    session.play()
    return session.recording().to_json()


def test_a_recording_is_shown_judged_copied_and_branched(client, service, recording):
    replay = client.post("/api/replays", content=recording).json()["replay"]
    assert client.get(replay).status_code == 200
    base = f"/api{replay}"
    timeline = client.get(base).json()
    last = timeline["last"]
    assert len(timeline["steps"]) == last
    assert len(timeline["points"]) == last + 1
    assert timeline["seed"] == 7
    assert client.get(f"{base}/at/{last}").json()["end"]
    assert len(client.get(f"{base}/at/5?before=4").text) < len(client.get(f"{base}/at/5").text) / 2
    assert client.get(f"{base}/at/{last + 1}").status_code == 404
    judged = client.get(f"{base}/values/0?agent=shogun").json()
    assert judged["values"][0]["worth"] >= judged["values"][-1]["worth"]
    assert judged["name"].startswith("the ")  # in the words of the buttons
    assert client.get(f"{base}/values/0?agent=python:os.system").status_code == 400
    copies = client.get(f"{base}/copies/20").json()
    space: dict[str, Game] = {}
    exec(copies["python"], space)  # our own text
    assert space["game"].digest() == Game.from_json(copies["position"]).digest()
    links = client.post(f"{base}/branch/20", json={"seats": [ADA, RANDOM]}).json()
    (table,) = service.tables.values()
    assert table.session.steps >= 20
    assert client.get(links["seats"][0]["link"]).status_code == 200
    assert client.post(f"{base}/branch/{last}", json={"seats": [ADA, RANDOM]}).status_code == 400


@pytest.mark.parametrize("text", ["", "{}", "[" * 100_000, '{"fujikoro": "recorded game"}', "\x00", "null"])
def test_bad_recordings_get_one_line(client, text):
    answer = client.post("/api/replays", content=text)
    assert answer.status_code == 400
    assert len(answer.json()["error"].splitlines()) == 1


def test_recordings_that_name_a_folder_as_content_are_refused(client, recording, tmp_path):
    """A visitor learns nothing about the disk of the server."""
    for folder in (str(tmp_path), str(tmp_path / "none"), "../..", 5):
        asked = json.loads(recording)
        asked["rules"]["content"] = folder
        answer = client.post("/api/replays", content=json.dumps(asked))
        assert answer.status_code == 400
        assert "allowed here are base" in answer.json()["error"]
        assert "toml" not in answer.json()["error"]


def test_odd_names_of_a_recording_are_shown_as_one_printable_line(client, recording):
    named = json.loads(recording)
    named["names"][0] = "<b>\x1b\n" + "x" * 100_000
    replay = client.post("/api/replays", content=json.dumps(named)).json()["replay"]
    assert client.get(f"/api{replay}").json()["names"][0].startswith("<b>\\x1b xxx")
    frame = client.get(f"/api{replay}/at/0").text
    assert len(frame) < 200_000
    assert "\\u001b" not in frame


def test_recordings_on_disk_are_limited(tmp_path, recording):
    with client_of(service_in(tmp_path, Limits(recordings=1))) as client:
        assert client.post("/api/replays", content=recording).status_code == 200
        assert "1 recordings at most" in client.post("/api/replays", content=recording).json()["error"]


def test_long_addresses_are_refused(client, recording):
    replay = client.post("/api/replays", content=recording).json()["replay"]
    nines = "9" * 5000
    for address in (
        f"/replay/{'x' * 300}",
        f"/api{replay}/at/{nines}",
        f"/api{replay}/at/3?before={nines}",
        f"/{nines}",
    ):
        assert client.get(address).status_code in (404, 414)
    assert client.get(f"/api{replay}/at/3?before={'9' * 500}").status_code == 200


def test_finished_games_that_nobody_looks_at_are_forgotten(tmp_path):
    service = service_in(tmp_path, Limits(tables=2))
    with client_of(service) as client:
        for seed in range(4):
            links = begin(client, ADA, seed=seed, mode="solo", max_rounds=1)
            with client.websocket_connect(socket_path(links["seats"][0]["link"])) as socket:
                Player(socket).play(random.Random(seed))
        assert len(service.tables) <= 3


def test_altered_large_and_foreign_uploads_are_refused(client, recording, tmp_path):
    assert client.post("/api/replays", content=recording.replace('"seed": 7', '"seed": 8')).status_code == 400
    assert client.post("/api/replays", content=b"\xff\xfe").status_code == 400
    assert client.post("/api/replays", content=b" " * (9 << 20)).status_code == 413
    assert client.post("/api/replays", content=recording, headers={"origin": "http://x.example"}).status_code == 403
    assert client.get("/replay/..%2f..%2fetc%2fpasswd").status_code == 404
    assert client.get("/static/../server.py").status_code == 404


# hostile messages


def hostile_messages(count):
    """Messages that no page sends."""
    luck = random.Random(9)
    kinds = [
        lambda: luck.choice(["", "null", "[]", "{", "[" * 3000, '"act"', "1e999", "\x00", "NaN", '{"do": 1}']),
        lambda: json.dumps({"do": luck.choice(["act", "undo", "agree", "hint", "resign", "speed", "pause", "drop"])}),
        lambda: json.dumps({"do": "act", "action": luck.choice([None, "1", 1.5, [], {}, True, 10**30]), "step": 0}),
        lambda: json.dumps({"do": "act", "action": luck.randrange(-5, 900), "step": luck.randrange(-5, 5)}),
        lambda: json.dumps({"do": "act", "action": 0, "step": 0, "seat": luck.randrange(4)}),
        lambda: json.dumps({"do": "explain", "about": luck.choice(["space -1", "space 9e9", "<script>", "../" * 20])}),
        lambda: json.dumps({"do": "resign", "agent": luck.choice(["python:os.system", "policy:/x", "", "x" * 290])}),
        lambda: '{"do": "speed", "value": ' + luck.choice(["NaN", "Infinity", "-1e400", '"fast"', "true"]) + "}",
        lambda: "x" * luck.choice([10, 4000, 5000]),
    ]
    return [luck.choice(kinds)() for _ in range(count)]


def attack(client, service, count):
    links = begin(client, ADA, BOB, seed=7)
    table = service.tables[links["watch"].split("/")[-1]]
    seat = 1 - table.session.actor
    digest, seats = table.session.game.digest(), list(table.seats)
    with client.websocket_connect(socket_path(links["seats"][1 - seat]["link"])) as other:
        quiet = Player(other)
        quiet.wait_for("state")
        messages = hostile_messages(count)
        while messages:
            with client.websocket_connect(socket_path(links["seats"][seat]["link"])) as socket:
                try:
                    while messages:
                        socket.send_text(messages.pop())
                        socket.receive_text()
                except WebSocketDisconnect:
                    continue  # closed, as it sent too much nonsense
        assert table.session.game.digest() == digest
        assert table.seats == seats
        quiet.send(do="explain", about="MOVE-1")  # the other page is still served
        assert quiet.wait_for("explain")["text"]


def test_hostile_messages_change_nothing(client, service, record_property):
    record_property(HOSTILE_INPUTS, 60)
    attack(client, service, 60)


@pytest.mark.web
def test_a_thousand_hostile_messages_change_nothing(client, service, record_property):
    record_property(HOSTILE_INPUTS, 1000)
    attack(client, service, 1000)


def test_a_flood_closes_its_own_socket_only(tmp_path):
    service = service_in(tmp_path, Limits(burst=5, messages_a_second=0.001))
    with client_of(service) as client:
        links = begin(client, ADA, BOB, seed=7)
        path = socket_path(links["watch"])
        with client.websocket_connect(path) as other, client.websocket_connect(path) as socket:
            for _ in range(6):
                socket.send_text(json.dumps({"do": "explain", "about": "MOVE-1"}))
            with pytest.raises(WebSocketDisconnect):
                Player(socket).wait_for("nothing that is ever sent")
            quiet = Player(other)
            quiet.send(do="explain", about="MOVE-1")
            assert quiet.wait_for("explain")["text"]


def test_sockets_are_limited(tmp_path):
    service = service_in(tmp_path, Limits(sockets_of_a_game=1))
    with client_of(service) as client:
        path = socket_path(begin(client, ADA, BOB)["watch"])
        with (
            client.websocket_connect(path),
            client.websocket_connect(path) as second,
            pytest.raises(WebSocketDisconnect),
        ):
            second.receive_text()


# the command


@pytest.mark.parametrize("port", ["99999", "-1", "web"])
def test_a_wrong_port_gets_one_line(port, capsys):
    assert main(["web", "--port", port]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


# other games


def test_another_game_is_offered_played_and_resumed(tmp_path):
    service = service_in(tmp_path)
    with client_of(service) as client:
        others = {game["name"]: game for game in client.get("/api/lobby").json()["others"]}
        fuji = others["fuji"]
        assert fuji["title"] == "Fuji"
        assert fuji["settings"]["level"]["values"] == [1, 2, 3, 4]
        assert "content" not in fuji["settings"]  # visitors can't name files
        assert "guide" in [agent["name"] for agent in fuji["agents"]]
        links = begin(client, ADA, BOB, {"agent": "guide"}, game="fuji", seed=7, settings={"level": 2})
        table = only_table(service)
        table.speed = 50.0
        assert table.session.game.rules.level == 2
        with (
            client.websocket_connect(socket_path(links["seats"][0]["link"])) as one,
            client.websocket_connect(socket_path(links["seats"][1]["link"])) as two,
        ):
            ada, bob = Player(one), Player(two)
            first = ada if table.session.actor == 0 else bob
            state = first.wait_until(lambda state: state["choices"])
            assert "<rect" in state["parts"]["background"]["svg"]
            assert all(choice["words"] for choice in state["choices"])
            first.send(do="hint")
            assert first.wait_for("hint")["by"] == "guide"
            first.send(do="explain", about=state["choices"][0]["about"])
            assert ":" in first.wait_for("explain")["text"]
            first.act(state["choices"][0]["action"])
            first.wait_until(lambda found: found["step"] > state["step"])
        before = table.session.game.digest()
    again = service_in(tmp_path)
    with client_of(again) as client:
        resumed = only_table(again)
        assert resumed.session.game.digest() == before
        assert any("Ada" in line or "Bob" in line for _, line in resumed.log)
        assert [game["mode"] for game in client.get("/api/lobby").json()["games"]] == ["Fuji"]


def test_another_game_ends_and_shows_everything_then(tmp_path):
    service = service_in(tmp_path)
    with client_of(service) as client:
        links = begin(client, ADA, BOB, game="fuji", seed=3)
        table = only_table(service)
        with (
            client.websocket_connect(socket_path(links["seats"][0]["link"])) as one,
            client.websocket_connect(socket_path(links["seats"][1]["link"])) as two,
        ):
            players, luck = {0: Player(one), 1: Player(two)}, random.Random(1)
            while not table.session.over:
                player, steps = players[table.session.actor], table.session.steps
                state = player.wait_until(lambda state, steps=steps: state["step"] >= steps and state["choices"])
                player.act(luck.choice(state["choices"])["action"])
                player.wait_until(lambda state, steps=steps: state["step"] > steps)
            assert players[0].wait_until(lambda state: state["end"])["end"]["reason"]
        replay = client.post(f"/api/table/{table.number}/replay", json={}).json()["replay"]
        assert client.get(f"/api{replay}").json()["last"] == table.session.steps


def test_a_recording_of_another_game_is_shown_judged_copied_and_branched(client, service):
    fuji = find_game("fuji")
    session = fuji.session_class(fuji.make_rules(players=2), 7, agents=fuji.agents.make_all(["random"] * 2, 1))
    session.play()
    replay = client.post("/api/replays", content=session.recording().to_json()).json()["replay"]
    base = f"/api{replay}"
    timeline = client.get(base).json()
    assert (timeline["game"], timeline["has_vp"], timeline["last"]) == ("fuji", False, session.steps)
    assert timeline["told"]
    assert not any("hidden" in line for _, line in timeline["told"])  # nobody plays it any more
    assert client.get(f"{base}/at/{timeline['last']}").json()["end"]
    assert client.get(f"{base}/values/0?agent=guide").json()["name"]
    assert client.get(f"{base}/values/0?agent=shogun").status_code == 400
    copies = client.get(f"{base}/copies/9").json()
    space: dict[str, Any] = {}
    exec(copies["python"], space)  # our own text
    assert space["game"].digest() == session.game_at(9).digest()
    links = client.post(f"{base}/branch/9", json={"seats": [ADA, {"agent": "guide"}]}).json()
    assert client.get(links["seats"][0]["link"]).status_code == 200
    assert only_table(service).session.game_at(9).digest() == session.game_at(9).digest()


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"game": "chess"}, "game 'chess': allowed are fuji, fujikoro"),
        ({"game": ["fuji"]}, "game"),
        ({"game": "fuji", "settings": {"content": "/etc"}}, "settings of Fuji: allowed are"),
        ({"game": "fuji", "settings": {"level": 9}}, "level=9: allowed are 1, 2, 3, 4"),
        ({"game": "fuji", "settings": {"level": [1]}}, "level"),
        ({"game": "fuji", "seats": [{"agent": "shogun"}] * 2}, "agent 'shogun': allowed are guide"),
        ({"game": "fuji", "seats": [{}] * 5}, "players"),
    ],
)
def test_bad_wishes_for_another_game_get_one_line(client, service, wish, told):
    answer = client.post("/api/tables", json={"seats": [{}, {}], **wish})
    assert answer.status_code == 400
    assert told in answer.json()["error"]
    assert "\n" not in answer.json()["error"]
    assert not service.tables


def test_nothing_hidden_of_another_game_is_sent(client, service):
    """What a page gets depends on what its seat sees only: dice of others dealt anew change nothing."""
    session = find_game("fuji").session_class(find_game("fuji").make_rules(players=3), 4)
    luck, kind, names = random.Random(4), web_game("fuji"), ["", "", ""]
    for k in range(60):
        if session.over:
            break
        if k % 6 == 0:
            for seat in range(3):
                other = session.game.determinize(seat, k)
                assert kind.frame(session.view(seat), names, (), None) == kind.frame(other.view(seat), names, (), None)
        session.submit(luck.choice(session.game.legal_actions().tolist()))
