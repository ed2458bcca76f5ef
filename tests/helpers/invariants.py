"""Invariants of every decision of every game: `check(game)`, or `check_games` for many games at once.

Every piece is in exactly one place, so the sums per kind are those of the content pack (SETUP-10); nobody stands where
the map forbids it; and whatever is not in use is zero. All checks use NumPy over the records of a batch; a single game
is a batch of one.
"""

from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any

import numpy as np

from fujikoro_env import Game, Rules
from fujikoro_env.content.model import MAX_CARDS_PER_TYPE, MAX_TILES_PER_LEVEL, MAX_TOKENS_PER_SHAPE, RESOURCES
from fujikoro_env.kernel.records import dtype_of
from fujikoro_env.rules.base.counters import COUNTERS, VpSource
from fujikoro_env.rules.base.names import Character, Cube, Gear, Marker, Reason, Spot, Supply, Terrain, Where
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, FRAMES, PLAYERS, State
from fujikoro_env.rules.characters.sneak import SNEAKING
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, FIRST_TEMPLE, FIRST_TILE_SPACE, PLACES, START, geometry
from fujikoro_env.rules.scenarios.terms import Term

Cell = tuple[int, int]
ROWS, LEFT_COLUMNS, COLUMNS = 5, 5, 8  # of the weapon grid
MASAKOS_COLUMNS = 10
WIDTH = 10  # columns of its rows in the record

HOLDS_CUBES = (Phase.CRAFT_LAY, Phase.WASTE)
# Properties of the boards by character (CHAR), stated here independently of the rules.
N_CHARACTERS = len(Character)


def by_character(usual: int, **others: int) -> Any:
    """An array of a value by character, with exceptions by name."""
    values = np.full(N_CHARACTERS, usual, np.int64)
    for name, value in others.items():
        values[Character[name.upper()]] = value
    return values


HELMET_GRID = by_character(0b1111_1111, masatsura=0b1111_1111_1111, daisuke=0b111)
SANDALS_GRID = by_character(0b111, masako=0b11111)
DISCS = by_character(3, yoshihiro=4, tomoe=2)
PACK = by_character(6, masatsura=15)
SCROLL_SLOTS = by_character(1, mitsuhide=2)
RIGHT_PART_OPEN = by_character(0, masako=1, takeko=1, tomoe=1)
# Room for monks by spot: pool, scroll, weapon, pack.
ROOM = np.stack([by_character(1, tomoe=2), 2 - SCROLL_SLOTS, 1 - RIGHT_PART_OPEN, by_character(1, masatsura=0)], axis=1)
ON_THE_GROUND = ("eruption", "token", "face_up", "monk", "scroll", "adventure", "spoils")
# Fields that nothing may write to in these games.
NOT_IN_USE = ("loaded_dice",)
ENEMIES = 3  # SCEN-71
FIGHTS = (Phase.DRAGON_FIGHT, Phase.DUEL, Phase.MONK_FIGHT)
STEPS_AT_ONCE = 50  # checking many games hardly takes longer than checking one


def check(game: Game) -> None:
    """Check one game; raises an AssertionError that says what does not hold."""
    check_games(game.rules, game.compiled.games, game.compiled.masks)


def check_play(rules: Rules, positions: Iterable[tuple[Any, Any]]) -> Any:
    """Check games with their masks at every decision, as `play_batch` yields them; returns the games at the end."""
    steps = ((games.view(np.uint8).copy(), masks.copy()) for games, masks in positions)  # bytes: with the padding
    ended: Any = None
    while some := list(islice(steps, STEPS_AT_ONCE)):
        records, words = (np.concatenate(parts) for parts in zip(*some, strict=True))
        check_games(rules, records.view(dtype_of(State)), words)
        ended = some[-1][0].view(dtype_of(State))
    return ended


def check_games(rules: Rules, games: Any, masks: Any) -> None:
    """Check games under the same rules, with the words of their masks."""
    people = games["players"][:, : rules.players]
    everybody = games["players"][:, : seats(rules)]
    _check_engine(rules, games, masks)
    _check_zeros(rules, games)
    _check_cubes(rules, games, everybody)
    _check_monks_and_markers(rules, games, everybody)
    _check_scrolls(rules, games, people)
    _check_tiles(rules, games)
    _check_tokens(rules, games, people)
    _check_dragons(rules, games)
    _check_cards(rules, games)
    _check_map(games)
    _check_samurai(games, people)
    _check_characters(rules, games, people)
    _check_boards(people)
    _check_counts(games, people)
    _check_final_chapter(games, people)
    _check_barred_way(rules, games, people)
    if rules.is_coop:
        _check_coop(rules, games, people)
        _check_piles(rules, games)
    else:
        _check_competition(rules, games, people)
    _check_packs(games, people)
    _check_gear_cards(games, people)
    _check_gear(games, everybody)
    _check_terms(rules, games, people)
    if rules.has_term(Term.ENEMY_SAMURAI):
        _check_enemies(rules, games)


