"""Reading a whole position: part after part, for later ones need what earlier ones found."""

from pathlib import Path
from typing import Any, Final

from fujikoro_env.position.errors import Faults
from fujikoro_env.position.kinds import number
from fujikoro_env.position.reading.cards import read_blueprints, read_gear_cards, read_gone, read_scrolls
from fujikoro_env.position.reading.draft import Draft
from fujikoro_env.position.reading.frames import read_fight, read_frames, read_path
from fujikoro_env.position.reading.luck import read_loaded_luck, read_streams
from fujikoro_env.position.reading.map import read_dragons, read_map, read_tops
from fujikoro_env.position.reading.parts import Part
from fujikoro_env.position.reading.people import read_enemies, read_players
from fujikoro_env.position.reading.rest import work_out_the_rest
from fujikoro_env.position.reading.settings import check_version, read_rules
from fujikoro_env.position.reading.turn import read_final, read_turn

TOP_KEYS: Final = (
    *("version", "rules", "viewer", "round", "first_player", "active", "stock_taken", "used_powers"),
    *("turn_over", "over", "lava_phase", "final", "foot"),
    *("places", "spaces", "dragons", "players", "enemies", "gear_cards", "blueprints", "temples", "scrolls", "gone"),
    *("tops", "asked", "path", "fight", "streams", "seed", "loaded_dice", "loaded_draws"),
)


def read(value: Any, content: str | Path | None) -> Draft:
    """The record of a position that can be understood; whether it is legal is another matter."""
    top = Part(value, "", Faults())
    check_version(top)
    draft = Draft(top, read_rules(top, content))
    top.only(*TOP_KEYS)
    _read_viewer(draft)
    read_streams(draft)
    read_turn(draft)
    read_final(draft)
    read_map(draft)
    read_dragons(draft)
    read_players(draft)
    read_enemies(draft)
    read_frames(draft)
    read_gear_cards(draft)
    read_blueprints(draft)
    read_scrolls(draft)
    read_gone(draft)
    read_tops(draft)
    read_path(draft)
    read_fight(draft)
    read_loaded_luck(draft)
    work_out_the_rest(draft)
    draft.faults.stop()
    return draft


def _read_viewer(draft: Draft) -> None:
    if draft.top.fields.get("viewer") is not None:
        draft.viewer = draft.top.get("viewer", number(0, draft.n - 1))
