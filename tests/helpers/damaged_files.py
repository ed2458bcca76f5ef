"""Files that were damaged at random: recordings and positions, of any game."""

import copy
import json
import random
from collections.abc import Iterable, Sequence
from typing import Any

JUNK: tuple[Any, ...] = (None, True, False, -1, 0, 1, 7, 10**30, 0.5, "", "x", "two\nlines", [], {}, [0], {"x": 1})


def damaged(text: str, luck: random.Random) -> str:
    """A damaged recording: cut off, with a changed letter, or with a value removed or changed."""
    kind = luck.randrange(6)
    if kind == 0:
        return text[: luck.randrange(len(text))]
    if kind == 1:
        at = luck.randrange(len(text))
        return text[:at] + luck.choice('0a"{}[],: \\\n') + text[at + 1 :]
    whole = json.loads(text)
    holder, key = luck.choice(list(places(whole)))
    if kind == 2:
        del holder[key]
    elif kind == 3 and isinstance(holder, list):
        luck.shuffle(holder)
    else:
        holder[key] = luck.choice(JUNK)
    return json.dumps(whole)


def places(value: Any) -> Iterable[tuple[Any, Any]]:
    """All values inside, each as its container and key."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def spots(value: Any) -> list[tuple[Any, Any]]:
    """All values in the JSON, each as its container and key."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []
    return [(value, key) for key in keys] + [spot for key in keys for spot in spots(value[key])]


def damaged_position(text: str, luck: random.Random, values: Sequence[Any]) -> str:
    """A damaged position: up to three values removed, moved, repeated or changed, or a letter of the text.
    `values`: what may stand in place of another value."""
    if luck.random() < 0.1:
        return _damaged_text(text, luck)
    position = json.loads(text)
    for _ in range(luck.choice((1, 1, 1, 2, 3))):
        places = spots(position)
        if places:
            _damage_at(luck.choice(places), luck.choice(places), luck, values)
    return json.dumps(position)


def _damage_at(spot: tuple[Any, Any], other: tuple[Any, Any], luck: random.Random, values: Sequence[Any]) -> None:
    container, key = spot
    how, old = luck.randrange(6), container[key]
    if how == 0:
        del container[key]
    elif how == 1:
        container[key] = copy.deepcopy(other[0][other[1]])
    elif how == 2 and isinstance(container, list):
        container.insert(luck.randrange(len(container) + 1), copy.deepcopy(old))
    elif how == 3 and isinstance(container, dict):
        container[str(other[1])] = container.pop(key)
    elif how == 4 and isinstance(old, int):
        container[key] = old + luck.choice((-2, -1, 1, 2))
    else:
        container[key] = copy.deepcopy(luck.choice(values))


def _damaged_text(text: str, luck: random.Random) -> str:
    at = luck.randrange(len(text))
    return luck.choice((text[:at], text[:at] + luck.choice('{}[]",:0x') + text[at + 1 :], text[:at] + text[at + 5 :]))
