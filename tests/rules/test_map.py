"""MAP: the lattice, the places and the spaces, and where samurai may stand."""

from collections.abc import Iterable

import numpy as np
import pytest

from fujikoro_env.rules.base.names import Terrain
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import (
    BRIDGES,
    FIRST_BRIDGE,
    FIRST_TEMPLE,
    PLACES,
    SPACES,
    START,
    TEMPLES,
    geometry,
)
from tests.helpers.tables import (
    do,
    explored,
    lava_on,
    lay,
    lay_plain,
    legal,
    neighbours,
    place,
    put,
    put_dragon,
    put_gear,
    put_lava,
    space,
    spaces_of,
    table,
    where,
)

Hex = tuple[int, int]
PETALS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
SHAPE = geometry()


def add(a: Hex, b: Hex) -> Hex:
    return a[0] + b[0], a[1] + b[1]


def turned(a: Hex, sixths: int) -> Hex:
    """Rotate (q, r) = q * petal 0 + r * petal 1; a rotation maps petals to petals."""
    (q0, r0), (q1, r1) = PETALS[sixths % 6], PETALS[(sixths + 1) % 6]
    return a[0] * q0 + a[1] * q1, a[0] * r0 + a[1] * r1


def tile_at(i: int, j: int) -> Hex:
    return 2 * i - j, i + 3 * j


def tile(centre: Hex) -> set[Hex]:
    return {centre, *(add(centre, petal) for petal in PETALS)}


def tile_centres() -> set[Hex]:
    """The start and three rings around it."""
    near = range(-3, 4)
    return {tile_at(i, j) for i in near for j in near if max(abs(i), abs(j), abs(i + j)) <= 3}


def touch(a: Iterable[Hex], b: Iterable[Hex]) -> bool:
    return any(add(small, petal) in set(b) for small in a for petal in PETALS)


def shared_edges(a: set[Hex], b: set[Hex]) -> int:
    return sum(add(small, petal) in b for small in a for petal in PETALS)


def corner(k: int) -> Hex:
    return turned((6, 3), k)


def steps_from(origin: int, adjacent: list[list[int]]) -> list[int]:
    """Distances from a space, by breadth-first search."""
    distance = {origin: 0}
    queue = [origin]
    for here in queue:
        for there in adjacent[here]:
            if there not in distance:
                distance[there] = distance[here] + 1
                queue.append(there)
    return [distance[k] for k in range(len(adjacent))]


def neighbour_lists() -> list[list[int]]:
    return [row[:count].tolist() for row, count in zip(SHAPE.neighbours, SHAPE.neighbour_count, strict=True)]


@pytest.mark.rule("MAP-1")
def test_start_and_three_rings_of_places():
    assert np.bincount(SHAPE.place_ring).tolist() == [0, 6, 12, 12]
    assert (PLACES, BRIDGES, TEMPLES) == (30, 3, 3)
    assert len(tile_centres()) == 1 + PLACES + BRIDGES + TEMPLES


@pytest.mark.rule("MAP-1")
def test_start_bridges_and_temples_lie_there_from_the_first():
    lying = np.flatnonzero(np.asarray(table().state.terrain) != Terrain.UNEXPLORED)
    assert lying.tolist() == [START, *range(FIRST_BRIDGE, SPACES)]


@pytest.mark.rule("MAP-2")
def test_start_and_temple_are_one_space_a_bridge_two_a_tile_seven():
    sizes = [len(smalls) for smalls in SHAPE.hexes]
    assert sizes[START] == 7
    assert sizes[FIRST_TEMPLE:] == [7, 7, 7]
    assert sizes[FIRST_BRIDGE:FIRST_TEMPLE] == [3, 4] * 3
    assert sizes[1:FIRST_BRIDGE] == [1] * 7 * 30


@pytest.mark.rule("MAP-3")
def test_the_map_is_one_lattice_of_259_hexagons_in_220_spaces():
    smalls = [small for of_space in SHAPE.hexes for small in of_space]
    assert len(smalls) == len(set(smalls)) == 259
    assert set(smalls) == {small for centre in tile_centres() for small in tile(centre)}
    assert len(SHAPE.hexes) == len(set(SHAPE.space_names)) == SPACES == 220


@pytest.mark.rule("MAP-3")
def test_a_tile_is_a_centre_and_its_petals():
    for number, centre in enumerate(SHAPE.place_centres[:PLACES]):
        of_place = SHAPE.hexes[1 + 7 * number : 8 + 7 * number]
        assert of_place == ((centre,), *((add(centre, petal),) for petal in PETALS))


