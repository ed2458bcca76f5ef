"""A second book of the counters (docs/counters.md), kept beside the engine; VP by source are in `tests.helpers.ledger`.

It looks at a question, its answer and the position before and after, and works out by the letter of the rules what the
answer adds to each counter. So forced answers must be asked too (`ask_forced`). What it can't foresee, for a fight may
begin and end between two questions, must at least fit what can be seen: those checks are in `_fits`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from fujikoro_env import Rules
from fujikoro_env.rules.base.actions import DONE, MONK, NO, PLACE, STEP, YES
from fujikoro_env.rules.base.counters import COUNTERS, DuelCount, KnockOut, MonkFightCount
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.rules.characters.sneak import SNEAK_NEXT
from fujikoro_env.rules.map.geometry import SPACES, geometry
from fujikoro_env.rules.scenarios.terms import Term
from fujikoro_env.rules.turn.stages import TURN_START
from tests.helpers.invariants import members

FORESEEN = (  # exactly, by the question and its answer
    *("fights_begun", "fights_joined", "fights_defended", "fights_won", "monks_sent", "duels", "tiles_explored"),
    "crafts",
)
ASKED = (  # the answer may add to a counter
    *(Phase.EXPLORE_TURN, Phase.CRAFT_LAY, Phase.SEND_MONK, Phase.JOIN, Phase.MOVE, Phase.JUMP, Phase.PAY),
    *(Phase.DRAGON_WAY, Phase.CALL_DUEL, Phase.RETREAT, Phase.ASK_SMOKE),
)
WATCHED = ("unconscious", "lives_lost", "outside", "left_round")  # of players: a change is worth a look
BEGIN = 0  # stage of a fight that waits until lava is paid for
Entry = tuple[str, int, int]  # a counter, a player and the index of a label: 1 more


class CountBook:
    """For a batch of games under the same rules."""

    def __init__(self, rules: Rules, games: Any) -> None:
        assert rules.ask_forced, "what is not asked can't be written down"
        self.rules = rules
        self.place_of = rules.tables[0].place_of
        self.colours: list[int] = rules.tables[0].dragon_colour.tolist()
        self.counts = {name: self._found(games, name) for name in COUNTERS if name != "vp"}

    def _found(self, games: Any, name: str) -> Any:
        return games["counts"][name][..., : self.rules.players, :].astype(np.int64)

    def restart(self, index: int, game: Any) -> None:
        """Another game goes on in this place of the batch."""
        for name, counts in self.counts.items():
            counts[index] = self._found(game, name)

    def write(self, before: Any, actions: Any, after: Any) -> None:
        """Raises if the engine has counted anything else in this step of all games."""
        for g in self._worth_a_look(before, after):
            old, new = before[g], after[g]
            added = {name: self._found(new, name) - counts[g] for name, counts in self.counts.items()}
            entries = list(self._entries(old, int(actions[g]), new, added))
            for name, player, label in entries:
                self.counts[name][g, player, label] += 1
            self._compare(new, g, entries)
            for player in range(self.rules.players):
                self._fits(old, new, added, player, f"player {player} of game {g}")
            for name in self.counts:
                self.counts[name][g] = self._found(new, name)

    def _worth_a_look(self, before: Any, after: Any) -> list[int]:
        """Games in which something may have been counted: most steps are not."""
        phases = before["stack"]["phase"][np.arange(len(before)), before["depth"] - 1]
        changed = np.isin(phases, ASKED) | (before["dragons_beaten"] != after["dragons_beaten"])
        changed |= before["fight"]["loser"] != after["fight"]["loser"]
        for name in WATCHED:
            changed |= (before["players"][name] != after["players"][name]).any(axis=1)
        for name, counts in self.counts.items():
            changed |= (self._found(after, name) != counts).any(axis=(1, 2))
        found: list[int] = np.flatnonzero((before["reason"] == 0) & changed).tolist()
        return found

    def _compare(self, new: Any, g: int, entries: list[Entry]) -> None:
        for name in FORESEEN:
            found, wanted = self._found(new, name), self.counts[name][g]
            same = (found == wanted).all()
            assert same, f"{name} {found.tolist()}, but the book says {wanted.tolist()}: {entries} (game {g})"

    # What can be foreseen

    def _entries(self, old: Any, action: int, new: Any, added: dict[str, Any]) -> Iterator[Entry]:
        frame = old["stack"][old["depth"] - 1]
        actor, phase = int(frame["actor"]), Phase(int(frame["phase"]))
        if phase == Phase.EXPLORE_TURN:
            yield "tiles_explored", actor, int(geometry().place_names[frame["at"]][4]) - 1
        elif phase == Phase.CRAFT_LAY and action == DONE:
            yield "crafts", actor, int(frame["thing"])
        elif phase == Phase.SEND_MONK and action != NO:
            yield "monks_sent", actor, action - MONK
        elif phase == Phase.JOIN and action != NO:
            yield "fights_joined", actor, self.colours[int(old["fight"]["dragon"]) - 1]
        elif phase == Phase.DRAGON_WAY:
            yield from self._defended(old, int(frame["thing"]) - 1, action - PLACE)
        for dragon in members(int(new["dragons_beaten"]) & ~int(old["dragons_beaten"])):
            for player in np.flatnonzero(old["fight"]["fighters"]["inside"]).tolist():
                yield "fights_won", player, self.colours[dragon]
        yield from self._begun(old, action, new, added)
        yield from self._decided(old, action, new)

    def _defended(self, old: Any, dragon: int, place: int) -> Iterator[Entry]:
        """COOP-12: a dragon that comes fights all on its tile."""
        for player in range(self.rules.players):
            me = old["players"][player]
            if me["outside"] == 0 and self.place_of[me["at"]] == place:
                yield "fights_defended", player, self.colours[dragon]

    def _begun(self, old: Any, action: int, new: Any, added: dict[str, Any]) -> Iterator[Entry]:
        """A fight begins with the step that leads to it, or once lava is paid for (MOVE-4)."""
        waiting = _waiting(old, Phase.DRAGON_FIGHT) or self._dragon_met(old, action)
        if waiting and not _waiting(new, Phase.DRAGON_FIGHT):
            player, dragon = waiting
            yield "fights_begun", player, self.colours[dragon - 1]
        waiting = _waiting(old, Phase.DUEL) or self._samurai_met(old, action, new, added)
        if waiting and not _waiting(new, Phase.DUEL):
            player, other = waiting
            yield "duels", player, DuelCount.BEGUN
            if other < self.rules.players:  # not an enemy
                yield "duels", other, DuelCount.DEFENDED

    def _dragon_met(self, old: Any, action: int) -> tuple[int, int] | None:
        """MOVE-5: who steps onto a dragon's tile, and the dragon + 1."""
        space = _stepped_onto(old, action)
        place = -1 if space is None else int(self.place_of[space])
        if place < 0 or not old["dragon_at"][place]:
            return None
        return int(old["stack"][old["depth"] - 1]["actor"]), int(old["dragon_at"][place])

    def _samurai_met(self, old: Any, action: int, new: Any, added: dict[str, Any]) -> tuple[int, int] | None:
        """MOVE-6, SCEN-15, SCEN-72: who begins a duel, and with whom."""
        frame, below = old["stack"][old["depth"] - 1], old["stack"][old["depth"] - 2]
        if frame["phase"] == Phase.CALL_DUEL:
            mover, asked_second = int(below["actor"]), bool(frame["stage"])
            return (mover, int(frame["actor"] if asked_second else frame["thing"])) if action == YES else None
        space = _stepped_onto(old, action)
        if space is None or self._dragon_met(old, action):
            return None
        if self.rules.has_term(Term.ENEMY_SAMURAI):
            guards = [
                p for p in range(1, PLAYERS) if old["players"][p]["at"] == space and old["players"][p]["monks"].any()
            ]
            return (0, guards[0]) if guards else None
        if self.rules.has_term(Term.MEETINGS_ARE_DUELS):
            return self._forced_duel(old, int(frame["actor"]), space, new, added)
        return None

    def _forced_duel(self, old: Any, mover: int, space: int, new: Any, added: dict[str, Any]) -> tuple[int, int] | None:
        """SCEN-15: with a conscious samurai there, if either can fight; which weapons can is taken on trust."""
        found = bool(_waiting(new, Phase.DUEL)) or added["duels"][mover, DuelCount.BEGUN] > 0
        there = [p for p in range(self.rules.players) if p != mover and _stands(old["players"][p], space)]
        return (mover, there[0]) if found and there else None

    def _decided(self, old: Any, action: int, new: Any) -> Iterator[Entry]:
        frame, fight = old["stack"][old["depth"] - 1], old["fight"]
        dueling = bool((old["stack"]["phase"] == Phase.DUEL).any()) and not fight["loser"]
        leaves = frame["phase"] in (Phase.RETREAT, Phase.ASK_SMOKE) and action != NO and dueling
        if leaves:
            loser, other = int(frame["actor"]), int(fight["active"] + fight["defender"] - frame["actor"])
            yield "duels", loser, DuelCount.GIVEN_UP
            if other < self.rules.players:
                yield "duels", other, DuelCount.WON
        elif new["fight"]["loser"] and not fight["loser"]:
            loser = int(new["fight"]["loser"]) - 1
            winner = int(new["fight"]["active"] + new["fight"]["defender"]) - loser
            for player, what in ((loser, DuelCount.LOST), (winner, DuelCount.WON)):
                if player < self.rules.players:
                    yield "duels", player, what
        elif self._lost_to_an_enemy(old, action, new, dueling):
            yield "duels", 0, DuelCount.LOST

    def _lost_to_an_enemy(self, old: Any, action: int, new: Any, dueling: bool) -> bool:
        """SCEN-72: an enemy steals nothing, so the fight is over when the next question is asked."""
        lost = bool(new["players"]["lives_lost"][0] > old["players"]["lives_lost"][0])
        if not lost or not self.rules.has_term(Term.ENEMY_SAMURAI):
            return False
        return dueling or self._samurai_met(old, action, new, {}) is not None

    # What must fit

    def _fits(self, old: Any, new: Any, added: dict[str, Any], player: int, whose: str) -> None:
        was, me = old["players"][player], new["players"][player]
        fell, duels = added["knock_outs"][player], added["duels"][player]
        assert fell[KnockOut.DUEL] == duels[DuelCount.LOST], f"knock-outs in duels are duels lost: {fell} ({whose})"
        if self.rules.is_coop:
            lives = int(me["lives_lost"]) - int(was["lives_lost"])
            assert fell.sum() == lives, f"{fell} knock-outs, but {lives} lives lost ({whose})"
        else:
            self._fits_competition(old, new, fell, player, whose)
        fought = self._found(new, "monk_fights")[player] if self.rules.has_term(Term.MONKS_FIGHT) else None
        _fit_monks(new, fought, fell, player, whose)
        _fit_leaving(old, new, was, me, whose)

    def _fits_competition(self, old: Any, new: Any, fell: Any, player: int, whose: str) -> None:
        was, me = old["players"][player], new["players"][player]
        top = new["stack"][new["depth"] - 1]
        reborn = top["phase"] == Phase.REBIRTH and top["actor"] == player and not top["stage"]
        assert fell[KnockOut.LAVA] == reborn, f"{fell} knock-outs; the lava's are those reborn in a temple ({whose})"
        in_fights = fell.sum() - fell[KnockOut.LAVA]
        falls = me["unconscious"] and not was["unconscious"]
        in_turn = old["stack"][0]["stage"] != TURN_START and old["active"] == player
        wakes = new["active"] == player and not (in_turn and old["round_number"] == new["round_number"])  # TURN-5
        allowed = {int(falls)} | ({1} if was["unconscious"] or wakes else set())
        assert in_fights in allowed, f"{fell} knock-outs; unconscious {me['unconscious']} ({whose})"


