"""Reading the table: tiles and what lies on them, dragons, stacks, cards, and pieces that have left the game."""

from fujikoro_env.content.model import (
    COLOURS,
    GEAR,
    LEVELS,
    MAX_CARDS_PER_TYPE,
    MAX_PRINTED,
    MAX_TILES_PER_LEVEL,
    Tile,
    TileSpace,
)
from fujikoro_env.kernel.position.kinds import FLAG, bits, number, or_null, pieces, said_number, series, word
from fujikoro_env.kernel.position.objects import JsonObject
from fujikoro_env.kernel.records import Records
from fujikoro_env.position.draft import Draft
from fujikoro_env.position.lookup import array_of, code_in, column_of, rows_of, spaces_of_place, write_code
from fujikoro_env.position.words import (
    ADVENTURE,
    ADVENTURE_COUNTS,
    COLOUR,
    COLOUR_COUNTS,
    FACE,
    FIRST_BACK,
    LAIR,
    MARKER,
    PLACE,
    SPACE,
    SPOILS,
)
from fujikoro_env.rules.base.names import Terrain, Where
from fujikoro_env.rules.base.phase_entry import Holds
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, SCROLL_DISPLAY, Card, State
from fujikoro_env.rules.base.tables import tiles_of_level
from fujikoro_env.rules.explore import CROWDED
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, START, START_PLACE, TEMPLES, geometry
from fujikoro_env.rules.scenarios.monk_walk import WALKED
from fujikoro_env.rules.scenarios.terms import Term


def read_map(draft: Draft) -> None:
    """Read tiles, and the pieces on spaces."""
    terrain = array_of(draft.s.terrain)
    terrain[START] = Terrain.GROUND
    terrain[FIRST_BRIDGE:] = Terrain.GROUND
    for place, part in draft.top.named("places", PLACE, names_suffice=True):
        _read_place(draft, place, part)
    for space, part in draft.top.named("spaces", SPACE, names_suffice=True):
        _read_space(draft, space, part)


def _read_place(draft: Draft, place: int, part: JsonObject) -> None:
    part.only("tile", "turn")
    code, turn = part.get("tile", draft.names.tile), part.get("turn", number(0, 5))
    if not code:
        if "tile" not in part.fields:
            part.fault("tile", "is missing")
        return
    level, index = divmod(code - 1, MAX_TILES_PER_LEVEL)
    tile, ring = tiles_of_level(draft.rules.pack, level + 1)[index], int(geometry().place_ring[place])
    draft.take("tile", tile.id, part.where)
    if tile.level != ring:
        part.fault("tile", f"{tile.id} has level {tile.level}, the place is in ring {ring}", "MAP-1")
    if draft.rules.has_term(Term.NO_SECRET_EXIT) and any(space.item == "exit" for space in tile.spaces):
        part.fault("tile", f"{tile.id} is not used in this scenario", "SCEN-11")
    draft.s.tile[place], draft.s.tile_turn[place] = code, turn
    _lay_tile(draft, place, tile, turn)


def _lay_tile(draft: Draft, place: int, tile: Tile, turn: int) -> None:
    s = draft.s
    for cell, space in enumerate(spaces_of_place(place)):
        printed = tile.spaces[(cell - 1 - turn) % 6 + 1 if cell else 0]
        draft.icons[space] = printed
        s.terrain[space] = Terrain.LAVA if printed.lava else Terrain.GROUND
        s.eruption[space] = printed.eruption
        if printed.item == "exit":
            s.secret_exit = space


def _read_space(draft: Draft, space: int, part: JsonObject) -> None:
    part.only("resources", "face", "monk", "walked", "scroll", "adventure", "lava_tile", "spoils")
    if space not in draft.icons:
        draft.faults.add(part.where, "nothing lies there: it is not on an explored tile", "MAP-10")
        return
    _read_pieces(draft, space, draft.icons[space], part)
    _read_token(draft, space, draft.icons[space], part)
    if part.get("lava_tile", FLAG):
        _lay_lava(draft, space, part)
    draft.s.spoils[space] = part.get("spoils", SPOILS)
    if draft.s.spoils[space] and not draft.icons[space].item.startswith("dragon"):
        part.fault("spoils", "the tile shows no dragon there", "SCEN-17")


