"""A second book of victory points, kept beside the engine: who got how many from which source.

It looks at a question, its answer and the position before and after, and works out by the letter of the rules what the
answer is worth; so forced answers must be asked too (`ask_forced`). What players have must be what the book says.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fujikoro_env import Rules
from fujikoro_env.content.model import GEAR, PALACE_TRACKS, RESOURCES
from fujikoro_env.rules.base.actions import BONUS, CLAIM, ITEM_SCROLL, SCROLL, SCROLL_DECK
from fujikoro_env.rules.base.counters import COUNTERS
from fujikoro_env.rules.base.names import Gear, Outside, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from fujikoro_env.rules.map.geometry import geometry
from fujikoro_env.rules.scenarios.terms import Term
from tests.helpers.invariants import members

SOURCES = COUNTERS["vp"].labels
VP_OF_SCROLL = 3  # SCROLL-1, DUEL-7
VP_OF_BONUS = 1  # GEAR-5
VP_OF_MARKER = 5  # SCEN-18
VP_OF_TROPHY = {"blue": 2, "green": 3, "red": 5, "white": 7}  # SCEN-23
VP_OF_ONE_COLOUR, VP_OF_COLOURS, SET = 7, 10, 3
VP_OF_DEFEAT = 5  # SCEN-42
VP_OF_LEVEL = {1: 0, 2: 1, 3: 2}  # EXPL-2
MONK, TOOTH = PALACE_TRACKS.index("monk"), PALACE_TRACKS.index("tooth")
REASONS = (  # sources as the engine names them, but for the unknown one
    *("tiles", "storyteller", "weapon_card", "scrolls_gathered", "scroll_dealt", "scrolls_won", "scrolls_stolen"),
    *("dragons", "palace_gear", "palace_monks", "palace_teeth", "foot_gear", "foot_monks", "unclaimed"),
    *("status_markers", "trophies", "one_colour_sets", "mixed_sets", "monk_defeats"),
)
KIND_OF_TRACK = {"monk": "monks", "tooth": "teeth"}  # all others are gear
ASKED = (  # these may bring VP
    *(Phase.EXPLORE_TURN, Phase.HALVES, Phase.SCROLL_CARD, Phase.SETUP_SCROLL, Phase.STEAL, Phase.THEFT, Phase.CLAIM),
)


@dataclass(frozen=True)
class Award:
    player: int
    points: int
    reason: str  # one of REASONS


class Ledger:
    """For a batch of games under the same rules."""

    def __init__(self, rules: Rules, games: Any) -> None:
        assert rules.ask_forced, "what is not asked can't be written down"
        self.rules = rules
        self.logs: list[list[Award]] = [[] for _ in games]
        self.opening: Any = games["players"]["vp"][:, : rules.players].astype(np.int64)
        self.totals: Any = self.opening.copy()
        self.sources: Any = games["counts"]["vp"][:, : rules.players].astype(np.int64)

    def restart(self, index: int, game: Any) -> None:
        """Another game goes on in this place of the batch."""
        self.logs[index] = []
        self.opening[index] = self.totals[index] = game["players"]["vp"][: self.rules.players]
        self.sources[index] = game["counts"]["vp"][: self.rules.players]

    def write(self, before: Any, actions: Any, after: Any) -> list[Award]:
        """What this step of all games was worth; raises if the players have anything else."""
        awards = [
            (g, award) for g in self._worth_a_look(before, after) for award in self._awards(before, actions, after, g)
        ]
        for g, award in awards:
            self._enter(g, award)
        if self.rules.has_term(Term.MONKS_FIGHT):
            awards += list(self._lost_to_monks(after))
        self._compare(after)
        return [award for _, award in awards]

    def _enter(self, g: int, award: Award) -> None:
        self.logs[g].append(award)
        self.totals[g, award.player] += award.points
        self.sources[g, award.player, SOURCES.index(award.reason)] += award.points

    def _lost_to_monks(self, after: Any) -> Iterator[tuple[int, Award]]:
        """SCEN-42: a monk may beat a samurai before anything is asked, so the book takes down what is missing, if it is
        what defeats cost: 5 VP each, or all."""
        found = after["players"]["vp"][:, : self.rules.players]
        for g, player in np.argwhere(found < self.totals).tolist():
            missing = int(self.totals[g, player] - found[g, player])
            if missing % VP_OF_DEFEAT == 0 or found[g, player] == 0:
                award = Award(player, -missing, "monk_defeats")
                self._enter(g, award)
                yield g, award

    def _compare(self, after: Any) -> None:
        found = after["players"]["vp"][:, : self.rules.players]
        for g in np.flatnonzero((found != self.totals).any(axis=1)):
            raise AssertionError(f"VP {found[g]}, but the book says {self.totals[g]}: {self.logs[g][-5:]} (game {g})")
        booked = after["counts"]["vp"][:, : self.rules.players]
        for g, player, source in np.argwhere(booked != self.sources)[:1]:
            numbers = f"{booked[g, player, source]}, but the book says {self.sources[g, player, source]}"
            raise AssertionError(
                f"VP of player {player} for {SOURCES[source]}: {numbers}: {self.logs[g][-5:]} (game {g})"
            )
        for g in np.flatnonzero(after["reason"]):
            summed = self.opening[g].copy()
            for award in self.logs[g]:
                summed[award.player] += award.points
            assert (summed == found[g]).all(), f"VP {found[g]} at the end, {summed} by the log (game {g})"

    def _worth_a_look(self, before: Any, after: Any) -> list[int]:
        """Games in which something may have been awarded: most steps are not."""
        phases = before["stack"]["phase"][np.arange(len(before)), before["depth"] - 1]
        asked = np.isin(phases, ASKED)
        changed = (before["dragons_beaten"] != after["dragons_beaten"]) | (after["reason"] != 0)
        found: list[int] = np.flatnonzero((before["reason"] == 0) & (asked | changed)).tolist()
        return found

    def _awards(self, before: Any, actions: Any, after: Any, g: int) -> Iterator[Award]:
        old, new, action = before[g], after[g], int(actions[g])
        frame = old["stack"][old["depth"] - 1]
        actor, phase = int(frame["actor"]), Phase(int(frame["phase"]))
        if phase == Phase.EXPLORE_TURN:
            yield from self._for_a_tile(old, frame, actor)
        elif phase == Phase.HALVES and action == BONUS:
            me = old["players"][actor]
            if me["card_on"][frame["thing"]] == Gear.WEAPON + 1 and not me["looks"]:
                yield Award(actor, VP_OF_BONUS, "weapon_card")
        elif phase == Phase.SCROLL_CARD and SCROLL <= action <= SCROLL_DECK:
            yield Award(actor, VP_OF_SCROLL, "scrolls_gathered")
        elif phase == Phase.STEAL and action >= ITEM_SCROLL:
            yield Award(actor, VP_OF_SCROLL, "scrolls_won")
        elif phase == Phase.SETUP_SCROLL:  # CHAR-41
            yield Award(actor, VP_OF_SCROLL, "scroll_dealt")
        elif phase == Phase.THEFT and action >= ITEM_SCROLL:  # CHAR-73
            yield Award(actor, VP_OF_SCROLL, "scrolls_stolen")
        elif phase == Phase.CLAIM and CLAIM <= action < CLAIM + len(PALACE_TRACKS):
            yield self._for_a_claim(old, actor, action - CLAIM)
        for dragon in members(int(new["dragons_beaten"]) & ~int(old["dragons_beaten"])):
            yield from self._for_a_dragon(old, dragon)
        if new["reason"] and self._is_settled(new):
            yield from self._at_the_end(new)

    def _is_settled(self, new: Any) -> bool:
        """A ronin that is lost before the countdown ends gets nothing more (SCEN-81)."""
        return not self.rules.is_coop or int(new["countdown"]) == len(self.rules.pack.countdown)

    def _for_a_tile(self, old: Any, frame: Any, actor: int) -> Iterator[Award]:
        points = VP_OF_LEVEL[int(geometry().place_names[frame["at"]][4])]
        if points:
            yield Award(actor, points, "tiles")
            powers = [self.rules.pack.scrolls[card - 1].power for card in old["players"][actor]["scrolls"] if card]
            if "storyteller" in powers:
                yield Award(actor, 1, "storyteller")

    def _for_a_dragon(self, old: Any, dragon: int) -> Iterator[Award]:
        """DRAG-6: all who are still in the fight."""
        colour = self.rules.pack.dragons[dragon].colour
        points = next(kind.vp for kind in self.rules.pack.dragon_kinds if kind.colour == colour)
        for player in np.flatnonzero(old["fight"]["fighters"]["inside"]).tolist():
            yield Award(player, points, "dragons")

    def _for_a_claim(self, old: Any, actor: int, track: int) -> Award:
        """SHOG-1: the highest value that is free: each claim in the palace has taken one, but for the last."""
        players, kind = old["players"][: self.rules.players], KIND_OF_TRACK.get(PALACE_TRACKS[track], "gear")
        if players[actor]["outside"] == Outside.FOOT:
            return Award(actor, self.rules.pack.foot[PALACE_TRACKS[track]], f"foot_{kind}")
        at_foot = int(old["foot"][track]) if track < len(old["foot"]) else 0
        taken = int(players["claimed"][:, track].sum()) - at_foot  # of those who came back, too (SCEN-52)
        values = self.rules.pack.palace[PALACE_TRACKS[track]]
        return Award(actor, values[min(taken, len(values) - 1)], f"palace_{kind}")

    def _at_the_end(self, new: Any) -> Iterator[Award]:
        """SHOG-4."""
        for player in range(self.rules.players):
            me = new["players"][player]
            if me["outside"] == Outside.PALACE:
                for track, name in enumerate(PALACE_TRACKS):
                    left = _claimable(new, player, track) - int(me["claimed"][track])
                    if left > 0:
                        yield Award(player, left * self.rules.pack.palace[name][-1], "unclaimed")
            yield from self._for_markers(me, player)
            yield from self._for_trophies(me, player)

    def _for_markers(self, me: Any, player: int) -> Iterator[Award]:
        """SCEN-18."""
        if me["status"]:
            yield Award(player, VP_OF_MARKER * int(me["status"]), "status_markers")

    def _for_trophies(self, me: Any, player: int) -> Iterator[Award]:
        """SCEN-23, the sets by trying: three of different colours as often as there are any, the commonest first."""
        kept = Counter(self.rules.pack.dragons[dragon].colour for dragon in members(int(me["trophies"])))
        for colour, number in kept.items():
            yield Award(player, VP_OF_TROPHY[colour] * number, "trophies")
            if number >= SET:
                yield Award(player, VP_OF_ONE_COLOUR * (number // SET), "one_colour_sets")
        while len(+kept) >= SET:
            yield Award(player, VP_OF_COLOURS, "mixed_sets")
            kept -= Counter(colour for colour, _ in kept.most_common(SET))


def _claimable(game: Any, player: int, track: int) -> int:
    me = game["players"][player]
    if track == MONK:
        return int(me["monks"].sum() + me["pack_monks"])
    if track == TOOTH:
        kind = RESOURCES.index("tooth")
        return int(me["pack"][kind] + np.bitwise_count(me["gear"]["cubes"][:, kind]).sum())
    assert track < len(GEAR)
    mine = game["blueprints"]["where"][track * CARD_SLOTS : (track + 1) * CARD_SLOTS] == Where.OWNED + player
    return int(me["gear"][track]["magic"] != 0 and mine.any())
