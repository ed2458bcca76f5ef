"""Dice rolled in a step. The fight may be over after the step, and its dice gone. So the faces are recovered from the
states of the dice generator before and after it. Rolls are public, so this reveals nothing hidden."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fujikoro_env.content.model import CUBES, DIE_FACES, Face
from fujikoro_env.game import Game
from fujikoro_env.kernel.streams import WORD
from fujikoro_env.render.look import kept
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.names import Cube, Gear, Stream
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import GEAR_CELLS
from fujikoro_env.rules.characters.boards import LEFT_PART
from fujikoro_env.rules.gear.weapon import LEFT, RIGHT
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE
from fujikoro_env.rules.scenarios.enemies import ENEMY
from fujikoro_env.rules.scenarios.monk_fight import DICE as MONKS_DICE
from fujikoro_env.rules.scenarios.terms import Term


@dataclass(frozen=True)
class Roll:
    who: str
    dice: tuple[tuple[int, Face], ...]  # kind of cube and what it shows
    unknown: int = 0  # number of dice whose kinds can't be recovered


def rolls(before: Game, action: int, after: Game) -> list[str]:
    """The rolls of a step in words, die by die, with a star for those that break: "wood 1, metal 2* (hits: 3)"."""
    return [words_of(roll) for roll in rolls_of(before, action, after)]


def words_of(roll: Roll) -> str:
    return f"{roll.who} rolls {_words(roll)}"


def rolls_of(before: Game, action: int, after: Game) -> list[Roll]:
    """The rolls of a step, in order: the acting player's, then the dragon's, then those of monks. All others are asked
    before they roll, which is another step."""
    faces = _faces(before, after)
    own = list(_own_dice(before, action).elements())[: len(faces)] if faces else []
    told = [_roll(f"player {before.actor}", own, faces, before)] if own else []
    rest = faces[len(own) :]
    enemy = _enemy_met(before, action, after)
    if enemy and rest:
        return [*told, _roll_of_enemy(before, enemy, rest)]
    dragons = _dragons_dice(before, after, len(rest))
    if dragons:
        told.append(_roll("the dragon", [Cube.TOOTH] * dragons, rest, before))
    for first in range(dragons, len(rest), MONKS_DICE):
        monks = rest[first : first + MONKS_DICE]
        told.append(_roll("a monk", [Cube.WOOD] * len(monks), monks, before))
    return told


def _roll(who: str, kinds: Sequence[int], faces: list[int], game: Game) -> Roll:
    dice = game.rules.pack.dice
    return Roll(who, tuple((int(kind), dice[kind].faces[face]) for kind, face in zip(kinds, faces, strict=False)))


def _dragons_dice(before: Game, after: Game, number: int) -> int:
    """Number of the rolled dice that are the dragon's. Where monks fight (SCEN-41), they roll the others after it."""
    if not before.rules.has_term(Term.MONKS_FIGHT):
        return number
    fought = int(before.state.fight.dragon or after.state.fight.dragon)
    beaten = before.state.dragons_beaten != after.state.dragons_beaten
    if beaten or not fought:
        return number % MONKS_DICE
    colour = before.rules.pack.dragons[fought - 1].colour
    dice = next(kind.dice for kind in before.rules.pack.dragon_kinds if kind.colour == colour)
    return min(dice, number) if (number - dice) % MONKS_DICE == 0 else number


def _enemy_met(before: Game, action: int, after: Game) -> int:
    """SCEN-72: the enemy in the duel that goes on, or that took place during this action, or 0."""
    if not before.rules.has_term(Term.ENEMY_SAMURAI):
        return 0
    entered = action - act.STEP - FIRST_TEMPLE + ENEMY if before.phase == Phase.MOVE else 0
    begun = int(before.state.fight.defender or after.state.fight.defender)
    return begun or (entered if ENEMY <= entered < before.rules.seats else 0)


