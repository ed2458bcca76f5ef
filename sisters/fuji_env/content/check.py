"""Checks a content pack: everything that the rules rely on."""

from collections.abc import Iterator

from fuji_env.content.model import (
    COLOURS,
    DICE,
    EQUIPMENT,
    ERUPTION_TOKEN,
    GREY,
    GRID,
    LANDSCAPES,
    MAX_LEVELS,
    MAX_SCENARIOS,
    MOST_STAMINA,
    MOST_VILLAGES,
    NUMBERS,
    ON_LANDSCAPE,
    RUBBLE,
    RUBBLE_CARD,
    SKILLS,
    SOURCES,
    VILLAGE,
    VOLCANO,
    WHITE,
    WORKS_FOR,
    Condition,
    Die,
    Equipment,
    Level,
    Pack,
    Scenario,
    Skill,
)
from fujikoro_env.kernel.toml_tables import Fault, shown

WORDS = (*(str(number) for number in range(1, NUMBERS + 1)), "odd", "even", *COLOURS)
LETTERS = (VOLCANO, RUBBLE_CARD, *ON_LANDSCAPE, VILLAGE)
ERUPTION_TOKENS = 2  # MAP-6
MOST_LOSS = 4  # STAM-1


def check(pack: Pack) -> list[Fault]:
    """Return all faults of a pack."""
    return [*_tracks(pack), *_cards(pack), *_layouts(pack), *_sources(pack)]


def _tracks(pack: Pack) -> Iterator[Fault]:
    if not 1 <= pack.stamina <= MOST_STAMINA:
        yield Fault("track.toml", "stamina", f"length {pack.stamina}: allowed is 1 to {MOST_STAMINA}")
    if sorted(set(pack.plasters)) != list(pack.plasters) or any(not 0 < p < pack.stamina for p in pack.plasters):
        yield Fault("track.toml", "stamina", "plasters must ascend, and lie between the heart and the last space")
    if not 1 <= len(pack.levels) <= MAX_LEVELS:
        yield Fault("levels.toml", "", f"there must be 1 to {MAX_LEVELS} levels")
    for level in pack.levels:
        yield from _level(level)


def _level(level: Level) -> Iterator[Fault]:
    entry = f"level {level.id}"
    if len(level.margins) != len(level.loss) or not level.margins or level.margins[0] != 1:
        yield Fault("levels.toml", entry, "margins must begin with 1, and each needs its loss")
    elif list(level.margins) != sorted(set(level.margins)):
        yield Fault("levels.toml", entry, "margins must ascend")
    elif any(not 0 <= loss <= MOST_LOSS for loss in (level.failed, *level.loss)):
        yield Fault("levels.toml", entry, f"losses are 0 to {MOST_LOSS} steps")
    elif level.failed < max(level.loss):
        yield Fault("levels.toml", entry, "a failed move costs at least as much as any other (STAM-1)")


def _cards(pack: Pack) -> Iterator[Fault]:
    if len(pack.dice) != DICE:
        yield Fault("dice.toml", "", f"there must be {DICE} dice, not {len(pack.dice)}")
    for die in pack.dice:
        yield from _die(die)
    for kind, cards, needed in (
        ("landscape", pack.landscapes, LANDSCAPES),
        ("village", pack.villages, MOST_VILLAGES),
    ):
        if len(cards) != needed:
            yield Fault("conditions.toml", "", f"there must be {needed} {kind} cards, not {len(cards)}")
        for card in cards:
            yield from _condition(kind, card)
    for file, found, known in (
        ("skills.toml", [skill.id for skill in pack.skills], SKILLS),
        ("equipment.toml", [card.id for card in pack.equipment], EQUIPMENT),
    ):
        if found != list(known):
            yield Fault(file, "", f"the entries must be, in this order, {', '.join(known)}")
    for skill in pack.skills:
        yield from _skill(skill)
    for one in pack.equipment:
        yield from _equipment(one)


def _equipment(card: Equipment) -> Iterator[Fault]:
    entry = f"equipment {card.id}"
    if not card.phases or set(card.phases) - {2, 4}:
        yield Fault("equipment.toml", entry, "phases are 2, 4 or both (EQUIP-1)")
    if card.works_for not in WORKS_FOR:
        allowed = ", ".join(map(repr, WORKS_FOR))
        yield Fault("equipment.toml", entry, f"works_for is one of {allowed} (EQUIP-2)")


def _die(die: Die) -> Iterator[Fault]:
    if len(die.colours) != NUMBERS // 2 or set(die.colours) - set(COLOURS):
        yield Fault("dice.toml", f"die {die.id}", f"three colours are needed, of {', '.join(COLOURS)}")