def seats(rules: Rules) -> int:
    """Number of seats in use; SCEN-71 adds three enemies."""
    return 1 + ENEMIES if rules.has_term(Term.ENEMY_SAMURAI) else rules.players


# Small helpers


def holds(what: str, conditions: Any, shown: Any = None) -> None:
    """Assert that all conditions hold. `conditions` and `shown` have one row for each game."""
    if not conditions.all():
        game = np.argwhere(~conditions)[0][0]
        raise AssertionError(f"{what}{'' if shown is None else f': {shown[game]}'} (game {game} of the batch)")


def same(what: str, found: Any, wanted: Any) -> None:
    """Assert that all values are as wanted."""
    holds(f"{what} should be {wanted}", np.asarray(found == np.asarray(wanted)), found)


def as_sets(numbers: Any) -> Any:
    """Convert numbers + 1 (0 for none) to bit sets of one member."""
    wide = numbers.astype(np.int64)
    return np.where(wide > 0, 1 << np.maximum(wide - 1, 0), 0)


def each_once(what: str, number: int, *sets: Any) -> None:
    """Assert that each of 0 to number - 1 is in exactly one of the sets."""
    columns = np.concatenate([part.reshape(len(part), -1) for part in sets], axis=1)
    same(f"number of {what}", np.bitwise_count(columns).sum(axis=1), number)
    same(f"{what} as bits", np.bitwise_or.reduce(columns, axis=1), (1 << number) - 1)


def counts(values: Any, kinds: int) -> Any:
    """How many of the values are 1, 2, ... kinds, by game."""
    flat = values.reshape(len(values), -1)
    return np.stack([np.count_nonzero(flat == kind, axis=1) for kind in range(1, kinds + 1)], axis=1)


def in_hand(games: Any, phase: Phase) -> Any:
    """The `thing` of all frames of a phase, 0 elsewhere."""
    return np.where(games["stack"]["phase"] == phase, games["stack"]["thing"], 0)


def is_any(values: Any, *choices: int) -> Any:
    """Same as np.isin, but fast for few choices."""
    return np.logical_or.reduce([values == choice for choice in choices])


def has_frame(games: Any, phase: Phase, players: int) -> Any:
    """Whether each player has a frame of this phase on the stack, (games, players)."""
    of_phase = (games["stack"]["phase"] == phase)[:, :, None]
    return (of_phase & (games["stack"]["actor"][:, :, None] == np.arange(players))).any(axis=1)


def is_sneaking(games: Any, players: int) -> Any:
    """Whether each player stands where its move can't end (CHAR-72), (games, players)."""
    frames = games["stack"]
    quiet = ((frames["phase"] == Phase.MOVE) & (frames["stage"] & SNEAKING != 0))[:, :, None]
    return (quiet & (frames["actor"][:, :, None] == np.arange(players))).any(axis=1)


def bytes_of(games: Any, name: str, parts: int = 1) -> Any:
    """Raw bytes of a field, (games, parts, bytes), including padding that copies of records may leave out."""
    kind, first = games.dtype.fields[name][:2]
    raw = games.view(np.uint8).reshape(len(games), -1)
    return raw[:, first : first + kind.itemsize].reshape(len(games), parts, -1)


# Invariants


def _check_engine(rules: Rules, games: Any, masks: Any) -> None:
    choices, over = np.bitwise_count(masks).sum(axis=1), games["reason"] != 0
    top = games["stack"][np.arange(len(games)), games["depth"] - 1]
    holds("the game is over, but something is legal", ~over | (choices == 0), choices)
    holds("legal actions", over | (choices >= (1 if rules.ask_forced else 2)), choices)
    holds("the top frame asks nothing", over | ((top["phase"] > 0) & (top["phase"] < FIRST_AUTOMATIC)), top)
    holds("the actor", over | ((top["actor"] >= 0) & (top["actor"] < rules.players)), top)
    same("fault", games["fault"], 0)
    holds(
        "the round", (games["round_number"] >= 1) & (games["round_number"] <= rules.max_rounds), games["round_number"]
    )


