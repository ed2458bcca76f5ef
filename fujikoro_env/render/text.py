"""The whole table as text, for a terminal of 120 columns."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from fujikoro_env.content.model import COLOURS, DRAGON_COLOURS, TOKEN_SHAPES, Card, TileSpace
from fujikoro_env.game import Game
from fujikoro_env.render.look import (
    DragonLook,
    FightLook,
    GearLook,
    PlayerLook,
    SpaceLook,
    TableLook,
    Turn,
    centre_of,
    look,
    token_letters,
)
from fujikoro_env.rules.base.names import Terrain
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.rules.characters.boards import LEFT_COLUMNS
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, FIRST_TEMPLE, START, Hex, geometry

WIDTH = 118
PANEL_WIDTH = 58
LABEL_WIDTH = 12
LONGEST_NAME = 12
COLUMNS_PER_HEX = 4  # width of a hexagon, at most 4 characters; the next row is shifted by half of it

GROUND, UNEXPLORED, SAFE = "_", "·", "="
LAVA, LAVA_TILE = "~~", "#"
FACE_UP, FACE_DOWN, MONK, ADVENTURE, EXIT, DRAGON, SPOILS = "$", "%", "m", "?", "X", "D", "&"
ERUPTIONS = ("", "¹", "²", "³", "⁴")  # superscript, unlike the seats of samurai
CELL_WINDS = ("middle", "e", "se", "sw", "w", "nw", "ne")  # where the cells of a tile lie: centre, petals 0 to 5
SCROLLS = dict(zip(COLOURS, "rpgbuk", strict=True))

LEGEND = (
    f"{GROUND}  ground      {LAVA} lava       {LAVA_TILE}  lava tile",
    f"{UNEXPLORED}  unexplored, with the number of the place",
    f"{''.join(ERUPTIONS)}  turns to lava at this call",
    f"{FACE_UP}  resources   {FACE_DOWN}  token that lies face down",
    f"{MONK}  monk        {ADVENTURE}  adventure  {EXIT}  secret exit",
    f"{' '.join(SCROLLS.values())}  scroll token:",
    f"   {', '.join(COLOURS)}",
    f"{' '.join(DRAGON + colour[0] for colour in DRAGON_COLOURS)}  dragon:",
    f"   {', '.join(DRAGON_COLOURS)}",
    f"{' '.join(map(str, range(PLAYERS)))}  samurai, by player",
    f"{SAFE}  safe: start S, bridges B, temples T",
    "W M T  wood, metal, tooth; small: face down",
    ".  free cell   x  closed cell of a gear",
)


def table_text(game: Game, width: int = WIDTH, names: Sequence[str] = ()) -> str:
    """The whole table as text. `width`: columns of the terminal; parts that do not fit side by side are stacked.
    `names`: the players' names by seat."""
    parts = table_parts(game, width, names)
    return "\n\n".join(parts[name] for name in ("heading", "map", "display", "boards"))


def table_parts(game: Game, width: int = WIDTH, names: Sequence[str] = ()) -> dict[str, str]:
    """Parts of the table: heading, map, legend (which a wide map includes), display and boards."""
    table, width = look(game), min(width, WIDTH)
    parts = {
        "heading": heading_lines(table, width),
        "map": _map_and_legend(table, width),
        "legend": list(LEGEND),
        "display": _display(table, width),
        "boards": _players(table, width, names),
    }
    return {name: "\n".join(line.rstrip() for line in lines) for name, lines in parts.items()}


def board_text(game: Game, seat: int, names: Sequence[str] = ()) -> str:
    """One player's board."""
    lines = _player_panel(look(game).players[seat], game.actor == seat, names)
    return "\n".join(line.rstrip() for line in lines)


def heading_lines(table: TableLook, width: int) -> list[str]:
    turn = f"    turn of player {table.active}" if table.actor >= 0 else ""
    scenario = f"    {table.scenario}" if table.scenario else ""
    lines = [f"Fuji Koro{scenario}    round {table.round_number} of {table.max_rounds}{turn}"]
    return [*lines, *question_lines(table, width), *_countdown(table, width)]


