"""Derives what a position need not state: the supply, stacks and decks hold whatever is nowhere else."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

import numpy as np

from fujikoro_env.content.model import COLOURS, FOOT_SPOTS, LEVELS, PALACE_TRACKS, RESOURCES, SUPPLY
from fujikoro_env.kernel.position.kinds import FLAG, bits, numbered, word
from fujikoro_env.position.draft import Draft
from fujikoro_env.position.lookup import array_of, column_of, numbers_in, rows_of
from fujikoro_env.rules.base.names import Outside, Supply, Terrain
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.stacks import PILE, TILES_UNDER_PILE
from fujikoro_env.rules.scenarios.terms import Term

HOLDS_CUBES: Final = (Phase.CRAFT_LAY, Phase.WASTE)


def work_out_the_rest(draft: Draft) -> None:
    """Derive everything that the position does not state."""
    _work_out_turn(draft)
    _work_out_claims(draft)
    _work_out_supply(draft)
    _work_out_stacks(draft)
    _work_out_scroll_tokens(draft)
    _work_out_adventures(draft)


def _work_out_turn(draft: Draft) -> None:
    s = draft.s
    s.escaped = sum(bool(s.players[p].outside) for p in range(draft.n))
    if draft.rules.is_coop:  # COOP-13: a samurai that was knocked out is conscious, so the position must state this
        s.turn_over = draft.top.get("turn_over", FLAG)
        return
    if "turn_over" in draft.top.fields:
        draft.faults.add("turn_over", "follows from who is unconscious: leave it out", "TURN-6")
    fighting = np.isin(column_of(s.stack, "phase"), (Phase.DRAGON_FIGHT, Phase.DUEL)).any()
    s.turn_over = bool(fighting and not s.fight.came and s.players[int(s.active)].unconscious)


def _work_out_claims(draft: Draft) -> None:
    """Derive which claim values are taken from the claims of the players (SHOG-2, SHOG-3)."""
    if draft.rules.has_term(Term.DRAGONS_BAR_THE_WAY):
        _read_foot(draft)
        return
    if "foot" in draft.top.fields:
        draft.faults.add("foot", "follows from who has claimed what: leave it out", "SHOG-3")
    for track, name in enumerate(PALACE_TRACKS):
        taken = _claims(draft, track, Outside.PALACE)
        draft.s.palace[track] = min(taken, len(draft.rules.pack.palace[name]) - 1)
        at_foot = _claims(draft, track, Outside.FOOT)
        if at_foot > (name in FOOT_SPOTS):
            draft.faults.add("players", f"{at_foot} claims of {name} at the foot of the mountain", "SHOG-3")
        elif name in FOOT_SPOTS:
            draft.s.foot[track] = at_foot


def _read_foot(draft: Draft) -> None:
    """Read the claims at the foot of the mountain. A player who has come back may have claimed there or in the palace,
    so the position must state it (SCEN-52)."""
    at_foot = draft.top.get("foot", bits(word(numbered(FOOT_SPOTS), "track")))
    for track, name in enumerate(PALACE_TRACKS):
        claimed, foot = int(column_of(draft.s.players, "claimed")[: draft.n, track].sum()), at_foot >> track & 1
        if foot > claimed:
            draft.faults.add("foot", f"nobody has claimed {name}", "SHOG-3")
        draft.s.palace[track] = min(max(0, claimed - foot), len(draft.rules.pack.palace[name]) - 1)
        if name in FOOT_SPOTS:
            draft.s.foot[track] = foot


def _claims(draft: Draft, track: int, where: Outside) -> int:
    people = [draft.s.players[p] for p in range(draft.n)]
    return sum(int(me.claimed[track]) for me in people if me.outside == where)


def _work_out_supply(draft: Draft) -> None:
    used = [*_used_cubes(draft), *([0] * (len(SUPPLY) - len(RESOURCES)))]
    s, people, spoils = draft.s, rows_of(draft.s.players, draft.rules.seats), array_of(draft.s.spoils)
    used[Supply.MAGIC] = sum(bool(grid.magic) for me in people for grid in rows_of(me.gear))
    on_boards = sum(sum(numbers_in(me.monks)) + int(me.pack_monks) for me in people)
    used[Supply.MONK] = on_boards + int(np.count_nonzero(array_of(s.monk)))
    used[Supply.LAVA] = int(np.count_nonzero(array_of(s.terrain) == Terrain.LAVA_TILE))
    used[Supply.DAMAGE] = int(column_of(s.dragons, "damage").sum())
    used[Supply.TOOTH] += int((spoils & 1).sum())
    used[Supply.STATUS] = sum(int(me.status) for me in people) + int((spoils >> 1).sum())
    for piece, name in enumerate(SUPPLY):
        s.supply[piece] = _rest(draft, name, draft.rules.pack.supply[name], used[piece])


def _used_cubes(draft: Draft) -> list[int]:
    """Cubes of each resource in use: on gear, in packs, and in the hand of a player who is crafting."""
    people, stack, seats = draft.s.players, draft.s.stack, draft.rules.seats
    on_gear = np.bitwise_count(column_of(people, "gear", "cubes")[:seats]).sum(axis=(0, 1))
    in_packs = column_of(people, "pack")[:seats].sum(axis=0)
    in_hand = column_of(stack, "offer")[np.isin(column_of(stack, "phase"), HOLDS_CUBES)].sum(axis=0)
    return [int(on_gear[kind]) + int(in_packs[kind]) + int(in_hand[kind]) for kind in range(len(RESOURCES))]


def _rest(draft: Draft, name: str, all_pieces: int, used: int) -> int:
    if used > all_pieces:
        draft.faults.add("position", f"{used} pieces of {name}, there are {all_pieces}", "SETUP-10")
    return max(0, all_pieces - used)


def _work_out_stacks(draft: Draft) -> None:
    s, names = draft.s, draft.names
    for level in LEVELS:
        s.tiles_left[level - 1] = _bits_of(draft.left_of("tile", names.decks[f"tiles{level}"]))
        if draft.rules.is_coop:
            _check_pile(draft, level)
        _check_top(draft, level)
    s.squares_left = _bits_of(draft.left_of("resource token", names.decks["squares"]))
    s.hexes_left = _bits_of(draft.left_of("resource token", names.decks["hexes"]))
    s.scroll_deck = _bits_of(draft.left_of("scroll card", names.scrolls))
    placed = _bits_of(code for code in numbers_in(s.dragon_at) if code)
    s.dragons_left = _bits_of(names.dragons.values()) & ~placed & ~int(s.dragons_beaten)


def _check_pile(draft: Draft, level: int) -> None:
    """Check the special tile of a co-op pile (COOP-4, COOP-5): the number of tiles drawn says whether it is among them.
    The tile that is left when the stack is empty is out of the game."""
    s, tables = draft.s, draft.rules.tables[0]
    tiles, special = int(tables.tile_count[level - 1]), int(tables.special_tiles[level - 1])
    if not special:
        return
    left, gone = int(s.tiles_left[level - 1]), int(s.tiles_gone[level - 1])
    drawn = tiles - left.bit_count() - gone.bit_count()
    if gone and drawn < tiles - 1:
        draft.faults.add("gone.tiles", f"which of level {level} is out is not known yet", "COOP-4")
    if drawn == tiles - 1:
        s.tiles_gone[level - 1], s.tiles_left[level - 1] = left | gone, 0
    under = TILES_UNDER_PILE[draft.n]
    is_drawn, first = not (left | gone) & special, tiles - 1 - under - PILE + 1  # the first draw that may produce it
    if drawn < first if is_drawn else drawn >= first + PILE - 1:
        said = "is" if is_drawn else "is not"
        draft.faults.add("places", f"the special tile of level {level} {said} among the first {drawn}", "COOP-5")


def _bits_of(codes: Iterable[int]) -> int:
    """Bit set of codes. Codes count from 1, bits from 0."""
    return sum(1 << (code - 1) for code in codes)


def _check_top(draft: Draft, level: int) -> None:
    s = draft.s
    top, left = int(s.top[level - 1]), int(s.tiles_left[level - 1])
    if top and not left >> (top - 1) & 1:
        draft.faults.add(f"tops.{level}", "the tile is not in its stack", "SETUP-10")
    if s.top_seen[level - 1] and not left:
        draft.faults.add(f"tops.{level}", "the stack is empty", "SETUP-10")


def _work_out_scroll_tokens(draft: Draft) -> None:
    s = draft.s
    on_map = [colour for colour in numbers_in(s.scroll) if colour > 0]
    owned = [colour for me in rows_of(s.players, draft.n) for colour in numbers_in(me.scroll_colours)]
    held = [int(frame.marks) for frame in rows_of(s.stack) if frame.phase == Phase.SCROLL_SLOT]
    colours = Counter([*on_map, *owned, *held])
    for colour, name in enumerate(COLOURS):
        used = colours[colour + 1] + int(s.scroll_tokens_gone[colour])
        s.scroll_tokens[colour] = _rest(draft, f"{name} scroll tokens", draft.rules.pack.scroll_tokens, used)


def _work_out_adventures(draft: Draft) -> None:
    s, owned = draft.s, column_of(draft.s.players, "adventures")[: draft.n].sum(axis=0)
    on_map = Counter(kind for kind in numbers_in(s.adventure) if kind > 0)
    for kind, token in enumerate(draft.rules.pack.adventures):
        used = on_map[kind + 1] + int(s.adventures_gone[kind]) + int(owned[kind])
        s.adventures_left[kind] = _rest(draft, token.power, token.copies, used)