@pytest.mark.rule("MAP-3")
def test_spaces_are_adjacent_when_any_of_their_hexagons_touch():
    adjacent = neighbour_lists()
    for a in range(SPACES):
        assert adjacent[a] == [b for b in range(SPACES) if b != a and touch(SHAPE.hexes[a], SHAPE.hexes[b])]
        assert all(a in adjacent[b] for b in adjacent[a])
    assert len(adjacent[START]) == 12
    assert [len(row) for row in adjacent[FIRST_TEMPLE:]] == [6, 6, 6]
    assert (SHAPE.neighbours[SHAPE.neighbours < 0] == -1).all()


@pytest.mark.rule("MAP-3")
def test_neighbouring_tiles_share_three_edges():
    centres = sorted(tile_centres())
    sides = {a: [shared_edges(tile(a), tile(b)) for b in centres if b != a] for a in centres}
    assert {edges for row in sides.values() for edges in row} == {0, 3}
    assert sides[0, 0].count(3) == 6


@pytest.mark.rule("MAP-3")
def test_places_side_by_side_are_those_that_share_edges():
    for a, centre in enumerate(SHAPE.place_centres):
        found = [b for b in SHAPE.place_neighbours[a] if b >= 0]
        others = [b for b in range(PLACES + 1) if b != a]
        assert found == [b for b in others if shared_edges(tile(centre), tile(SHAPE.place_centres[b]))]