def _check_zeros(rules: Rules, games: Any) -> None:
    """Whatever is not in use is zero, so that equal positions have equal bytes."""
    above = np.arange(FRAMES) >= games["depth"][:, None]
    holds("frames above the top one are zero", ~(bytes_of(games, "stack", FRAMES).any(axis=2) & above))
    holds("seats not in use are zero", ~bytes_of(games, "players", PLAYERS)[:, seats(rules) :].any(axis=(1, 2)))
    not_players = bytes_of(games, "counts", PLAYERS)[:, rules.players :]
    holds("nothing is counted for an enemy or an empty seat", ~not_players.any(axis=(1, 2)))
    for name in NOT_IN_USE:
        holds(f"{name} is zero", ~bytes_of(games, name).any(axis=(1, 2)))
    fighting = is_any(games["stack"]["phase"], *FIGHTS).any(axis=1)
    moving = fighting | (games["stack"]["phase"] == Phase.MOVE).any(axis=1)
    for name in ("path", "path_length"):
        holds(f"{name} is zero when nobody moves", moving | ~bytes_of(games, name).any(axis=(1, 2)))
    for name in ("fight", "turn_over"):
        holds(f"{name} is zero when nobody fights", fighting | ~bytes_of(games, name).any(axis=(1, 2)))


def _check_cubes(rules: Rules, games: Any, people: Any) -> None:
    """Resources are in the supply, in packs, on gear or in the hand of a player who is crafting; magic is on gear."""
    holding = is_any(games["stack"]["phase"], *HOLDS_CUBES)[:, :, None]
    found = games["supply"][:, : len(RESOURCES)] + people["pack"].sum(axis=1)
    found = found + np.bitwise_count(people["gear"]["cubes"]).sum(axis=(1, 2))
    found = found + (games["stack"]["offer"] * holding).sum(axis=1)
    found[:, Cube.TOOTH] += (games["spoils"] & 1).sum(axis=1)
    same("wood, metal, teeth", found, [rules.pack.supply[kind] for kind in RESOURCES])
    magic = games["supply"][:, Supply.MAGIC] + np.count_nonzero(people["gear"]["magic"], axis=(1, 2))
    same("magic", magic, rules.pack.supply["magic"])
    holds("the supply is not below 0", games["supply"] >= 0, games["supply"])


def _check_monks_and_markers(rules: Rules, games: Any, people: Any) -> None:
    supply, wanted, dragons = games["supply"], rules.pack.supply, games["dragons"]
    on_boards = people["monks"].sum(axis=(1, 2)) + people["pack_monks"].sum(axis=1)
    same("monks", supply[:, Supply.MONK] + (games["monk"] != 0).sum(axis=1) + on_boards, wanted["monk"])
    walking = is_any(games["stack"]["phase"], Phase.MONKS).any(axis=1)[:, None]
    holds("monks walk when a round ends (SCEN-43)", (games["monk"] <= 1) | (walking & (games["monk"] == 2)))
    erupted = np.count_nonzero(games["terrain"] == Terrain.LAVA_TILE, axis=1)
    same("lava tiles", supply[:, Supply.LAVA] + erupted, wanted["lava"])
    same("damage tokens", supply[:, Supply.DAMAGE] + dragons["damage"].sum(axis=1), wanted["damage"])
    held = people["status"].sum(axis=1) + (games["spoils"] >> 1).sum(axis=1)
    same("status tokens", supply[:, Supply.STATUS] + held, wanted["status"])
    marker, may_lie = dragons["marker"], (dragons["place"] != 0) & rules.dragons_sleep
    fits = (marker == 0) | (may_lie & is_any(marker, Marker.AWAKE, Marker.ASLEEP))
    holds("markers lie beside dragons (COOP-8)", fits, marker)


def _check_scrolls(rules: Rules, games: Any, people: Any) -> None:
    colours = games["scroll_tokens"].shape[1]
    beside = games["scroll_tokens"] + games["scroll_tokens_gone"]
    held = np.where(games["stack"]["phase"] == Phase.SCROLL_SLOT, games["stack"]["marks"], 0)
    tokens = beside + sum(counts(part, colours) for part in (games["scroll"], people["scroll_colours"], held))
    same("scroll tokens by colour", tokens, rules.pack.scroll_tokens)
    lying = [games["scroll_display"], people["scrolls"], in_hand(games, Phase.SCROLL_SLOT)]
    decks = [games["scroll_deck"], games["scroll_discards"]]
    each_once("scroll cards", len(rules.pack.scrolls), *(as_sets(cards) for cards in lying), *decks)
    holds("cards owned are tokens in the pack (SCROLL-4)", (people["scrolls"] != 0) == (people["scroll_colours"] != 0))


def _check_tiles(rules: Rules, games: Any) -> None:
    drawn = np.concatenate([games["tile"], in_hand(games, Phase.EXPLORE_TURN)], axis=1)
    for level in range(3):
        first = level * MAX_TILES_PER_LEVEL
        of_level = np.where((drawn > first) & (drawn <= first + MAX_TILES_PER_LEVEL), drawn - first, 0)
        number = sum(tile.level == level + 1 for tile in rules.pack.tiles)
        stacks = games["tiles_left"][:, level], games["tiles_gone"][:, level]
        each_once(f"tiles of level {level + 1}", number, as_sets(of_level), *stacks)
    top, seen = games["top"], games["top_seen"]
    holds("a top tile is known to somebody", (top == 0) == (seen == 0), top)
    holds("a known top tile is in its stack", as_sets(top) & ~games["tiles_left"] == 0, top)
    if rules.all_see_peeks:
        holds("all see what is looked at (GEAR-5)", is_any(seen, 0, (1 << rules.players) - 1), seen)


