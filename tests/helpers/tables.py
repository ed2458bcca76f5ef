"""Positions for tests: a table past set-up, pieces put where a test wants them, actions by name.

Tests may write anything into `game.state`: `do` and `legal` first find the legal actions again.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

from fujikoro_env import Game, Rules
from fujikoro_env.content.model import COLOURS, GEAR, RESOURCES
from fujikoro_env.kernel.batch_masks import random_actions
from fujikoro_env.kernel.commands import NO_ACTION
from fujikoro_env.kernel.records import zeros
from fujikoro_env.rules.base.actions import WORDS
from fujikoro_env.rules.base.counters import VpSource
from fujikoro_env.rules.base.names import Character, Supply, Where
from fujikoro_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, GEAR_WIDTH, State
from fujikoro_env.rules.base.tables import LETTERS
from fujikoro_env.rules.engine.engine import deal_game, step_games
from fujikoro_env.rules.map.geometry import FIRST_TILE_SPACE, PLACES, geometry

SPOTS = ("pool", "scroll", "weapon", "pack")
DISCS = {"yoshihiro": 4, "tomoe": 2}  # all others have 3 (CHAR-11, CHAR-62)
ASKED = [phase for phase in Phase if Phase.NONE < phase < FIRST_AUTOMATIC]
SETUP_PHASES = (Phase.TAKE_CARD, Phase.PLACE_CARD, Phase.MONK_SPOT, Phase.SETUP_CUBES, Phase.SETUP_SCROLL)
# Fields that a turn changes, besides the map and the stacks.
OF_THE_TURN = ("players", "counts", "stack", "depth", "active", "round_number", "stock_taken", "used_powers")


def space(name: str) -> int:
    return geometry().space_names.index(name)


def place(name: str) -> int:
    return geometry().place_names.index(name)


def spaces_of(place_name: str) -> range:
    """The 7 spaces of a place: centre, then petals."""
    first = FIRST_TILE_SPACE + 7 * place(place_name)
    return range(first, first + 7)


def neighbours(name: str) -> set[str]:
    shape = geometry()
    here = space(name)
    return {shape.space_names[there] for there in shape.neighbours[here, : shape.neighbour_count[here]]}


# The table


def fresh(players: int = 2, seed: int = 1, **rules: Any) -> Game:
    """A game at its first set-up question, with forced questions asked."""
    return Game(Rules(players=players, **{"ask_forced": True, **rules}), seed)


def table(players: int = 2, seed: int = 1, **rules: Any) -> Game:
    """A game past set-up, with player 0 to begin: all have 3 discs, no monk, and WWMM in the first row of the
    weapon."""
    game = fresh(players, seed, **rules)
    while game.phase in (*SETUP_PHASES, Phase.LOOK):  # Mitsuhide's first scroll may be the seer
        game.step(game.legal_actions()[0])
    for p in range(players):
        put_monks(game, p, *["pool"] * (name_of(game, p) == "tomoe"))
    give_turn(game, 0)
    return game


def give_turn(game: Game, player: int) -> None:
    """Set up the turn as if the round had begun with this player, who is about to choose its first action."""
    assert game.phase == Phase.ACTION
    game.state.active = game.state.first_player = player
    game.state.stack[game.state.depth - 1].actor = player
    refresh(game)


def arrays_of(game: Game) -> Any:
    """`game.compiled` as NumPy arrays for type checkers, because its annotations are those of compiled code."""
    return game.compiled


def refresh(game: Game) -> None:
    """Find the legal actions again, in place, so that records that a test holds stay those of the game."""
    game.find_legal()


def asked(game: Game) -> tuple[Phase, int]:
    """The phase and the actor."""
    return game.phase, game.actor


def legal(game: Game, block: str = "") -> set[str]:
    """Names of the legal actions, of one block or of all."""
    refresh(game)
    names = {game.action_name(action) for action in game.legal_actions()}
    return {name for name in names if name.partition("(")[0] == block} if block else names


def do(game: Game, *names: str) -> None:
    """Carry out actions by name, each of which must be legal."""
    for name in names:
        allowed = legal(game)
        assert name in allowed, f"{name} is not legal in {game.phase.name}: {sorted(allowed)}"
        game.step(game.parse_action(name))


def end_turn(game: Game) -> None:
    """Move nowhere or rest until somebody else is asked to act, or the game is over."""
    player = game.actor
    while game.actor == player and not game.over:
        do(game, "move" if "move" in legal(game) else "rest", "done")


# Players


def put(game: Game, player: int, name: str) -> None:
    game.state.players[player].at = space(name)


def where(game: Game, player: int) -> str:
    return str(geometry().space_names[game.state.players[player].at])


def put_monks(game: Game, player: int, *spots: str) -> None:
    """Put monks from the supply on these spots, and none elsewhere. Discs follow: 3 in the pool, plus one for a monk
    there."""
    me = game.state.players[player]
    game.state.supply[Supply.MONK] += me.monks.sum() - len(spots)
    me.monks[:] = [spots.count(spot) for spot in SPOTS]
    me.pool = DISCS.get(name_of(game, player), 3) + spots.count("pool")
    me.fields[:] = 0


def name_of(game: Game, player: int) -> str:
    """Name of the player's character, "symmetric" if it has none."""
    return Character(int(game.state.players[player].character)).name.lower()


