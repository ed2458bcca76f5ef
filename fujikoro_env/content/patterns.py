"""Patterns of gear cards and blueprints, and where they fit on the symmetric board (CRAFT-6, WEAP, MATCH-1)."""

from collections.abc import Iterator

Rows = tuple[str, ...]
Cells = frozenset[tuple[int, int]]  # (row, column)

EMPTY = "."
LETTERS = {"wood": "W", "metal": "M", "tooth": "T"}
HELMET_BOARD = (2, 4)  # rows, columns
SANDALS_BOARD = (1, 3)
WEAPON_BOARD = (5, 8)
LEFT_PART = (5, 5)
RIGHT_PART = (5, 3)
ONE_HANDED_CUBES = 8
TWO_HANDED_CUBES = 12
ONE_HANDED_WOOD = 2  # minimum for a usable weapon (WEAP-5)
TWO_HANDED_WOOD = 3


def turns(rows: Rows) -> tuple[Rows, ...]:
    """Return the pattern rotated by 0, 90, 180 and 270 degrees."""
    result = [rows]
    for _ in range(3):
        result.append(tuple("".join(column) for column in zip(*reversed(result[-1]), strict=True)))
    return tuple(result)


def canonical(patterns: tuple[Rows, ...]) -> tuple[Rows, ...]:
    """Return a form that is the same for all rotations of a pattern, and for either order of the parts of a pair."""
    return tuple(sorted(min(turns(rows)) for rows in patterns))


def cells(rows: Rows) -> Cells:
    """Return the cells of a pattern that hold a cube."""
    return frozenset((r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter != EMPTY)


def count(patterns: tuple[Rows, ...], resource: str) -> int:
    """Return the number of cubes of a resource."""
    return sum(row.count(LETTERS[resource]) for rows in patterns for row in rows)


def cubes(patterns: tuple[Rows, ...]) -> int:
    """Return the number of cubes."""
    return sum(len(cells(rows)) for rows in patterns)


def is_rectangle_of_letters(rows: Rows) -> bool:
    """Whether the rows are of equal length and consist of pattern letters."""
    known = {EMPTY, *LETTERS.values()}
    same_width = len({len(row) for row in rows}) == 1
    return same_width and any(rows) and all(letter in known for row in rows for letter in row)


def is_trimmed(rows: Rows) -> bool:
    """Whether every outer row and column holds a cube."""
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    return all(line.strip(EMPTY) for line in (rows[0], rows[-1], columns[0], columns[-1]))


def is_readable(patterns: tuple[Rows, ...]) -> bool:
    """Whether all patterns are trimmed rectangles of letters."""
    return bool(patterns) and all(is_rectangle_of_letters(rows) and is_trimmed(rows) for rows in patterns)


def hangs_together(spots: Cells) -> bool:
    """Whether all cubes are connected side by side (WEAP-1)."""
    reached = set(sorted(spots)[:1])
    edge = list(reached)
    while edge:
        row, column = edge.pop()
        around = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
        new = (around & spots) - reached
        reached |= new
        edge.extend(new)
    return len(reached) == len(spots)


def placements(rows: Rows, board: tuple[int, int]) -> Iterator[Cells]:
    """Yield all ways to lay a pattern on a board with these rows and columns."""
    for turned in turns(rows):
        for down in range(board[0] - len(turned) + 1):
            for right in range(board[1] - len(turned[0]) + 1):
                yield frozenset((r + down, c + right) for r, c in cells(turned))


def fits(rows: Rows, board: tuple[int, int]) -> bool:
    """Whether a pattern fits on a board."""
    return any(True for _ in placements(rows, board))


def is_one_handed(rows: Rows) -> bool:
    """Whether the pattern can be laid as a one-handed weapon (WEAP-2); checking the larger left part is enough."""
    return cubes((rows,)) <= ONE_HANDED_CUBES and fits(rows, LEFT_PART)


def is_two_handed(rows: Rows) -> bool:
    """Whether the pattern can be laid with cubes in both parts (WEAP-4)."""
    seam = LEFT_PART[1]
    crossing = any(
        min(column for _, column in spots) < seam <= max(column for _, column in spots)
        for spots in placements(rows, WEAPON_BOARD)
    )
    return cubes((rows,)) <= TWO_HANDED_CUBES and crossing


def pair_fits(one: Rows, other: Rows) -> bool:
    """Whether both patterns fit, one in each part of the grid and not touching (WEAP-4)."""
    return _fits_beside(one, other) or _fits_beside(other, one)


def _fits_beside(left: Rows, right: Rows) -> bool:
    last = LEFT_PART[1] - 1
    left_edges = [{row for row, column in spots if column == last} for spots in placements(left, LEFT_PART)]
    right_edges = [{row for row, column in spots if column == 0} for spots in placements(right, RIGHT_PART)]
    return any(a.isdisjoint(b) for a in left_edges for b in right_edges)