def question_lines(table: TableLook, width: int = WIDTH) -> list[str]:
    """The question and its subject: a tile, an offer or a fight."""
    detail = f" ({table.detail})" if table.detail else ""
    asked = f"player {table.actor} is asked: {table.question}" if table.actor >= 0 else table.question
    lines = _wrapped(asked + detail, width)
    if table.drawn:
        cells = zip(CELL_WINDS, map(tile_space_text, table.drawn.spaces), strict=True)
        spaces = [f"{where} {printed}" for where, printed in cells if printed]
        lines += _listed(f"tile {table.drawn.id} on {geometry().place_names[table.drawn_place]}: ", spaces, width)
    if table.offer:
        lines += _listed("offered", _counts(table.offer), width)
    return lines + (_fight_lines(table.fight, width) if table.fight else [])


def tile_space_text(space: TileSpace) -> str:
    """Description of a space printed on a tile, or ""."""
    token = f"{space.item} token" if space.item in TOKEN_SHAPES else space.item
    return (token or ("lava" if space.lava else "")) + ERUPTIONS[space.eruption]


def _fight_lines(fight: FightLook, width: int) -> list[str]:
    what = f"{fight.dragon}, health left {fight.health}" if fight.dragon else "duel"
    order = "initiative " + " > ".join(map(_turn_text, fight.order)) if fight.order else ""
    order = order or f"in it: {', '.join(f'player {seat}' for seat in fight.fighters)}"
    lines = _listed("fight", [what, f"round {fight.round_number}", order], width)
    if fight.hits or fight.breaks:
        breaking = [f"{fight.break_hits} of them on breaking dice: {', '.join(_counts(fight.breaks))}"]
        lines += _listed("dice", [f"hits {fight.hits}", *(breaking if fight.breaks else [])], width)
    return lines


def _turn_text(turn: Turn) -> str:
    initiative = "first" if turn.initiative is None else turn.initiative
    text = f"{turn.who} ({initiative})" if turn.inside else f"({turn.who} is out)"
    return f"[{text}]" if turn.now else text


def _countdown(table: TableLook, width: int) -> list[str]:
    calls = [f"[{call}]" if step < table.countdown else call for step, call in enumerate(table.calls)]
    return _wrapped(f"{table.final_chapter}: {' > '.join(calls)}", width, "countdown")


# the map


def _map_and_legend(table: TableLook, width: int) -> list[str]:
    drawn, dragons = _map_lines(table), _dragon_lines(table.dragons)
    if width < WIDTH:
        return [*drawn, "", *dragons] if dragons else drawn
    column = max(map(len, drawn)) + 2
    beside = [*LEGEND, "", *dragons]
    return [f"{left:{column}}{right}" for left, right in zip_longest(drawn, beside, fillvalue="")]


def _map_lines(table: TableLook) -> list[str]:
    symbols = {small: symbol for space in table.spaces for small, symbol in _symbols(space).items()}
    first_row = min(r for _, r in symbols)
    first_column = min(_column(small) for small in symbols)
    rows: dict[int, str] = {}
    for q, r in sorted(symbols):  # from left to right, so that each symbol is added at the end of its row
        column = _column((q, r)) - first_column
        rows[r - first_row] = rows.get(r - first_row, "").ljust(column) + symbols[q, r]
    return [rows[row] for row in sorted(rows)]


def _column(small: Hex) -> int:
    return COLUMNS_PER_HEX // 2 * (2 * small[0] + small[1])


def _symbols(space: SpaceLook) -> dict[Hex, str]:
    """Symbols of each hexagon of a space."""
    smalls = geometry().hexes[space.number]
    if not space.safe:
        return {smalls[0]: _space_symbol(space)}
    others = smalls[1:]
    seats = {small: "".join(map(str, space.samurai[k :: len(others)])) for k, small in enumerate(others)}
    label = _items(space) if space.dragon else _safe_label(space.number)  # SCEN-61
    return {smalls[0]: label} | {small: SAFE + seats[small] for small in others}


def _safe_label(number: int) -> str:
    if number == START:
        return "S"
    if number >= FIRST_TEMPLE:
        return f"T{number - FIRST_TEMPLE}"
    bridge, half = divmod(number - FIRST_BRIDGE, 2)
    return f"B{bridge}{'ab'[half]}"