def _read_pieces(draft: Draft, space: int, icon: TileSpace, part: JsonObject) -> None:
    s = draft.s
    monk, scroll, adventure = part.get("monk", FLAG), part.get("scroll", COLOUR), part.get("adventure", ADVENTURE)
    if part.get("walked", FLAG):
        monk = WALKED
    if monk and icon.item not in ("monk", "hex") and not draft.rules.has_term(Term.MONKS_WALK):
        part.fault("monk", "the tile shows no monk there", "EXPL-7")
    if scroll and icon.item != f"scroll {COLOURS[scroll - 1]}":
        part.fault("scroll", "the tile shows no scroll of this colour there", "EXPL-5")
    if adventure and (icon.item != "adventure" or not draft.rules.adventure_tokens):
        part.fault("adventure", "no adventure token belongs there", "EXPL-7")
    s.monk[space], s.scroll[space], s.adventure[space] = monk, scroll, adventure


def _read_token(draft: Draft, space: int, icon: TileSpace, part: JsonObject) -> None:
    code, face = part.get("resources", draft.names.token), part.get("face", FACE, 1)
    if not code:
        return
    id = draft.names.token.show(code)
    token = next(token for token in draft.rules.pack.tokens if token.id == id)
    draft.take("resource token", id, part.where)
    ring = int(geometry().place_ring[geometry().place_of[space]])
    fits = icon.item == token.shape and token.level == ring and not token.monk
    if not fits or (token.shape == "hex" and draft.n < CROWDED):
        part.fault("resources", f"{id} does not belong there", "EXPL-3" if token.shape == "square" else "EXPL-4")
    draft.s.token[space], draft.s.face_up[space] = code, face


def _lay_lava(draft: Draft, space: int, part: JsonObject) -> None:
    s = draft.s
    if s.terrain[space] != Terrain.GROUND or not int(s.called) >> int(s.eruption[space]) & 1:
        part.fault("lava_tile", "its eruption number was not called", "FINAL-3")
    s.terrain[space] = Terrain.LAVA_TILE


# --- dragons --------------------------------------------------------------------------------------------------------


def read_dragons(draft: Draft) -> None:
    """Read the dragons."""
    for code, part in draft.top.named("dragons", draft.names.dragon):
        part.only("place", "damage", "beaten", *(["marker"] if draft.rules.dragons_sleep else []))
        if part.get("beaten", FLAG):
            draft.s.dragons_beaten |= 1 << (code - 1)
            if set(part.fields) - {"beaten"}:
                part.fault("beaten", "a beaten dragon is nowhere", "DRAG-6")
        else:
            _place_dragon(draft, code, part)


def _place_dragon(draft: Draft, code: int, part: JsonObject) -> None:
    s, place, printed = draft.s, part.find("place", LAIR), draft.rules.pack.dragons[code - 1]
    if place is None:
        return
    if s.dragon_at[place]:
        part.fault("place", "two dragons on a tile", "MAP-8")
        return
    items = [draft.icons[space].item for space in spaces_of_place(place) if space in draft.icons]
    they_move = draft.rules.is_coop or draft.rules.has_term(Term.DRAGONS_ROAM)
    if place == START_PLACE:
        if not draft.rules.has_term(Term.START_IS_UNSAFE):
            part.fault("place", "the start tile is safe", "COOP-10")
    elif they_move and not items:
        part.fault("place", "no tile lies there", "COOP-10")
    elif not they_move and f"dragon {printed.colour}" not in items:
        part.fault("place", f"no tile with a {printed.colour} dragon lies there", "EXPL-6")
    alone = draft.rules.has_term(Term.FIGHTS_ALONE) or draft.rules.options["coop_health"] == "solo"
    health = printed.health[{1: 2, 2: 1}.get(1 if alone else draft.n, 0)]  # DRAG-8, SCEN-14, COOP-19
    damage = part.get("damage", number(0, MAX_PRINTED))
    if damage >= health:
        part.fault("damage", f"{damage} of {health} health: 1 must be left", "DRAG-9")
    s.dragons[code - 1].place, s.dragons[code - 1].damage = place + 1, damage
    s.dragon_at[place] = code
    s.dragons[code - 1].marker = part.get("marker", MARKER, 0)


