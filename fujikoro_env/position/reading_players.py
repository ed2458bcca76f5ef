"""Reading the players: where they are, and their boards, packs, gear and cards."""

from typing import Final

from fujikoro_env.content.model import COLOURS, GEAR, MAX_CARDS_PER_TYPE, MAX_PRINTED
from fujikoro_env.kernel.position.kinds import FLAG, bits, codes_of, number, series, short
from fujikoro_env.kernel.position.objects import JsonObject
from fujikoro_env.position.draft import Draft
from fujikoro_env.position.kinds import layout
from fujikoro_env.position.lookup import array_of, board_of, write_code
from fujikoro_env.position.words import (
    ADVENTURE_COUNTS,
    BOARD_SPOT,
    CARD_BONUS,
    CHARACTER,
    CLAIM_COUNTS,
    COLOUR,
    COUNTER_KINDS,
    DISC_COUNTS,
    MAGIC,
    MAGIC_WORDS,
    OUTSIDE,
    PACK_COUNTS,
    SPACE,
)
from fujikoro_env.rules.base.counters import Counts, VpSource
from fujikoro_env.rules.base.names import Disc, Spot
from fujikoro_env.rules.base.state import (
    CARD_SLOTS,
    MOST_LIVES,
    MOST_MONKS,
    MOST_ROUNDS,
    MOST_VP,
    PLAYERS,
    SCROLL_SLOTS,
    Player,
)
from fujikoro_env.rules.characters.boards import ANY_CHARACTER
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, START
from fujikoro_env.settings import RANDOM

PLAYER_KEYS: Final = (
    *("character", "colour", "space", "outside", "left", "unconscious", "vp", "discs", "monks", "pack", "scrolls"),
    *("gear", "magic", "cards", "weapon_card", "blueprints", "adventures", "claims", "lives_lost"),
    *("status", "on_rope", "trophies", "left_round", "counts"),
)


def read_players(draft: Draft) -> None:
    """Read all players and their counters."""
    parts = draft.top.parts("players")
    if len(parts) != draft.n:
        draft.faults.add("players", "is missing")
    free = [name for name in COLOURS if name not in [part.fields.get("colour") for part in parts]]
    for p, part in enumerate(parts[: draft.n]):
        part.only(*PLAYER_KEYS)
        me = draft.s.players[p]
        me.character = _read_character(draft, p, part)
        me.colour = _read_colour(me, part, free)
        _read_whereabouts(me, part)
        me.vp = part.get("vp", number(0, MOST_VP))
        me.lives_lost = part.get("lives_lost", number(0, MOST_LIVES))
        _read_board(me, part)
        _read_scrolls(draft, me, part)
        _read_gear(me, part)
        _read_cards(draft, p, part)
        array_of(me.adventures)[:] = part.get("adventures", ADVENTURE_COUNTS)
        array_of(me.claimed)[:] = part.get("claims", CLAIM_COUNTS)
        me.status = part.get("status", number(0, MAX_PRINTED))
        me.on_rope = part.get("on_rope", FLAG)
        me.trophies = part.get("trophies", bits(draft.names.dragon_bit))
        _read_counts(draft.s.counts[p], int(me.vp), part.part("counts"))


def read_enemies(draft: Draft) -> None:
    """Read the enemies: one for each temple, with an empty entry for one that is beaten (SCEN-71)."""
    parts, enemies = draft.top.parts("enemies") if "enemies" in draft.top.fields else [], draft.rules.seats - draft.n
    if len(parts) > enemies:
        draft.faults.add("enemies", f"there are {len(parts)} of them, this game has {enemies}", "SCEN-71")
    for k, part in enumerate(parts[:enemies]):
        part.only("gear", "magic", "blueprints")
        if part.fields:
            me = draft.s.players[draft.n + k]
            me.at = FIRST_TEMPLE + k
            me.monks[Spot.WEAPON] = 1
            _read_gear(me, part)
            _read_blueprints(draft, draft.n + k, part)


def _read_character(draft: Draft, p: int, part: JsonObject) -> int:
    """Read a player's character. If the rules deal characters at random, every player must state it."""
    named = draft.rules.characters
    if named is None or named == RANDOM:
        code = part.get("character", CHARACTER)
    else:
        code = part.get("character", CHARACTER, CHARACTER.read(named[p]))
    settled = int(draft.s.settings.characters[p])
    fits = code != 0 if settled == ANY_CHARACTER else code == settled
    if not fits:
        part.fault("character", f"does not fit the characters of the rules: {named}", "CHAR-1")
    return code