def monks_of(game: Game, player: int) -> set[str]:
    return {spot for spot, count in zip(SPOTS, game.state.players[player].monks, strict=True) if count}


def put_pack(game: Game, player: int, wood: int = 0, metal: int = 0, tooth: int = 0, monks: int = 0) -> None:
    """Put these things from the supply into the pack."""
    me, supply = game.state.players[player], game.state.supply
    supply[:3] += me.pack - (wood, metal, tooth)
    supply[Supply.MONK] += me.pack_monks - monks
    me.pack[:] = wood, metal, tooth
    me.pack_monks = monks


def pack_of(game: Game, player: int) -> dict[str, int]:
    """Number of each resource in the pack, and of monks."""
    me = game.state.players[player]
    counts = dict(zip((*RESOURCES, "monks"), (*me.pack, me.pack_monks), strict=True))
    return {kind: int(count) for kind, count in counts.items() if count}


def put_vp(game: Game, *vp: int, first: int = 0) -> None:
    """Set the VP of some players in turn, from an unknown source."""
    for player, points in enumerate(vp, first):
        sources = game.state.counts[player].vp
        game.state.players[player].vp = points
        sources[:] = 0
        sources[VpSource.UNKNOWN] = points


def put_gear(game: Game, player: int, **rows: list[str]) -> None:
    """Lay cubes from the supply, as rows of letters from the top left corner: `weapon=["WWM"]`."""
    for name, lines in rows.items():
        gear = game.state.players[player].gear[GEAR.index(name)]
        for kind, letter in enumerate(LETTERS):
            cells = letter_cells(lines, letter, GEAR_WIDTH[GEAR.index(name)])
            game.state.supply[kind] += int(gear.cubes[kind]).bit_count() - len(cells)
            gear.cubes[kind] = sum(1 << cell for cell in cells)


def letter_cells(lines: list[str], letter: str, width: int) -> list[int]:
    return [row * width + column for row, line in enumerate(lines) for column, x in enumerate(line) if x == letter]


def gear_of(game: Game, player: int, name: str) -> list[str]:
    """Rows of letters, without empty cells on the right and below."""
    gear, width = game.state.players[player].gear[GEAR.index(name)], GEAR_WIDTH[GEAR.index(name)]
    letters = "".join(_letter(gear.cubes, cell) for cell in range(50))
    lines = [letters[k : k + width].rstrip(".") for k in range(0, len(letters), width)]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _letter(cubes: Any, cell: int) -> str:
    return next((letter for kind, letter in enumerate(LETTERS) if int(cubes[kind]) >> cell & 1), ".")


def put_scrolls(game: Game, player: int, *cards: str) -> None:
    """Put scroll cards of the deck or the display into the slots, from the first on, with tokens of the player's
    colour."""
    state, me = game.state, game.state.players[player]
    names = game.vocabulary.deck_ids("scrolls")
    for slot, card in enumerate(cards):
        number = names.index(card)
        state.scroll_deck &= ~(1 << number)
        state.scroll_display[state.scroll_display == number + 1] = 0
        state.scroll_tokens[me.colour - 1] -= 1
        me.scrolls[slot], me.scroll_colours[slot] = number + 1, me.colour


