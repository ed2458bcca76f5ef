"""The text of rules, cards, scrolls, tokens, dragons and tiles, for people who play.

`rules.md` in this package is a link to docs/rules.md, and a copy of it in the wheel.
"""

import re
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Final

from fujikoro_env.content.model import Card, Dragon, Pack, Tile
from fujikoro_env.render.powers import POWER_WORDS
from fujikoro_env.render.text import CELL_WINDS, tile_space_text

RULE: Final = re.compile(r"^- ([A-Z]{3,7}-\d{1,2}) (.*(?:\n  .*)*)", re.MULTILINE)
ROW: Final = re.compile(r"^\| ([a-z_, ]+?) \| (.*?) \|", re.MULTILINE)
CUBES: Final = {"W": "wood", "M": "metal", "T": "tooth"}
BONUSES: Final = {
    "weapon": "1 VP or a look at a stack each time (GEAR-5)",
    "sandals": "a move of 1 step (GEAR-6)",
}
HEALTH: Final = ("with 3 to 6 players", "with 2", "alone")


class UnknownError(Exception):
    """No rule or thing has this name: one line that lists what there is."""


@cache
def _text() -> str:
    return files("fujikoro_app").joinpath("rules.md").read_text(encoding="utf-8")


@cache
def rules() -> dict[str, str]:
    """The text of each numbered rule, by its id."""
    return {name: " ".join(text.split()) for name, text in RULE.findall(_text())}


@cache
def _powers() -> dict[str, list[str]]:
    """Rows of the tables of powers: what each power does, then when it may be used."""
    found: dict[str, list[str]] = {}
    for names, text in ROW.findall(_text()[_text().index("## POWERS") :]):
        for name in names.split(", "):
            found.setdefault(name, []).append(text)
    return found


def rule_text(typed: str) -> str:
    """A rule by its id, `MOVE-1`, or all of a chapter, `MOVE`."""
    wanted = typed.strip().upper()
    found = {name: text for name, text in rules().items() if wanted in (name, name.partition("-")[0])}
    if not found:
        chapters = ", ".join(dict.fromkeys(name.partition("-")[0] for name in rules()))
        raise UnknownError(f"there is no rule {typed!r}: write an id like MOVE-1, or one of {chapters}")
    return "\n".join(f"{name} {text}" for name, text in found.items())


def thing_text(typed: str, pack: Pack) -> str:
    """A card, scroll, token, dragon or tile of a content pack by its name."""
    wanted = "_".join(typed.lower().split())
    known = _things(pack)
    if wanted not in known:
        near = get_close_matches(wanted, known, n=3)
        advice = f"did you mean {' or '.join(near)}?" if near else "name a card, scroll, token, dragon or tile"
        raise UnknownError(f"nothing is called {typed!r}: {advice}")
    return f"{wanted}: {known[wanted]}"


def _things(pack: Pack) -> dict[str, str]:
    told = {name: _power(name) for name in POWER_WORDS}
    told |= {scroll.id: f"scroll; {_power(scroll.power)}" for scroll in pack.scrolls}
    told |= {token.power: f"adventure token; {_power(token.power)}" for token in pack.adventures}
    told |= {card.id: f"gear card, {_card(card)}; {_bonus(card)}" for card in pack.gear_cards}
    told |= {card.id: f"blueprint of magic gear, {_card(card)}" for card in pack.blueprints}
    told |= {dragon.id: _dragon(dragon) for dragon in pack.dragons}
    return told | {tile.id: _tile(tile) for tile in pack.tiles}


def _power(name: str) -> str:
    does, *windows = _powers().get(name, [POWER_WORDS[name]])
    return f"{does} ({'; '.join(windows)})" if windows else does


def _card(card: Card) -> str:
    """Description of a card with its pattern, row by row."""
    shown = " and ".join(" / ".join(pattern) for pattern in card.patterns)
    letters = [letter for letter in CUBES if letter in shown]
    return f"{card.gear} with the pattern {shown} ({', '.join(f'{letter} {CUBES[letter]}' for letter in letters)})"


def _bonus(card: Card) -> str:
    return f"bonus: {f'1 {card.resource} (GEAR-4)' if card.resource else BONUSES.get(card.gear, 'none')}"


def _dragon(dragon: Dragon) -> str:
    health = ", ".join(f"{n} {who}" for n, who in zip(dragon.health, HEALTH, strict=True))
    return f"{dragon.colour} dragon; initiative {dragon.initiative}; health {health}"


def _tile(tile: Tile) -> str:
    cells = zip(CELL_WINDS, map(tile_space_text, tile.spaces), strict=True)
    return f"tile of level {'I' * tile.level}; " + ", ".join(f"{where} {what}" for where, what in cells if what)
