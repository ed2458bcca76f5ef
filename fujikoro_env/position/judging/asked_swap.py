"""Questions of a swap (COOP-17): it must be one that came about by its steps, and can be given back."""

from itertools import chain
from typing import Any, Final

from fujikoro_env.position.judging.case import Case
from fujikoro_env.position.kinds import members
from fujikoro_env.position.swaps import FUNGIBLE, codes_of_slots
from fujikoro_env.rules.base.actions import BLUEPRINT, ITEM, ITEM_MONK, ITEM_SCROLL
from fujikoro_env.rules.base.names import Mode, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.coop.swap import CARD_BITS, FIRST_BLUEPRINT, FIRST_PARTNER, FIRST_SCROLL, FIRST_TAKEN


def judge_swap(case: Case, k: int, frame: Any) -> None:
    asked = Phase(int(frame.phase))
    giver, partner = int(frame.actor), int(frame.thing)
    if asked == Phase.SWAP_CONSENT:
        giver, partner = partner, giver
    if giver == partner or max(giver, partner) >= case.n:
        case.fits(k, False, "nobody swaps with itself")
        return
    _judge_people(case, k, giver, partner)
    case.fits(k, bool(frame.marks) <= (asked == Phase.SWAP_TAKE), "nothing is given in this step")
    case.fits(k, (frame.left == 0) == (asked == Phase.SWAP_CONSENT), "so many steps can't be left")
    case.fits(k, frame.chosen or asked != Phase.SWAP_CONSENT, "nothing has changed hands")
    if frame.marks:
        case.fits(k, _has(case, giver, int(frame.marks) - 1), "what is given is not there")
    _judge_what_goes_back(case, k, frame, giver, partner)


def _judge_people(case: Case, k: int, giver: int, partner: int) -> None:
    mine, theirs = case.people[giver], case.people[partner]
    together = mine.at == theirs.at and not (mine.outside or theirs.outside or theirs.unconscious)
    case.fits(k, case.s.settings.mode == Mode.COOP, "swaps are for co-op games")
    case.fits(k, giver == case.s.active, "not the active player's swap")
    case.fits(k, together, "the two are not on one space")
    case.fits(k, int(case.s.used_powers) >> FIRST_PARTNER + partner & 1, "used_powers does not name the partner")


def _has(case: Case, p: int, action: int) -> bool:
    if BLUEPRINT <= action < ITEM:
        return bool(case.s.blueprints[action - BLUEPRINT].where == Where.OWNED + p)
    if action >= ITEM_SCROLL:
        return bool(case.people[p].scrolls[action - ITEM_SCROLL])
    return bool(case.people[p].pack_monks if action == ITEM_MONK else case.people[p].pack[action - ITEM])


def _judge_what_goes_back(case: Case, k: int, frame: Any, giver: int, partner: int) -> None:
    mine, theirs, moved = case.people[giver], case.people[partner], int(frame.chosen)
    for kind, owed in enumerate((*frame.offer.tolist(), int(frame.stage))):
        given, taken = moved >> kind & 1, moved >> FIRST_TAKEN + kind & 1
        holder = theirs if given else mine
        fits = given + taken == (owed > 0) and [*holder.pack.tolist(), int(holder.pack_monks)][kind] >= owed
        case.fits(k, fits, f"{FUNGIBLE[kind]} can't be given back")
    owners = {int(case.s.blueprints[slot].where) for slot in members(moved >> FIRST_BLUEPRINT)}
    case.fits(k, owners <= {Where.OWNED + giver, Where.OWNED + partner}, "a blueprint can't be given back")
    now = [_scrolls(me) for me in (mine, theirs)]
    before = [[code for code in codes_of_slots(number) if code] for number in frame.cubes[:2]]
    case.fits(k, sorted(chain(*before)) == sorted(chain(*now)), "scrolls can't be given back", "SCROLL-4")
    gone = {
        code & (1 << CARD_BITS) - 1 for old, new in zip(before, now, strict=True) for code in old if code not in new
    }
    marked = {card + 1 for card in members(moved >> FIRST_SCROLL & (1 << FIRST_BLUEPRINT - FIRST_SCROLL) - 1)}
    case.fits(k, gone == marked, "other scrolls changed hands", "SCROLL-4")


def _scrolls(me: Any) -> list[int]:
    pairs = zip(me.scrolls.tolist(), me.scroll_colours.tolist(), strict=True)
    return [card | colour << CARD_BITS for card, colour in pairs if card]


JUDGES: Final = dict.fromkeys((Phase.SWAP_GIVE, Phase.SWAP_TAKE, Phase.SWAP_CONSENT), judge_swap)