def _roll_of_enemy(game: Game, enemy: int, faces: list[int]) -> Roll:
    """Roll of an enemy: all dice of its weapons, the left one first. The player may be asked a question between the
    two."""
    weapon, who = game.state.players[enemy].gear[Gear.WEAPON], f"enemy {enemy - ENEMY}"
    by_weapon = [list(_dice_on(weapon, slot, cells).elements()) for slot, cells in _weapons(weapon)]
    last_alone = game.state.fight.fighters[enemy].rolled == 1 << LEFT
    choices = [by_weapon[:1], by_weapon[:2], by_weapon[1:]]
    for weapons in reversed(choices) if last_alone else choices:
        kinds = [kind for dice in weapons for kind in dice]
        if len(kinds) == len(faces):
            return _roll(who, kinds, faces, game)
    return Roll(who, (), len(faces))  # it rolled more than once, and cubes broke in between


def _words(roll: Roll) -> str:
    if roll.unknown:
        return f"{roll.unknown} dice"
    dice = [f"{CUBES[kind]} {face.hits}{'*' if face.breaks else ''}" for kind, face in roll.dice]
    return f"{', '.join(dice)} (hits: {sum(face.hits for _, face in roll.dice)})"


def _faces(before: Game, after: Game) -> list[int]:
    """Faces rolled in a step: the loaded ones that were used up, then those drawn from the dice generator. The
    generator is sfc32, as in `kernel.streams`; its last word counts the draws."""
    loaded = [code for code in before.state.loaded_dice.tolist() if code]
    used = len(loaded) - sum(code > 0 for code in after.state.loaded_dice.tolist())
    a, b, c, counter = (int(word) for word in before.state.streams[Stream.DICE].words)
    draws = (int(after.state.streams[Stream.DICE].words[3]) - counter) & WORD
    faces = [(code - 1) % 8 for code in loaded[:used]]
    for _ in range(draws):
        word = (a + b + counter) & WORD
        a, b, c = b ^ (b >> 9), (c + (c << 3)) & WORD, ((((c << 21) & WORD) | (c >> 11)) + word) & WORD
        counter = (counter + 1) & WORD
        faces.append(word * DIE_FACES >> 32)
    return faces


def _own_dice(game: Game, action: int) -> Counter[int]:
    """Dice that the acting player rolls with this action, by kind in the order of rolling."""
    match game.phase:
        case Phase.DICE if action == act.ROLL:
            weapon = game.state.players[game.actor].gear[Gear.WEAPON]
            return _dice_on(weapon, int(kept(game, "weapon")), int(kept(game, "cells")))
        case Phase.DICE:
            return _chosen_dice(game) + Counter({int(kept(game, "kind")): action - act.NUMBER})
        case Phase.REROLL if action == act.YES:
            return _chosen_dice(game)
        case Phase.MONK_THROW:
            return Counter([action - act.THROW])
        case Phase.SEND_MONK if action != act.NO:  # if all dice are of one kind, the monk throws them unasked
            carried = [kind for kind, n in enumerate(game.state.players[game.actor].pack) if n]
            return Counter(carried if len(carried) == 1 else [])
        case _:
            return Counter()


def _chosen_dice(game: Game) -> Counter[int]:
    """The dice chosen so far, magic ones last."""
    return Counter({kind: int(n) for kind, n in enumerate((*kept(game, "dice"), kept(game, "magic_dice")))})


def _dice_on(weapon: Any, slot: int, cells: int) -> Counter[int]:
    """Dice of a weapon: one for each cube, and a green one if it is magic (MAGIC-4)."""
    cubes = {kind: (int(weapon.cubes[kind]) & cells).bit_count() for kind in range(Cube.MAGIC)}
    return Counter(cubes | {int(Cube.MAGIC): int(weapon.magic == slot + 1)})


def _weapons(weapon: Any) -> list[tuple[int, int]]:
    """Slot and cells of each weapon: two if nothing joins the parts (WEAP-4)."""
    cells = int(weapon.cubes[0]) | int(weapon.cubes[1]) | int(weapon.cubes[2])
    left, right = cells & LEFT_PART, cells & ~LEFT_PART
    joined = any(left >> cell & 1 and right >> (cell + 1) & 1 for cell in range(GEAR_CELLS[Gear.WEAPON]))
    found = [(LEFT, cells)] if joined else [(LEFT, left), (RIGHT, right)]
    return [(slot, piece) for slot, piece in found if piece]