def _check_tokens(rules: Rules, games: Any, people: Any) -> None:
    on_map, shapes = games["token"], [token.shape for token in rules.pack.tokens]
    squares = np.where(on_map <= MAX_TOKENS_PER_SHAPE, on_map, 0)
    hexes = np.where(on_map > MAX_TOKENS_PER_SHAPE, on_map - MAX_TOKENS_PER_SHAPE, 0)
    each_once("square tokens", shapes.count("square"), as_sets(squares), games["squares_left"])
    each_once("hex tokens", shapes.count("hex"), as_sets(hexes), games["hexes_left"], games["hexes_gone"])
    beside = games["adventures_left"] + games["adventures_gone"] + people["adventures"].sum(axis=1)
    found = beside + counts(games["adventure"], beside.shape[1])
    same("adventure tokens", found, [kind.copies for kind in rules.pack.adventures])


def _check_dragons(rules: Rules, games: Any) -> None:
    found = as_sets(games["dragon_at"]), games["dragons_left"], games["dragons_beaten"]
    each_once("dragons", len(rules.pack.dragons), *found)
    place_of = games["dragons"]["place"].astype(np.int64)
    there = np.take_along_axis(games["dragon_at"], np.maximum(place_of - 1, 0), axis=1)
    holds("a dragon and its place", (place_of == 0) | (there == np.arange(1, place_of.shape[1] + 1)), place_of)
    same(
        "dragons without a place", np.count_nonzero(place_of, axis=1) - np.count_nonzero(games["dragon_at"], axis=1), 0
    )


def _check_cards(rules: Rules, games: Any) -> None:
    """There are as many cards of each type as players, plus the enemies' blueprints; the others are out of the game."""
    owners = range(Where.OWNED, Where.OWNED + seats(rules))
    enemies = seats(rules) - rules.players
    numbers = {
        "gear_cards": 3 * rules.players,
        "blueprints": 3 * rules.players + enemies * blueprints_of_an_enemy(rules),
    }
    places = {
        "gear_cards": [Where.DISPLAY, *owners],
        "blueprints": [Where.GONE, Where.TEMPLE, Where.TEMPLE + 1, Where.TEMPLE + 2, *owners],
    }
    for deck, allowed in places.items():
        slots = games[deck].reshape(-1, 3, CARD_SLOTS)
        in_play = slots["where"] != 0
        same(f"{deck} in play", in_play.sum(axis=(1, 2)), numbers[deck])
        holds(f"{deck} of each type for the players", in_play[:, :, : rules.players], slots["where"])
        holds(f"{deck} in the first slots", in_play[..., :-1] | ~in_play[..., 1:], slots["where"])
        holds(f"{deck} lie", ~in_play | is_any(slots["where"], *allowed), slots["where"])
        hidden = in_play & (slots["card"] == 0)
        may_hide = deck == "blueprints" and rules.has_term(Term.HIDDEN_BLUEPRINTS)
        lies = (slots["where"] >= Where.TEMPLE) & (slots["where"] < Where.OWNED)
        holds(f"{deck} that are hidden (SCEN-12)", hidden == (lies & may_hide), slots)
        of_type = (slots["card"] - 1) // MAX_CARDS_PER_TYPE == np.arange(3)[:, None]
        holds(f"{deck} by type", ~in_play | hidden | of_type, slots["card"])
        cards = np.sort(slots["card"])
        holds(f"{deck} all different", (cards[..., 1:] == 0) | (np.diff(cards) > 0), slots["card"])
        holds(f"{deck} not in play", in_play | (slots["card"] == 0), slots)


def _check_map(games: Any) -> None:
    closed = games["terrain"] == Terrain.UNEXPLORED
    tiles = closed[:, FIRST_TILE_SPACE:FIRST_BRIDGE].reshape(-1, PLACES, 7)
    holds("a place is explored with all its spaces", tiles == (games["tile"] == 0)[:, :, None])
    holds("start, bridges and temples are open", ~closed[:, [START, *range(FIRST_BRIDGE, closed.shape[1])]])
    for name in ON_THE_GROUND:
        holds(f"no {name} on an unexplored place (MAP-10)", (games[name] == 0) | ~closed)
    holds("no face-up token where there is none", (games["face_up"] == 0) | (games["token"] != 0))


