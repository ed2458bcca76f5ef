"""Victory points, and the end of the game (END)."""

from fujikoro_env.kernel.jit import entry, rule
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.names import Mode, Reason
from fujikoro_env.rules.base.state import State


@rule
def award(s: State, p: int, points: int, source: int) -> None:
    """VP at once, where there are any. FINAL-1: who reaches the mark first starts the final chapter."""
    if has_vp(s):
        change_vp(s, p, points, source)
        if s.final_player == 0:
            start_chapters(s, p)


@rule
def change_vp(s: State, p: int, points: int, source: int) -> None:
    """The one place where VP change, so that their sources always add up to them."""
    s.players[p].vp += points
    s.counts[p].vp[source] += points


@rule
def has_vp(s: State) -> bool:
    """None in co-op (COOP-3), but for a ronin (SCEN-81)."""
    return s.settings.final_at != 0


@rule
def start_chapters(s: State, p: int) -> None:
    """FINAL-1; SCEN-31: or the lava phase; SCEN-32: the final chapter goes from its first space."""
    points = s.players[p].vp
    if points >= s.settings.final_at:
        s.final_player = p + 1
        s.countdown = 0
    elif s.settings.lava_at != 0 and s.lava_player == 0 and points >= s.settings.lava_at:
        s.lava_player = p + 1


@rule
def lose_points(s: State, p: int, points: int, source: int) -> None:
    """Not below 0. A final chapter that has begun goes on."""
    change_vp(s, p, -min(points, s.players[p].vp), source)


@rule
def end_game(s: State, reason: int) -> None:
    s.reason = reason


@rule
def ranks_before(s: State, p: int, q: int) -> bool:
    """END-1: more VP, or as many and out of the volcano earlier."""
    a, b = s.players[p], s.players[q]
    if a.vp != b.vp:
        return a.vp > b.vp
    if a.left_volcano == 0 or b.left_volcano == 0:
        return a.left_volcano > b.left_volcano
    return a.left_volcano < b.left_volcano


@rule
def rank_of(s: State, p: int) -> int:
    """1 for the winner; players whose tie stands share a rank. In co-op the volcano is the one other player: all come
    before it or, if the game is lost, after it."""
    if s.settings.mode == Mode.COOP:
        return 1 if s.reason == Reason.WON else 2
    rank = 1
    for q in range(s.settings.players):
        if q != p and ranks_before(s, q, p):
            rank += 1
    return rank


@entry
def rank_of_game(games: Records[State], index: int, player: int) -> int:
    return rank_of(games[index], player)
