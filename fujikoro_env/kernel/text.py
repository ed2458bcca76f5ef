"""Text of unknown origin, made fit for messages: no control characters or terminal escapes, and not too long."""

from typing import Final

LONGEST: Final = 200  # characters of unknown text that a message repeats


def printable(text: str) -> str:
    r"""Escape whatever does not print: control characters, terminal escapes, marks that reverse the writing direction.

    >>> print(printable("red \x1b[31m, a line\nbreak"))
    red \x1b[31m, a line\nbreak
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def one_line(text: str, longest: int = LONGEST) -> str:
    r"""Text as one printable line of limited length.

    >>> print(one_line("a line\nbreak and \x07"))
    a line break and \x07
    """
    return shortened(printable(" ".join(text[: 4 * longest].split())), longest)


def shortened(text: str, longest: int = LONGEST) -> str:
    """Cut a text that is too long.

    >>> shortened("abcdefgh", 5)
    'abcd…'
    """
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def quoted(value: object, longest: int = LONGEST) -> str:
    r"""A typed value in quotes, for error messages: like `repr`, but printable and of limited length.

    >>> quoted("a\tb"), quoted("x" * 1000, 10)
    ("'a\\tb'", "'xxxxxxxx…'")
    """
    if isinstance(value, str):
        return repr(shortened(value, longest - 1))
    try:
        return one_line(repr(value), longest)
    except Exception:  # numbers of many thousand digits, deep nesting, objects whose own code raises
        return f"<{one_line(type(value).__name__, longest - 2)}>"