def _check_samurai(games: Any, people: Any) -> None:
    at, inside = people["at"].astype(np.int64), people["outside"] == 0
    terrain, players = np.take_along_axis(games["terrain"], at, axis=1), at.shape[1]
    holds("nobody is on an unexplored place (MAP-10)", ~inside | (terrain != Terrain.UNEXPLORED), at)
    lost = is_any(games["reason"], Reason.LOST, Reason.WON)[:, None]  # anywhere on the map (COOP-15, SCEN-62)
    burning = is_any(games["stack"]["phase"], Phase.ERUPTION).any(axis=1)[:, None]
    moving = has_frame(games, Phase.MOVE, players) | burning | lost
    holds("nobody stays on lava (MOVE-3)", ~inside | moving | (terrain < Terrain.LAVA), at)
    together = (at[:, :, None] == at[:, None, :]) & inside[:, None, :]
    safe = (at == START) | (at >= FIRST_BRIDGE)
    holds("at most two on a space (MAP-6)", ~inside | safe | (together.sum(axis=2) <= 2), at)
    place = geometry().place_of[at].astype(np.int64)
    dragon = np.take_along_axis(games["dragon_at"], np.maximum(place, 0), axis=1) * (place >= 0)
    fighting = has_frame(games, Phase.DRAGON_FIGHT, players) | (games["fight"]["fighters"]["inside"][:, :players] != 0)
    fighting |= has_frame(games, Phase.REBIRTH, players)  # the start tile may belong to a dragon (SCEN-61)
    fighting |= is_sneaking(games, players) & (people["character"] == Character.DAISUKE)
    holds("nobody stays on a dragon's tile (MAP-11)", ~inside | fighting | lost | (dragon == 0), at)


def _check_characters(rules: Rules, games: Any, people: Any) -> None:
    """All players have a character or none has, no two are alike, and each has its own colour (CHAR, CHAR-64)."""
    characters = people["character"]
    if rules.characters is None:
        same("characters", characters, 0)
        return
    holds("all have a character", (characters > 0) & (characters < N_CHARACTERS), characters)
    holds("no two alike", np.diff(np.sort(characters)) > 0, characters)
    holds("colours", people["colour"] == np.where(characters == Character.DAISUKE, 0, characters), characters)
    if isinstance(rules.characters, tuple):
        same("characters", characters, [Character[name.upper()] for name in rules.characters])
    parts = rules.tables[0].blueprints["parts"][games["blueprints"]["card"] - 1]
    pairs = (parts > 1) & (games["blueprints"]["card"] > 0)
    with_tomoe = (characters == Character.TOMOE).any(axis=1)
    holds("Tomoe has a pair in play (CHAR-64)", ~with_tomoe | pairs.any(axis=1))
    magic = people["gear"]["magic"][:, :, Gear.HELMET]
    holds("Daisuke's helmet is not magic (CHAR-71)", (magic == 0) | (characters != Character.DAISUKE), magic)


def _check_boards(people: Any) -> None:
    monks, characters = people["monks"], people["character"]
    discs = DISCS[characters] + monks[:, :, Spot.POOL]
    holds("discs", people["pool"] + people["fields"].sum(axis=2) == discs, people["pool"])
    holds("no pool or field below 0", (people["pool"] >= 0) & (people["fields"] >= 0).all(axis=2), people["pool"])
    holds("no more monks on a spot than fit", (monks >= 0) & (monks <= ROOM[characters]), monks)
    holds("no VP below 0", people["vp"] >= 0, people["vp"])
    second = people["scrolls"][:, :, 1]
    slots = SCROLL_SLOTS[characters] + monks[:, :, Spot.SCROLL]
    holds("a second scroll needs its monk (MONK-2)", (second == 0) | (slots > 1), second)


def _check_counts(games: Any, people: Any) -> None:
    """VP by source add up to the VP; only VP lost to monks are negative (SCEN-42)."""
    counters = games["counts"][:, : people.shape[1]]
    same("VP by source, less the VP", counters["vp"].sum(axis=2) - people["vp"], 0)
    for name in COUNTERS:
        counted = counters[name].copy()
        if name == "vp":
            counted[:, :, VpSource.MONK_DEFEATS] *= -1
        holds(f"no {name} below 0", counted >= 0, counted)
    left = people["left_round"]
    holds("who has left did so by now", left <= games["round_number"][:, None], left)
    holds("who is inside has not left", (left == 0) | (people["outside"] != 0), left)


def _check_competition(rules: Rules, games: Any, people: Any) -> None:
    """Nothing that belongs to co-op is in use."""
    _check_who_started(rules, games, people)
    mine = _owned_blueprints(games, people)
    holds("one blueprint of a type (GATH-8)", mine.reshape(*mine.shape[:2], 3, CARD_SLOTS).sum(axis=3) <= 1)
    holds("no lives lost", people["lives_lost"] == 0)


