"""Legal positions in the middle of a game, made at random: `midgame(rules, seed)`.

Random players hardly ever fight a dragon with a magic weapon or run for the rope. Here all that happens late in a game
lies on the table at once: an explored map with hurt dragons, gear of every kind, magic, gear cards, scrolls, tokens,
full packs, and in half of the positions the final chapter with its lava and with players outside. Everything is taken
from where it would come from in a game, so pieces are neither made nor lost.
"""

from typing import Any

import numpy as np

from fujikoro_env import Game, Rules
from fujikoro_env.content.model import GEAR, MAX_CARDS_PER_TYPE, PALACE_TRACKS
from fujikoro_env.position.reading import called_by
from fujikoro_env.rules.base.actions import EXPLORE, MAIN, MOVE, PLACE, STEP, TURN, YES
from fujikoro_env.rules.base.names import Cube, Disc, Gear, Outside, Spot, Supply, Terrain, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, GEAR_WIDTH
from fujikoro_env.rules.base.tables import LETTERS, cards_of_type
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, FIRST_TEMPLE, PLACES, SPACES, START, START_PLACE, geometry
from fujikoro_env.rules.scenarios.terms import Term
from tests.helpers.coop_tables import set_round
from tests.helpers.endgame import start_final
from tests.helpers.invariants import (
    HELMET_GRID,
    PACK,
    RIGHT_PART_OPEN,
    ROOM,
    SANDALS_GRID,
    SCROLL_SLOTS,
    is_weapon_of_bits,
    members,
)
from tests.helpers.layouts import bits_of, columns_of, grown
from tests.helpers.tables import OF_THE_TURN, SETUP_PHASES, SPOTS, put_monks, put_vp, refresh

LEFT, FIRST_OF_RIGHT = (0, 5), 5  # columns of the weapon grid
SECOND_PACK = 5
FEW_PLAYERS = 2
RARELY_USED = ("iron_grip", "steady_hand", "far_reach", "cartographer")  # their moments are rare, so more have them


def midgame(rules: Rules, seed: int) -> Game:
    """A player, conscious and in the volcano, is about to choose an action; the last rounds are near."""
    luck = np.random.default_rng(seed)
    game = _past_setup(rules, seed)
    _explore(game, luck, int(luck.integers(2, PLACES)))
    game.state.final_player = 0  # the VP of Mitsuhide's first scroll may have been enough
    for dragon in np.asarray(game.state.dragon_at[:PLACES]):
        if dragon:
            _hurt(game, luck, int(dragon) - 1)
    for player in range(rules.players):
        _equip(game, luck, player)
    _go_on_in_scenario(game, luck)
    _look_at_stacks(game, luck)
    if rules.is_coop:
        _go_on_in_coop(game, luck)
    if rules.has_vp and luck.random() < 0.5:
        _begin_final_chapter(game, luck)
    elif rules.has_vp:
        put_vp(game, *luck.integers(rules.final_at, size=rules.players))
        _begin_lava_phase(game, luck)
        _leave_early(game, luck)
    if rules.has_term(Term.DRAGONS_BAR_THE_WAY):
        _bar_the_way(game, luck)
    _place_samurai(game, luck)
    _give_turn(game, luck)
    _place_by_terms(game, luck)
    return game


def rush_into_a_fight(game: Game, luck: Any) -> None:
    """By the rules: the active samurai steps onto a dragon's tile or calls a duel, if that is a step away."""
    if MOVE not in game.legal_actions():
        return
    game.step(MOVE)
    if game.phase == Phase.HALVES:
        game.step(MAIN)
    steps = [int(a) - STEP for a in game.legal_actions() if game.phase == Phase.MOVE and STEP <= a < STEP + SPACES]
    people = game.state.players["at"][: game.rules.players].tolist()
    dragons = _has_dragon(game.state)
    monks = np.asarray(game.state.monk) * game.rules.has_term(Term.MONKS_FIGHT)
    fights = [space for space in steps if dragons[space] or monks[space] or (space in people and not _is_safe(space))]
    fights += [space for space in steps if game.rules.has_term(Term.ENEMY_SAMURAI) and space >= FIRST_TEMPLE]
    if fights:
        game.step(STEP + int(luck.choice(fights)))
    if game.phase == Phase.CALL_DUEL:
        game.step(YES)


