"""Interprets what a person typed: full names, their beginnings, arguments alone, or short names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

Words = tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """Something that can be typed: an action with its number, or a command."""

    name: str
    action: int = -1  # -1: a command
    short: str = ""

    @property
    def ways(self) -> tuple[Words, ...]:
        """Ways to type it: in full, by its argument alone, by its short name, or by its verb and short name."""
        full, short = words_of(self.name), words_of(self.short)
        ways = (full, full[1:], short, full[:1] + short) if short else (full, full[1:])
        return *ways, *(tuple(word.removeprefix("ring") for word in way) for way in ways)  # as places are on the map


def words_of(text: str) -> Words:
    """Words of an answer: `lay(metal, weapon[2,3])` and `Lay metal weapon[2,3]` have the same three."""
    return tuple(re.sub(r"[()]|,(?!\d)|(?<!\d),", " ", text.lower()).split())  # the comma of 2,3 stays


def meanings(typed: str, choices: Iterable[Choice]) -> list[Choice]:
    """All possible meanings, only one if it is clear. Full names take precedence over beginnings of names."""
    words = words_of(typed)
    if not words:
        return []
    choices = list(choices)
    named = [choice for choice in choices if words in choice.ways]
    return named or [choice for choice in choices if any(_begins(words, way) for way in choice.ways)]


def _begins(words: Words, way: Words) -> bool:
    """Whether words are abbreviated one by one: `st ring1.0/p` stands for `step ring1.0/petal3`."""
    return len(words) <= len(way) and all(part.startswith(word) for word, part in zip(words, way, strict=False))