def _check_barred_way(rules: Rules, games: Any, people: Any) -> None:
    if rules.has_term(Term.DRAGONS_BAR_THE_WAY):
        nobody = (people["outside"] == 0).all(axis=1) | (games["dragon_at"] == 0).all(axis=1)
        holds("nobody is outside while a dragon that was found lives (SCEN-51)", nobody, people["outside"])


def _check_who_started(rules: Rules, games: Any, people: Any) -> None:
    """The final chapter has a starter once somebody has the VP for it."""
    started = games["final_player"] != 0
    reached = (people["vp"] >= rules.final_at).any(axis=1)
    lost_since = started & rules.has_term(Term.MONKS_FIGHT)  # SCEN-42
    holds("the final chapter has begun (FINAL-1)", lost_since | (started == reached), people["vp"])
    heated = games["lava_player"] != 0
    holds("no countdown before a chapter", started | heated | (games["countdown"] == 0), games["countdown"])
    due = (people["vp"] >= rules.lava_at).any(axis=1) & (rules.lava_at > 0)
    holds("the lava phase has begun (SCEN-31)", ~heated | due, people["vp"])
    holds("a chapter has begun (SCEN-31)", ~due | heated | started, people["vp"])


def _check_final_rounds(rules: Rules, games: Any, rounds: Any) -> None:
    """Final rounds and called numbers follow from the round (COOP-2, COOP-20, SCEN-33)."""
    full, lava, length = rules.full_rounds, rules.lava_after, len(rules.pack.coop_countdown)
    heated = (rounds > lava) & (rounds <= lava + length) & (lava > 0)
    entered = np.where(heated, rounds - lava, np.maximum(0, rounds - full))
    same("final rounds begun (COOP-2)", games["countdown"] - entered, 0)
    calls = [int(call[-1]) if call.startswith("lava") else 0 for call in rules.pack.coop_countdown]
    called = np.array([sum(1 << call for call in calls[:k] if call) for k in range(len(calls) + 1)])
    wanted = np.where((lava > 0) & (rounds > lava + length), called[-1], called[entered])
    same("eruption numbers called (COOP-20)", games["called"] - wanted, 0)


def _check_coop(rules: Rules, games: Any, people: Any) -> None:
    over, rounds = games["reason"] != 0, games["round_number"].astype(np.int64)
    holds("nobody is unconscious in co-op", people["unconscious"] == 0)
    if rules.has_vp:
        _check_who_started(rules, games, people)
    else:
        _check_final_rounds(rules, games, rounds)
        for name in ("vp", "claimed"):
            holds(f"no {name} in co-op", people[name] == 0, people[name])
        for name in ("final_player", "rope", "palace", "foot"):
            holds(f"no {name} in co-op", games[name] == 0, games[name])
    lost = people["lives_lost"] >= rules.options["coop_lives"]
    holds("a game goes on while all have lives (COOP-15)", over | ~lost.any(axis=1), people["lives_lost"])
    somebody = (people["outside"] == 0).any(axis=1) | rules.has_vp
    holds("a game goes on while somebody is inside", over | somebody, people["outside"])
    top = games["stack"][np.arange(len(games)), games["depth"] - 1]
    inside = np.take_along_axis(people["outside"], top["actor"].astype(np.int64)[:, None], axis=1)[:, 0] == 0
    fits = (
        over | inside | rules.has_vp | (top["phase"] == Phase.MAGIC_WEAPON)
    )  # magic may come back to the supply later
    holds("who is outside is not asked (COOP-21)", fits, top["actor"])


def _check_piles(rules: Rules, games: Any) -> None:
    """The special tile comes after the tiles above its pile and before those below it (COOP-5)."""
    under = {1: 4, 2: 4, 3: 2, 4: 2, 5: 0, 6: 0}[rules.players]
    for level, item in ((2, "exit"), (3, "dragon white")):
        tiles = [tile for tile in rules.pack.tiles if tile.level == level]
        special = next(k for k, tile in enumerate(tiles) if any(space.item == item for space in tile.spaces))
        left = games["tiles_left"][:, level - 1]
        drawn = np.where(left == 0, len(tiles) - 1, len(tiles) - np.bitwise_count(left).astype(np.int64))
        is_drawn, above = left >> special & 1 == 0, len(tiles) - 1 - 4 - under
        holds(f"tiles above the pile of level {level} (COOP-5)", ~is_drawn | (drawn > above), drawn)
        holds(f"the pile of level {level} (COOP-5)", is_drawn | (drawn < above + 4), drawn)
        holds("the special tile never leaves the game (COOP-4)", games["tiles_gone"][:, level - 1] >> special & 1 == 0)
        holds("one tile is out (COOP-4)", np.bitwise_count(games["tiles_gone"][:, level - 1]) == (left == 0), left)