def _stands(player: Any, space: int) -> bool:
    return bool(player["at"] == space and not player["outside"] and not player["unconscious"])


def _waiting(game: Any, phase: Phase) -> tuple[int, int] | None:
    """Whose fight of this kind is on the stack but has not begun, and the frame's `thing`."""
    for frame in game["stack"][: game["depth"]]:
        if frame["phase"] == phase and frame["stage"] == BEGIN:
            return int(frame["actor"]), int(frame["thing"])
    return None


def _stepped_onto(old: Any, action: int) -> int | None:
    """The space of a step that may start a fight: Daisuke's quiet ones (CHAR-72) do not."""
    frame = old["stack"][old["depth"] - 1]
    quiet = frame["phase"] == Phase.MOVE and frame["stage"] & SNEAK_NEXT
    steps = frame["phase"] in (Phase.MOVE, Phase.JUMP) and STEP <= action < STEP + SPACES
    return action - STEP if steps and not quiet else None


def _fit_monks(new: Any, fought: Any, fell: Any, player: int, whose: str) -> None:
    """SCEN-41: a fight ends with a win, a knock-out or a retreat."""
    if fought is None:
        found = int(new["counts"][player]["monk_fights"].sum()) + int(fell[KnockOut.MONK])
        assert not found, f"monks are not fought here ({whose})"
        return
    lost = new["counts"][player]["knock_outs"][KnockOut.MONK]
    assert fought[MonkFightCount.FOUGHT] >= fought[MonkFightCount.WON] + lost, f"fights with monks {fought} ({whose})"


def _fit_leaving(old: Any, new: Any, was: Any, me: Any, whose: str) -> None:
    if me["outside"] and not was["outside"]:
        now = old["round_number"] <= me["left_round"] <= new["round_number"]
        assert now, f"left in round {new['round_number']}, not {me['left_round']} ({whose})"
    elif me["outside"]:
        assert me["left_round"] == was["left_round"], f"left in round {was['left_round']} already ({whose})"
