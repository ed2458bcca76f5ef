"""What holds in every position of Fuji."""

from fuji_env import Game
from fuji_env.rules.base.names import Reason
from fuji_env.rules.base.phases import FIRST_AUTOMATIC, Phase
from fuji_env.rules.engine.bounds import record_fault


def check(game: Game, forced: bool = False) -> None:
    """Check one game, at a decision or over. `forced`: its question may have a single answer, because it comes from a
    position that was read."""
    s, rules = game.state, game.rules
    assert record_fault(game.compiled.games, rules.tables) == ""
    _check_cards(game)
    _check_lava(game)
    _check_figures(game)
    if not game.over:
        assert 0 < s.stack[s.depth - 1].phase < FIRST_AUTOMATIC
        assert len(game.legal_actions()) > 1 or rules.ask_forced or (forced and len(game.legal_actions()))
        assert 0 <= game.actor < rules.players
        assert game.actor == game.figure % rules.players
    if game.phase == Phase.NEXT:
        assert s.screens == 0


def _check_cards(game: Game) -> None:
    """Every equipment card is in one place."""
    s = game.state
    piles = [int(s.deck), int(s.under), int(s.discards)]
    held = [int(s.figures[k].equipment) for k in range(game.rules.figures)]
    offered = [int(frame.what) for frame in s.stack[: s.depth] if frame.phase == Phase.KEEP]
    together = [*piles, *held, *offered]
    if game.phase == Phase.KEEP or int(s.round_number) >= 1:
        assert sum(bits.bit_count() for bits in together) == 15
        assert sum(together) == (1 << 15) - 1
    for k in range(game.rules.figures):
        me = s.figures[k]
        assert me.used_once & ~me.equipment == 0
        assert me.fresh & ~me.equipment == 0


def _check_lava(game: Game) -> None:
    s, layout = game.state, game.rules.tables[0].layouts[game.rules.scenario_number]
    assert int(s.lava) & int(layout.volcano)
    assert not int(s.lava) & int(layout.village)
    assert not (int(s.eruption_tokens) | int(s.equipment_tokens)) & int(s.lava)
    assert not int(s.eruption_tokens) & ~int(layout.eruption_tokens)
    assert not int(s.equipment_tokens) & ~int(layout.equipment_tokens)
    on_lava = [k for k in range(game.rules.figures) if int(s.lava) >> int(s.figures[k].at) & 1]
    assert bool(on_lava) == (s.reason == Reason.LAVA)
    in_villages = all(int(layout.village) >> int(s.figures[k].at) & 1 for k in range(game.rules.figures))
    assert in_villages == (s.reason == Reason.VILLAGES)


def _check_figures(game: Game) -> None:
    s, table = game.state, game.rules.tables[0]
    ends = [k for k in range(game.rules.figures) if s.figures[k].stamina >= table.track]
    assert bool(ends) == (s.reason == Reason.STAMINA)
    asked = [int(frame.figure) for frame in s.stack[: s.depth] if frame.phase == Phase.INJURY]
    markers = [int(s.figures[k].marker) for k in range(game.rules.figures)]
    for k in range(game.rules.figures):
        me = s.figures[k]
        plasters = (int(table.plasters) & ((2 << int(me.stamina)) - 1)).bit_count()
        assert int(me.injuries).bit_count() + asked.count(k) <= plasters
        assert (me.aside >> me.dice) == 0
        rolled = [bool(number) for number in s.dice[k]]
        assert rolled == [die < me.dice for die in range(6)]
        other = (k + 1) % game.rules.figures
        if markers[k] and markers[k] == markers[other] and game.phase == Phase.NEXT:
            assert me.at == me.marker - 1 or s.figures[other].at == markers[other] - 1
