"""Reading the version of the form, and the rules that are played by."""

from pathlib import Path
from typing import Any

from fujikoro_env.content.carried import KEYS as CARRIED_KEYS
from fujikoro_env.content.carried import carried_content, digest_fault
from fujikoro_env.position.errors import PositionError
from fujikoro_env.position.kinds import short
from fujikoro_env.position.reading.parts import Part
from fujikoro_env.position.words import RULES_KEYS, VERSION
from fujikoro_env.settings import OPTIONS, Rules, RulesError


def check_version(top: Part) -> None:
    version = top.fields.get("version")
    if version != VERSION or isinstance(version, bool):
        top.fault("version", f"{short(version)} is not known; this is version {VERSION} of the form")
    top.faults.stop()


def read_rules(top: Part, moved: str | Path | None) -> Rules:
    """`moved`: where the content pack is now, if it has moved."""
    part, people = top.part("rules"), top.fields.get("players")
    part.only(*RULES_KEYS, *OPTIONS, "characters", *CARRIED_KEYS)
    top.faults.stop()
    rules = _make_rules(part, moved, people)
    if fault := digest_fault(part.fields, rules.pack):
        part.fault("digest", fault)
    if isinstance(people, list) and len(people) != rules.players:
        top.fault("players", f"{len(people)} of them in a game of {rules.players}", "SETUP-1")
    top.faults.stop()
    return rules


def _make_rules(part: Part, moved: str | Path | None, people: Any) -> Rules:
    """Without word of it, there are as many players as are described, with the characters that they say."""
    settings = {key: value for key, value in part.fields.items() if key not in CARRIED_KEYS}
    if isinstance(people, list):
        settings.setdefault("players", len(people))
        named = [me.get("character") if isinstance(me, dict) else None for me in people]
        if any(named):
            settings.setdefault("characters", named)
    try:
        return Rules(content=carried_content(part.fields, moved), **settings)
    except (RulesError, ValueError, OSError) as error:
        raise PositionError([f"rules: {error}"]) from error
