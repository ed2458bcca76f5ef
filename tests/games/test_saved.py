"""Saved and pickled games: damaged bytes raise one error, or give a game that plays to its end."""

import pickle
import time
from typing import Any

import pytest

from fujikoro_env import BatchedGames, Game, Rules, SavedGameError
from fujikoro_env.kernel.jit import CHECKED, INTERPRETED
from fujikoro_env.kernel.records import Field, fields_of
from fujikoro_env.kernel.saved_games import checksum
from fujikoro_env.rules.base.state import Frame, State
from fujikoro_env.rules.engine.bounds import record_fault
from fujikoro_env.saved import FORMAT
from tests.helpers import damage
from tests.helpers.hostile import HOSTILE_INPUTS
from tests.helpers.processes import run


def changed(game: Game, **fields: int) -> bytes:
    """A saved game with other numbers in some fields, and a checksum that matches."""
    copy = game.clone()
    for name, value in fields.items():
        copy.state[name] = value
    return copy.to_bytes()


def with_checksum(data: bytes) -> bytes:
    return data + checksum(data)


def test_a_flipped_byte_is_found_by_the_checksum() -> None:
    saved = bytearray(Game(Rules(players=2), seed=3).to_bytes())
    saved[-3000] ^= 1
    with pytest.raises(SavedGameError, match="checksum does not match"):
        Game.from_bytes(bytes(saved))


@pytest.mark.parametrize(
    "fields", [{"depth": 100}, {"depth": 0}, {"active": 30000}, {"active": 2}, {"secret_exit": -1}]
)
def test_a_field_out_of_bounds_is_named(fields: dict[str, int]) -> None:
    saved = changed(Game(Rules(players=2), seed=3), **fields)
    name, value = next(iter(fields.items()))
    with pytest.raises(SavedGameError, match=f"saved game: {name} is {value}, allowed is "):
        Game.from_bytes(saved)
    with pytest.raises(SavedGameError, match=f"saved game: {name} is {value}, allowed is "):
        Game.__new__(Game).__setstate__(saved)


def test_frames_are_checked_by_their_phase() -> None:
    game = Game(Rules(players=2), seed=3)
    for field, value in (("phase", 100), ("actor", 2), ("thing", 3000)):
        copy = game.clone()
        copy.state.stack[int(copy.state.depth) - 1][field] = value
        with pytest.raises(SavedGameError, match=r"saved game: stack\[\d\]\."):
            Game.__new__(Game).__setstate__(copy.to_bytes())


def test_a_position_within_its_bounds_is_judged() -> None:
    saved = changed(Game(Rules(players=2), seed=3), escaped=1)
    with pytest.raises(SavedGameError, match="escaped does not follow from the rest of the position"):
        Game.from_bytes(saved)
    with pytest.raises(SavedGameError, match="escaped does not follow from the rest of the position"):
        Game.__new__(Game).__setstate__(saved)


def test_version_1_is_refused_with_advice() -> None:
    head = b'{"version": 1}'
    old = FORMAT.mark + len(head).to_bytes(4, "little") + head + bytes(6000)
    with pytest.raises(SavedGameError, match=r"format 1.*to_json"):
        Game.from_bytes(old)


@pytest.mark.parametrize("saved", [b"", b"FUJIKORO", b"FUJIKORO\xff\xff\xff\xff", b"\0" * 7000, None, "text", 3])
def test_what_is_no_saved_game(saved: Any) -> None:
    with pytest.raises(SavedGameError):
        Game.from_bytes(saved)


def test_every_length_of_a_truncated_file_is_refused() -> None:
    saved = Game(Rules(players=2), seed=3).to_bytes()
    for length in range(0, len(saved), 97):
        for cut in (saved[:length], with_checksum(saved[:length])):
            with pytest.raises(SavedGameError):
                Game.from_bytes(cut)


def test_every_field_declares_its_bounds() -> None:
    """Frames get theirs from the table of phases; the words of random streams may have any value."""

    def without(cls: type[Any]) -> list[str]:
        nested = [name for field in fields_of(cls).values() if field.members for name in without(field.members)]
        return nested + [f"{cls.__name__}.{name}" for name, field in fields_of(cls).items() if is_free(field)]

    def is_free(field: Field) -> bool:
        return field.members is None and field.high is None

    assert {name for name in without(State) if not name.startswith(f"{Frame.__name__}.")} == {"Generator.words"}


@pytest.mark.parametrize("rules", damage.RULES)
def test_positions_of_games_are_within_their_bounds(rules: Rules) -> None:
    for game in damage.positions(rules, seed=5, most=400, every=7):
        assert not record_fault(game.compiled.games, rules.players, rules.seats)
        assert pickle.loads(pickle.dumps(game)).digest() == game.digest()


def test_positions_of_games_are_saved_and_read() -> None:
    for rules in damage.RULES:
        for game in damage.positions(rules, seed=6, most=200, every=50):
            assert Game.from_bytes(game.to_bytes()).digest() == game.digest()


@pytest.mark.skipif(INTERPRETED or CHECKED, reason="a measurement of compiled code")
def test_the_check_of_the_bounds_takes_less_than_200_microseconds() -> None:
    rules = Rules(players=6)
    games, times = Game(rules, seed=3).compiled.games, []
    for _ in range(300):
        began = time.perf_counter()
        record_fault(games, rules.players, rules.seats)
        times.append(time.perf_counter() - began)
    assert min(times) < 200e-6


# --- snapshots of batches ---------------------------------------------------------------------------------------------


def test_a_snapshot_is_checked_and_its_legal_actions_are_found_anew() -> None:
    rules = Rules(players=3)
    with BatchedGames(rules, n=5, seed=1) as games, BatchedGames(rules, n=5, seed=2) as later:
        for _ in range(30):
            games.step(games.random_actions())
        later.restore(games.snapshot())
        assert (later.masks == games.masks).all()
        assert (later.states.tobytes(), later.actors.tolist()) == (games.states.tobytes(), games.actors.tolist())


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [("depth", 100, "depth is 100"), ("active", 3, "active is 3"), ("settings", 0, "settings")],
)
def test_a_damaged_snapshot_is_refused_and_changes_nothing(field: str, value: int, told: str) -> None:
    with BatchedGames(Rules(players=3), n=5, seed=1) as games:
        kept, before = games.snapshot(), games.states.tobytes()
        damaged_states = kept["bytes"].view(games.states.dtype)
        damaged_states[field][3] = value
        with pytest.raises(SavedGameError, match=told):
            games.restore(kept)
        with pytest.raises(SavedGameError, match="shape"):
            games.restore({**kept, "bytes": kept["bytes"][:, :-8]})
        assert games.states.tobytes() == before


# --- many damaged games -----------------------------------------------------------------------------------------------


def test_damaged_games_are_refused_or_play_to_their_end() -> None:
    found = damage.attack(200)
    assert found["refused"] > 100
    assert found["played"]


@pytest.mark.long
def test_many_damaged_games_are_refused_or_play_to_their_end(record_property: Any) -> None:
    """Half of the changes aim at depth, phases, actors and indices. They run in a process with bounds checks."""
    assert run("-m", "tests.helpers.damage", "20000", FUJIKORO_CHECKED="1").startswith("20000 inputs: ")
    record_property(HOSTILE_INPUTS, 20_000)
