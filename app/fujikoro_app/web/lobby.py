"""What the lobby offers, and how its answers become rules and players."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from fujikoro_app.rulebook import rule_text
from fujikoro_env.content import shipped_packs
from fujikoro_env.kernel.declared import THIS_GAME, DeclaredGame, find_game, game_names
from fujikoro_env.kernel.text import one_line, quoted
from fujikoro_env.player import OWN_CLASS
from fujikoro_env.scenarios import SCENARIOS, title_of
from fujikoro_env.settings import CHARACTERS, MODES, OPTIONS, Rules, RulesError

PERSON: Final = "person"
MOST_PLAYERS: Final = 6
LONGEST_NAME: Final = 60
OWN: Final = find_game(THIS_GAME)
SETTINGS: Final = ("players", "mode", "characters", "scenario", "content", "final_at", "max_rounds", "peaceful")
WITH_FILES: Final = (OWN_CLASS, "policy", "value")  # agents that visitors may not name, because they load a file
SEARCH: Final = re.compile(r"mcts:(iterations=\d{1,4}|milliseconds=\d{1,5})")  # the size of a search is limited
NUMBERS: Final = ("players", "final_at", "max_rounds")


class LobbyError(ValueError):
    """Something in a request that can't be done; the message is one line."""


@dataclass(frozen=True)
class Seat:
    """The occupant of a seat: an agent by its name, or a person if `agent` is ""."""

    name: str
    agent: str = ""


@dataclass(frozen=True)
class Wish:
    """A game that somebody wants to start."""

    rules: Any
    seats: tuple[Seat, ...]
    seed: int | None
    game: str = THIS_GAME


def offer(ratings: Mapping[str, float], trained: Mapping[str, list[str]]) -> dict[str, Any]:
    """Everything that can be chosen. `ratings`: by agent; `trained`: names of agents from training runs, by game."""
    agents = {name: name for name in [*_usable(OWN), *filter(SEARCH.fullmatch, ratings)]}
    agents |= _labels_of_trained(trained.get(THIS_GAME, []))
    return {
        "modes": MODES,
        "players": list(range(1, MOST_PLAYERS + 1)),
        "characters": ["", "random", *CHARACTERS],
        "scenarios": [
            {"name": each.name, "title": title_of(each), "modes": _modes_of(each.name)} for each in SCENARIOS
        ],
        "packs": shipped_packs(),
        "options": {
            name: {"rule": rule, "doc": rule_text(rule), "values": values} for name, (rule, values) in OPTIONS.items()
        },
        "agents": [{"name": name, "label": label, "rating": ratings.get(name)} for name, label in agents.items()],
        "others": [_other(find_game(name), trained.get(name, [])) for name in game_names() if name != THIS_GAME],
    }


def _labels_of_trained(names: list[str]) -> dict[str, str]:
    return {name: f"{called(name)} (trained)" for name in names}


def _other(game: DeclaredGame, trained: list[str]) -> dict[str, Any]:
    """What can be chosen for another game: its settings and options with their allowed values, and its agents."""
    settings = {each.name: (each.doc, each.allowed) for each in game.settings if each.allowed}
    agents = {name: name for name in _usable(game)} | _labels_of_trained(trained)
    return {
        "name": game.name,
        "title": game.title,
        "settings": {
            name: {"doc": doc, "values": values} for name, (doc, values) in {**settings, **game.options}.items()
        },
        "agents": [{"name": name, "label": label, "rating": None} for name, label in agents.items()],
    }


def _usable(game: DeclaredGame) -> list[str]:
    """Agents of a game that visitors may name."""
    return [name for name in game.agents.names() if name not in WITH_FILES]


@cache
def _modes_of(scenario: str) -> list[str]:
    """Modes in which a scenario can be played."""

    def fits(mode: str) -> bool:
        try:
            Rules(players=1 if mode == "solo" else 2, mode=mode, scenario=scenario)
        except RulesError:
            return False
        return True

    return [mode for mode in MODES if fits(mode)]


def read_wish(given: Any, known_agents: Callable[[str], list[str]]) -> Wish:
    """Check a request of the lobby. `known_agents`: trained agents of a game that may be named besides the registered
    ones."""
    if not isinstance(given, dict):
        raise LobbyError("the request is not a JSON object")
    game = _game(given.get("game", THIS_GAME))
    is_own = game.name == THIS_GAME
    seats = read_seats(given.get("seats"), known_agents(game.name), game)
    settings = _settings(given, len(seats)) if is_own else _settings_of_other(given, len(seats), game)
    try:
        rules = game.make_rules(**settings)
    except (ValueError, TypeError, LookupError, OSError) as error:  # those of rules and content are such, too
        raise LobbyError(one_line(str(error))) from None
    if len(seats) != rules.players:
        raise LobbyError(f"{len(seats)} seats in a game of {rules.players}: give one for each player")
    return Wish(rules, seats, _seed(given.get("seed")), game.name)


