"""The page of runs: tournaments and balance experiments with their games, trainings, and what can't be read."""

import json

import pytest

from fujikoro_app.cli import main
from tests.helpers.web import Player, client_of, service_in, socket_path


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web") / "runs"
    main(
        [
            *("tournament", "--players", "random,random", "--games", "2", "--seats", "2", "--max-rounds", "1"),
            *("--workers", "1", "--out", str(folder / "small")),
        ]
    )
    training = folder / "learning"
    training.mkdir()
    match = {"opponent": "random", "games of": "all", "games": 8, "share": 0.5, "low": 0.2, "high": 0.8}
    row = {"decisions": 500, "seconds": 1.0, "matches": [match]}
    (training / "curve.jsonl").write_text(json.dumps(row) + "\n")
    (training / "recipe.json").write_text(json.dumps({"name": "tiny", "decisions": 1000, "games": [{"players": 2}]}))
    main(
        [
            *("balance", "characters", "--agents", "runner", "--players", "2", "--games", "4", "--jobs", "1"),
            *("--out", str(folder / "fair")),
        ]
    )
    (folder / "begun").mkdir()
    journal = (folder / "small" / "games.jsonl").read_text().splitlines(keepends=True)
    (folder / "begun" / "games.jsonl").write_text("".join(journal[:2]))
    (folder / "broken").mkdir()
    (folder / "broken" / "summary.json").write_text("{")
    return folder.parent


def test_runs_are_listed_and_their_games_played_again(runs, capsys):
    service = service_in(runs)
    with client_of(service) as client:
        found = {run["name"]: run for run in client.get("/api/runs").json()["runs"]}
        assert found["learning"]["done"] == 500
        assert found["learning"]["lines"]["random"] == [[500, 0.5, 0.2, 0.8]]
        assert found["small"]["games"] == 2
        assert found["broken"]["kind"] == "unreadable"
        agent = found["small"]["agents"][0]["agent"]
        games = client.get("/api/runs/small/games", params={"agent": agent}).json()["games"]
        assert len(games) == 2
        assert games[0]["agents"]
        assert client.get("/api/runs/nothing/games").json()["games"] == []
        links = client.post(f"/api/runs/small/games/{games[0]['game']}", json={}).json()
        table = service.tables[links["watch"].split("/")[-1]]
        assert not table.had_people
        with client.websocket_connect(socket_path(links["host"])) as socket:
            host = Player(socket)
            host.send(do="speed", value=50)
            host.wait_until(lambda state: state["end"])
        assert list(table.session.game.scores) == games[0]["vp"]
        assert table.session.game.state.round_number == games[0]["rounds"]
        assert client.post("/api/runs/small/games/99", json={}).status_code == 404
        rated = {agent["name"]: agent["rating"] for agent in client.get("/api/lobby").json()["agents"]}
        assert "random" in rated


def test_balance_experiments_are_listed_and_their_games_played_again(runs, capsys):
    service = service_in(runs)
    with client_of(service) as client:
        found = {run["name"]: run for run in client.get("/api/runs").json()["runs"]}
        fair = found["fair"]
        assert (fair["kind"], fair["experiment"], fair["done"], fair["planned"]) == ("balance", "characters", 4, 4)
        assert found["begun"] == {"name": "begun", "kind": "playing", "games": 1}
        row = fair["measures"][0]["rows"][0]
        asked = {"agent": row["agent"], "players": row["players"], "level": row["level"]}
        games = client.get("/api/runs/fair/games", params=asked).json()["games"]
        assert len(games) == 4
        game = games[-1]
        assert "(" in game["agents"][0]  # with its character
        links = client.post(f"/api/runs/fair/games/{game['game']}", json={}).json()
        table = service.tables[links["watch"].split("/")[-1]]
        with client.websocket_connect(socket_path(links["host"])) as socket:
            host = Player(socket)
            host.send(do="speed", value=50)
            host.wait_until(lambda state: state["end"])
        assert list(table.session.game.scores) == game["vp"]
        for wrong in ({**asked, "players": "9" * 50}, {**asked, "agent": "shogun"}):
            assert client.get("/api/runs/fair/games", params=wrong).json()["games"] == []
        assert client.post("/api/runs/fair/games/99999999999", json={}).status_code == 404
        assert client.post("/api/runs/fair/games/4", json={}).status_code == 404


def test_damaged_balance_experiments_are_told(tmp_path):
    folder = tmp_path / "runs" / "odd"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text('{"format": 1, "settings": {"experiment": "seats", "games": -1}}')
    (folder / "effects.parquet").write_bytes(b"no table")
    with client_of(service_in(tmp_path)) as client:
        (run,) = client.get("/api/runs").json()["runs"]
        assert run["kind"] == "unreadable"
        assert client.get("/api/runs/odd/games", params={"agent": "runner", "players": "2", "level": "x"}).json() == {
            "games": []
        }
        assert client.post("/api/runs/odd/games/0", json={}).status_code == 404
