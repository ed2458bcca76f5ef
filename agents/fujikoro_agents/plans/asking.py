"""The compiled side of the level: lists the choices of many games and carries them out."""

from typing import NamedTuple

from fujikoro_agents.plans import tables as f
from fujikoro_agents.plans.describing import worth_of_aim, write_aim, write_answer
from fujikoro_agents.plans.following import aim_after, first_action, follow
from fujikoro_agents.plans.listing import list_for_runner, runners_aim, runners_scene
from fujikoro_agents.plans.scene import Draft, Scene, new_draft
from fujikoro_agents.plans.summary import write_summary
from fujikoro_agents.plans.tables import CHOICES, WIDTH
from fujikoro_agents.plans.team_listing import list_for_member, members_aim, members_scene
from fujikoro_agents.scripted.aims import NO_AIM, deed_of_aim, space_of_aim
from fujikoro_agents.scripted.band import plays_as_band
from fujikoro_agents.scripted.ladder import answer_games
from fujikoro_agents.scripted.paths import DISTANCE
from fujikoro_env.kernel.jit import Address, FloatTable, IntArray, IntTable, Words, by_address, entry, rule
from fujikoro_env.kernel.masks import count_allowed, has, nth_allowed
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS

answer_at = by_address(answer_games)


class Memory(NamedTuple):
    """What the level remembers of every game and seat."""

    aims: IntTable  # the aim under way, or NO_AIM
    luck: IntArray  # random state of the script: all seats of all games, one after the other


class Listed(NamedTuple):
    """The choices of every game."""

    counts: IntArray
    actions: IntTable  # the action that begins each choice
    aims: IntTable  # the aim to remember after it
    luck: IntArray  # random state of the script afterwards
    meant: IntTable  # the aim that each choice stands for, for explanations: choice 0 has the script's own
    features: FloatTable  # all features of all choices, one after the other
    summaries: FloatTable


class Script(NamedTuple):
    """The script that answers everything else."""

    answers: Address  # of `answer_games`
    skills: IntTable  # by game and seat
    luck: IntArray  # a copy of the memory's, to work on
    actions: IntArray  # its answers
    known: IntTable  # memory of estimated fights
    phases: int  # phases at which the legal answers are choices, as bits


@entry
def list_plans(at: GameArrays, which: IntArray, memory: Memory, listed: Listed, script: Script) -> None:
    """List the choices of the games `which`, and describe them."""
    for k in range(len(which)):
        g = int(which[k])
        s = at.games[g]
        if listed.counts[g] > 1:
            clear_row(listed, g)
        listed.counts[g] = 0
        if s.reason != Reason.PLAYING:
            continue
        seat = int(top(s).actor)
        index = g * PLAYERS + seat
        script.luck[index] = memory.luck[index]
        answer_at(script.answers, at, g, g + 1, script.skills, script.luck, script.known, script.actions)
        listed.luck[g] = script.luck[index]
        list_game(at, g, int(memory.aims[g, seat]), int(script.actions[g]), listed, script)
        if listed.counts[g] > 1:
            write_summary(s, at.tables[0], seat, listed.summaries[g])


@rule
def clear_row(listed: Listed, g: int) -> None:
    """Erase the descriptions of the choices that were listed for a game."""
    row = listed.features[g]
    for column in range(int(listed.counts[g]) * WIDTH):
        row[column] = 0.0


@rule
def list_game(at: GameArrays, g: int, aim: int, usual: int, listed: Listed, script: Script) -> None:
    """List the choices of one game. `aim`: the one under way; `usual`: the script's answer."""
    s, t, mask = at.games[g], at.tables[0], at.masks[g]
    phase = top(s).phase
    if phase == Phase.ACTION:
        if usual >= act.USE:  # a power that costs no action; the question is asked again after it
            list_one(listed, g, usual, aim)
        else:
            list_aims_of(at, g, aim, usual, listed, script.known)
        return
    followed = follow(s, t, mask, aim, usual)
    if has(script.phases, phase) and 2 <= count_allowed(mask) <= CHOICES:
        list_answers(mask, g, aim, followed, listed)
    else:
        list_one(listed, g, followed, aim)