def _game(name: Any) -> DeclaredGame:
    if name not in game_names():
        raise LobbyError(f"game {quoted(name, 60)}: allowed are {', '.join(game_names())}")
    return find_game(name)


def read_seats(given: Any, known_agents: list[str], game: DeclaredGame = OWN) -> tuple[Seat, ...]:
    """Check the list of seats: `{"agent": "shogun"}`, or `{"name": "Ada"}` for a person."""
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_PLAYERS:
        raise LobbyError(f"seats: allowed is a list of 1 to {MOST_PLAYERS}")
    return tuple(_seat(each, number, known_agents, game) for number, each in enumerate(given))


def _seat(given: Any, number: int, known_agents: list[str], game: DeclaredGame) -> Seat:
    if not isinstance(given, dict):
        raise LobbyError(f"seat {number}: allowed is an object with an agent or a name")
    agent, name = given.get("agent", ""), given.get("name", "")
    if not isinstance(agent, str) or not isinstance(name, str):
        raise LobbyError(f"seat {number}: agent and name are texts")
    if agent:
        return Seat(called(agent), checked_agent(agent, known_agents, game))
    return Seat(one_line(name, LONGEST_NAME).strip() or PERSON)


def called(agent: str) -> str:
    """What an agent is called on pages: a trained one by the folder of its run."""
    kind, _, file = agent.partition(":")
    return Path(file).parent.name or agent if kind in WITH_FILES[1:] and file else agent


def checked_agent(name: Any, known_agents: list[str], game: DeclaredGame = OWN) -> str:
    """The name of an agent that visitors may choose. Names that load a file or a class are refused, unless the server
    offers them."""
    if not isinstance(name, str) or len(name) > 200:
        raise LobbyError("agent: allowed is the name of an agent")
    if name in known_agents:
        return name
    allowed = _usable(game)
    may_search = "mcts" in allowed and SEARCH.fullmatch(name)
    if name not in allowed and not may_search:
        searches = ", mcts:iterations=400, mcts:milliseconds=500" if "mcts" in allowed else ""
        raise LobbyError(f"agent {quoted(name, 60)}: allowed are {', '.join(allowed)}{searches}")
    return name


def _settings_of_other(given: Mapping[str, Any], players: int, game: DeclaredGame) -> dict[str, Any]:
    """Arguments for the rules of another game: settings and options with their allowed values."""
    allowed = {each.name: each.allowed for each in game.settings if each.allowed}
    allowed |= {name: values for name, (_, values) in game.options.items()}
    wanted = given.get("settings") or {}
    if not isinstance(wanted, dict) or not set(wanted) <= set(allowed):
        raise LobbyError(f"settings of {game.title}: allowed are {', '.join(allowed)}")
    for name, value in wanted.items():
        if value not in allowed[name]:
            told = ", ".join(map(str, allowed[name]))
            raise LobbyError(f"{name}={quoted(value, 60)}: allowed are {told}")
    return {"players": players, **wanted}


def _settings(given: Mapping[str, Any], players: int) -> dict[str, Any]:
    """Arguments of `Rules`. Empty texts stand for the default."""
    known = {name: given[name] for name in SETTINGS if given.get(name) not in (None, "")}
    known.setdefault("players", players)
    for name in NUMBERS:
        if name in known and type(known[name]) is not int:
            raise LobbyError(f"{name}={quoted(known[name], 60)}: allowed are whole numbers")
    if known.get("content", "base") not in shipped_packs():
        raise LobbyError(f"content={quoted(known['content'], 60)}: allowed are {', '.join(shipped_packs())}")
    options = given.get("options") or {}
    if not isinstance(options, dict) or not set(options) <= set(OPTIONS):
        raise LobbyError(f"options: allowed are {', '.join(OPTIONS)}")
    if given.get("adventure_tokens") is not None:
        known["adventure_tokens"] = given["adventure_tokens"]
    return {**known, **options}


def _seed(given: Any) -> int | None:
    if given in (None, ""):
        return None
    if type(given) is not int or not 0 <= given < 1 << 31:
        raise LobbyError(f"seed={quoted(given, 60)}: allowed are whole numbers from 0 to {(1 << 31) - 1}")
    return given