def scrolls_of(game: Game, player: int) -> list[str]:
    """Names of the cards by slot, "" for none."""
    return [game.vocabulary.scroll(int(card)) for card in game.state.players[player].scrolls]


def open_scrolls(game: Game) -> list[str]:
    return [game.vocabulary.scroll(int(card)) for card in game.state.scroll_display]


def show_scrolls(game: Game, *cards: str) -> None:
    """Put these scroll cards in the display; those that were there go back to the deck."""
    state, names = game.state, game.vocabulary.deck_ids("scrolls")
    for card in state.scroll_display[state.scroll_display > 0]:
        state.scroll_deck |= 1 << int(card - 1)
    for slot, name in enumerate(cards):
        state.scroll_deck &= ~(1 << names.index(name))
        state.scroll_display[slot] = names.index(name) + 1


def colour(game: Game, player: int, name: str) -> None:
    """Give the player this colour; the player who had it gets the old one in exchange."""
    players, wanted = game.state.players, COLOURS.index(name) + 1
    for other in range(game.rules.players):
        if players[other].colour == wanted:
            players[other].colour = players[player].colour
    players[player].colour = wanted


def blueprints_at(game: Game, where_code: int) -> list[str]:
    """Names of the blueprints in this place (`Where`)."""
    slots = range(3 * CARD_SLOTS)
    return [game.vocabulary.blueprint(k) for k in slots if game.state.blueprints[k].where == where_code]


# The map


def explore(game: Game, place_name: str, tile: str, turn: int = 0, **draws: Iterable[str]) -> None:
    """Explore with a loaded tile, and other loaded draws: `squares=["driftwood"]`."""
    game.load_draws(f"tiles{place_name[4]}", [tile])
    for deck, ids in draws.items():
        game.load_draws(deck, ids)
    do(game, "explore", f"place({place_name})", f"turn({turn})")


def lay(game: Game, place_name: str, tile: str, turn: int = 0, **draws: Iterable[str]) -> None:
    """Lay a tile by the rules: a samurai is put there to explore, then everything except the map is restored."""
    state = game.state
    kept = {name: np.copy(state[name]) for name in OF_THE_TURN}
    state.players[game.actor].at = next(
        k for k, row in enumerate(geometry().touched_places) if place(place_name) in row
    )
    state.players[game.actor].pool += 1
    explore(game, place_name, tile, turn, **draws)
    for name, value in kept.items():
        game.state[name] = value
    refresh(game)


def lay_plain(game: Game, *place_names: str) -> None:
    """Lay tiles without anything on them: ground everywhere, no icons. For tests of movement."""
    for name in place_names:
        lay(game, name, _first_tile_left(game, int(name[4])))
        clear_tile(game, name)


def _first_tile_left(game: Game, level: int) -> str:
    left = int(game.state.tiles_left[level - 1])
    return game.vocabulary.deck_ids(f"tiles{level}")[(left & -left).bit_length() - 1]


def clear_tile(game: Game, place_name: str) -> None:
    """Take everything off a tile, including lava. The pieces are gone, so sums of pieces don't hold afterwards."""
    state, cells = game.state, list(spaces_of(place_name))
    state.terrain[cells] = 1
    state.supply[Supply.TOOTH] += (state.spoils[cells] & 1).sum()
    state.supply[Supply.STATUS] += (state.spoils[cells] >> 1).sum()
    for name in ("eruption", "token", "face_up", "monk", "scroll", "adventure", "spoils"):
        state[name][cells] = 0
    state.dragon_at[place(place_name)] = 0


def put_lava(game: Game, *names: str) -> None:
    game.state.terrain[[space(name) for name in names]] = 2


def put_dragon(game: Game, place_name: str, dragon: str = "rain_whelp") -> None:
    number = game.vocabulary.deck_ids("dragons").index(dragon)
    game.state.dragons_left &= ~(1 << number)
    game.state.dragons[number].place = place(place_name) + 1
    game.state.dragon_at[place(place_name)] = number + 1


def lava_on(game: Game) -> set[str]:
    """Names of the spaces that are lava."""
    return {geometry().space_names[k] for k in np.flatnonzero(np.asarray(game.state.terrain) >= 2)}