def _read_colour(me: Player, part: JsonObject, free: list[str]) -> int:
    """Read a player's colour: the character's own, else the one stated, else the first that is free."""
    if me.character:
        own = board_of(me).colour
        if part.fields.get("colour", own) != own:
            part.fault("colour", f"{CHARACTER.show(me.character)} has the colour {own or 'of no scrolls'}", "SETUP-12")
        return COLOUR.read(own) if own else 0
    if not free:
        return part.get("colour", COLOUR)
    default = COLOUR.read(free[0])
    if "colour" not in part.fields:
        free.pop(0)
    return part.get("colour", COLOUR, default)


def _read_whereabouts(me: Player, part: JsonObject) -> None:
    me.outside = part.get("outside", OUTSIDE, 0)
    me.left_volcano = part.get("left", number(0, PLAYERS))
    me.left_round = part.get("left_round", number(0, MOST_ROUNDS))
    me.at = part.get("space", SPACE, START)
    me.unconscious = part.get("unconscious", FLAG)
    if me.outside and ("space" in part.fields or me.unconscious):
        part.fault("outside", "a samurai that has left the volcano is on no space, and conscious", "ESC-2")


def _read_counts(counts: Counts, vp: int, part: JsonObject) -> None:
    """Read the counters. Positions written by hand hardly ever have them: then all counters are 0 and the source of all
    VP is unknown."""
    part.only(*COUNTER_KINDS)
    for name, kind in COUNTER_KINDS.items():
        write_code(counts, name, part.get(name, kind))
    if "vp" not in part.fields:
        counts.vp[VpSource.UNKNOWN] = vp


def _read_board(me: Player, part: JsonObject) -> None:
    spots = part.get("monks", series(BOARD_SPOT, MOST_MONKS))
    array_of(me.monks)[:] = [spots.count(spot) for spot in range(len(me.monks))]
    discs = part.get("discs", DISC_COUNTS, [board_of(me).discs + int(me.monks[Spot.POOL]), 0, 0, 0])
    me.pool, array_of(me.fields)[:] = discs[0], discs[1:]
    pack = part.get("pack", PACK_COUNTS)
    array_of(me.pack)[:], me.pack_monks = pack[:-1], pack[-1]


def _read_scrolls(draft: Draft, me: Player, part: JsonObject) -> None:
    values = part.fields.get("scrolls", [])
    if not isinstance(values, list) or len(values) > SCROLL_SLOTS:
        part.fault("scrolls", f"{short(values)} is not a list of at most {SCROLL_SLOTS} cards", "MONK-2")
        return
    for slot, value in enumerate(values):
        if value is not None:
            pair = JsonObject(value, f"{part.at('scrolls')}[{slot}]", draft.faults)
            me.scrolls[slot], me.scroll_colours[slot] = _read_scroll(draft, pair)


def _read_scroll(draft: Draft, pair: JsonObject) -> tuple[int, int]:
    pair.only("card", "token")
    if ("card" in pair.fields) != ("token" in pair.fields) or not pair.fields:
        draft.faults.add(pair.where, "a card and its token go together", "SCROLL-4")
    card = pair.get("card", draft.names.scroll)
    if card:
        draft.take("scroll card", draft.names.scroll.show(card), pair.where)
    return card, pair.get("token", COLOUR)


def _read_gear(me: Player, part: JsonObject) -> None:
    grids = part.part("gear")
    grids.only(*GEAR)
    for gear, name in enumerate(GEAR):
        array_of(me.gear[gear].cubes)[:] = grids.get(name, layout(gear))
    for code in part.get("magic", series(MAGIC, len(GEAR))):
        gear, where = list(MAGIC_WORDS)[code]
        if me.gear[gear].magic:
            part.fault("magic", f"two magic cubes on the {GEAR[gear]}", "MAGIC-7")
        me.gear[gear].magic = where


def _read_cards(draft: Draft, p: int, part: JsonObject) -> None:
    me, names, cards = draft.s.players[p], draft.names, part.part("cards")
    cards.only(*codes_of(Disc))
    for field, name in enumerate(codes_of(Disc)):
        code = cards.get(name, names.gear_card)
        if code:
            me.card_on[field] = (code - 1) // MAX_CARDS_PER_TYPE + 1
            draft.own("gear_cards", names.gear_card.show(code), p, cards.at(name))
    me.looks = part.get("weapon_card", CARD_BONUS, 0)
    _read_blueprints(draft, p, part)


def _read_blueprints(draft: Draft, p: int, part: JsonObject) -> None:
    blueprint = draft.names.blueprint
    for code in part.get("blueprints", series(blueprint, len(GEAR) * CARD_SLOTS)):
        draft.own("blueprints", blueprint.show(code), p, part.at("blueprints"))