def _space_symbol(space: SpaceLook) -> str:
    if space.terrain == Terrain.UNEXPLORED:
        return _unexplored_symbol(space.number)
    seats = "".join(map(str, space.samurai))
    if space.terrain == Terrain.LAVA:
        return LAVA + seats
    if space.terrain == Terrain.LAVA_TILE:
        return LAVA_TILE + _items(space) + seats
    return (_items(space) + seats or GROUND) + ERUPTIONS[space.eruption]


def _unexplored_symbol(number: int) -> str:
    place = geometry().place_of[number]
    return geometry().place_names[place].removeprefix("ring") if number == centre_of(place) else UNEXPLORED


def _items(space: SpaceLook) -> str:
    shown = {
        FACE_UP: space.token and space.face_up,
        FACE_DOWN: space.token and not space.face_up,
        MONK: space.monk,
        SCROLLS.get(space.scroll, ""): space.scroll,
        ADVENTURE: space.adventure,
        EXIT: space.secret_exit,
        DRAGON + (space.dragon.colour[0] if space.dragon else ""): space.dragon,
        SPOILS: space.spoils and not space.dragon,
    }
    return "".join(symbol for symbol, there in shown.items() if there)


def _dragon_lines(dragons: tuple[DragonLook, ...]) -> list[str]:
    rows = [("   dragon", "place", "health", "initiative", "")] if dragons else []
    for dragon in dragons:
        health = f"{dragon.health} (-{dragon.damage})" if dragon.damage else f"{dragon.health}"
        name, where = f"{DRAGON}{dragon.colour[0]} {dragon.id}", geometry().place_names[dragon.place]
        rows.append((name, where, health, f"{dragon.initiative}", dragon.marker))
    return [f"{name:16}{where:9}{health:9}{speed:11}{marker}".rstrip() for name, where, health, speed, marker in rows]


# the table


def _display(table: TableLook, width: int) -> list[str]:
    scrolls = [*table.scrolls, f"deck of {table.scroll_deck}", f"{table.scroll_discards} discarded"]
    lists: dict[str, Iterable[str]] = {
        "tokens": _token_list(table),
        "adventures": _adventure_list(table),
        **_spoils_list(table),
        **{
            gear if gear == "sandals" else f"{gear}s": map(card_text, cards) for gear, cards in table.gear_cards.items()
        },
        "scrolls": scrolls,
        **{f"temple{temple}": map(card_text, cards) for temple, cards in enumerate(table.temples)},
        "supply": _counts(table.supply),
        "tiles left": map(str, table.stacks),
    }
    return [line for label, items in lists.items() for line in _listed(label, items, width)]


def _token_list(table: TableLook) -> list[str]:
    """Resource tokens on the map as letters, in lower case if they lie face down."""
    tokens = [(space, token_letters(space.token)) for space in table.spaces if space.token]
    return [f"{space.name} {letters if space.face_up else letters.lower()}" for space, letters in tokens]


def _adventure_list(table: TableLook) -> list[str]:
    return [f"{space.name} {space.adventure}" for space in table.spaces if space.adventure]


def _spoils_list(table: TableLook) -> dict[str, list[str]]:
    """Spoils on the map; nothing in games without them (SCEN-17)."""
    spoils = [f"{space.name} {' and '.join(space.spoils)}" for space in table.spaces if space.spoils]
    return {f"spoils {SPOILS}": spoils} if spoils else {}


def card_text(card: Card) -> str:
    patterns = " + ".join("/".join(pattern) for pattern in card.patterns)
    gives = f" gives {card.resource}" if card.resource else ""
    return f"{card.id} {patterns}{gives}".strip()


def _counts(counts: Mapping[str, int]) -> list[str]:
    return [f"{name} {n}" for name, n in counts.items()]


def _wrapped(text: str, width: int, label: str = "") -> list[str]:
    indent = f"{label:{LABEL_WIDTH}}" if label else ""
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=" " * LABEL_WIDTH)


