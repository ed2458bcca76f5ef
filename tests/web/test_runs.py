"""The page of runs: tournaments and balance experiments with their games, trainings, and what can't be read."""

import json

import pytest

from fujikoro_app.cli import main
from fujikoro_app.web.lobby import called
from fujikoro_app.web.tournament_runs import live_data
from fujikoro_env import Rules
from fujikoro_training.evaluation_games import FILE, keeper_of
from fujikoro_training.matches import play_match
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
    rules = Rules(2, max_rounds=1)
    play_match("random", "random", rules, 2, 5, keep=keeper_of(training, 500, "random", "all", rules))
    with (training / FILE).open("a") as file:
        file.write('{"decisions": 500}\n[]\nno JSON')
    rounds = folder / "in_rounds"
    rounds.mkdir()
    (rounds / "curve.jsonl").write_text(json.dumps({**row, "round": 1}) + "\n")
    recipe = {"name": "value", "games": [{"players": 2}], "selfplay": {"rounds": 4}}
    (rounds / "recipe.json").write_text(json.dumps(recipe))
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
        (evaluation,) = found["learning"]["evaluations"]
        assert evaluation["matches"][0]["share"] == [0.5, 0.2, 0.8]
        assert evaluation["matches"][0]["line"] == "against random"
        assert (found["in_rounds"]["round"], found["in_rounds"]["rounds"]) == (1, 4)
        assert found["small"]["games"] == 2
        assert found["small"]["saved"] is None
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


def test_trained_agents_are_offered_by_the_names_of_their_runs(tmp_path):
    for name, game, file in (("mine", "fujikoro", "policy"), ("other", "fuji", "policy"), ("best", "", "value")):
        folder = tmp_path / "runs" / name
        folder.mkdir(parents=True)
        (folder / "curve.jsonl").touch()
        (folder / "recipe.json").write_text(json.dumps({"game": game} if game else {}))
        (folder / f"{file}.safetensors").touch()
    with client_of(service_in(tmp_path)) as client:
        labels = [agent["label"] for agent in client.get("/api/lobby").json()["agents"]]
        assert sorted(label for label in labels if "trained" in label) == ["best (trained)", "mine (trained)"]
        trained = f"policy:{tmp_path / 'runs' / 'mine' / 'policy.safetensors'}"
        assert called(trained) == "mine"
        answer = client.post("/api/tables", json={"seats": [{"name": "Ada"}, {"agent": trained}]})
        assert answer.status_code == 200


def test_games_of_an_evaluation_are_replayed(runs):
    with client_of(service_in(runs)) as client:
        asked = {"decisions": "500", "opponent": "random", "games_of": "all"}
        games = client.get("/api/runs/learning/games", params=asked).json()["games"]
        assert [game["agents"] for game in games] == [["learning", "random"], ["random", "learning"]]
        replay = client.post(f"/api/runs/learning/games/{games[1]['game']}", json={}).json()["replay"]
        timeline = client.get(f"/api{replay}").json()
        assert timeline["points"][-1] == games[1]["vp"]
        assert timeline["names"] == ["random", "learning"]
        for wrong in ({**asked, "decisions": "501"}, {**asked, "decisions": "9" * 30}, {}):
            assert client.get("/api/runs/learning/games", params=wrong).json()["games"] == []
        for number in ("2", "99999999999"):
            assert client.post(f"/api/runs/learning/games/{number}", json={}).status_code == 404


def test_tournaments_under_way_have_standings_and_games(runs, capsys):
    """A journal without a summary gives the same standings as the summary of its games."""
    with client_of(service_in(runs)) as client:
        found = {run["name"]: run for run in client.get("/api/runs").json()["runs"]}
        begun, small = found["begun"], found["small"]
        assert (begun["kind"], begun["games"], begun["agents"]) == ("tournament", 1, [])  # no whole block yet
        assert begun["saved"]
        live = live_data(runs / "runs" / "small")
        assert live["pairs"] == small["pairs"]
        assert sorted(live["agents"], key=lambda row: row["agent"]) == sorted(
            small["agents"], key=lambda row: row["agent"]
        )
        games = client.get("/api/runs/begun/games", params={"agent": "random", "against": "random#2"}).json()["games"]
        assert [game["game"] for game in games] == [0]
        assert client.get("/api/runs/begun/games", params={"against": "shogun"}).json()["games"] == []
        assert client.post("/api/runs/begun/games/0", json={}).status_code == 200
        assert client.post("/api/runs/begun/games/1", json={}).status_code == 404


@pytest.mark.parametrize(
    "journal",
    [
        "",
        "{}\n",
        "[]\n",
        '{"agents": ["random"], "seats": 9, "seed": 0, "rules": {"mode": "competitive"}}\n',
        '{"agents": ["random"], "seats": 2, "seed": 0, "rules": {"mode": "competitive"}}\n{"game": 1}\n',
    ],
)
def test_damaged_tournaments_are_reported(tmp_path, journal):
    folder = tmp_path / "runs" / "odd"
    folder.mkdir(parents=True)
    (folder / "games.jsonl").write_text(journal)
    with client_of(service_in(tmp_path)) as client:
        (run,) = client.get("/api/runs").json()["runs"]
        assert (run["kind"], len(run["error"].splitlines())) == ("unreadable", 1)
        assert client.get("/api/runs/odd/games", params={"agent": "random"}).json()["games"] == []
        assert client.post("/api/runs/odd/games/0", json={}).status_code == 404


def test_damaged_balance_experiments_are_reported(tmp_path):
    folder = tmp_path / "runs" / "odd"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text('{"format": 1, "settings": {"experiment": "seats", "games": -1}}')
    (folder / "effects.parquet").write_bytes(b"no table")
    with client_of(service_in(tmp_path)) as client:
        (run,) = client.get("/api/runs").json()["runs"]
        assert run["kind"] == "unreadable"
        asked = {"agent": "runner", "players": "2", "level": "x"}
        assert client.get("/api/runs/odd/games", params=asked).json()["games"] == []
        assert client.post("/api/runs/odd/games/0", json={}).status_code == 404