@pytest.mark.rule("MAP-3")
def test_touched_places_are_those_of_adjacent_spaces():
    for a, row in enumerate(neighbour_lists()):
        reached = {(b - 1) // 7 for b in row if START < b < FIRST_BRIDGE} - {int(SHAPE.place_of[a])}
        assert {b for b in SHAPE.touched_places[a] if b >= 0} == reached


@pytest.mark.rule("MAP-3")
def test_distances_are_those_of_a_plain_search():
    adjacent = neighbour_lists()
    for origin in range(SPACES):
        assert SHAPE.distance[origin].tolist() == steps_from(origin, adjacent)


@pytest.mark.rule("MAP-3")
def test_distances_in_tiles_are_those_of_a_plain_search():
    centres = sorted(tile_centres())
    adjacent = [[b for b, other in enumerate(centres) if shared_edges(tile(a), tile(other)) == 3] for a in centres]
    for number, of_space in enumerate(SHAPE.hexes):
        (here,) = (k for k, centre in enumerate(centres) if set(of_space) <= tile(centre))
        steps = steps_from(here, adjacent)
        assert SHAPE.place_distance[number].tolist() == [steps[centres.index(c)] for c in SHAPE.place_centres]


@pytest.mark.rule("MAP-4")
def test_corners_of_ring_three_are_temples_and_bridges_in_turn():
    for k in range(3):
        temple, bridge = FIRST_TEMPLE + k, FIRST_BRIDGE + 2 * k
        assert set(SHAPE.hexes[temple]) == tile(corner(2 * k))
        assert {*SHAPE.hexes[bridge], *SHAPE.hexes[bridge + 1]} == tile(corner(2 * k + 1))


@pytest.mark.rule("MAP-4")
def test_places_are_numbered_from_corner_zero_as_the_petals_turn():
    for ring in (1, 2, 3):
        found = {
            name: centre
            for name, centre in zip(SHAPE.place_names, SHAPE.place_centres, strict=True)
            if name.startswith(f"ring{ring}.")
        }
        for index in range(6 * ring):
            k, beyond = divmod(index, ring)
            along = turned((2, 1), k + 2)  # from corner k to the next one
            centre = (ring * turned((2, 1), k)[0] + beyond * along[0], ring * turned((2, 1), k)[1] + beyond * along[1])
            is_tile = ring < 3 or beyond > 0
            assert found.get(f"ring{ring}.{index}") == (centre if is_tile else None)


@pytest.mark.rule("MAP-4")
def test_each_half_of_a_bridge_touches_the_ring_two_tile_and_one_ring_three_tile():
    for number in range(3):
        k, centre = 2 * number + 1, corner(2 * number + 1)
        halves = SHAPE.hexes[FIRST_BRIDGE + 2 * number], SHAPE.hexes[FIRST_BRIDGE + 2 * number + 1]
        assert set(halves[0]) == {add(centre, PETALS[(k + n) % 6]) for n in (1, 2, 3)}
        assert set(halves[1]) == {centre, *(add(centre, PETALS[(k + n) % 6]) for n in (4, 5, 0))}
        for half in "ab":
            beside = [b for b in SHAPE.touched_places[space(f"bridge{number}/{half}")] if b >= 0]
            assert sorted(SHAPE.place_ring[beside]) == [2, 3]


@pytest.mark.rule("MAP-3", "EXPL-1")
@pytest.mark.parametrize("turn", range(6))
def test_a_turned_tile_lies_as_the_lattice_turns(turn):
    game = table()
    lay(game, "ring1.0", "steaming_springs", turn)
    numbers = {1: 4, 2: 2}  # by eruption number: the petal on which it is printed
    centre = SHAPE.place_centres[place("ring1.0")]
    for eruption, petal in numbers.items():
        small = add(centre, turned(PETALS[petal], turn))
        (lying,) = np.flatnonzero(np.asarray(game.state.eruption) == eruption)
        assert SHAPE.hexes[lying] == (small,)
    assert lava_on(game) == {"ring1.0/centre"}


@pytest.mark.rule("MAP-5")
@pytest.mark.parametrize("half", ["bridge0/a", "bridge0/b"])
def test_a_bridge_may_be_entered_from_any_side(half):
    game = table()
    lay_plain(game, "ring2.2", "ring3.2", "ring3.4")
    do(game, "move")
    for side in neighbours(half):
        put(game, 0, side)
        assert f"step({half})" in legal(game)


@pytest.mark.rule("MAP-5", "MAP-8")
def test_safe_spaces_beside_a_dragon_are_none_of_its_business():
    game = table()
    lay_plain(game, "ring2.2")
    put_dragon(game, "ring2.2")
    put(game, 0, "bridge0/a")
    do(game, "move", "step(bridge0/b)", "step(bridge0/a)", "done")
    assert where(game, 0) == "bridge0/a"


@pytest.mark.rule("MAP-6")
@pytest.mark.parametrize("unconscious", [False, True])
def test_a_space_with_two_samurai_can_be_neither_entered_nor_passed(unconscious):
    game = table(players=3)
    lay_plain(game, "ring1.0")
    put(game, 1, "ring1.0/petal3")
    game.state.players[1].unconscious = unconscious
    do(game, "move")
    assert "step(ring1.0/petal3)" in legal(game)
    put(game, 2, "ring1.0/petal3")
    assert legal(game) == {"done", "step(ring1.0/petal4)"}


@pytest.mark.rule("MAP-7")
@pytest.mark.parametrize("safe", ["start", "bridge0/a", "temple0"])
def test_safe_spaces_hold_any_number(safe):
    game = table(players=6)
    beside = {"start": "ring1.0/petal3", "bridge0/a": "bridge0/b", "temple0": "ring2.0/petal0"}[safe]
    lay_plain(game, "ring1.0", "ring2.0")
    for p in range(1, 6):
        put(game, p, safe)
    put(game, 0, beside)
    do(game, "move", f"step({safe})", "done")
    assert where(game, 0) == safe


@pytest.mark.rule("MAP-8", "MOVE-5")
@pytest.mark.parametrize("entered", ["ring1.0/petal3", "ring1.0/petal4"])
def test_a_dragon_stands_on_the_centre_and_holds_the_whole_tile(entered):
    game = table()
    lay(game, "ring1.0", "azure_burrow", dragons=["tide_whelp"])
    number = game.vocabulary.deck_ids("dragons").index("tide_whelp")
    assert np.flatnonzero(game.state.dragon_at).tolist() == [place("ring1.0")]
    assert game.state.dragon_at[place("ring1.0")] == number + 1
    do(game, "move", f"step({entered})")
    assert game.phase != Phase.MOVE


@pytest.mark.rule("MAP-9")
def test_some_spaces_are_lava_and_others_carry_an_eruption_number():
    game = table()
    lay(game, "ring1.0", "pilgrims_ledge")
    assert lava_on(game) == {"ring1.0/petal1"}
    assert game.state.eruption[list(spaces_of("ring1.0"))].tolist() == [4, 0, 0, 0, 2, 0, 0]


@pytest.mark.rule("MAP-9")
@pytest.mark.parametrize(("sandals", "crosses"), [("", False), ("WMW", False), ("WMM", True)])
def test_samurai_cross_lava_on_strong_sandals_only(sandals, crosses):
    game = table()
    lay_plain(game, "ring1.0")
    put_lava(game, "ring1.0/petal3")
    put_gear(game, 0, sandals=[sandals])
    do(game, "move")
    assert ("step(ring1.0/petal3)" in legal(game)) == crosses


@pytest.mark.rule("MAP-10")
def test_nobody_can_enter_an_unexplored_place():
    game = table()
    lay_plain(game, "ring1.0", "ring2.0")
    assert explored(game) == {"ring1.0", "ring2.0"}
    do(game, "move")
    assert legal(game) == {"done", "step(ring1.0/petal3)", "step(ring1.0/petal4)"}
    do(game, "step(ring1.0/petal3)")
    assert legal(game, "step") == {
        f"step({name})" for name in ("start", "ring1.0/centre", "ring1.0/petal2", "ring1.0/petal4")
    }