def _past_setup(rules: Rules, seed: int) -> Game:
    game = Game(rules, seed)
    while game.phase in (*SETUP_PHASES, Phase.LOOK):  # Mitsuhide's first scroll may be the seer
        game.step(int(game.legal_actions()[0]))
    return game


# The map


def _explore(game: Game, luck: Any, number: int) -> None:
    """Tiles are laid by the rules, each from a space that can be stood on; but for the map all stays as it was."""
    state = game.state
    kept = {name: np.copy(state[name]) for name in OF_THE_TURN}
    for _ in range(number):
        space, place = _frontier(state, luck)
        if space < 0:
            return
        state.players[game.actor].at = space
        state.players[game.actor].pool += 1
        refresh(game)
        game.step(EXPLORE)
        for phase, action in ((Phase.EXPLORE_PLACE, PLACE + place), (Phase.EXPLORE_TURN, TURN + luck.integers(6))):
            if game.phase == phase:  # a single choice may be done unasked
                game.step(int(action))
        for name, value in kept.items():
            state[name] = value


def _frontier(state: Any, luck: Any) -> tuple[int, int]:
    """A space beside an unexplored place whose stack is not empty, and that place; -1 if there is none."""
    touched = geometry().touched_places
    level_left = np.asarray(state.tiles_left) != 0
    rings = np.array([int(name[4]) - 1 for name in geometry().place_names[:PLACES]])
    unexplored = (np.asarray(state.tile) == 0) & level_left[rings]
    beside = (touched >= 0) & unexplored[np.clip(touched, 0, PLACES - 1)] & _can_be_stood_on(state)[:, None]
    found = np.argwhere(beside)
    if not len(found):
        return -1, -1
    space, column = found[luck.integers(len(found))].tolist()
    return space, int(touched[space, column])


def _can_be_stood_on(state: Any) -> Any:
    """By space: ground, and no dragon on its tile (MAP-11)."""
    return (np.asarray(state.terrain) == Terrain.GROUND) & ~_has_dragon(state)


def _has_dragon(state: Any) -> Any:
    """By space: a dragon is on its tile."""
    places = geometry().place_of
    return (places >= 0) & (np.asarray(state.dragon_at)[places] != 0)


def _hurt(game: Game, luck: Any, dragon: int) -> None:
    """Permanent damage that leaves it at least 1 health (DRAG-9)."""
    state, players = game.state, 1 if game.rules.has_term(Term.FIGHTS_ALONE) else game.rules.players
    column = 0 if players > FEW_PLAYERS else FEW_PLAYERS + 1 - players
    health = int(game.rules.tables[0].dragon_health[dragon, column])
    damage = min(int(luck.integers(4)), health - 1, int(state.supply[Supply.DAMAGE]))
    state.dragons[dragon].damage += damage
    state.supply[Supply.DAMAGE] -= damage


def _look_at_stacks(game: Game, luck: Any) -> None:
    state = game.state
    for level in range(3):
        left = members(int(state.tiles_left[level]))
        if left and luck.random() < 0.3:
            state.top[level] = luck.choice(_possible_tops(game, level, left)) + 1
            everybody = (1 << game.rules.players) - 1
            state.top_seen[level] = everybody if game.rules.all_see_peeks else luck.integers(1, everybody + 1)


def _possible_tops(game: Game, level: int, left: list[int]) -> list[int]:
    """COOP-5: the special tile neither above nor under its pile."""
    tables = game.rules.tables[0]
    special = members(int(tables.special_tiles[level]))
    if not game.rules.is_coop or not special or special[0] not in left:
        return left
    drawn, under = int(tables.tile_count[level]) - len(left), {1: 4, 2: 4, 3: 2, 4: 2}.get(game.rules.players, 0)
    above = int(tables.tile_count[level]) - 1 - 4 - under
    if drawn < above:
        return [tile for tile in left if tile not in special]
    return special if drawn == above + 3 else left


