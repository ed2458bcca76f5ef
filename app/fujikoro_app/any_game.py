"""Games by name: their settings as a user types them, their agents, and a game that is watched."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from fujikoro_app.forfeits import Forfeits
from fujikoro_env.kernel.agents import AgentError, split_names
from fujikoro_env.kernel.declared import DeclaredGame, UnknownGameError, find_game
from fujikoro_env.kernel.record import SPECTATOR
from fujikoro_env.kernel.session import Session
from fujikoro_env.kernel.text import quoted
from fujikoro_env.kernel.texts import Texts, labels

TYPED: Final = ("players", "scenario", "content")  # settings that have an option of their own


class OtherGameError(ValueError):
    """Raised for a mistake in what the user typed. The message is one line."""


def game_named(name: str) -> DeclaredGame:
    """Find a game by its name. If there is none, the error lists the games."""
    try:
        return find_game(name)
    except UnknownGameError as error:
        raise OtherGameError(str(error)) from None


def settings_of(game: DeclaredGame, args: argparse.Namespace) -> dict[str, Any]:
    """The settings that were typed."""
    known = {setting.name for setting in game.settings} | set(game.options)
    typed = {name: getattr(args, name, None) for name in TYPED}
    found = {name: plain_value(value) for name, value in typed.items() if value is not None and name in known}
    for name, value in getattr(args, "option", []):
        check_setting(game, name)
        found[name] = plain_value(value)
    return found


def check_setting(game: DeclaredGame, name: str) -> None:
    """Refuse a setting that the game does not have."""
    known = sorted({setting.name for setting in game.settings} | set(game.options))
    if name not in known:
        raise OtherGameError(f"{game.title} has no setting {quoted(name)}: there are {', '.join(known)}")


def plain_value(value: Any) -> Any:
    """Read a typed value: a number, true or false, a list (a+b) or text."""
    if isinstance(value, str):
        if value.isascii() and value.isdigit():
            return int(value)
        if value.lower() in ("true", "false"):
            return value.lower() == "true"
        return value.split("+") if "+" in value else value
    return value


def rules_of(game: DeclaredGame, settings: Mapping[str, Any]) -> Any:
    """The rules with these settings."""
    try:
        return game.make_rules(**settings)
    except game.rules_errors as error:
        raise OtherGameError(str(error)) from None


def names_of(text: str) -> list[str]:
    """Split a typed list of agents."""
    try:
        return split_names(text)
    except AgentError as error:
        raise OtherGameError(str(error)) from None


def one_each(what: str, names: Sequence[str], seats: int) -> list[str]:
    """The agents of all seats. `names`: one for all of them, or one for each."""
    if len(names) not in (1, seats):
        raise OtherGameError(f"{what}: {len(names)} agents are named; allowed is one, or one for each of {seats} seats")
    return list(names) * seats if len(names) == 1 else list(names)


# --- watch ------------------------------------------------------------------------------------------------------------


def told_game(session: Session, texts: Texts, forfeits: Forfeits, every: int | None = None) -> Iterator[str]:
    """Play a game of agents and yield a line for each step, as spectators see it, and the result. Agents that fail
    forfeit. `every`: number of rounds after which the whole table is shown; it is shown at the end, too."""
    shown, who = 1, labels(session.names)
    while not session.over:
        game = session.game
        if every and game.state.round_number >= shown:
            shown = int(game.state.round_number) + every
            yield f"\n{texts.table(game, names=session.names)}\n"
        when, seat = texts.when(game), session.actor
        try:
            session.advance()
        except AgentError as error:
            yield forfeits.add(error)
            continue
        event = session.event(session.steps, SPECTATOR)
        news = f" [{'; '.join(event.news)}]" if event.news else ""
        yield f"{when} · {who[seat]}, {event.asked.lower()}: {event.name}{news}"
    yield f"\n{texts.table(session.game, names=session.names)}\n"
    yield from texts.outcome(session.game, who).split("\n")
    yield from forfeits.told()