@rule
def list_one(listed: Listed, g: int, action: int, aim: int) -> None:
    """Write that there is no question: this action is done, and this aim remembered."""
    listed.counts[g] = 1
    listed.actions[g, 0] = action
    listed.aims[g, 0] = aim
    listed.meant[g, 0] = NO_AIM
    listed.features[g][f.USUAL] = 1.0


@rule
def list_answers(mask: Words, g: int, aim: int, usual: int, listed: Listed) -> None:
    """List the legal answers to a question, the usual one first."""
    list_one(listed, g, usual, aim)
    row, count = listed.features[g], 1
    write_answer(usual, row, 0)
    for k in range(count_allowed(mask)):
        action = nth_allowed(mask, k)
        if action != usual:
            listed.actions[g, count] = action
            listed.aims[g, count] = aim
            listed.meant[g, count] = NO_AIM
            write_answer(action, row, count * WIDTH)
            count += 1
    listed.counts[g] = count


@rule
def list_aims_of(at: GameArrays, g: int, aim: int, usual: int, listed: Listed, known: IntTable) -> None:
    """List the aims at a question for an action."""
    s, t, mask = at.games[g], at.tables[0], at.masks[g]
    p, in_team = int(top(s).actor), plays_as_band(s)
    scene = members_scene(s, t, p, known) if in_team else runners_scene(s, t, p, known)
    draft = new_draft(members_aim(s, t, p, usual) if in_team else runners_aim(s, t, scene, usual))
    count = list_for_member(s, t, mask, scene, draft) if in_team else list_for_runner(s, t, mask, scene, draft)
    list_one(listed, g, usual, NO_AIM)
    listed.counts[g] = count
    listed.meant[g, 0] = draft.usual
    write_aim(s, t, scene, draft.usual, worth_of_aim(s, t, scene, draft.usual), listed.features[g], 0)
    for k in range(1, count):
        list_aim(mask, g, scene, draft, k, listed)
        write_aim(s, t, scene, int(draft.aims[k]), float(draft.gains[k]), listed.features[g], k * WIDTH)
    mark_kept(listed, g, aim)


@rule
def list_aim(mask: Words, g: int, scene: Scene, draft: Draft, k: int, listed: Listed) -> None:
    """List one aim of a draft."""
    aim = int(draft.aims[k])
    action = first_action(mask, int(scene.ways[DISTANCE + space_of_aim(aim)]), deed_of_aim(aim))
    listed.actions[g, k] = action
    listed.aims[g, k] = aim_after(action, aim)
    listed.meant[g, k] = aim


@rule
def mark_kept(listed: Listed, g: int, aim: int) -> None:
    """Mark the choices that go on with the aim under way, and those that begin like choice 0."""
    row = listed.features[g]
    for k in range(listed.counts[g]):
        if aim != NO_AIM and listed.meant[g, k] == aim:
            row[k * WIDTH + f.KEPT] = 1.0
        if listed.actions[g, k] == listed.actions[g, 0]:
            row[k * WIDTH + f.SAME_START] = 1.0


@entry
def carry_out(
    at: GameArrays, which: IntArray, choices: IntArray, memory: Memory, listed: Listed, actions: IntArray
) -> None:
    """Write the actions that begin the choices, and remember their aims."""
    for k in range(len(which)):
        g, choice = int(which[k]), int(choices[k])
        seat = int(top(at.games[g]).actor)
        memory.aims[g, seat] = listed.aims[g, choice]
        memory.luck[g * PLAYERS + seat] = listed.luck[g]
        actions[k] = listed.actions[g, choice]


@entry
def summarise(at: GameArrays, which: IntArray, observers: IntArray, summaries: FloatTable) -> None:
    """Write the summaries of the games `which` for the given players, one row each."""
    for k in range(len(which)):
        write_summary(at.games[which[k]], at.tables[0], int(observers[k]), summaries[k])
