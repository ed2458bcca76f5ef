"""Width of text and line breaking, for the fonts shipped with this package. Other fonts that a browser may use instead
are about as wide or narrower."""

from functools import lru_cache

WIDTHS = {  # width of letters, as a share of the font size
    0.28: "'ijlIJ",
    0.3: " ,.·/:;|\\\N{NO-BREAK SPACE}",
    0.37: "-f()[]t!r",
    0.49: '"*_`szc?',
    0.55: "FLkvxyaeoPTY•",
    0.59: "0123456789$ESKbdghnpqu{}",
    0.7: "ABRVXZCUNHDG&",
    0.77: "OQw#+<=>^~→M",
    0.9: "★%mW@—…",
}
WIDTH_OF = {letter: width for width, letters in WIDTHS.items() for letter in letters}
FONT = "'DejaVu Sans Condensed', Tahoma, 'Noto Sans', Arial, sans-serif"
BOLD = 1.12  # bold letters are this many times as wide
LEAST = 14.0  # font size of the smallest letters: 9 pixels when the picture is shown 830 pixels wide


@lru_cache(4096)
def text_width(text: str, size: float, bold: bool = False) -> float:
    return sum(WIDTH_OF.get(letter, 0.9) for letter in text) * size * (BOLD if bold else 1)


def fitting_size(text: str, width: float, most: float, bold: bool = False) -> float:
    """Largest font size, up to `most`, at which a text fits the width."""
    return min(most, width / max(0.01, text_width(text, 1, bold)))


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Break a text into lines at its spaces. A word that is wider than a line gets its own line."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if text_width(longer, size) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def shortened(text: str, width: float, size: float) -> str:
    """Cut a text off after a word, with an ellipsis, if it is too wide."""
    if text_width(text, size) <= width:
        return text
    words = text.split(" ")
    while words and text_width(f"{' '.join(words)} …", size) > width:
        words.pop()
    return f"{' '.join(words)} …" if words else _cut(text, width, size)


def _cut(text: str, width: float, size: float) -> str:
    """Cut a single word off, with an ellipsis."""
    while len(text) > 1 and text_width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text}…"


def at_most_lines(text: str, width: float, size: float, most: int) -> list[str]:
    """Wrap a text, and cut it off with an ellipsis after `most` lines."""
    lines = wrapped(text, width, size)
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], shortened(" ".join(lines[most - 1 :]), width, size)]


def last_lines(text: str, width: float, size: float, most: int) -> list[str]:
    """Wrap a text such as "player 1: this, that". If it has more than `most` lines, keep the last ones and begin with
    "player 1: …", so that most lines stay the same when something is added."""
    who, _, deeds = text.partition(": ")
    lines = wrapped(text, width, size)
    if len(lines) <= most:
        return lines
    if most == 1:
        return [_last_deeds(who, deeds, width, size)]
    first, *rest = lines[-most:]
    kept = first.split(" ")
    while kept and text_width(f"{who}: … {' '.join(kept)}", size) > width:
        kept.pop(0)
    return [" ".join([f"{who}: …", *kept]), *rest]


def _last_deeds(who: str, deeds: str, width: float, size: float) -> str:
    """One line with as many of the last deeds as fit."""
    while ", " in deeds and text_width(f"{who}: … {deeds}", size) > width:
        deeds = deeds.partition(", ")[2]
    return shortened(f"{who}: … {deeds}", width, size)