def _condition(kind: str, card: Condition) -> Iterator[Fault]:
    words = [word for one in card.counts for word in one.split()]
    if not words or set(words) - set(WORDS) or "" in card.counts:
        yield Fault("conditions.toml", f"{kind} {card.id}", f"counts: words are {', '.join(WORDS)}")
    elif not any(card.fits(number, colour) for number in range(1, NUMBERS + 1) for colour in COLOURS):
        yield Fault("conditions.toml", f"{kind} {card.id}", "counts: no die fits this")


def _skill(skill: Skill) -> Iterator[Fault]:
    entry = f"skill {skill.id}"
    if skill.dice not in (DICE - 1, DICE):
        yield Fault("skills.toml", entry, f"dice are {DICE - 1} or {DICE} (DICE-2)")
    if not 0 <= skill.keeps <= skill.draws:
        yield Fault("skills.toml", entry, "keeps: at most as many cards as are drawn")


def _layouts(pack: Pack) -> Iterator[Fault]:
    if not 1 <= len(pack.scenarios) <= MAX_SCENARIOS:
        yield Fault("scenarios.toml", "", f"there must be 1 to {MAX_SCENARIOS} scenarios")
    for scenario in pack.scenarios:
        for message in _layout(scenario):
            yield Fault("scenarios.toml", f"scenario {scenario.id}", message)


def _layout(scenario: Scenario) -> Iterator[str]:
    cards = scenario.places()
    letters = [letter for _, _, letter in cards]
    if unknown := sorted(set(letters) - set(LETTERS)):
        yield f"{shown(unknown[0])} is no card: there are {' '.join(LETTERS)}"
        return
    if len(scenario.rows) > GRID[0] or max(map(len, scenario.rows), default=0) > GRID[1]:
        yield f"the grid has at most {GRID[0]} rows and {GRID[1]} columns"
        return
    landscape = sum(letters.count(letter) for letter in ON_LANDSCAPE)
    for found, low, high, what in (
        (letters.count(VOLCANO), 1, 1, "volcano"),
        (letters.count(RUBBLE_CARD), RUBBLE, RUBBLE, "rubble"),
        (letters.count(WHITE), 1, 1, "white start"),
        (letters.count(GREY), 1, 1, "grey start"),
        (letters.count(ERUPTION_TOKEN), 0, ERUPTION_TOKENS, "eruption tokens"),
        (landscape, 1, LANDSCAPES, "landscape"),
        (letters.count(VILLAGE), 1, MOST_VILLAGES, "village"),
    ):
        if not low <= found <= high:
            allowed = f"{low} to {high}" if low < high else f"{low}"
            yield f"{what}: {found} cards, allowed is {allowed} (MAP-1, MAP-6)"
    if letters.count(VOLCANO) == letters.count(WHITE) == letters.count(GREY) == 1:
        yield from _ways(cards)


def _ways(cards: tuple[tuple[int, int, str], ...]) -> Iterator[str]:
    at = {(row, column): letter for row, column, letter in cards}
    place_of = {letter: place for place, letter in at.items() if letter in (VOLCANO, WHITE, GREY)}
    if any(at[beside] != RUBBLE_CARD for beside in _beside(at, place_of[VOLCANO])):
        yield "the volcano may touch rubble only, or the first eruption would take more than it (LAVA-1)"
    for start in (WHITE, GREY):
        if VILLAGE not in {at[place] for place in _reached(at, place_of[start])}:
            yield f"no way leads from {start} to a village"


def _beside(at: dict[tuple[int, int], str], place: tuple[int, int]) -> list[tuple[int, int]]:
    row, column = place
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [one for one in near if one in at]


def _reached(at: dict[tuple[int, int], str], start: tuple[int, int]) -> set[tuple[int, int]]:
    found, todo = {start}, [start]
    while todo:
        for place in _beside(at, todo.pop()):
            if place not in found and at[place] not in (VOLCANO, RUBBLE_CARD):
                found.add(place)
                todo.append(place)
    return found


def _sources(pack: Pack) -> Iterator[Fault]:
    entries = [
        *(("dice.toml", f"die {one.id}", one.source) for one in pack.dice),
        *(("conditions.toml", f"card {one.id}", one.source) for one in pack.areas),
        *(("levels.toml", f"level {one.id}", one.source) for one in pack.levels),
        *(("scenarios.toml", f"scenario {one.id}", one.source) for one in pack.scenarios),
        *(("skills.toml", f"skill {one.id}", one.source) for one in pack.skills),
        *(("equipment.toml", f"equipment {one.id}", one.source) for one in pack.equipment),
        ("track.toml", "stamina", pack.stamina_source),
    ]
    for file, entry, source in entries:
        if source not in SOURCES:
            yield Fault(file, entry, f"source is one of {', '.join(map(repr, SOURCES))}, not {shown(source)}")