# --- stacks of tiles ------------------------------------------------------------------------------------------------


def read_tops(draft: Draft) -> None:
    """Read the top tiles that somebody has looked at. In a player's view, tiles that only others have seen are null."""
    for level, part in draft.top.named("tops", word({str(level): level for level in LEVELS}, "level")):
        part.only("tile", "seen_by")
        seen = part.get("seen_by", bits(said_number(0, draft.n - 1)))
        unknown = part.fields.get("tile", "") is None
        tile = 0 if unknown else part.get("tile", draft.names.tile_of_level(level))
        if unknown and (draft.viewer is None or seen >> draft.viewer & 1):
            part.fault("tile", "whoever looked knows the tile", "GEAR-5")
        if not seen or (not tile and not unknown):
            part.fault("seen_by", "a known tile, and somebody who has seen it, are needed", "GEAR-5")
        draft.s.top[level - 1], draft.s.top_seen[level - 1] = tile, seen


# --- cards, and what has left the game ------------------------------------------------------------------------------


def read_gear_cards(draft: Draft) -> None:
    """Read the gear cards. Those that nobody owns are in the display."""
    s = draft.s
    for id, slot in _deal(draft, "gear_cards", draft.names.gear_cards, "SETUP-3").items():
        s.gear_cards[slot].where = draft.lying["gear_cards"].get(id, Where.DISPLAY)
    codes = column_of(s.gear_cards, "card").tolist()
    for frame in rows_of(s.stack, int(s.depth)):
        for field in Phase(int(frame.phase)).entry.keeps:
            if field.holds == Holds.GEAR_CARD:  # the frame stores the slot, not the card
                card = code_in(frame, field.slot)
                write_code(frame, field.slot, codes.index(card) if card in codes else 0)


def read_blueprints(draft: Draft) -> None:
    """Read the blueprints. Those that are in no temple and that nobody owns are lost; if the temples are not given,
    they are dealt. In SCEN-12 those in temples are hidden."""
    names, hides = draft.names, draft.rules.has_term(Term.HIDDEN_BLUEPRINTS)
    blueprint = names.blueprint_or_back if hides else names.blueprint
    codes = {**names.backs, **names.blueprints} if hides else names.blueprints
    kind = series(series(blueprint, len(GEAR) * CARD_SLOTS), TEMPLES)
    temples = draft.top.get("temples", kind)
    for temple, cards in enumerate(temples):
        for code in cards:
            draft.lie("blueprints", blueprint.show(code), Where.TEMPLE + temple, f"temples[{temple}]")
    unsaid, lying = draft.top.fields.get("temples") is None, draft.lying["blueprints"]
    to_deal = [draft.n] * len(GEAR) if unsaid else [0] * len(GEAR)
    for dealt, (id, slot) in enumerate(_deal(draft, "blueprints", codes, "SETUP-5").items()):
        gear = slot // CARD_SLOTS
        if id not in lying and to_deal[gear]:  # SCEN-71: there are more in play, which belonged to the enemies
            to_deal[gear] -= 1
            lying[id] = Where.TEMPLE + dealt % TEMPLES
        where = draft.s.blueprints[slot].where = lying.get(id, Where.GONE)
        if hides and (id in names.backs) != (Where.TEMPLE <= where < Where.OWNED):
            draft.faults.add("blueprints", f"{id}: those in temples are hidden, and no others", "SCEN-12")


def _deal(draft: Draft, family: str, codes: dict[str, int], rule: str) -> dict[str, int]:
    """Deal the slots of the cards in play, by id: as many of each type as there are players, plus the enemies'
    blueprints."""
    order, slots = _cards_in_play(draft, family, codes), dict[str, int]()
    for gear, name in enumerate(GEAR):
        of_type = [id for id in order if _gear_of(codes[id]) == gear]
        number = draft.n + (_blueprints_of_enemies(draft, of_type) if family == "blueprints" else 0)
        if family not in draft.top.fields:
            of_type = of_type[:number]
        if len(of_type) != number or len(set(of_type)) != number:
            draft.faults.add(family, f"{number} different cards for the {name} are needed: {of_type}", rule)
        for index, id in enumerate(of_type[:number]):
            slots[id] = gear * CARD_SLOTS + index
            _cards_of(draft.s, family)[slots[id]].card = codes[id] if codes[id] < FIRST_BACK else 0
    for id in draft.lying[family]:
        if id not in slots:
            draft.faults.add(family, f"{id} lies on the table, but is not in play", rule)
    return slots


