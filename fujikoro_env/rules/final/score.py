"""Victory points and the end of the game (END)."""

from fujikoro_env.kernel.jit import entry, rule
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.names import Mode, Reason
from fujikoro_env.rules.base.state import State


@rule
def award(s: State, p: int, points: int, source: int) -> None:
    """Award VP at once, if the game has any. The first player to reach the mark starts the final chapter (FINAL-1)."""
    if has_vp(s):
        change_vp(s, p, points, source)
        if s.final_player == 0:
            start_chapters(s, p)


@rule
def change_vp(s: State, p: int, points: int, source: int) -> None:
    """Change a player's VP. No other code does, so that the sources always add up to the total."""
    s.players[p].vp += points
    s.counts[p].vp[source] += points


@rule
def has_vp(s: State) -> bool:
    """Whether the game has VP: not in co-op (COOP-3), except for a ronin (SCEN-81)."""
    return s.settings.final_at != 0


@rule
def start_chapters(s: State, p: int) -> None:
    """Start the final chapter (FINAL-1) or the lava phase (SCEN-31) when the player has enough VP. The final chapter
    always starts at its first space (SCEN-32)."""
    points = s.players[p].vp
    if points >= s.settings.final_at:
        s.final_player = p + 1
        s.countdown = 0
    elif s.settings.lava_at != 0 and s.lava_player == 0 and points >= s.settings.lava_at:
        s.lava_player = p + 1


@rule
def lose_points(s: State, p: int, points: int, source: int) -> None:
    """Take VP from a player, but not below 0. A final chapter that has started continues."""
    change_vp(s, p, -min(points, s.players[p].vp), source)


@rule
def end_game(s: State, reason: int) -> None:
    """Mark the game as over."""
    s.reason = reason


@rule
def ranks_before(s: State, p: int, q: int) -> bool:
    """Whether player p ranks before player q: more VP, or equal VP and earlier out of the volcano (END-1)."""
    a, b = s.players[p], s.players[q]
    if a.vp != b.vp:
        return a.vp > b.vp
    if a.left_volcano == 0 or b.left_volcano == 0:
        return a.left_volcano > b.left_volcano
    return a.left_volcano < b.left_volcano


@rule
def rank_of(s: State, p: int) -> int:
    """Return a player's rank: 1 for the winner; tied players share a rank. In co-op all players rank 1 if the game is
    won, and 2, behind the volcano, if it is lost."""
    if s.settings.mode == Mode.COOP:
        return 1 if s.reason == Reason.WON else 2
    rank = 1
    for q in range(s.settings.players):
        if q != p and ranks_before(s, q, p):
            rank += 1
    return rank


@entry
def rank_of_game(games: Records[State], index: int, player: int) -> int:
    """Return a player's rank in one game of a batch."""
    return rank_of(games[index], player)