def blueprints_of_an_enemy(rules: Rules) -> int:
    return 1 if rules.options["one_gear_per_enemy"] else 3


def _check_enemies(rules: Rules, games: Any) -> None:
    """Each enemy is in its temple with its blueprints, or gone with everything it had (SCEN-71, SCEN-73)."""
    enemies, raw = games["players"][:, 1 : 1 + ENEMIES], bytes_of(games, "players", PLAYERS)[:, 1 : 1 + ENEMIES]
    left = enemies["at"] == FIRST_TEMPLE + np.arange(ENEMIES)
    holds("an enemy is in its temple, or nothing is left of it", left | ~raw.any(axis=2), enemies["at"])
    holds("an enemy has a monk at its weapon", enemies["monks"][:, :, Spot.WEAPON] == left)
    owner = games["blueprints"]["where"] - Where.OWNED - 1
    owned = (owner[:, None, :] == np.arange(ENEMIES)[:, None]).sum(axis=2)
    robbing = is_any(games["stack"]["phase"], Phase.STEAL).any(axis=1)[:, None]
    holds("an enemy has its blueprints", (owned == blueprints_of_an_enemy(rules) * left) | robbing, owned)


def _check_final_chapter(games: Any, people: Any) -> None:
    """Lava is only where its number was called, and players left one after the other (END-1)."""
    called = games["terrain"] == Terrain.LAVA_TILE
    holds("only called numbers erupt", ~called | (games["called"][:, None] >> games["eruption"] & 1 != 0))
    left = np.sort(people["left_volcano"], axis=1)
    order = np.maximum(0, np.arange(left.shape[1]) - (left.shape[1] - games["escaped"][:, None]) + 1)
    holds("the order of leaving", left == order, people["left_volcano"])
    holds("outside is who left", (people["left_volcano"] != 0) == (people["outside"] != 0), people["outside"])


def _owned_blueprints(games: Any, people: Any) -> Any:
    """Whether each player owns each blueprint, (games, players, blueprints)."""
    owner = games["blueprints"]["where"] - Where.OWNED
    return owner[:, None, :] == np.arange(people.shape[1])[:, None]


def _check_packs(games: Any, people: Any) -> None:
    mine = _owned_blueprints(games, people)
    things = people["pack"].sum(axis=2) + people["pack_monks"]
    used = things + np.count_nonzero(people["scrolls"], axis=2) + mine.sum(axis=2)
    holds("no pack below 0", (people["pack"] >= 0).all(axis=2) & (people["pack_monks"] >= 0), people["pack"])
    losing = has_frame(games, Phase.SURPLUS, people.shape[1])  # the second pack has just been lost (HERO-5)
    room = PACK[people["character"]] + 5 * (people["monks"][:, :, Spot.PACK] > 0)
    holds("packs hold no more than they can (PACK-1)", losing | (used <= room), used)


def _check_gear_cards(games: Any, people: Any) -> None:
    """Each owned gear card lies under an action, and a player has at most one of a type (GEAR-2)."""
    owner = (games["gear_cards"]["where"] - Where.OWNED).reshape(-1, 1, 3, CARD_SLOTS)
    owned = (owner == np.arange(people.shape[1])[:, None, None]).sum(axis=3)  # games, players, types
    laid = np.stack([(people["card_on"] == gear + 1).sum(axis=2) for gear in range(3)], axis=2)
    placing = has_frame(games, Phase.PLACE_CARD, people.shape[1])[:, :, None]
    holds("one gear card of a type (GEAR-2)", owned <= 1, owned)
    holds("gear cards lie under actions", placing | (owned == laid), laid)


def _check_gear(games: Any, people: Any) -> None:
    cubes = people["gear"]["cubes"]  # games, players, gear, kinds
    filled = np.bitwise_or.reduce(cubes, axis=3)
    holds("one cube on a cell", np.bitwise_count(cubes).sum(axis=3) == np.bitwise_count(filled), filled)
    characters = people["character"]
    holds("a helmet within its grid", filled[:, :, Gear.HELMET] & ~HELMET_GRID[characters] == 0, filled)
    holds("sandals within their grid", filled[:, :, Gear.SANDALS] & ~SANDALS_GRID[characters] == 0, filled)
    weapons = filled[:, :, Gear.WEAPON].ravel().tolist()
    right_part = (people["monks"][:, :, Spot.WEAPON] > 0).ravel().tolist()
    broken = has_frame(games, Phase.MEND, people.shape[1]).ravel().tolist()  # being mended
    for cells, right, mending, character in set(
        zip(weapons, right_part, broken, characters.ravel().tolist(), strict=True)
    ):
        legal = mending or is_weapon_of_bits(cells, right, character)
        assert legal, f"an illegal weapon (WEAP-6): cells {members(cells)} of {Character(character).name}"


