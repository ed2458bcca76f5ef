"""Turns a game into plain data, ready for JSON."""

from typing import Any, Final, TypeVar

from fujikoro_env.content.carried import carried
from fujikoro_env.content.model import FOOT_SPOTS, GEAR, LEVELS
from fujikoro_env.game import Game
from fujikoro_env.kernel.position.kinds import HEX_WORDS, Json, Kind, bits, codes_of, members, or_null
from fujikoro_env.kernel.records import Records
from fujikoro_env.position.fields import (
    FIGHTER_FIELDS,
    fight_fields,
    frame_fields,
    more_frame_fields,
    show_fields,
)
from fujikoro_env.position.kinds import show_cubes
from fujikoro_env.position.lookup import (
    array_of,
    code_in,
    column_of,
    gear_of_slot,
    is_touched,
    numbers_in,
    open_cells,
    rows_of,
    slots_at,
)
from fujikoro_env.position.words import (
    ADVENTURE,
    ADVENTURE_COUNTS,
    CHARACTER,
    CLAIM_COUNTS,
    COLOUR,
    COLOUR_COUNTS,
    COUNTER_KINDS,
    DISC_COUNTS,
    FACE,
    FIELD,
    LAIR,
    MAGIC_WORDS,
    MARKER,
    OUTSIDE,
    OVER,
    PACK_COUNTS,
    PLACE,
    RULES_KEYS,
    SPACE,
    SPOILS,
    SPOT,
    USED_POWERS,
    VERSION,
    Names,
    names_of,
)
from fujikoro_env.rules.base.names import Deck, Gear, Outside, Stream, Terrain, Where
from fujikoro_env.rules.base.phase_entry import Holds, Whom
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import Card, Dragon, Frame, Player, State
from fujikoro_env.rules.map.geometry import TEMPLES
from fujikoro_env.rules.scenarios.monk_walk import WALKED
from fujikoro_env.rules.scenarios.terms import Term
from fujikoro_env.settings import RANDOM, Rules
from fujikoro_env.vocabulary import hidden_name, is_hidden

T = TypeVar("T")

ALWAYS_WRITTEN: Final = ("places", "temples", "asked")


def position_of(game: Game) -> dict[str, Any]:
    """The position as plain data, ready for JSON. Values are `Any`, as from `json.loads`; docs/positions.md describes
    the format."""
    names = names_of(game.rules.pack)
    s: State = game.state
    whole: dict[str, Json] = {
        "version": VERSION,
        "rules": rules_of(game.rules),
        "viewer": game.viewer,
        "round": int(s.round_number),
        "first_player": int(s.first_player),
        "active": int(s.active),
        "stock_taken": bool(s.stock_taken) or None,
        "used_powers": USED_POWERS.show(s.used_powers),
        "turn_over": True if s.turn_over and game.rules.is_coop else None,
        "over": OVER.show(s.reason) if s.reason else None,
        "lava_phase": _lava_phase_of(s),
        "final": _final_of(s),
        "foot": _foot_of(game),
        "places": _places_of(s, names),
        "spaces": _spaces_of(s, names),
        "dragons": _dragons_of(s, names),
        "players": [_player_of(s, p, names) for p in range(game.rules.players)],
        "enemies": [_enemy_of(s, p, names) for p in range(game.rules.players, game.rules.seats)],
        "gear_cards": _cards_in_play(s.gear_cards, names.gear_card),
        "blueprints": [_blueprint_in(s, slot, names) for slot, card in enumerate(rows_of(s.blueprints)) if card.where],
        "temples": [_blueprints_at(s, Where.TEMPLE + k, names) for k in range(TEMPLES)],
        "scrolls": _scrolls_of(s, names),
        "gone": _gone_of(s, names),
        "tops": _tops_of(s, names),
        "asked": [_frame_of(s, frame, names) for frame in rows_of(s.stack, int(s.depth))],
        "path": [SPACE.show(space) for space in numbers_in(s.path)[: int(s.path_length)]],
        "fight": _fight_of(s, names, game.rules.seats),
        "streams": {name: HEX_WORDS.show(numbers_in(s.streams[k].words)) for name, k in codes_of(Stream).items()},
        "loaded_dice": [names.die.show(code) for code in numbers_in(s.loaded_dice) if code],
        "loaded_draws": _loaded_draws(s, names),
    }
    return {key: value for key, value in whole.items() if key in ALWAYS_WRITTEN or not _is_nothing(value)}


def _is_nothing(value: object) -> bool:
    """Whether a value is left out. 0 and false are kept."""
    return value in (None, [], {})


def _something(shown: dict[str, T]) -> dict[str, T]:
    return {key: value for key, value in shown.items() if not _is_nothing(value)}


def rules_of(rules: Rules) -> dict[str, Json]:
    """The rules of a game as plain data, without settings that do not apply."""
    settings: dict[str, Json] = {**{key: getattr(rules, key) for key in RULES_KEYS}, **rules.options}
    said = {key: value for key, value in settings.items() if key not in rules.meaningless and value is not None}
    if rules.characters is not None:
        said["characters"] = rules.characters if rules.characters == RANDOM else list(rules.characters)
    return {**said, **carried(rules.pack)}


