"""Narration of a game of agents while it is played."""

from collections.abc import Iterator
from typing import Final

from fujikoro_app.forfeits import Forfeits
from fujikoro_app.narration import Narrator, labels, outcome_text
from fujikoro_env.player import AgentError
from fujikoro_env.render.look import look
from fujikoro_env.render.text import table_text
from fujikoro_env.session import Session

STANDINGS_EVERY: Final = 5  # rounds


def heading(session: Session) -> str:
    """First line of the narration: the agents with their characters, and the kind of game."""
    rules = session.game.rules
    table = look(session.game)
    people = zip(labels(session.names), table.players, strict=False)  # enemies have no names
    who = [f"{called} as {player.character}" if player.character else called for called, player in people]
    game = "; ".join(part for part in (table.scenario, "" if rules.mode == "competitive" else rules.mode) if part)
    return f"{', '.join(who)}{f' ({game})' if game else ''}"


def told_game(session: Session, forfeits: Forfeits, every: int | None = None) -> Iterator[str]:
    """Plays a game of agents to its end and yields a line for each deed, the VP from time to time, and the result.
    Agents that fail forfeit. `every`: number of rounds after which the whole table is shown; it is shown at the end,
    too."""
    who = labels(session.names)
    narrator = Narrator(session.game, who)
    table_in, standings_in = 1, 1 + STANDINGS_EVERY
    while not session.over:
        round_number = int(session.game.state.round_number)
        if round_number >= standings_in:
            yield from filter(None, [narrator.tell(session.game), _standings(session)])
            standings_in = round_number + STANDINGS_EVERY
        if every and round_number >= table_in:
            yield from filter(None, [narrator.tell(session.game), _table(session)])
            table_in = round_number + every
        before = session.game.clone()
        try:
            told = narrator.saw(before, session.advance(), session.game)
        except AgentError as error:
            told = forfeits.add(error)
        if told:
            yield told
    yield from filter(None, [narrator.tell(session.game), _table(session) if every else ""])
    yield from outcome_text(session.game, who).split("\n")
    yield from forfeits.told()


def _table(session: Session) -> str:
    return f"\n{table_text(session.game, names=session.names)}\n"


def _standings(session: Session) -> str:
    """Current score of each player."""
    table = look(session.game)
    players = [player for player in table.players if not player.is_enemy]
    shown = ", ".join(f"{session.names[player.seat]} {player.standing}" for player in players)
    return f"round {table.round_number} begins · {shown}"