# Boards


def _equip(game: Game, luck: Any, player: int) -> None:
    _put_monks(game, luck, player)
    _own_cards(game, luck, player)
    _own_scrolls(game, luck, player)
    _take_gear_off(game, player)
    for gear in range(len(GEAR)):
        wanted = luck.random() < (0.85 if game.rules.is_coop else 0.6)  # all three are needed to win
        if not (wanted and _lay_blueprint(game, luck, player, gear)):
            _lay_at_random(game, luck, player, gear)
    if game.rules.is_coop and luck.random() < 0.5:
        _own_more_blueprints(game, luck, player)
    _own_tokens(game, luck, player)
    _fill_pack(game, luck, player)
    _use_discs(game, luck, player)


def _put_monks(game: Game, luck: Any, player: int) -> None:
    left = int(game.state.supply[Supply.MONK] + game.state.players[player].monks.sum())
    room = ROOM[int(game.state.players[player].character)]
    spots = [spot for spot, most in zip(SPOTS, room, strict=True) for _ in range(most) if luck.random() < 0.5]
    put_monks(game, player, *spots[:left])


def _own_cards(game: Game, luck: Any, player: int) -> None:
    """Gear cards of the display, each under an action of its own; one that it had goes back there (COOP-6)."""
    state, me = game.state, game.state.players[player]
    for card in state.gear_cards:
        if card.where == Where.OWNED + player:
            card.where = Where.DISPLAY
    me.card_on[:] = me.looks = 0
    fields = [int(field) for field in luck.permutation(len(Disc))]
    for gear in range(len(GEAR)):
        slots = _slots_where(state.gear_cards, gear, (Where.DISPLAY,))
        if slots and luck.random() < 0.4:
            state.gear_cards[int(luck.choice(slots))].where = Where.OWNED + player
            me.card_on[fields.pop()] = gear + 1
            if gear == Gear.WEAPON:
                me.looks = 1 if game.rules.is_coop else luck.integers(2)


def _slots_where(cards: Any, gear: int, places: tuple[int, ...]) -> list[int]:
    slots = range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS)
    return [slot for slot in slots if cards[slot].where in places]


def _own_scrolls(game: Game, luck: Any, player: int) -> None:
    state, me = game.state, game.state.players[player]
    _lose_scrolls(game, player)
    for slot in range(int(SCROLL_SLOTS[int(me.character)] + me.monks[Spot.SCROLL])):
        playing = np.asarray(state.players["colour"][: game.rules.players], np.int64)
        colours = [int(k) - 1 for k in playing if k and state.scroll_tokens[k - 1]]
        deck = members(int(state.scroll_deck))
        if len(deck) > 1 and colours and luck.random() < 0.7:
            rare = [card for card in deck if game.rules.pack.scrolls[card].power in RARELY_USED]
            card = int(luck.choice(rare if rare and luck.random() < 0.5 else deck))
            colour = int(luck.choice(colours))
            state.scroll_deck &= ~(1 << card)
            state.scroll_tokens[colour] -= 1
            me.scrolls[slot], me.scroll_colours[slot] = card + 1, colour + 1
        else:
            return


def _lose_scrolls(game: Game, player: int) -> None:
    """Mitsuhide's first scroll goes back."""
    state, me = game.state, game.state.players[player]
    for slot in np.flatnonzero(me.scrolls).tolist():
        state.scroll_deck |= 1 << int(me.scrolls[slot] - 1)
        state.scroll_tokens[me.scroll_colours[slot] - 1] += 1
        me.scrolls[slot] = me.scroll_colours[slot] = 0


