"""Changes on the table between two positions, in words, for people who watch others play."""

from collections import Counter

from fujikoro_env.content.model import RESOURCES
from fujikoro_env.render.look import GRID_LETTERS, PlayerLook, TableLook
from fujikoro_env.rules.map.geometry import geometry

CUBE_KINDS = dict(zip(GRID_LETTERS, RESOURCES, strict=True))


def news(before: TableLook, after: TableLook) -> list[str]:
    """Describes each change in a few words. Belongings are counted, not listed one by one."""
    told = [*_tiles(before, after), *_fights(before, after), *_dragons(before, after)]
    for old, new in zip(before.players, after.players, strict=True):
        told += [f"{new.name} {change}" for change in _changes_of_player(old, new)]
    return [*told, *_final_chapter(before, after), *_stacks(before, after)]


# the mountain


def _tiles(before: TableLook, after: TableLook) -> list[str]:
    pairs = zip(before.spaces, after.spaces, strict=True)
    places = {new.name.partition("/")[0]: new.tile for old, new in pairs if new.tile != old.tile}
    return [f"{tile} is laid on {place}" for place, tile in places.items()]


def _final_chapter(before: TableLook, after: TableLook) -> list[str]:
    begun = [after.final_chapter] if after.has_final_chapter and not before.has_final_chapter else []
    return begun + [
        f"countdown: {call}" for call in after.calls[before.countdown : after.countdown] if call != "nothing"
    ]


def _stacks(before: TableLook, after: TableLook) -> list[str]:
    seen = [new for old, new in zip(before.stacks, after.stacks, strict=True) if new.top and new.top != old.top]
    return [f"on top of stack {stack.level} lies {stack.top}" for stack in seen]


# fights


def _fights(before: TableLook, after: TableLook) -> list[str]:
    old, new = before.fight, after.fight
    if new is None:
        return ["the fight is over"] if old else []
    if old is None:
        return [f"a fight with {new.dragon} begins" if new.dragon else "a duel begins"]
    told = []
    if new.dragon and new.health != old.health:
        told.append(f"{new.dragon} takes {old.health - new.health}, {max(0, new.health)} left")
    return told


def _dragons(before: TableLook, after: TableLook) -> list[str]:
    old, new = ({dragon.id: dragon for dragon in table.dragons} for table in (before, after))
    told = [f"{name} appears" for name in new if name not in old]
    told += [f"{name} is beaten" for name in old if name not in new]
    moved = [name for name in new if name in old and new[name].place != old[name].place]
    told += [f"{name} goes to {geometry().place_names[new[name].place]}" for name in moved]
    told += [f"{name} wakes" for name in new if name in old and old[name].marker == "asleep" != new[name].marker]
    hurt = [name for name in new if name in old and new[name].damage > old[name].damage]
    return told + [f"{name} has {new[name].damage} lasting damage" for name in hurt]


# players


def _changes_of_player(old: PlayerLook, new: PlayerLook) -> list[str]:
    told = []
    if new.unconscious != old.unconscious:
        told.append("is knocked out" if new.unconscious else "wakes")
    if new.lives is not None and old.lives is not None and new.lives < old.lives:
        told.append(f"loses a life, {new.standing} left")
    if new.where != old.where:
        told.append(f"is {new.where}" if " " in new.where else f"is on {new.where}")
    if new.on_rope and not old.on_rope:
        told.append("waits on the rope")
    told += _discs(old, new)
    before, after = _belongings(old), _belongings(new)
    gained, lost = after - before, before - after
    counts = [f"+{n} {what}" for what, n in gained.items()] + [f"-{n} {what}" for what, n in lost.items()]
    return told + ([f"has {', '.join(counts)}"] if counts else [])


def _discs(old: PlayerLook, new: PlayerLook) -> list[str]:
    """Describes moved discs: they reveal actions that were carried out unasked because nothing else was legal."""
    if any(old.fields.values()) and not any(new.fields.values()):
        return ["takes the discs back"]
    return [f"puts a disc on {field}" for field, n in new.fields.items() if n > old.fields[field]]


def _belongings(player: PlayerLook) -> Counter[str]:
    """Counts everything a player owns, by name."""
    owned = Counter({"VP": player.vp, "monk": sum(player.monks.values()), "status marker": player.status})
    owned.update(f"{item.name} {item.kind}".strip() for item in player.pack if item.kind != "blueprint")
    owned.update(f"scroll {name}" for name in player.scrolls)
    owned.update(f"blueprint {card.id}" for card in player.blueprints)
    owned.update(f"card {card.id}" for card in player.cards.values())
    owned.update(player.adventures)
    owned.update(f"trophy {dragon}" for dragon in player.trophies)
    for gear in player.gear:
        letters = Counter("".join(gear.rows))
        owned.update({f"{kind} on {gear.gear}": letters[sign] for sign, kind in CUBE_KINDS.items()})
        owned.update([f"magic on {gear.gear}"] if gear.magic else [])
    return owned
