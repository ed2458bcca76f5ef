"""What a person meant by what it typed: names in full, their beginnings, arguments alone, short names."""

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
        """How it can be said: in full, by its argument alone, by its short name, by its verb and that."""
        full, short = words_of(self.name), words_of(self.short)
        ways = (full, full[1:], short, full[:1] + short) if short else (full, full[1:])
        return *ways, *(tuple(word.removeprefix("ring") for word in way) for way in ways)  # as places are on the map


def words_of(text: str) -> Words:
    """`lay(metal, weapon[2,3])` and `Lay metal weapon[2,3]` are the same three words."""
    return tuple(re.sub(r"[()]|,(?!\d)|(?<!\d),", " ", text.lower()).split())  # the comma of 2,3 stays


def meanings(typed: str, choices: Iterable[Choice]) -> list[Choice]:
    """All that it can mean, one if it is clear: what is named in full counts before what is only begun."""
    words = words_of(typed)
    if not words:
        return []
    choices = list(choices)
    named = [choice for choice in choices if words in choice.ways]
    return named or [choice for choice in choices if any(_begins(words, way) for way in choice.ways)]


def _begins(words: Words, way: Words) -> bool:
    """Word by word, so that `st ring1.0/p` begins `step ring1.0/petal3`."""
    return len(words) <= len(way) and all(part.startswith(word) for word, part in zip(words, way, strict=False))