def _cards_of(s: State, family: str) -> Records[Card]:
    return s.blueprints if family == "blueprints" else s.gear_cards


def _blueprints_of_enemies(draft: Draft, of_type: list[str]) -> int:
    """Number of blueprints of a type that were dealt to the enemies (SCEN-71): one for each enemy, or with one gear per
    enemy as many as the position has."""
    enemies = draft.rules.seats - draft.n
    if not draft.rules.options["one_gear_per_enemy"]:
        return enemies
    if "blueprints" in draft.top.fields:
        return min(max(0, len(of_type) - draft.n), enemies)
    return sum(draft.lying["blueprints"].get(id, 0) >= Where.OWNED + draft.n for id in of_type)


def _gear_of(code: int) -> int:
    """Gear type of a card, or of a card back (SCEN-12)."""
    return (code - 1) // MAX_CARDS_PER_TYPE if code < FIRST_BACK else (code - FIRST_BACK) // CARD_SLOTS


def _cards_in_play(draft: Draft, family: str, codes: dict[str, int]) -> list[str]:
    """Ids of the cards in play. If the position does not list them: those that lie somewhere, then the others in the
    order of the content pack."""
    kind = word(codes, "card")
    given = draft.top.get(family, series(kind, len(GEAR) * CARD_SLOTS))
    if family in draft.top.fields:
        return [kind.show(code) for code in given]
    return list(dict.fromkeys([*draft.lying[family], *codes]))


def read_scrolls(draft: Draft) -> None:
    """Read the scroll display and the discards."""
    s, scroll, part = draft.s, draft.names.scroll, draft.top.part("scrolls")
    part.only("display", "discards")
    for code in part.get("discards", pieces(draft.names.scrolls, "SETUP-10")):
        draft.take("scroll card", scroll.show(code), part.at("discards"))
        s.scroll_discards |= 1 << (code - 1)
    free = draft.left_of("scroll card", draft.names.scrolls)
    display = part.get("display", series(or_null(scroll), SCROLL_DISPLAY), free[:SCROLL_DISPLAY])
    for slot, code in enumerate(display):
        s.scroll_display[slot] = code
        if code:
            draft.take("scroll card", scroll.show(code), f"{part.at('display')}[{slot}]")


def read_gone(draft: Draft) -> None:
    """Read the pieces that have left the game."""
    s, part = draft.s, draft.top.part("gone")
    part.only("tiles", "hexes", "adventures", "scroll_tokens")
    for code in sorted({*part.get("tiles", pieces(draft.names.tiles, "SETUP-10")), *_unused_tiles(draft)}):
        draft.take("tile", draft.names.tile.show(code), part.at("tiles"))
        s.tiles_gone[(code - 1) // MAX_TILES_PER_LEVEL] |= 1 << (code - 1) % MAX_TILES_PER_LEVEL
    hexes, monks = draft.names.in_deck("hexes"), {token.id for token in draft.rules.pack.tokens if token.monk}
    for code in part.get("hexes", pieces(draft.names.decks["hexes"], "SETUP-10")):
        id = hexes.show(code)
        draft.take("resource token", id, part.at("hexes"))
        s.hexes_gone |= 1 << (code - 1)
        if id not in monks:
            part.fault("hexes", f"{id} shows no monk", "EXPL-4")
    array_of(s.adventures_gone)[:] = part.get("adventures", ADVENTURE_COUNTS)
    array_of(s.scroll_tokens_gone)[:] = part.get("scroll_tokens", COLOUR_COUNTS)


def _unused_tiles(draft: Draft) -> list[int]:
    """The tile with the secret exit, which SCEN-11 removes from the game whether or not the position says so."""
    if not draft.rules.has_term(Term.NO_SECRET_EXIT):
        return []
    exits = {tile.id for tile in draft.rules.pack.tiles if any(space.item == "exit" for space in tile.spaces)}
    return [code for id, code in draft.names.tiles.items() if id in exits]