def _final_of(s: State) -> dict[str, Json]:
    if not s.final_player:
        return {}
    return {
        "started_by": int(s.final_player) - 1,
        "countdown": int(s.countdown),
        "called": members(s.called),
        "rope": bool(s.rope),
    }


def _lava_phase_of(s: State) -> dict[str, Json]:
    """The lava phase (SCEN-31). Once the final chapter has begun, the countdown belongs to it, and it tells which
    numbers were called (SCEN-32)."""
    if not s.lava_player:
        return {}
    started: dict[str, Json] = {"started_by": int(s.lava_player) - 1}
    return started if s.final_player else {**started, "countdown": int(s.countdown)}


def _foot_of(game: Game) -> list[str]:
    """Claims at the foot of the mountain. They are written only for SCEN-52, where players can come back and may have
    claimed there or in the palace; otherwise they follow from where the players are."""
    if not game.rules.has_term(Term.DRAGONS_BAR_THE_WAY):
        return []
    return [name for name, taken in zip(FOOT_SPOTS, game.state.foot, strict=True) if taken]


def _loaded_draws(s: State, names: Names) -> dict[str, list[str]]:
    return _something(
        {
            deck: [names.in_deck(deck).show(member) for member in array_of(s.loaded_draws)[code].tolist() if member]
            for deck, code in codes_of(Deck).items()
        }
    )


# --- the map --------------------------------------------------------------------------------------------------------


def _places_of(s: State, names: Names) -> dict[str, Json]:
    laid = [(place, code) for place, code in enumerate(numbers_in(s.tile)) if code]
    return {PLACE.show(place): {"tile": names.tile.show(code), "turn": int(s.tile_turn[place])} for place, code in laid}


def _spaces_of(s: State, names: Names) -> dict[str, Json]:
    fields = (s.token, s.face_up, s.monk, s.scroll, s.adventure, s.terrain, s.spoils)
    here = [_space_of(names, *things) for things in zip(*map(numbers_in, fields), strict=True)]
    return {SPACE.show(space): things for space, things in enumerate(here) if things}


def _space_of(
    names: Names, token: int, face_up: int, monk: int, scroll: int, adventure: int, terrain: int, spoils: int
) -> dict[str, Json]:
    here: dict[str, Json] = {}
    if token:
        here |= {"resources": names.token.show(token), "face": FACE.show(face_up)}
    if monk:
        here["monk"] = True
    if monk == WALKED:
        here["walked"] = True
    if scroll:
        here["scroll"] = COLOUR.show(scroll)
    if adventure:
        here["adventure"] = ADVENTURE.show(adventure)
    if terrain == Terrain.LAVA_TILE:
        here["lava_tile"] = True
    if spoils:
        here["spoils"] = SPOILS.show(spoils)
    return here


def _dragons_of(s: State, names: Names) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for id, code in names.dragons.items():
        dragon = s.dragons[code - 1]
        if int(s.dragons_beaten) >> (code - 1) & 1:
            found[id] = {"beaten": True}
        elif dragon.place:
            found[id] = _dragon_of(dragon)
    return found


def _dragon_of(dragon: Dragon) -> dict[str, Json]:
    shown: dict[str, Json] = {
        "place": LAIR.show(dragon.place - 1),
        "damage": int(dragon.damage) or None,
        "marker": MARKER.show(dragon.marker) if dragon.marker else None,
    }
    return _something(shown)


def _gone_of(s: State, names: Names) -> dict[str, Json]:
    """Pieces that have left the game. Lost blueprints are in play, but lie nowhere."""
    tiles: list[str] = []
    for level in LEVELS:
        tiles += _in_stack(names.tile_of_level(level), s.tiles_gone[level - 1])
    return _something(
        {
            "tiles": tiles,
            "hexes": _in_stack(names.in_deck("hexes"), s.hexes_gone),
            "adventures": ADVENTURE_COUNTS.show(numbers_in(s.adventures_gone)),
            "scroll_tokens": COLOUR_COUNTS.show(numbers_in(s.scroll_tokens_gone)),
        }
    )


def _in_stack(kind: Kind[int, str], bit_set: int) -> list[str]:
    """Names of the members of a set. Codes of cards and tiles count from 1, bits from 0."""
    return [kind.show(member + 1) for member in members(bit_set)]


def _tops_of(s: State, names: Names) -> dict[str, Json]:
    tops: dict[str, Json] = {}
    for level in LEVELS:
        if seen := members(s.top_seen[level - 1]):
            tile = or_null(names.tile_of_level(level)).show(s.top[level - 1])
            tops[str(level)] = {"tile": tile, "seen_by": seen}
    return tops


# --- players and cards ----------------------------------------------------------------------------------------------


