"""Reading the cards on the table, and what has left the game."""

from fujikoro_env.content.model import GEAR, MAX_CARDS_PER_TYPE, MAX_TILES_PER_LEVEL
from fujikoro_env.position.kinds import or_null, pieces, series, word
from fujikoro_env.position.names import FIRST_BACK
from fujikoro_env.position.reading.draft import Draft
from fujikoro_env.position.words import ADVENTURE_COUNTS, COLOUR_COUNTS
from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, SCROLL_DISPLAY
from fujikoro_env.rules.map.geometry import TEMPLES
from fujikoro_env.rules.scenarios.terms import Term


def read_gear_cards(draft: Draft) -> None:
    """Those that nobody has are in the display."""
    s = draft.s
    for id, slot in _deal(draft, "gear_cards", draft.names.gear_cards, "SETUP-3").items():
        s.gear_cards[slot].where = draft.lying["gear_cards"].get(id, Where.DISPLAY)
    for frame in s.stack[: int(s.depth)]:
        if frame.phase == Phase.PLACE_CARD:  # it keeps the slot, not the card
            codes = s.gear_cards["card"].tolist()
            frame.thing = codes.index(int(frame.thing)) if int(frame.thing) in codes else 0


def read_blueprints(draft: Draft) -> None:
    """Those that lie in no temple and that nobody has are lost; without word of the temples they are dealt. SCEN-12:
    those in temples are hidden."""
    names, hides = draft.names, draft.rules.has_term(Term.HIDDEN_BLUEPRINTS)
    blueprint = names.blueprint_or_back if hides else names.blueprint
    codes = {**names.backs, **names.blueprints} if hides else names.blueprints
    kind = series(series(blueprint, len(GEAR) * CARD_SLOTS), TEMPLES)
    for temple, cards in enumerate(draft.top.get("temples", kind)):
        for code in cards:
            draft.lie("blueprints", blueprint.show(code), Where.TEMPLE + temple, f"temples[{temple}]")
    unsaid, lying = draft.top.fields.get("temples") is None, draft.lying["blueprints"]
    to_deal = [draft.n] * len(GEAR) if unsaid else [0] * len(GEAR)
    for dealt, (id, slot) in enumerate(_deal(draft, "blueprints", codes, "SETUP-5").items()):
        gear = slot // CARD_SLOTS
        if id not in lying and to_deal[gear]:  # SCEN-71: more are in play, which were the enemies'
            to_deal[gear] -= 1
            lying[id] = Where.TEMPLE + dealt % TEMPLES
        where = draft.s.blueprints[slot].where = lying.get(id, Where.GONE)
        if hides and (id in names.backs) != (Where.TEMPLE <= where < Where.OWNED):
            draft.faults.add("blueprints", f"{id}: those in temples are hidden, and no others", "SCEN-12")


def _deal(draft: Draft, family: str, codes: dict[str, int], rule: str) -> dict[str, int]:
    """The cards in play, by id the slot of each: as many of each type as players, and more blueprints where there are
    enemies."""
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
            getattr(draft.s, family)[slots[id]].card = codes[id] if codes[id] < FIRST_BACK else 0
    for id in draft.lying[family]:
        if id not in slots:
            draft.faults.add(family, f"{id} lies on the table, but is not in play", rule)
    return slots


def _blueprints_of_enemies(draft: Draft, of_type: list[str]) -> int:
    """How many blueprints of a type were dealt to the enemies (SCEN-71): one for each, or with one gear per enemy as
    many as the position has."""
    enemies = draft.rules.seats - draft.n
    if not draft.rules.options["one_gear_per_enemy"]:
        return enemies
    if "blueprints" in draft.top.fields:
        return min(max(0, len(of_type) - draft.n), enemies)
    return sum(draft.lying["blueprints"].get(id, 0) >= Where.OWNED + draft.n for id in of_type)


def _gear_of(code: int) -> int:
    """Of a card, or of a back (SCEN-12)."""
    return (code - 1) // MAX_CARDS_PER_TYPE if code < FIRST_BACK else (code - FIRST_BACK) // CARD_SLOTS


def _cards_in_play(draft: Draft, family: str, codes: dict[str, int]) -> list[str]:
    """By their ids. Without word of them: those that lie somewhere, then the others as the content pack has them."""
    kind = word(codes, "card")
    given = draft.top.get(family, series(kind, len(GEAR) * CARD_SLOTS))
    if family in draft.top.fields:
        return [kind.show(code) for code in given]
    return list(dict.fromkeys([*draft.lying[family], *codes]))


def read_scrolls(draft: Draft) -> None:
    s, scroll, part = draft.s, draft.names.scroll, draft.top.part("scrolls")
    part.only("display", "discards")
    for code in part.get("discards", pieces(draft.names.scrolls)):
        draft.take("scroll card", scroll.show(code), part.at("discards"))
        s.scroll_discards |= 1 << (code - 1)
    free = draft.left_of("scroll card", draft.names.scrolls)
    display = part.get("display", series(or_null(scroll), SCROLL_DISPLAY), free[:SCROLL_DISPLAY])
    for slot, code in enumerate(display):
        s.scroll_display[slot] = code
        if code:
            draft.take("scroll card", scroll.show(code), f"{part.at('display')}[{slot}]")


def read_gone(draft: Draft) -> None:
    s, part = draft.s, draft.top.part("gone")
    part.only("tiles", "hexes", "adventures", "scroll_tokens")
    for code in sorted({*part.get("tiles", pieces(draft.names.tiles)), *_unused_tiles(draft)}):
        draft.take("tile", draft.names.tile.show(code), part.at("tiles"))
        s.tiles_gone[(code - 1) // MAX_TILES_PER_LEVEL] |= 1 << (code - 1) % MAX_TILES_PER_LEVEL
    hexes, monks = draft.names.in_deck("hexes"), {token.id for token in draft.rules.pack.tokens if token.monk}
    for code in part.get("hexes", pieces(draft.names.decks["hexes"])):
        id = hexes.show(code)
        draft.take("resource token", id, part.at("hexes"))
        s.hexes_gone |= 1 << (code - 1)
        if id not in monks:
            part.fault("hexes", f"{id} shows no monk", "EXPL-4")
    s.adventures_gone[:] = part.get("adventures", ADVENTURE_COUNTS)
    s.scroll_tokens_gone[:] = part.get("scroll_tokens", COLOUR_COUNTS)


def _unused_tiles(draft: Draft) -> list[int]:
    """SCEN-11: the tile with the secret exit is out of the game, whether or not the position says so."""
    if not draft.rules.has_term(Term.NO_SECRET_EXIT):
        return []
    exits = {tile.id for tile in draft.rules.pack.tiles if any(space.item == "exit" for space in tile.spaces)}
    return [code for id, code in draft.names.tiles.items() if id in exits]
