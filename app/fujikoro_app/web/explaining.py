"""Explanations of what is pointed at: spaces, tiles, cards, tokens, powers and rules, as an audience may see them."""

import re
from collections.abc import Sequence
from typing import Final

from fujikoro_app.rulebook import UnknownError, rule_text, rules, thing_text
from fujikoro_env.content.model import CUBES, GEAR, Pack
from fujikoro_env.game import Game
from fujikoro_env.kernel.texts import label
from fujikoro_env.render.choices import MONK_WORDS
from fujikoro_env.render.look import SpaceLook, TableLook, look, token_letters
from fujikoro_env.rules.base.actions import TABLE
from fujikoro_env.rules.base.names import Character, Terrain
from fujikoro_env.rules.map.geometry import SPACES

LONGEST: Final = 1500  # characters of an explanation
RULE: Final = re.compile(r"[A-Za-z]{3,7}(-\d{1,2})?")
GEAR_WORDS: Final = {
    "helmet": "The helmet takes damage (DMG-1).",
    "weapon": "The weapon rolls one die for each cube in fights (ATK-1).",
    "sandals": "Sandals give steps and protect from lava (MOVE-1).",
}
TERRAIN_WORDS: Final = {
    Terrain.UNEXPLORED: "unexplored",
    Terrain.GROUND: "",
    Terrain.LAVA: "lava",
    Terrain.LAVA_TILE: "covered by a lava tile",
}


def explained(view: Game, about: str, names: Sequence[str] = ()) -> str:
    """Text about a `data-info` of the picture, about the name of a thing, or about a rule (`MOVE-1`, `MOVE`).
    `names`: the players' names by seat."""
    kind, _, rest = about.partition(" ")
    if kind == "space" and rest.isdecimal() and len(rest) < 4 and int(rest) < SPACES:
        return _space(look(view, names), int(rest), view.rules.pack)[:LONGEST]
    if kind == "monk" and rest in MONK_WORDS:
        return f"A monk on the {rest} spot gives {MONK_WORDS[rest]} (MONK-2)."
    if kind in ("die", "breaking"):
        return _die(about, view.rules.pack)
    if kind == "pack":
        return f"{rest} in the pack (PACK-1)."
    if character := _character(about.removeprefix("character ")):
        return character[:LONGEST]
    gear = about.partition("[")[0].removeprefix("magic ")
    if gear in GEAR:
        return GEAR_WORDS[gear]
    if about in TABLE:
        doc = TABLE[about].doc
        return f"{about}: {doc}. {_rules_in(doc)}"[:LONGEST]
    return (_named(about, view.rules.pack) or _rule(about) or f"There is nothing to say about {about[:60]}.")[:LONGEST]


def _space(table: TableLook, number: int, pack: Pack) -> str:
    space = table.spaces[number]
    people = [label(me.agent, me.seat) if me.agent else me.name for me in (table.players[k] for k in space.samurai)]
    first = f"{space.name}: {', '.join(filter(None, (*_on(space), *people)))}"
    things = [space.tile, space.adventure, space.dragon.id if space.dragon else ""]
    return "\n".join([first, *(_thing(name, pack) for name in things if name)])


def _on(space: SpaceLook) -> list[str]:
    token = ""
    if space.token:
        token = f"resources {token_letters(space.token)}" if space.face_up else "a resource token, face down"
    return [
        TERRAIN_WORDS.get(space.terrain, "") if not space.safe else "safe (MAP-5)",
        f"erupts at {space.eruption}" if space.eruption else "",
        token,
        "a monk" if space.monk else "",
        f"a {space.scroll} scroll" if space.scroll else "",
        space.adventure.replace("_", " "),
        "the secret exit" if space.secret_exit else "",
        *space.spoils,
    ]


def _die(about: str, pack: Pack) -> str:
    """A rolled die: `die wood`, or `breaking die wood`."""
    name = about.rpartition("die ")[2]
    if name not in CUBES:
        return f"There is nothing to say about {about[:60]}."
    sides = pack.dice[CUBES.index(name)].faces
    faces = ", ".join(f"{face.hits}{' and breaks' if face.breaks else ''}" for face in sides)
    breaks = "This die breaks a cube of its kind (ATK-3). " if about.startswith("breaking") else ""
    return f"{name} die. {breaks}Hits on its faces: {faces} (ATK-1)."


def _character(name: str) -> str:
    """The rules of a character, which begin with its number: CHAR-61, CHAR-62 for the sixth. "" for other names."""
    wanted = name.strip().lower()
    number = next((each.value for each in Character if each.name.lower() == wanted), 0)
    return "\n".join(f"{rule} {text}" for rule, text in rules().items() if rule.startswith(f"CHAR-{number}") and number)


def _thing(name: str, pack: Pack) -> str:
    try:
        return thing_text(name, pack).replace("_", " ")
    except UnknownError:
        return ""


def _named(text: str, pack: Pack) -> str:
    """Explanations of all things that a text names, `seer, storyteller`, each on its own line."""
    names = [part.split(":")[-1].strip() for part in re.split(r"[,;]", text)]
    return "\n".join(filter(None, (_thing(re.sub(r"^\d+ ", "", name), pack) for name in names if name)))


def _rule(text: str) -> str:
    if not RULE.fullmatch(text):
        return ""
    try:
        return rule_text(text)
    except UnknownError:
        return ""


def _rules_in(text: str) -> str:
    return " ".join(_rule(name) for name in re.findall(r"[A-Z]{3,7}-\d{1,2}", text))
