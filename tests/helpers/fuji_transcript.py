"""Transcripts of Fuji, with random players whose figures hurry to the villages."""

import random
from collections.abc import Iterator
from typing import Any

from fuji_env import Game, Rules
from fuji_env.position import position_of
from fuji_env.record import RECORDED
from fuji_env.rules.base.phases import Phase
from tests.helpers.transcripts import Transcript, folded, shown

# Not shown, because it is in other lines or follows from them.
UNTOLD = ("version", "rules", "round", "lead", "asked", "streams", "figures", "third_screen", "acted", "known")
UNTOLD_OF_FIGURE = ("dice", "before", "rerolled", "steps")
WANDERING = 0.1  # share of the decisions that are taken at random
PATIENCE = 0.5  # share of the decisions in which equipment is played where possible


class Hurrying:
    """Answers for all seats, seeing all dice: mostly the nearest card to the villages on which a figure is stronger
    than its neighbours, dice that do not count are rolled again, and cards are played."""

    def __init__(self, seed: int) -> None:
        self.luck, self.wandering = random.Random(seed), WANDERING

    def choose(self, game: Game) -> int:
        """Choose a legal action."""
        names = {game.action_name(int(action)): int(action) for action in game.legal_actions()}
        if self.luck.random() >= self.wandering:
            for name in self._wanted(game, list(names)):
                if name in names:
                    return names[name]
        return list(names.values())[int(self.luck.random() * len(names))]

    def _wanted(self, game: Game, names: list[str]) -> Iterator[str]:
        played = [name for name in names if name.startswith("play(")]
        if played and self.luck.random() < PATIENCE:
            yield played[int(self.luck.random() * len(played))]
        if game.phase == Phase.PLAN and not game.state.figures[game.figure].marker:
            yield min((name for name in names if name.startswith("place(")), key=lambda name: self._worth(game, name))
        if game.phase == Phase.REROLL:
            weak = [die for die in range(6) if not self._counts(game, game.figure, die, _marked(game, game.figure))]
            yield f"roll({'+'.join(str(die + 1) for die in weak if game.state.dice[game.figure, die])})"
        yield "done"

    def _worth(self, game: Game, name: str) -> tuple[int, int, float]:
        """Less for better places: those where the figure wins, then the nearest to the villages."""
        place, figure, sets = game.vocabulary.find_place(name[6:-1]), game.figure, game.rules.sets
        values = [self._value(game, k, place) for k in (figure, (figure + 1) % sets, (figure - 1) % sets)]
        return int(values[0] <= max(values[1:])), _way(game, place), self.luck.random()

    def _value(self, game: Game, dice_set: int, place: int) -> int:
        dice = game.state.dice[dice_set]
        return sum(int(dice[die]) for die in range(6) if self._counts(game, dice_set, die, place))

    def _counts(self, game: Game, dice_set: int, die: int, place: int) -> bool:
        number, pack = int(game.state.dice[dice_set, die]), game.rules.pack
        area = pack.areas[int(game.state.cards[place]) - 1]
        return bool(number) and area.fits(number, pack.dice[die].colour(number))


def _marked(game: Game, figure: int) -> int:
    return int(game.state.figures[figure].marker) - 1


def _way(game: Game, place: int) -> int:
    """Cards from a place to the nearest village."""
    return int(game.rules.tables[0].layouts[game.rules.scenario_number].to_village[place])


class FujiTranscript(Transcript):
    """How games of Fuji are told."""

    def position(self, game: Game) -> dict[str, Any]:
        return position_of(game)

    def told(self, position: dict[str, Any]) -> dict[str, Any]:
        told = {key: value for key, value in position.items() if key not in UNTOLD}
        return told | {
            f"p{k}": {key: value for key, value in figure.items() if key not in UNTOLD_OF_FIGURE}
            for k, figure in enumerate(position["figures"])
        }

    def head(self, position: dict[str, Any], seed: int) -> Iterator[str]:
        rules = {key: value for key, value in position["rules"].items() if value is not False}
        yield f"A game of Fuji by players in a hurry, seed {seed}; made by `make goldens`"
        yield from folded("rules: ", [f"{key} {shown(value)}".rstrip() for key, value in rules.items()])
        yield from folded("cards: ", [f"{place} {card}" for place, card in position["cards"].items()])
        yield from folded("figures: ", [f"p{k} {figure['skill']}" for k, figure in enumerate(position["figures"])])
        yield f"p{position['lead']} leads"

    def turn(self, game: Game) -> tuple[int, int]:
        """Round and phase of the round."""
        s = game.state
        return int(s.round_number), int(s.stack[1].phase) if s.depth > 1 else 0

    def turn_head(self, game: Game) -> str:
        number, phase = self.turn(game)
        s, words = game.state, game.vocabulary
        figures = [f"p{k} at {words.place(s.figures[k].at)}" for k in range(game.rules.figures)]
        return f"round {number}, {Phase(phase).name}; {', '.join(figures)}"

    def luck(self, before: Game, action: int, after: Game) -> list[str]:
        rolls, draws = RECORDED.chance_in(before, action, after)
        drawn = [f"drawn {' '.join(draws['equipment'])}"] if draws else []
        return [f"{roll['who']} rolls {' '.join(roll['dice'])}" for roll in rolls] + drawn

    def end(self, game: Game) -> Iterator[str]:
        outcome = game.outcome
        assert outcome is not None
        yield ""
        yield f"over in round {outcome.rounds}: {outcome.reason}, score {outcome.scores[0]}; digest {game.digest()}"


def fuji_transcript(settings: dict[str, Any], seed: int) -> list[str]:
    """The lines of a game, from set-up to the end."""
    return list(FujiTranscript().lines(Game(Rules(ask_forced=True, **settings), seed), Hurrying(seed), seed))
