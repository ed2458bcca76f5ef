"""Reading the version of the form, and the rules that are played by."""

from typing import Any

from fujikoro_env.position.faults import PositionError
from fujikoro_env.position.kinds import short
from fujikoro_env.position.reading.parts import Part
from fujikoro_env.position.words import RULES_KEYS, VERSION
from fujikoro_env.settings import OPTIONS, Rules, RulesError


def check_version(top: Part) -> None:
    version = top.fields.get("version")
    if version != VERSION or isinstance(version, bool):
        top.fault("version", f"{short(version)} is not known; this is version {VERSION} of the form")
    top.faults.stop()


def read_rules(top: Part, content: str | None) -> Rules:
    part, people = top.part("rules"), top.fields.get("players")
    part.only(*RULES_KEYS, *OPTIONS, "characters", "content", "digest")
    named = part.fields.get("content", "base")
    if not isinstance(named, str) or not named:
        part.fault("content", f"{short(named)} is no name of a content pack")
    top.faults.stop()
    rules = _make_rules(part, content or named, people)
    digest = part.fields.get("digest")
    if digest is not None and digest != rules.pack.digest:
        part.fault("digest", f"content {rules.content} is {rules.pack.digest}, not {short(digest)}")
    if isinstance(people, list) and len(people) != rules.players:
        top.fault("players", f"{len(people)} of them in a game of {rules.players}", "SETUP-1")
    top.faults.stop()
    return rules


def _make_rules(part: Part, content: str, people: Any) -> Rules:
    """Without word of it, there are as many players as are described, with the characters that they say."""
    settings = {key: value for key, value in part.fields.items() if key not in ("content", "digest")}
    if isinstance(people, list):
        settings.setdefault("players", len(people))
        named = [me.get("character") if isinstance(me, dict) else None for me in people]
        if any(named):
            settings.setdefault("characters", named)
    try:
        return Rules(content=content, **settings)
    except (RulesError, ValueError, OSError) as error:
        raise PositionError([f"rules: {error}"]) from error