def explored(game: Game) -> set[str]:
    return {geometry().place_names[k] for k in range(PLACES) if game.state.tile[k]}


# Whole games


def play(game: Game, seed: int) -> Iterator[Game]:
    """Play the game at random; yields it at each decision, and once more when it is over."""
    luck = np.random.default_rng(seed)
    while not game.over:
        yield game
        game.step(luck.choice(game.legal_actions()))
    yield game


def integers(values: Iterable[int]) -> Any:
    """An int64 array for compiled rules. Typed as Any, because type checkers don't accept arrays for their
    annotations."""
    return np.array(list(values), np.int64)


def words(number: int) -> Any:
    """Empty masks for this many games."""
    return np.zeros((number, WORDS), np.uint32)


def play_batch(rules: Rules, number: int, first_seed: int = 0) -> Iterator[tuple[Any, Any]]:
    """Play many games at random, one decision at a time in all of them. Yields their records and masks until the last
    is over."""
    return ((games, masks) for games, masks, _ in play_with_actions(rules, number, first_seed))


def play_with_actions(rules: Rules, number: int, first_seed: int = 0) -> Iterator[tuple[Any, Any, Any]]:
    """Like `play_batch`, but also yields the actions that led to each position."""
    games, masks = zeros(State, number), words(number)
    for k in range(number):
        rules.write_settings(games[k].settings)
        deal_game(games, rules.tables, k, first_seed + k)
    luck, actions = integers(range(first_seed + 1, first_seed + number + 1)), integers([NO_ACTION] * number)
    while True:
        assert step_games(games, rules.tables, 0, number, actions, masks) == 0
        yield games, masks, actions
        if games["reason"].all():
            return
        random_actions(masks, luck, actions)


@cache
def _one_of_each_phase() -> dict[Phase, Game]:
    found = {game.phase: game for game in _rare_questions()}
    for seed in range(20):
        for game in play(fresh(players=5, seed=seed, monk_to_pack=True, scroll_replace_anytime=True), seed):
            if not game.over and game.phase not in found:
                found[game.phase] = game.clone()
            if len(found) == len(ASKED):
                return found
    return found


def one_of_each_phase() -> dict[Phase, Game]:
    """A position for every phase in which it is asked."""
    return {phase: game.clone() for phase, game in _one_of_each_phase().items()}


def _rare_questions() -> Iterator[Game]:
    """Questions that random games hardly ever reach, and questions of co-op."""
    from tests.helpers.coop_questions import coop_questions  # it imports this module

    yield from coop_questions()
    yield _paying_for_lava()
    yield _aiming_at_a_dragon()
    yield _mending_a_weapon()
    yield _choosing_a_magic_weapon()
    yield _rolling_with("steady_hand")
    yield _rolling_with("iron_grip")
    yield _fleeing_from_lava()
    yield _losing_items()
    yield choosing_a_first_scroll()
    yield landing_after_a_jump()
    yield robbing_a_samurai()
    yield (duel := _having_won_a_duel()).clone()
    do(duel, min(legal(duel, "step")))
    yield duel


def choosing_a_first_scroll() -> Game:
    game = fresh(characters=("mitsuhide", "takeko"))
    while game.phase != Phase.SETUP_SCROLL:
        game.step(game.legal_actions()[0])
    return game


def landing_after_a_jump() -> Game:
    """Mitsuhide has burnt a wood to jump from the start tile over the lava beside it."""
    game = table(characters=("mitsuhide", "takeko"))
    lay(game, "ring1.0", "whelp_hollow", 1)
    lay(game, "ring1.1", "pilgrims_ledge", 3)  # its lava lies on petal 4, beside the start
    do(game, "move", "use(jump)", "cell(weapon[0,0])")
    return game


def robbing_a_samurai() -> Game:
    """Daisuke sneaks past a samurai beside the start tile."""
    game = table(characters=("daisuke", "takeko"))
    lay(game, "ring1.0", "mossy_gate")
    put(game, 1, "ring1.0/petal3")
    put_monks(game, 1, "scroll")
    put_scrolls(game, 1, "seer", "pilgrim")
    do(game, "move", "use(sneak)", "step(ring1.0/petal3)", "use(steal)")
    return game


