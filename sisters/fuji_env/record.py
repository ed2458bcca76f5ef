"""What sessions, events and recordings need of Fuji."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from fuji_env.content.model import DICE, EQUIPMENT, INJURIES, SKILLS
from fuji_env.game import FigureOutcome, Game, Outcome
from fuji_env.position import position_of, read_position
from fuji_env.position.reading import read_rules
from fuji_env.position.writing import rules_of
from fuji_env.rules.base.actions import ACTIONS, DIE, ROLL
from fuji_env.rules.base.phases import Phase
from fuji_env.settings import Rules
from fujikoro_env.kernel import record as kernel
from fujikoro_env.kernel.position.errors import Faults
from fujikoro_env.kernel.position.kinds import members
from fujikoro_env.kernel.position.objects import JsonObject
from fujikoro_env.kernel.record.events import Draws
from fujikoro_env.kernel.record.game import Looks, Passage, RecordedGame
from fujikoro_env.kernel.record.reading import list_in, number_in, object_in, text_in

MOST: Final = 1 << 30
UNSEEN: Final = "?"  # a die that the audience does not see
Rolls = list[dict[str, Any]]


class Recorded(RecordedGame):
    """Fuji, for sessions, events and recordings."""

    name = "fuji"
    package = "fuji_env"
    sources = ("settings.py", "rules")
    version = 1
    game_class = Game
    actions = ACTIONS

    def rules_as_data(self, rules: Rules) -> dict[str, Any]:
        return rules_of(rules)

    def read_rules(self, value: Any, content: str | Path | None) -> Rules:
        return read_rules(JsonObject(value, "rules", Faults()), content)

    def position_of(self, game: Game) -> dict[str, Any]:
        return position_of(game)

    def read_position(self, position: dict[str, Any], rules: Rules) -> Game:
        return read_position(position, rules.content)

    def outcome_as_data(self, outcome: Outcome) -> dict[str, Any]:
        return {**vars(outcome), "figures": [vars(figure) for figure in outcome.figures]}

    def read_outcome(self, value: Any) -> Outcome:
        return read_outcome(value)

    def deal_of(self, game: Game) -> dict[str, Any]:
        return deal_of(game)

    def chance_in(self, before: Game, action: int, after: Game) -> tuple[Rolls, Draws]:
        return list(rolls_in(before, action, after)), draws_in(before, after)

    def chance_seen(self, passage: Passage) -> tuple[Rolls, Draws]:
        """Equipment is drawn in the open. Of dice only those show that the audience sees."""
        if self.hides_action(passage):
            return [], draws_in(passage.before, passage.after)
        shown = list(rolls_in(passage.before, passage.action, passage.after, passage.new))
        return shown, draws_in(passage.before, passage.after)

    def news(self, passage: Passage, looks: Looks) -> Sequence[str]:
        rolled = (
            f"{roll['who']} rolls {' '.join(roll['dice'])}" for roll in self.chance_seen(passage)[0] if _is_seen(roll)
        )
        return [*rolled, *news(passage.old, passage.new)]

    def hides_action(self, passage: Passage) -> bool:
        """Nobody sees anything of the rerolls of others (REROLL-3), but for a die that is set aside (SKILL-3)."""
        if passage.before.phase != Phase.REROLL or DIE <= passage.action < DIE + DICE:
            return False
        return passage.old.viewer not in (None, passage.before.actor)

    def spectator_view(self, game: Game) -> Game:
        """What no player sees alone: dice that all see, and of each figure what the others see."""
        players = game.rules.players
        views = [game.view(player) for player in range(players)]
        seen = views[(game.actor + 1) % players]  # a player who is not asked, so that nothing can be answered
        for name in ("dice", "before"):
            hidden = np.any([view.state[name] == 0 for view in views], axis=0)
            seen.state[name][hidden] = 0
        seen.state.known[:] = 0
        for k in range(game.rules.figures):
            seen.state.figures[k] = views[(k + 1) % players].state.figures[k]
        return seen


# --- chance -----------------------------------------------------------------------------------------------------------


def deal_of(game: Game) -> dict[str, Any]:
    """What set-up dealt at random, up to the first question."""
    s, words = game.state, game.vocabulary
    figures = [s.figures[k] for k in range(game.rules.figures)]
    return {
        "lead": int(s.lead),
        "skills": [SKILLS[me.skill] for me in figures],
        "cards": {words.place(place): words.card(place) for place in np.flatnonzero(s.cards).tolist()},
        "equipment": [_names(int(me.equipment)) for me in figures],
        "offered": _names(_offered(game)),
        "rolls": [roll["dice"] for roll in _first_rolls(game, game)],
    }


def rolls_in(before: Game, action: int, after: Game, seen: Game | None = None) -> Iterator[dict[str, Any]]:
    """The dice rolled in a step. A round is never begun and played to its moves in one step, so dice that were rolled
    still lie there. `seen`: a view of the game after the step; dice that it hides are `?`."""
    shown = seen or after
    if _begins_round(before, after):
        yield from _first_rolls(after, shown)
    elif ROLL <= action < DIE and before.phase in (Phase.REROLL, Phase.ROLL_DICE):
        figure = before.figure
        dice = [int(shown.state.dice[figure, die]) for die in members(action - ROLL + 1)]
        yield {"who": f"figure {figure}", "dice": [str(number or UNSEEN) for number in dice]}


def _begins_round(before: Game, after: Game) -> bool:
    old, new = before.state, after.state
    return bool(new.dice.any() and (old.round_number != new.round_number or not old.dice.any()))


def _first_rolls(game: Game, shown: Game) -> Iterator[dict[str, Any]]:
    for dice_set in range(game.rules.sets):
        rolled = int(np.count_nonzero(game.state.dice[dice_set]))
        if rolled:
            who = f"figure {dice_set}" if dice_set < game.rules.figures else "third screen"
            yield {"who": who, "dice": [str(int(number) or UNSEEN) for number in shown.state.dice[dice_set][:rolled]]}


def draws_in(before: Game, after: Game) -> Draws:
    """The equipment cards drawn in a step, in the order of the content pack."""
    drawn = _names(_in_piles(before) & ~_in_piles(after))
    return {"equipment": drawn} if drawn else {}


def _in_piles(game: Game) -> int:
    s = game.state
    return int(s.deck) | int(s.under) | int(s.discards)


def _offered(game: Game) -> int:
    return int(game.state.stack[game.state.depth - 1].what) if game.phase == Phase.KEEP else 0


def _names(cards: int) -> list[str]:
    return [EQUIPMENT[card] for card in members(cards)]


def _is_seen(roll: dict[str, Any]) -> bool:
    return any(number != UNSEEN for number in roll["dice"])


# --- news -------------------------------------------------------------------------------------------------------------


def news(old: Game, new: Game) -> Iterator[str]:
    """What changed on the table, in words, but for markers and words, which the names of actions say."""
    before, after, words = old.state, new.state, new.vocabulary
    if after.lava != before.lava:
        yield f"lava covers {', '.join(map(words.place, members(int(after.lava) & ~int(before.lava))))}"
    for name, token in (("eruption_tokens", "eruption token"), ("equipment_tokens", "equipment token")):
        for place in members(int(before[name]) & ~int(after[name])):
            yield f"the {token} at {words.place(place)} is gone"
    for k in range(new.rules.figures):
        yield from (f"figure {k} {told}" for told in _news_of_figure(old, new, k))
    if after.round_number != before.round_number:
        yield f"round {after.round_number} begins"


def _news_of_figure(old: Game, new: Game, k: int) -> Iterator[str]:
    before, after, words = old.state.figures[k], new.state.figures[k], new.vocabulary
    if after.at != before.at:
        yield f"goes to {words.place(after.at)}"
    if after.stamina != before.stamina:
        yield f"stamina {before.stamina} -> {after.stamina}"
    for told, gone, here in (("suffers", before, after), ("is healed of", after, before)):
        for injury in members(int(here.injuries) & ~int(gone.injuries)):
            yield f"{told} the injury {INJURIES[injury]}"
    for told, gone, here in (("has", before, after), ("no longer has", after, before)):
        for card in members(int(here.equipment) & ~int(gone.equipment)):
            yield f"{told} {EQUIPMENT[card]}"


# --- outcomes ---------------------------------------------------------------------------------------------------------


def read_outcome(value: Any) -> Outcome:
    """Read an outcome."""
    part = object_in(value, "outcome", ("reason", "won", "ranking", "winners", "scores", "rounds", "figures"))
    numbers = {
        key: tuple(number_in(n, f"outcome.{key}", MOST) for n in list_in(part[key], f"outcome.{key}"))
        for key in ("ranking", "winners", "scores")
    }
    figures = list_in(part["figures"], "outcome.figures")
    return Outcome(
        reason=text_in(part["reason"], "outcome.reason"),
        won=part["won"] is True,
        rounds=number_in(part["rounds"], "outcome.rounds", MOST),
        figures=tuple(_read_figure(figure, f"outcome.figures[{k}]") for k, figure in enumerate(figures)),
        **numbers,
    )


def _read_figure(value: Any, where: str) -> FigureOutcome:
    part = object_in(value, where, ("skill", "stamina", "injuries", "equipment"))
    lists = {
        key: tuple(text_in(name, f"{where}.{key}") for name in list_in(part[key], f"{where}.{key}"))
        for key in ("injuries", "equipment")
    }
    stamina = number_in(part["stamina"], f"{where}.stamina", MOST)
    return FigureOutcome(text_in(part["skill"], f"{where}.skill"), stamina, lists["injuries"], lists["equipment"])


# --- the classes ------------------------------------------------------------------------------------------------------

RECORDED: Final = Recorded()


class Recording(kernel.Recording):
    """A recorded game of Fuji."""

    game: ClassVar[RecordedGame] = RECORDED
    rules: Rules
    outcome: Outcome | None


class Recorder(kernel.Recorder):
    """Steps a game of Fuji and records it."""

    recordings: ClassVar[type[kernel.Recording]] = Recording
    game: Game