def _listed(label: str, items: Iterable[str], width: int = WIDTH, label_width: int = LABEL_WIDTH) -> list[str]:
    """A label and a list of items. Lines break between items, except within one that is too long for a line."""
    text = "; ".join(item.replace(" ", "\N{NO-BREAK SPACE}") for item in items) or "none"
    indent = " " * label_width
    wrapped = textwrap.wrap(text, width, initial_indent=f"{label:{label_width}}", subsequent_indent=indent)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in wrapped]


# the players


def _players(table: TableLook, width: int, names: Sequence[str]) -> list[str]:
    panels = [_player_panel(player, player.seat == table.actor, names) for player in table.players]
    lines: list[str] = []
    if width < WIDTH:
        return "\n\n".join("\n".join(panel) for panel in panels).split("\n")
    if len(panels) % 2:
        panels.append([])
    for left, right in zip(panels[::2], panels[1::2], strict=True):
        lines += [f"{a:{PANEL_WIDTH}}  {b}" for a, b in zip_longest(left, right, fillvalue="")] + [""]
    return lines[:-1]


def _enemy_panel(enemy: PlayerLook) -> list[str]:
    """Board of an enemy (SCEN-71): its gear, and what can be stolen from it."""
    lines = [f"  {enemy.name.capitalize()}: {enemy.where}"]
    if enemy.blueprints:
        lines += _of_player("blueprints", [card_text(card) for card in enemy.blueprints]) + _gear_lines(enemy.gear)
    return lines


def _player_panel(player: PlayerLook, is_asked: bool, names: Sequence[str] = ()) -> list[str]:
    if player.is_enemy:
        return _enemy_panel(player)
    out = f" ({player.plight})" if player.plight else ""
    board = f"{player.character} ({player.colour})" if player.character else player.colour
    name = names[player.seat] if player.seat < len(names) else ""
    who = f"Player {player.seat} ({_shortened(name)})" if name else f"Player {player.seat}"
    lines = [f"{'>' if is_asked else ' '} {who}, {board}: {player.standing}, {player.where}{out}"]
    lines += _of_player("discs", [f"pool {player.pool}", *_counts(player.fields)])
    lines += _of_player("monks", _counts(player.monks))
    lines += _of_player("pack", [f"{len(player.pack)} of {player.pack_size}", *_pack_contents(player)])
    for label, items in _belongings(player).items():
        lines += _of_player(label, items) if items else []
    return lines + _gear_lines(player.gear)


def _shortened(name: str) -> str:
    """A name cut off to leave room on the line for what matters more."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _belongings(player: PlayerLook) -> dict[str, list[str]]:
    return {
        "scrolls": list(player.scrolls),
        "blueprints": [card_text(card) for card in player.blueprints],
        "cards": [f"{action}: {card.id}" for action, card in player.cards.items()],
        "adventures": list(player.adventures),
        "claimed": _counts(player.claims),
        "status": [f"markers {player.status}"] if player.status else [],
        "trophies": list(player.trophies),
    }


def _of_player(label: str, items: Iterable[str]) -> list[str]:
    return _listed(f"  {label}", items, PANEL_WIDTH, LABEL_WIDTH + 2)


def _pack_contents(player: PlayerLook) -> list[str]:
    return _counts(Counter(f"{item.name} {item.kind}".strip() for item in player.pack))


def _gear_lines(gears: tuple[GearLook, ...]) -> list[str]:
    """The three grids side by side."""
    blocks = [[f"{gear.gear} {f'*{gear.magic}*' if gear.magic else ''}", *map(_grid_row, gear.rows)] for gear in gears]
    rows = zip_longest(*blocks, fillvalue="")
    return [f"  {helmet:17}{weapon:22}{sandals}" for helmet, weapon, sandals in rows]


def grid_text(gear: GearLook) -> str:
    """One gear grid with the numbers of its rows and columns, which name the cells."""
    columns = _grid_row("".join(str(column) for column in range(len(gear.rows[0]))))
    lines = [f"{gear.gear:8}{columns}", *(f"{row:6}  {_grid_row(cells)}" for row, cells in enumerate(gear.rows))]
    return "\n".join(lines)


def _grid_row(row: str) -> str:
    """One row of a grid, with a bar between the parts of a weapon."""
    if len(row) <= LEFT_COLUMNS:
        return row
    return f"{row[:LEFT_COLUMNS]}|{row[LEFT_COLUMNS:]}"