def _own_tokens(game: Game, luck: Any, player: int) -> None:
    state = game.state
    for _ in range(luck.integers(5) if game.rules.adventure_tokens else 0):
        kinds = np.flatnonzero(state.adventures_left)
        if len(kinds):
            kind = int(luck.choice(kinds))
            state.adventures_left[kind] -= 1
            state.players[player].adventures[kind] += 1


def _fill_pack(game: Game, luck: Any, player: int) -> None:
    """As much as fits beside scrolls and blueprints (PACK-1), or less."""
    state, me = game.state, game.state.players[player]
    state.supply[:3] += me.pack
    me.pack[:] = 0
    room = _pack_room(game, player)
    for _ in range(room if luck.random() < 0.4 else luck.integers(room + 1)):
        kinds = np.flatnonzero(state.supply[:3])
        if game.rules.options["monk_to_pack"] and state.supply[Supply.MONK] > 0 and luck.random() < 0.1:
            state.supply[Supply.MONK] -= 1
            me.pack_monks += 1
        elif len(kinds):
            kind = int(luck.choice(kinds))
            state.supply[kind] -= 1
            me.pack[kind] += 1


def _use_discs(game: Game, luck: Any, player: int) -> None:
    me = game.state.players[player]
    for _ in range(luck.integers(int(me.pool) + 1)):
        me.pool -= 1
        me.fields[int(luck.integers(len(Disc)))] += 1


# Gear


def _take_gear_off(game: Game, player: int) -> None:
    for grid in game.state.players[player].gear:
        for kind in range(len(LETTERS)):
            game.state.supply[kind] += int(grid.cubes[kind]).bit_count()
            grid.cubes[kind] = 0


def _lay_blueprint(game: Game, luck: Any, player: int, gear: int) -> bool:
    """A blueprint of a temple, with gear that matches it, mostly with its magic (lost magic comes back with the next
    action, MAGIC-5); False if that can't be."""
    state, me = game.state, game.state.players[player]
    slots = _slots_where(state.blueprints, gear, (Where.TEMPLE, Where.TEMPLE + 1, Where.TEMPLE + 2))
    if not slots or _pack_room(game, player) < 1 or state.supply[Supply.MAGIC] < 1:
        return False
    slot = int(luck.choice(slots))
    number = _number_of_blueprint(game, luck, slot)
    patterns = cards_of_type(game.rules.pack.blueprints, gear)[number].patterns
    right_part, character = bool(me.monks[Spot.WEAPON]), int(me.character)
    if gear == Gear.WEAPON and (right_part or RIGHT_PART_OPEN[character]) and luck.random() < 0.5:
        patterns = (patterns[0], patterns[-1])  # two weapons alike: which becomes magic?
    cubes = _pattern_cubes(patterns, gear)
    if gear == Gear.WEAPON and not is_weapon_of_bits(sum(1 << cell for cell in cubes), right_part, character):
        return False
    if gear == Gear.HELMET and not set(cubes) <= set(members(int(HELMET_GRID[character]))):
        return False
    if any(list(cubes.values()).count(kind) > state.supply[kind] for kind in range(len(LETTERS))):
        return False
    state.blueprints[slot].where = Where.OWNED + player
    state.blueprints[slot].card = gear * MAX_CARDS_PER_TYPE + number + 1
    for cell, kind in cubes.items():
        _lay(game, player, gear, cell, kind)
    if luck.random() < 0.7:
        me.gear[gear].magic = 1
        state.supply[Supply.MAGIC] -= 1
    return True