def _player_of(s: State, p: int, names: Names) -> dict[str, Json]:
    me = s.players[p]
    inside = me.outside == Outside.INSIDE
    return _something(
        {
            "character": CHARACTER.show(me.character) if me.character else None,
            "colour": COLOUR.show(me.colour) if me.colour else None,
            "space": SPACE.show(me.at) if inside else None,
            "outside": None if inside else OUTSIDE.show(me.outside),
            "left": int(me.left_volcano) or None,
            "left_round": int(me.left_round) or None,
            "unconscious": bool(me.unconscious) or None,
            "lives_lost": int(me.lives_lost) or None,
            "vp": int(me.vp) if s.settings.final_at else None,
            "discs": DISC_COUNTS.show([me.pool, *numbers_in(me.fields)]),
            "monks": [SPOT.show(spot) for spot, n in enumerate(numbers_in(me.monks)) for _ in range(n)],
            "pack": PACK_COUNTS.show([*numbers_in(me.pack), me.pack_monks]),
            "scrolls": _owned_scrolls(me, names),
            "gear": _gear_of(me),
            "magic": _magic_of(me),
            "cards": _laid_cards(s, p, names),
            "weapon_card": "look" if me.looks else None,
            "blueprints": _blueprints_at(s, Where.OWNED + p, names),
            "adventures": ADVENTURE_COUNTS.show(numbers_in(me.adventures)),
            "claims": CLAIM_COUNTS.show(numbers_in(me.claimed)),
            "status": int(me.status) or None,
            "on_rope": bool(me.on_rope) or None,
            "trophies": bits(names.dragon_bit).show(me.trophies),
            "counts": _something({name: kind.show(code_in(s.counts[p], name)) for name, kind in COUNTER_KINDS.items()}),
        }
    )


def _enemy_of(s: State, p: int, names: Names) -> dict[str, Json]:
    """An enemy (SCEN-71); empty for one that is beaten."""
    me, blueprints = s.players[p], _blueprints_at(s, Where.OWNED + p, names)
    return _something({"gear": _gear_of(me), "magic": _magic_of(me), "blueprints": blueprints})


def _gear_of(me: Player) -> dict[str, list[str]]:
    return {name: _gear_rows(me, gear) for gear, name in enumerate(GEAR) if any(numbers_in(me.gear[gear].cubes))}


def _magic_of(me: Player) -> list[str]:
    return [MAGIC_WORDS[gear, int(me.gear[gear].magic)] for gear in Gear if me.gear[gear].magic]


def _owned_scrolls(me: Player, names: Names) -> list[dict[str, str] | None]:
    pairs = list(zip(numbers_in(me.scrolls), numbers_in(me.scroll_colours), strict=True))
    shown = [
        {"card": names.scroll.show(card), "token": COLOUR.show(colour)} if card else None for card, colour in pairs
    ]
    while shown and shown[-1] is None:
        shown.pop()
    return shown


def _gear_rows(me: Player, gear: int) -> list[str]:
    return show_cubes(numbers_in(me.gear[gear].cubes), gear, open_cells(me, gear))


def _laid_cards(s: State, p: int, names: Names) -> dict[str, str]:
    mine = {gear_of_slot(slot): slot for slot in slots_at(s.gear_cards, Where.OWNED + p)}
    laid = {FIELD.show(field): code - 1 for field, code in enumerate(numbers_in(s.players[p].card_on)) if code}
    return {field: names.gear_card.show(s.gear_cards[mine[gear]].card) for field, gear in laid.items()}


def _blueprint_in(s: State, slot: int, names: Names) -> str:
    """Name of the blueprint in a slot, or of its back if it is hidden (SCEN-12)."""
    card = s.blueprints[slot]
    return hidden_name(slot) if is_hidden(card) else names.blueprint.show(card.card)


def _blueprints_at(s: State, where: int, names: Names) -> list[str]:
    return [_blueprint_in(s, slot, names) for slot in slots_at(s.blueprints, where)]


def _cards_in_play(cards: Records[Card], kind: Kind[int, str]) -> list[str]:
    return [kind.show(card) for card in column_of(cards, "card").tolist() if card]


def _scrolls_of(s: State, names: Names) -> dict[str, Json]:
    display = [or_null(names.scroll).show(card) for card in numbers_in(s.scroll_display)]
    return {"display": display, **_something({"discards": _in_stack(names.scroll, s.scroll_discards)})}


# --- the question and the fight -------------------------------------------------------------------------------------


def _frame_of(s: State, frame: Frame, names: Names) -> dict[str, Json]:
    phase = Phase(int(frame.phase))
    whose = {} if phase.entry.whom == Whom.NOBODY else {"player": int(frame.actor)}
    fields = {**frame_fields(phase, names), **more_frame_fields(phase, names, frame)}
    cards: dict[str, Json] = {}
    for field in (field for field in phase.entry.keeps if field.holds == Holds.GEAR_CARD):  # the frame stores the slot
        cards[field.name] = names.gear_card.show(s.gear_cards[code_in(frame, field.slot)].card)
        del fields[field.name]
    return {"phase": phase.name, **whose, **cards, **show_fields(frame, fields)}


def _fight_of(s: State, names: Names, seats: int) -> dict[str, Json]:
    if not is_touched(s.fight):
        return {}
    fighters = [show_fields(s.fight.fighters[p], FIGHTER_FIELDS) for p in range(seats)]
    return {**show_fields(s.fight, fight_fields(names)), "fighters": fighters}
