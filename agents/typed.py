"""What a person meant by what it typed: names in full, their beginnings, arguments alone, short names."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Words = tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """Something that can be typed: an action with its number, or a command."""

    name: str
    action: int = -1  # -1: a command
    short: str = ""

    @property
    def words(self) -> Words:
        return words_of(self.name)


def words_of(text: str) -> Words:
    """`lay(metal, weapon[2,3])` and `Lay metal weapon[2,3]` are the same three words."""
    return tuple(re.sub(r"[()\s]+|,(?=\s)", " ", text.lower()).replace(" ,", " ").split())


def meanings(typed: str, choices: Iterable[Choice]) -> list[Choice]:
    """All that it can mean, one if it is clear: what is named in full counts before what is only begun."""
    words = words_of(typed)
    if not words:
        return []
    choices = list(choices)
    return [choice for choice in choices if _is_named(words, choice)] or [
        choice for choice in choices if _is_begun(words, choice.words) or _is_begun(words, choice.words[1:])
    ]


def _is_named(words: Words, choice: Choice) -> bool:
    return words in (choice.words, choice.words[1:], words_of(choice.short))


def _is_begun(words: Words, full: Sequence[str]) -> bool:
    """Word by word, so that `st ring1.0/p` begins `step ring1.0/petal3`."""
    return len(words) <= len(full) and all(part.startswith(word) for word, part in zip(words, full, strict=False))