def _check_terms(rules: Rules, games: Any, people: Any) -> None:
    """Things that the terms of scenarios add are where they may be, and nowhere in games without these terms."""
    unused = {"status": Term.STATUS_MARKERS, "on_rope": Term.ROPE_WAITS, "trophies": Term.TROPHIES}
    for name, term in unused.items():
        holds(f"{name} of a scenario", rules.has_term(term) | (people[name] == 0), people[name])
    holds("no status below 0", people["status"] >= 0, people["status"])
    by_tile = games["spoils"][:, FIRST_TILE_SPACE:FIRST_BRIDGE].reshape(-1, PLACES, 7)
    holds("spoils lie on centres (SCEN-17)", ~by_tile[:, :, 1:].any(axis=2), by_tile)
    holds("spoils of a scenario", rules.has_term(Term.SPOILS) | (games["spoils"] == 0))
    waits = (people["at"] == START) & (people["outside"] == 0) & (people["unconscious"] == 0)
    on_the_rope = waits & (games["rope"] != 0)[:, None]
    holds("who waits on the rope is there (SCEN-16)", (people["on_rope"] == 0) | on_the_rope, people["on_rope"])
    if rules.has_term(Term.NO_SECRET_EXIT):
        same("secret exit (SCEN-11)", games["secret_exit"], 0)
    if rules.has_term(Term.TOKENS_STAY_UP):
        holds("tokens stay up (SCEN-13)", (games["token"] != 0) == (games["face_up"] != 0))
    if rules.has_term(Term.TROPHIES):
        kept = people["trophies"]
        same("trophies (SCEN-23)", np.bitwise_count(kept).sum(axis=1) - np.bitwise_count(games["dragons_beaten"]), 0)
        same("trophies (SCEN-23)", np.bitwise_or.reduce(kept, axis=1) ^ games["dragons_beaten"], 0)
    if rules.has_term(Term.BACK_IN_TEMPLES):
        falling = has_frame(games, Phase.REBIRTH, people.shape[1])
        lies = (people["unconscious"] == 0) | (people["at"] >= FIRST_TEMPLE) | falling
        holds("who is unconscious lies in a temple (SCEN-22)", lies, people["at"])


# The rules of weapons (WEAP) again, slow and literal, with sets of (row, column) instead of bits, as a reference.


def pieces(cells: set[Cell]) -> list[set[Cell]]:
    """Connected groups of cells (WEAP-1)."""
    found: list[set[Cell]] = []
    todo = set(cells)
    while todo:
        piece = {todo.pop()}
        while touching := {cell for cell in todo if any(side_by_side(cell, other) for other in piece)}:
            piece |= touching
            todo -= touching
        found.append(piece)
    return found


def side_by_side(a: Cell, b: Cell) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


def part_of(piece: set[Cell]) -> str:
    """The part in which a weapon lies: "left", "right" or "both"."""
    left = [column < LEFT_COLUMNS for _, column in piece]
    return "left" if all(left) else "both" if any(left) else "right"


def is_weapon(cells: set[Cell], right_part: bool, character: int = Character.SYMMETRIC) -> bool:
    """Whether the cells form legal weapons (WEAP-1 to WEAP-4, WEAP-6). No cubes at all are legal too. `right_part`:
    whether a monk opens the right part."""
    widest = MASAKOS_COLUMNS if character == Character.MASAKO else COLUMNS  # CHAR-21
    columns = widest if right_part or RIGHT_PART_OPEN[character] else LEFT_COLUMNS  # WEAP-3
    if not all(0 <= row < ROWS and 0 <= column < columns for row, column in cells):
        return False
    weapons = pieces(cells)
    if character == Character.TAKEKO:  # CHAR-51, CHAR-52
        return len(weapons) <= 1 and len(cells) <= 16
    if character == Character.TOMOE and any(part_of(weapon) == "both" for weapon in weapons):  # CHAR-61
        return False
    parts = sorted(part_of(weapon) for weapon in weapons)
    if parts == ["both"]:
        return len(cells) <= 12
    return parts in ([], ["left"], ["right"], ["left", "right"]) and all(len(weapon) <= 8 for weapon in weapons)


def members(bits: int) -> list[int]:
    return [k for k in range(bits.bit_length()) if bits >> k & 1]


@cache
def is_weapon_of_bits(cells: int, right_part: bool, character: int = Character.SYMMETRIC) -> bool:
    """Same as `is_weapon`, with cells as the bits of a record."""
    return is_weapon({divmod(cell, WIDTH) for cell in members(cells)}, right_part, character)