def _paying_for_lava() -> Game:
    game = table()
    lay(game, "ring1.0", "whelp_hollow", 1)
    lay(game, "ring1.1", "pilgrims_ledge", 3)  # its lava lies on petal 4, beside the start
    put_gear(game, 0, sandals=["MMM"])
    do(game, "move", "step(ring1.1/petal4)", "step(start)", "done")
    return game


def _beside_a_dragon(players: int = 2) -> Game:
    game = table(players)
    lay(game, "ring1.1", "azure_burrow")
    return game


def _aiming_at_a_dragon() -> Game:
    game = _beside_a_dragon()
    put_scrolls(game, 0, "dragon_bane")
    do(game, "use(dragon_bane)")
    return game


def _mending_a_weapon() -> Game:
    game = _beside_a_dragon()
    put_monks(game, 0, "weapon")
    put_gear(game, 0, weapon=["WWWMMMMM"])  # longer than any blue dragon's initiative
    do(game, "move", "step(ring1.1/petal4)")
    _decline(game, Phase.JOIN, Phase.SEND_MONK)
    game.load_dice(["W0"] * 3 + ["M2*"] + ["M0"] * 4)
    do(game, "weapon(left)", "roll", "cell(weapon[0,4])")
    return game


def _rolling_with(scroll: str) -> Game:
    """A roll in which cubes of two kinds break."""
    game = _beside_a_dragon()
    put_scrolls(game, 0, scroll)
    put_monks(game, 0, "weapon")
    put_gear(game, 0, weapon=["WWWMMMMM"])  # longer than any blue dragon's initiative
    do(game, "move", "step(ring1.1/petal4)")
    _decline(game, Phase.JOIN, Phase.SEND_MONK)
    game.load_dice(["W1*", "W0", "W0", "M2*"] + ["M0"] * 4)
    do(game, "weapon(left)", "roll")
    return game


def _fleeing_from_lava() -> Game:
    game = _beside_a_dragon()
    lay(game, "ring1.0", "mossy_gate")
    here = next(k for k in spaces_of("ring1.0") if game.state.eruption[k] and game.state.terrain[k] == 1)
    game.state.players[0].at = here
    put_vp(game, game.state.settings.final_at)
    game.state.final_player = 1
    game.state.countdown = {1: 0, 2: 1, 3: 3, 4: 5}[int(game.state.eruption[here])]
    put_gear(game, 0, sandals=["MMM"])
    do(game, "move", "done", "move", "done", *(f"cell(sandals[0,{k}])" for k in range(3)))
    return game


def _decline(game: Game, *phases: Phase) -> None:
    while game.phase in phases:
        do(game, "no")


def _having_won_a_duel() -> Game:
    """The winner lays the loser down, and then may steal."""
    game = table()
    lay(game, "ring1.0", "mossy_gate")
    put(game, 1, "ring1.0/petal3")
    put_gear(game, 1, weapon=[])
    put_pack(game, 1, wood=1)
    do(game, "move", "step(ring1.0/petal3)", "yes")
    game.load_dice(["W1", "W1", "M1", "M1"])
    while game.phase != Phase.WEAPON:  # a player without a weapon may give up first
        do(game, "no")
    do(game, "weapon(left)", "roll")
    return game


def _choosing_a_magic_weapon() -> Game:
    game = table(players=6)
    put_monks(game, 0, "weapon")
    put_gear(game, 0, weapon=["WWMM.WWM"])
    names = [game.vocabulary.blueprint(slot) for slot in range(3 * CARD_SLOTS)]
    game.state.blueprints[names.index("daisho_of_dusk")].where = Where.OWNED
    do(game, "move", "done")
    return game


def _losing_items() -> Game:
    """A pack with too many items. Only co-op games can have more scrolls and blueprints than a pack holds, so the
    blueprints are put back once the question is asked."""
    game = _beside_a_dragon(players=6)
    put_monks(game, 0, "scroll", "pack")
    put_scrolls(game, 0, "seer", "pilgrim")
    temples = game.state.blueprints["where"][:5].copy()
    game.state.blueprints["where"][:5] = Where.OWNED
    do(game, "move", "step(ring1.1/petal4)")
    _decline(game, Phase.JOIN)
    do(game, "monk(pack)")
    game.state.blueprints["where"][:5] = temples
    return game
