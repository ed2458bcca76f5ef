"""Summary of a position as one player sees it: the state of the game, its own board and that of its strongest rival."""

from typing import Any

import numpy as np

from fujikoro_agents.plans.tables import (
    BOARD,
    DIVISORS,
    S_AHEAD,
    S_COOP,
    S_DRAGONS,
    S_EXIT,
    S_EXIT_OPEN,
    S_FINAL,
    S_INSIDE,
    S_LAST_ACTION,
    S_LEAD,
    S_LEGEND,
    S_LIVES,
    S_OWN,
    S_PLAYERS,
    S_RIVAL,
    S_ROPE,
    S_ROUNDS_LEFT,
    S_TILES,
    S_TIME,
    S_TO_FINAL,
    S_TURNS_LEFT,
    SUMMARY_WIDTH,
)
from fujikoro_agents.scripted.errands import is_last_action
from fujikoro_agents.scripted.evaluation import FEATURES, write_features_before
from fujikoro_agents.scripted.running import turns_left
from fujikoro_agents.scripted.team import legend_is_found, rounds_left
from fujikoro_env.content.model import MAX_DRAGONS
from fujikoro_env.kernel.jit import Floats, rule
from fujikoro_env.rules.base.names import Outside
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.coop.coop import exit_is_open, is_coop
from fujikoro_env.rules.map.geometry import PLACES


@rule
def share(value: float, most: float) -> float:
    """A number from 0 to `most`, scaled to 0 to 1 and clipped."""
    return min(1.0, max(0.0, value / most))


@rule
def signed_share(value: float, most: float) -> float:
    """A number from -`most` to `most`, scaled to -1 to 1 and clipped."""
    return min(1.0, max(-1.0, value / most))


@rule
def write_summary(s: State, t: Tables, p: int, summary: Floats) -> None:
    """Write the summary of a position for player `p`."""
    for column in range(SUMMARY_WIDTH):
        summary[column] = 0.0
    write_game(s, p, summary)
    if is_coop(s):
        write_team(s, t, p, summary)
    elif s.final_player != 0:
        summary[S_TURNS_LEFT] = share(turns_left(s, t, p), 10.0)
    write_board(s, t, p, S_OWN, summary)
    rival = rival_of(s, p)
    if rival >= 0:
        write_board(s, t, rival, S_RIVAL, summary)


@rule
def write_game(s: State, p: int, summary: Floats) -> None:
    """Write the state of the game."""
    most, others, ahead, players = 0, 0, 0, int(s.settings.players)
    for q in range(players):
        most = max(most, int(s.players[q].vp))
        if q != p:
            others += int(s.players[q].vp)
            ahead += 1 if s.players[q].vp > s.players[p].vp else 0
    summary[S_PLAYERS] = players / PLAYERS
    summary[S_TIME] = share(s.round_number, max(1, s.settings.max_rounds))
    summary[S_TO_FINAL] = share(max(0, s.settings.final_at - most), max(1, s.settings.final_at))
    summary[S_FINAL] = 1.0 if s.final_player != 0 else 0.0
    summary[S_ROPE] = s.rope
    summary[S_LAST_ACTION] = 1.0 if is_last_action(s) else 0.0
    summary[S_LEAD] = signed_share(s.players[p].vp - others / max(1, players - 1), 30.0)
    summary[S_AHEAD] = ahead / 5.0
    summary[S_INSIDE] = 1.0 if s.players[p].outside == Outside.INSIDE else 0.0
    laid, dragons = 0, 0
    for place in range(PLACES):
        laid += 1 if s.tile[place] != 0 else 0
    for dragon in range(MAX_DRAGONS):
        dragons += 1 if s.dragons[dragon].place != 0 else 0
    summary[S_TILES] = share(laid, PLACES)
    summary[S_DRAGONS] = share(dragons, MAX_DRAGONS)


@rule
def write_team(s: State, t: Tables, p: int, summary: Floats) -> None:
    """Write the state of a co-op or solo game."""
    summary[S_COOP] = 1.0
    summary[S_ROUNDS_LEFT] = share(rounds_left(s, t), 20.0)
    summary[S_LEGEND] = 1.0 if legend_is_found(s, t) else 0.0
    summary[S_EXIT] = 1.0 if s.secret_exit != 0 else 0.0
    summary[S_EXIT_OPEN] = 1.0 if exit_is_open(s, t) else 0.0
    summary[S_LIVES] = share(s.players[p].lives_lost, 3.0)


@rule
def rival_of(s: State, p: int) -> int:
    """The other player with most VP, the first of several; -1 if there is none."""
    rival = -1
    for k in range(1, int(s.settings.players)):
        q = (p + k) % s.settings.players
        if rival < 0 or s.players[q].vp > s.players[rival].vp:
            rival = q
    return rival


@rule
def write_board(s: State, t: Tables, p: int, first: int, summary: Floats) -> None:
    """Write the board of a player, from column `first` on."""
    features: Any = np.zeros(FEATURES, np.float32)
    write_features_before(s, t, p, 1.0, features)
    for k in range(len(BOARD)):
        summary[first + k] = share(float(features[BOARD[k]]), DIVISORS[k])