def _number_of_blueprint(game: Game, luck: Any, slot: int) -> int:
    """Of its type; a hidden one (SCEN-12) may be any that is not in play."""
    cards, first = game.state.blueprints, slot // CARD_SLOTS * MAX_CARDS_PER_TYPE + 1
    if cards[slot].card:
        return int(cards[slot].card) - first
    all_of_type = range(len(cards_of_type(game.rules.pack.blueprints, slot // CARD_SLOTS)))
    return int(luck.choice([number for number in all_of_type if first + number not in cards["card"]]))


def _own_more_blueprints(game: Game, luck: Any, player: int) -> None:
    """COOP-18: as many as fit, or fewer."""
    cards = game.state.blueprints
    lying = [k for k in range(len(cards)) if Where.TEMPLE <= cards[k].where < Where.OWNED]
    for slot in luck.permutation(lying)[: luck.integers(_pack_room(game, player) + 1)]:
        cards[int(slot)].where = Where.OWNED + player


def _pattern_cubes(patterns: tuple[tuple[str, ...], ...], gear: int) -> dict[int, int]:
    """Kinds by cell: the first pattern in the top left corner, the second weapon of a pair in the right part."""
    return {
        row * GEAR_WIDTH[gear] + column + FIRST_OF_RIGHT * number: LETTERS.index(letter)
        for number, rows in enumerate(patterns)
        for row, letters in enumerate(rows)
        for column, letter in enumerate(letters)
        if letter in LETTERS
    }


def _pack_room(game: Game, player: int) -> int:
    state, me = game.state, game.state.players[player]
    owned = np.count_nonzero(state.blueprints["where"] == Where.OWNED + player)
    return int(PACK[int(me.character)] + SECOND_PACK * me.monks[Spot.PACK] - np.count_nonzero(me.scrolls) - owned)


def _lay_at_random(game: Game, luck: Any, player: int, gear: int) -> None:
    """Any legal gear, or none."""
    supply = game.state.supply
    for cell in _random_cells(game, luck, player, gear):
        kinds = np.flatnonzero(supply[:3])
        if not len(kinds):
            _take_gear_off(game, player)  # half a weapon may be illegal
            return
        _lay(game, player, gear, cell, int(luck.choice(kinds)))


def _random_cells(game: Game, luck: Any, player: int, gear: int) -> list[int]:
    me = game.state.players[player]
    character, monk = int(me.character), bool(me.monks[Spot.WEAPON])
    if gear != Gear.WEAPON:
        grid = HELMET_GRID if gear == Gear.HELMET else SANDALS_GRID
        return [cell for cell in members(int(grid[character])) if luck.random() < 0.5]
    right_part, last = monk or RIGHT_PART_OPEN[character], columns_of(character)
    while True:
        grids = grown(luck, 1, (0, last) if right_part and luck.random() < 0.5 else LEFT)
        if right_part and luck.random() < 0.5:
            grids |= grown(luck, 1, (FIRST_OF_RIGHT, last))
        cells = int(bits_of(grids)[0])
        if is_weapon_of_bits(cells, monk, character):
            return members(cells)


def _lay(game: Game, player: int, gear: int, cell: int, kind: int) -> None:
    game.state.players[player].gear[gear].cubes[kind] |= 1 << cell
    game.state.supply[kind] -= 1


# The final chapter


def _begin_final_chapter(game: Game, luck: Any) -> None:
    state, rules = game.state, game.rules
    starter = int(luck.integers(rules.players))
    put_vp(game, *luck.integers(2 * rules.final_at, size=rules.players))
    put_vp(game, rules.final_at + luck.integers(rules.final_at), first=starter)
    start_final(game, int(luck.integers(len(rules.pack.countdown))), starter)
    _erupt_what_was_called(game)
    for player in luck.permutation(rules.players)[1:]:  # somebody stays
        exits = [Outside.PALACE] * bool(state.rope) + [Outside.FOOT] * bool(state.secret_exit)
        if exits and luck.random() < 0.3:
            _leave(game, luck, int(player), int(luck.choice(exits)))


def _leave_early(game: Game, luck: Any) -> None:
    """ESC-1: by option the secret exit is open before the final chapter."""
    if game.rules.options["exit_always_open"] and game.state.secret_exit:
        for player in luck.permutation(game.rules.players)[1:]:  # somebody stays
            if luck.random() < 0.3:
                _leave(game, luck, int(player), Outside.FOOT)


def _begin_lava_phase(game: Game, luck: Any) -> None:
    """SCEN-31."""
    state, rules = game.state, game.rules
    enough = np.flatnonzero(np.asarray(state.players["vp"][: rules.players]) >= rules.lava_at)
    if not rules.lava_at or not len(enough):
        return
    state.lava_player = int(luck.choice(enough)) + 1
    state.countdown = luck.integers(len(rules.pack.countdown) + 1)
    state.called = called_by(rules.pack.countdown[: int(state.countdown)])
    _erupt_what_was_called(game)


def _erupt_what_was_called(game: Game) -> None:
    state = game.state
    for space in np.flatnonzero((np.asarray(state.terrain) == Terrain.GROUND) & (np.asarray(state.eruption) != 0)):
        if state.called >> int(state.eruption[space]) & 1 and state.supply[Supply.LAVA] > 0:
            state.terrain[space] = Terrain.LAVA_TILE
            state.supply[Supply.LAVA] -= 1


def _leave(game: Game, luck: Any, player: int, outside: int) -> None:
    """Some of the bonuses are claimed already (SHOG-1 to SHOG-3)."""
    state, me = game.state, game.state.players[player]
    state.escaped += 1
    me.outside, me.left_volcano, me.at = outside, state.escaped, START
    values = game.rules.pack.palace
    for track, name in enumerate(PALACE_TRACKS):
        if luck.random() < 0.5 or _claimable(game, player, track) < 1:
            continue
        if outside == Outside.PALACE:
            me.claimed[track] = 1
            state.palace[track] = min(state.palace[track] + 1, len(values[name]) - 1)
        elif name in game.rules.pack.foot and not state.foot[track]:
            me.claimed[track] = 1
            state.foot[track] = 1


def _claimable(game: Game, player: int, track: int) -> int:
    me = game.state.players[player]
    if track < len(GEAR):
        return int(me.gear[track].magic != 0)
    if PALACE_TRACKS[track] == "tooth":
        return int(me.pack[Cube.TOOTH]) + sum(int(grid.cubes[Cube.TOOTH]).bit_count() for grid in me.gear)
    return int(me.monks.sum() + me.pack_monks)


# Scenarios


def _go_on_in_scenario(game: Game, luck: Any) -> None:
    """Dragons were beaten, and left what they had or are kept; those that roam have moved; markers were gathered."""
    state, rules = game.state, game.rules
    if rules.has_term(Term.ENEMY_SAMURAI):
        _weaken_enemies(game, luck)
    if not any(map(rules.has_term, (Term.SPOILS, Term.TROPHIES))):
        return
    slayer = int(luck.integers(rules.players))  # who beats half of them, so that sets come together (SCEN-23)
    for dragon in range(len(rules.pack.dragons)):
        if luck.random() < (0.5 if rules.has_term(Term.TROPHIES) else 0.3):
            _beat(game, dragon)
            keeper = slayer if luck.random() < 0.5 else int(luck.integers(rules.players))
            state.players[keeper].trophies |= rules.has_term(Term.TROPHIES) << dragon
        elif state.dragons[dragon].place and rules.has_term(Term.DRAGONS_ROAM):
            _move_dragon(game, luck, dragon)
            if rules.dragons_sleep:
                state.dragons[dragon].marker = luck.integers(3)
    for player in luck.integers(rules.players, size=8):
        if rules.has_term(Term.STATUS_MARKERS) and state.supply[Supply.STATUS]:
            state.supply[Supply.STATUS] -= 1
            state.players[int(player)].status += 1


def _weaken_enemies(game: Game, luck: Any) -> None:
    """SCEN-71: enemies have lost their helmets or some of it, so that now and then one is beaten."""
    state = game.state
    for enemy in range(1, game.rules.seats):
        helmet = state.players[enemy].gear[Gear.HELMET]
        state.supply[Supply.MAGIC] += helmet.magic
        helmet.magic = 0
        for kind in range(3):
            lost = int(helmet.cubes[kind]) & int(luck.integers(1 << 12))
            helmet.cubes[kind] ^= lost
            state.supply[kind] += lost.bit_count()


def _place_by_terms(game: Game, luck: Any) -> None:
    """SCEN-16, SCEN-22: who waits on the rope, and where those lie who are unconscious."""
    state, rules = game.state, game.rules
    for player in range(rules.players):
        me = state.players[player]
        if me.unconscious and rules.has_term(Term.BACK_IN_TEMPLES):
            me.at = luck.integers(FIRST_TEMPLE, SPACES)
        if rules.has_term(Term.ENEMY_SAMURAI) and luck.random() < 0.7:
            _stand_before_a_temple(game, luck)
        waits = rules.has_term(Term.ROPE_WAITS) and state.rope and player != state.active
        if waits and not me.unconscious and not me.outside and luck.random() < 0.5:
            me.at, me.on_rope = START, 1
    refresh(game)


def _stand_before_a_temple(game: Game, luck: Any) -> None:
    """SCEN-71: so that an enemy is met."""
    state = game.state
    before = _neighbours_of(set(range(FIRST_TEMPLE, SPACES)))
    free = [int(space) for space in np.flatnonzero(_can_be_stood_on(state)) if space in before]
    if free:
        state.players[0].at = int(luck.choice(free))


def _bar_the_way(game: Game, luck: Any) -> None:
    """SCEN-51: no dragon that was found lives, or nobody is outside."""
    state = game.state
    if luck.random() < 0.3:
        for dragon in range(len(game.rules.pack.dragons)):
            if state.dragons[dragon].place:
                _beat(game, dragon)
    elif any(state.dragon_at):
        for me in state.players[: game.rules.players]:
            me.outside = me.left_volcano = 0
        state.escaped = 0


# Co-op


def _go_on_in_coop(game: Game, luck: Any) -> None:
    """Dragons have moved and woken, lives are lost; half of the games are in the final rounds, in some the legendary
    dragon is beaten and somebody has left."""
    state, rules = game.state, game.rules
    for dragon in range(len(rules.pack.dragons)):
        if state.dragons[dragon].place:
            _move_dragon(game, luck, dragon)
            state.dragons[dragon].marker = luck.integers(3)
    state.players["lives_lost"][: rules.players] = luck.integers(rules.options["coop_lives"], size=rules.players)
    if rules.has_term(Term.START_IS_UNSAFE):
        _lure_to_start(game, luck)
    if rules.has_vp:
        state.round_number = luck.integers(2, rules.max_rounds)
        return
    full, last = rules.full_rounds, rules.full_rounds + len(rules.pack.coop_countdown)
    set_round(game, int(luck.integers(full, last + 1) if luck.random() < 0.7 else luck.integers(2, full)))
    _erupt_what_was_called(game)
    if state.secret_exit and luck.random() < 0.5 and not rules.has_term(Term.TAME_THE_LEGENDARY):
        _beat_legendary(game)
        for player in luck.permutation(rules.players)[1:]:  # somebody stays
            if luck.random() < 0.7:
                state.escaped += 1
                me = state.players[int(player)]
                me.outside, me.left_volcano, me.at = Outside.FOOT, state.escaped, START


def _lure_to_start(game: Game, luck: Any) -> None:
    """SCEN-61: a dragon has come there, mostly the legendary one, and it is hurt."""
    state, white = game.state, [dragon.colour for dragon in game.rules.pack.dragons].index("white")
    found = [dragon for dragon in range(len(game.rules.pack.dragons)) if state.dragons[dragon].place]
    if not found or luck.random() < 0.4:
        return
    number = white if white in found and luck.random() < 0.7 else int(luck.choice(found))
    dragon = state.dragons[number]
    state.dragon_at[dragon.place - 1] = 0
    dragon.place, state.dragon_at[START_PLACE] = START_PLACE + 1, number + 1
    if number == white:
        more = min(int(state.supply[Supply.DAMAGE]), 10)
        dragon.damage += more
        state.supply[Supply.DAMAGE] -= more


def _move_dragon(game: Game, luck: Any, dragon: int) -> None:
    state = game.state
    free = [k for k in range(PLACES) if state.tile[k] and not state.dragon_at[k]]
    if free and luck.random() < 0.5:
        there = int(luck.choice(free))
        state.dragon_at[state.dragons[dragon].place - 1] = 0
        state.dragons[dragon].place, state.dragon_at[there] = there + 1, dragon + 1


def _beat_legendary(game: Game) -> None:
    _beat(game, [dragon.colour for dragon in game.rules.pack.dragons].index("white"))


def _beat(game: Game, number: int) -> None:
    state = game.state
    dragon = state.dragons[number]
    if dragon.place:
        state.dragon_at[dragon.place - 1] = 0
        state.supply[Supply.DAMAGE] += dragon.damage
        dragon.place = dragon.damage = dragon.marker = 0
    state.dragons_left &= ~(1 << number)
    state.dragons_beaten |= 1 << number


# People


def _place_samurai(game: Game, luck: Any) -> None:
    """Mostly where things happen: beside a dragon, lava or each other, on what can be gathered or will erupt next."""
    state, players = game.state, game.state.players
    allowed = np.flatnonzero(_can_be_stood_on(state)).tolist()
    danger = np.flatnonzero(_has_dragon(state) | (np.asarray(state.terrain) == Terrain.LAVA_TILE)).tolist()
    treasures = set(np.flatnonzero(_has_something(state) | _erupts_next(game)).tolist())
    others: list[int] = []
    for player in range(game.rules.players):
        if players[player].outside:
            continue
        free = [space for space in allowed if _is_safe(space) or others.count(space) < 2]
        hot = [_neighbours_of({*danger, *others}), treasures, set(free)][luck.choice(3, p=[0.5, 0.3, 0.2])]
        players[player].at = luck.choice([space for space in free if space in hot] or free)
        leads_out = game.rules.is_coop or game.rules.options["exit_always_open"]
        if leads_out and state.secret_exit in free and luck.random() < 0.5:
            players[player].at = state.secret_exit
        others.append(int(players[player].at))


def _has_something(state: Any) -> Any:
    """By space: a token, a monk, a scroll, an adventure token or spoils to gather."""
    return np.any([np.asarray(state[name]) != 0 for name in ("token", "monk", "scroll", "adventure", "spoils")], axis=0)


def _erupts_next(game: Game) -> Any:
    """By space: its number is called by the next space of the countdown."""
    coop, entered = game.rules.is_coop, int(game.state.countdown)
    calls = (*(game.rules.pack.coop_countdown if coop else game.rules.pack.countdown), "end")
    due = calls[entered].startswith("lava") and (coop or game.state.final_player)
    number = int(calls[entered][-1]) if due else -1
    return np.asarray(game.state.eruption) == number


def _is_safe(space: int) -> bool:
    return space == START or space >= FIRST_BRIDGE


def _neighbours_of(spaces: set[int]) -> set[int]:
    shape = geometry()
    return {there for here in spaces for there in shape.neighbours[here, : shape.neighbour_count[here]].tolist()}


def _give_turn(game: Game, luck: Any) -> None:
    """Some of those who wait lie unconscious."""
    state, players = game.state, game.rules.players
    inside = [p for p in range(players) if not state.players[p].outside]
    starter = int(state.final_player) - 1
    active = starter if starter in inside and luck.random() < 0.5 else int(luck.choice(inside))
    for player in range(players):
        hurt = (
            not game.rules.is_coop and player != active and not state.players[player].outside and luck.random() < 0.15
        )
        state.players[player].unconscious = hurt
    state.active, state.first_player = active, luck.integers(players)
    state.stack[state.depth - 1].actor = active
    state.stack[0].stage += luck.integers(2)  # the first action of the turn, or the second
    if not game.rules.is_coop:
        state.round_number = game.rules.max_rounds - luck.integers(min(4, game.rules.max_rounds))
    refresh(game)
