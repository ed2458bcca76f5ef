"""What players have: boards, cards, claims and packs."""

from typing import Any, Final

from fujikoro_env.content.model import PALACE_TRACKS
from fujikoro_env.position.judging.case import Case
from fujikoro_env.position.judging.gear import cubes_on
from fujikoro_env.position.kinds import codes_of
from fujikoro_env.position.lookup import board_of, gear_of_slot, slots_at
from fujikoro_env.rules.base.names import Cube, Gear, Spot, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.scenarios.terms import Term

SPOT_NAMES: Final = tuple(codes_of(spot for spot in Spot if spot != Spot.CARRIED))


def judge_board(case: Case, p: int) -> None:
    me, where = case.people[p], f"players[{p}]"
    board = board_of(me)
    for spot, name in enumerate(SPOT_NAMES):
        fits = me.monks[spot] <= board.room(spot)
        case.want(f"{where}.monks", fits, f"no room for so many at {name}: {me.monks[spot]}", "MONK-2")
    discs, wanted = int(me.pool + me.fields.sum()), board.discs + int(me.monks[Spot.POOL])
    case.want(f"{where}.discs", discs == wanted, f"{discs} of them, it has {wanted}", "MONK-2")
    second = board.scroll_slots + me.monks[Spot.SCROLL] > 1 or not me.scrolls[1]
    case.want(f"{where}.scrolls", second, "the second slot needs the scroll monk", "MONK-2")
    owned = [gear_of_slot(slot) for slot in slots_at(case.s.gear_cards, Where.OWNED + p)]
    case.want(f"{where}.cards", len(set(owned)) == len(owned), "two gear cards of a type", "GEAR-2")
    looks = not me.looks or has_weapon_card(me)
    case.want(f"{where}.weapon_card", looks, "no weapon card lies under an action", "GEAR-5")
    looks = case.rules.has_vp or me.looks or not has_weapon_card(me)
    case.want(f"{where}.weapon_card", looks, "in co-op it lies with the look up", "GEAR-5")
    adventures = case.rules.adventure_tokens or not me.adventures.any()
    case.want(f"{where}.adventures", adventures, "this game has no adventure tokens", "SETUP-11")
    _judge_claims(case, me, where)


def has_weapon_card(me: Any) -> bool:
    """Under an action."""
    return Gear.WEAPON + 1 in me.card_on


def _judge_claims(case: Case, me: Any, where: str) -> None:
    teeth = int(me.pack[Cube.TOOTH]) + sum(cubes_on(grid)[Cube.TOOTH] for grid in me.gear)
    has = [*(int(grid.magic != 0) for grid in me.gear), int(me.monks.sum() + me.pack_monks), teeth]
    for track, (claimed, most) in enumerate(zip(me.claimed.tolist(), has, strict=True)):
        came_back = case.has_term(Term.DRAGONS_BAR_THE_WAY)  # SCEN-52: and may have lost what was claimed for
        fits = came_back or claimed <= (most if me.outside else 0)
        case.want(f"{where}.claims", fits, f"{claimed} claims of {PALACE_TRACKS[track]} are too many", "SHOG-1")


def judge_pack(case: Case, p: int) -> None:
    where, owned, free = f"players[{p}]", case.blueprints_of(p), case.free_slots(p)
    fits = case.rules.is_coop or len(set(owned)) == len(owned)  # COOP-18
    case.want(f"{where}.blueprints", fits, "two blueprints of a type", "GATH-8")
    fits = free >= 0 or case.has_frame(p, Phase.SURPLUS)
    case.want(f"{where}.pack", fits, f"{-free} more things than it has slots for", "PACK-1")
