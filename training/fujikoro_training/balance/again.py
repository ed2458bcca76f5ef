"""Finds a game of a balance run again: the rules, seed and agents with which it can be watched."""

from dataclasses import dataclass

from fujikoro_env.player import agents_seed
from fujikoro_env.rules.base.names import Character
from fujikoro_env.settings import Rules
from fujikoro_training.balance.cells import Cell
from fujikoro_training.balance.playing import is_scripted, line_up


@dataclass(frozen=True)
class GameAgain:
    """What a game of a cell is played with."""

    rules: Rules
    seed: int
    agents: list[str]  # by seat
    agents_seed: int


def can_be_repeated(cell: Cell) -> bool:
    """Whether a game of the cell is determined by its rules, seed and agents alone. A restricted player and luck that
    is drawn again are known to the experiment only."""
    return not cell.restriction and not cell.reseeded and is_scripted(cell)


def game_again(cell: Cell, block: int, rotation: int) -> GameAgain:
    """The game of a block and rotation. The cell must be one that can be repeated."""
    line = line_up(cell, range(block, block + 1))
    player_at = line.player_at[rotation]
    agents = [cell.agents[line.agent_of[rotation][player]] for player in player_at]
    rules = cell.make_rules()
    if cell.characters:
        names = [Character(int(line.character_of[rotation][player])).name.lower() for player in player_at]
        rules = Rules(players=cell.players, content=cell.pack, characters=names, ask_forced=cell.forced, **cell.rules)
    return GameAgain(rules, block, agents, agents_seed(block))
