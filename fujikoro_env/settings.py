"""`Rules`: the settings of a game, validated on creation so that a game never starts with conflicting ones."""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from fujikoro_env.content import Pack, shipped_packs
from fujikoro_env.content.carried import pack_at
from fujikoro_env.content.model import GEAR, MAX_DRAGONS, MAX_FIRST_CUBES, RESOURCES
from fujikoro_env.kernel.settings import (
    Facts as Facts,
)
from fujikoro_env.kernel.settings import (
    RulesError as RulesError,
)
from fujikoro_env.kernel.settings import (
    checked_flag,
    checked_number,
    checked_options,
    read_options,
    write_options,
)
from fujikoro_env.kernel.text import quoted
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.rules.base.names import Character, Mode
from fujikoro_env.rules.base.state import MOST_FINAL_AT, MOST_ROUNDS, PLAYERS
from fujikoro_env.rules.base.tables import make_tables
from fujikoro_env.rules.characters.boards import ANY_CHARACTER, PLAYABLE
from fujikoro_env.rules.engine.rewards import Reward
from fujikoro_env.rules.map.geometry import TEMPLES
from fujikoro_env.rules.map.stacks import PILE, TILES_UNDER_PILE
from fujikoro_env.rules.scenarios.terms import Term
from fujikoro_env.scenarios import COMPETITIVE, Rounds, Scenario, UnknownScenarioError, find_scenario, scenario_of

DEFAULT_PLAYERS = 4
DEFAULT_FINAL_AT = 30
DEFAULT_MAX_ROUNDS = 80
USUAL_ROUNDS = Rounds(solo=25, group=20)  # COOP-2
ROUNDS_OF_TOKENS = 2
MOST_VP = int(np.iinfo(np.int16).max)  # most that a record can hold; no rule sets a limit
TABLES_KEPT = 256  # number of most recently used packs whose tables are kept

# Options of the rules: name, rule, allowed values (the first is the default).
OPTIONS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "monk_to_pack": ("MONK-1", (False, True)),
    "scroll_replace_anytime": ("SCROLL-3", (False, True)),
    "must_take_card": ("GEAR-1", (True, False)),
    "share_peeks": ("GEAR-5", (False, True)),
    "exit_always_open": ("ESC-1", (False, True)),
    "rope_catches": ("ESC-3", (False, True)),
    "coop_lives": ("COOP-15", (2, 3)),
    "swap_consent": ("COOP-17", (True, False)),
    "masako_full_steps": ("CHAR-22", (False, True)),
    "unarmed_pass": ("SCEN-15", (True, False)),
    "last_turn_dragon_sleeps": ("SCEN-21", (False, True)),
    "monk_initiative": ("SCEN-41", ("infinite", "four")),
    "monk_distance": ("SCEN-43", ("spaces", "tiles")),
    "coop_health": ("COOP-19", ("by_players", "solo")),
    "one_gear_per_enemy": ("SCEN-71", (False, True)),
}
MODES = ("competitive", "coop", "solo")
SOLO = f"mode 'solo' is for 1 player (COOP-1); co-op is for 1 to {PLAYERS}"
RANDOM = "random"
CHARACTERS = tuple(character.name.lower() for character in PLAYABLE)
# Settings and options that have no effect in the other mode, and the rule that says so.
COMPETITIVE_ONLY = {
    "final_at": "no VP in co-op, COOP-3",
    "peaceful": "no duels in co-op, COOP-3",
    "share_peeks": "in co-op all players see it, GEAR-5",
    "exit_always_open": "in co-op it opens by COOP-21",
    "rope_catches": "no rope in co-op, COOP-21",
}
COOP_ONLY = {
    "coop_lives": "lives are for co-op, COOP-13",
    "swap_consent": "swaps are for co-op, COOP-17",
    "coop_health": "co-op has its own rule for health, COOP-19",
}
# These do have an effect in a scenario with VP (SCEN-81).
WITHOUT_VP = ("final_at", "exit_always_open", "rope_catches")
FOR_TERM = {
    "unarmed_pass": (Term.MEETINGS_ARE_DUELS, "samurai who meet must fight in scenario 1, SCEN-15"),
    "last_turn_dragon_sleeps": (Term.DRAGONS_ROAM, "dragons move in scenario 2, SCEN-21"),
    "monk_initiative": (Term.MONKS_FIGHT, "monks fight in scenario 4, SCEN-41"),
    "monk_distance": (Term.MONKS_WALK, "monks walk in scenario 4, SCEN-43"),
    "one_gear_per_enemy": (Term.ENEMY_SAMURAI, "enemy samurai are in scenario 7, SCEN-71"),
}
AGAINST_TERM = {"exit_always_open": (Term.NO_SECRET_EXIT, "no secret exit in scenario 1, SCEN-11")}

# Upper bound on the decisions in one turn, over all players. In each round of a fight, a samurai may be asked about
# three weapons with four kinds of dice each, a retreat, and up to six teeth, each with a throw, and done: 29 times.
# Daisuke may also be asked after each roll of the others: 19 times. A fight has up to 30 rounds. Then every cube of a
# samurai's gear can be asked about once, and it may join, send a monk and lose items. A turn has at most four moves
# that start a fight (two actions and the bonus of each); everything else in a turn asks far less than one more fight.
DECISIONS_OF_A_FIGHT = PLAYERS * ((29 + 19) * 30 + 60)
MOST_DECISIONS_A_TURN = 5 * DECISIONS_OF_A_FIGHT
# At the start of a round in co-op every dragon may be chosen, given a way, and start a fight (COOP-8 to COOP-12). In
# its fights one tooth per die is shared out, which asks no more than giving each samurai its own; a retreat may ask
# once more. An eruption asks every samurai about its sandals and where to flee.
MOST_DECISIONS_A_ROUND_START = MAX_DRAGONS * (2 + PLAYERS + DECISIONS_OF_A_FIGHT) + 10 * PLAYERS


@dataclass(frozen=True, init=False)
class Rules:
    """The settings of a game. Settings that do not fit together raise `RulesError` at once.

    * `players`: 1 to 6; 4 by default, 1 in solo play
    * `mode`: "competitive", "coop" (1 to 6 players) or "solo", which is stored as co-op with 1 player
    * `characters`: asymmetric boards, one name for each player, or "random"; None for symmetric boards
    * `scenario`: its number or name; stored as its name
    * `adventure_tokens`: whether they are in the game
    * `peaceful`: the variant without duels
    * `content`: the name of a shipped content pack, a folder, or a pack (`fujikoro_env.load_pack`, `Pack.changed`)
    * `final_at`: VP that start the final chapter; by default 30, or what the scenario says; 0 in co-op, which has no VP
    * `max_rounds`: rounds after which the game ends; 80 by default. Co-op has a fixed number, which this can only lower
    * `ask_forced`: ask even for decisions with a single legal action, instead of carrying it out
    * `options`: any option of the rules by name, such as `monk_to_pack=True`; the error for an unknown name lists them
    """

    players: int
    mode: str
    characters: tuple[str, ...] | str | None  # by player; "random": dealt at random; None: symmetric boards
    scenario: str | None
    adventure_tokens: bool
    peaceful: bool
    content: str | Path | Pack
    final_at: int
    max_rounds: int
    ask_forced: bool
    options: dict[str, Any] = field(hash=False)

    def __init__(
        self,
        players: int | None = None,
        mode: str | None = None,
        characters: Iterable[str] | str | None = None,
        scenario: int | str | None = None,
        adventure_tokens: bool = True,
        peaceful: bool = False,
        content: str | Path | Pack = "base",
        final_at: int | None = None,
        max_rounds: int | None = None,
        ask_forced: bool = False,
        **options: Any,
    ) -> None:
        played = _scenario(scenario)
        mode = _mode(mode, played)
        chosen = checked_options(OPTIONS, options, [one.name for one in fields(self) if one.name != "options"])
        _refuse_what_means_nothing(mode, played, final_at=final_at, peaceful=peaceful or None, **options)
        content = _checked_content(content)
        pack = _pack_of(content)  # report a faulty pack now, not in the middle of a game
        seats = _players(mode, players, played)
        values = {
            "players": seats,
            "mode": COMPETITIVE if mode == COMPETITIVE else "coop",
            "characters": _checked_characters(characters, seats),
            "scenario": played.name if played else None,
            "adventure_tokens": checked_flag("adventure_tokens", adventure_tokens),
            "peaceful": checked_flag("peaceful", peaceful),
            "content": content,
            "ask_forced": checked_flag("ask_forced", ask_forced),
            "options": chosen,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        if played:
            _refuse_what_the_scenario_has_not(played, self.characters, self.peaceful)
        if self.is_coop:
            _refuse_packs_without_piles(pack, self.players)
        if self.has_term(Term.ENEMY_SAMURAI):
            _refuse_packs_that_arm_no_enemies(pack)
        usual = (played.final_at if played else None) or DEFAULT_FINAL_AT
        mark = _number("final_at", final_at, usual, 1, MOST_FINAL_AT, "FINAL-1") if self.has_vp else 0
        object.__setattr__(self, "final_at", mark)
        cap = DEFAULT_MAX_ROUNDS if self.has_vp else self.full_rounds + len(pack.coop_countdown)
        object.__setattr__(self, "max_rounds", _number("max_rounds", max_rounds, cap, 1, MOST_ROUNDS, "END-2"))

    @property
    def played(self) -> Scenario | None:
        """The scenario, or None."""
        return find_scenario(self.scenario)

    def has_term(self, term: Term) -> bool:
        """Whether the scenario includes this rule change."""
        return self.played is not None and term in self.played.terms

    @property
    def seats(self) -> int:
        """Number of seats: the players, followed by the enemies (SCEN-71)."""
        return self.players + (TEMPLES if self.has_term(Term.ENEMY_SAMURAI) else 0)

    @property
    def is_coop(self) -> bool:
        """Whether all players win or lose together."""
        return self.mode == "coop"

    @property
    def has_vp(self) -> bool:
        """Whether the game has VP: not in co-op, unless the scenario brings them (COOP-3)."""
        return not self.is_coop or (self.played is not None and self.played.has_vp)

    @property
    def all_see_peeks(self) -> bool:
        """Whether all players see the tile that one of them looks at (GEAR-5)."""
        return self.is_coop or bool(self.options["share_peeks"])

    @property
    def dragons_sleep(self) -> bool:
        """Whether markers beside dragons show which of them do not move yet (COOP-8, SCEN-21)."""
        return self.is_coop or bool(self.options["last_turn_dragon_sleeps"])

    @property
    def full_rounds(self) -> int:
        """Rounds of a co-op game before the final ones, including those of a lava phase (COOP-2, SCEN-33); 0 if VP
        start the final chapter."""
        if self.has_vp:
            return 0
        usual = self.played.rounds if self.played else None
        if usual is None:
            return USUAL_ROUNDS.of(self.players) - (ROUNDS_OF_TOKENS if self.adventure_tokens else 0)
        return usual.of(self.players) + (self.lava_after + len(self.pack.coop_countdown) if self.lava_after else 0)

    @property
    def lava_after(self) -> int:
        """Rounds of a co-op game before the lava phase, or 0 (SCEN-33)."""
        return self.played.lava_after if self.played and self.is_coop else 0

    @property
    def lava_at(self) -> int:
        """VP that start the lava phase, or 0 (SCEN-31)."""
        return self.played.lava_at if self.played and not self.is_coop else 0

    @property
    def meaningless(self) -> tuple[str, ...]:
        """Settings and options that have no effect in this game."""
        return tuple(_foreign("coop" if self.is_coop else COMPETITIVE, self.played))

    @property
    def pack(self) -> Pack:
        """The content pack that `content` names."""
        return _pack_of(self.content)

    @property
    def tables(self) -> Any:
        """Content and geometry for compiled code, as a batch of one record."""
        return _tables_of(self.pack)

    @property
    def facts(self) -> Facts:
        """Size of the action space, and bounds on rewards and on the length of a game."""
        # SCEN-18: one more action per marker; markers gained in the same turn must have been lying beside dragons
        extra = self.pack.supply["status"] + MAX_DRAGONS if self.has_term(Term.STATUS_MARKERS) else 0
        a_turn = MOST_DECISIONS_A_TURN * (1 + extra)
        dragons_move = self.is_coop or self.has_term(Term.DRAGONS_ROAM)
        a_round = self.players * a_turn + (MOST_DECISIONS_A_ROUND_START if dragons_move else 0)
        if self.has_term(Term.MONKS_FIGHT):  # each samurai after a fight, and one for each monk after a round
            a_round += (self.players * PLAYERS + self.pack.supply["monk"]) * DECISIONS_OF_A_FIGHT
        most = self.max_rounds * a_round
        return Facts(self.players, ACTIONS, self.max_rounds, most, self._reward_bounds)

    @property
    def _reward_bounds(self) -> dict[str, tuple[float, float]]:
        whole = (-1.0, 1.0)
        win = whole if self.is_coop else (-1 / self.players, 1 - 1 / self.players)
        bounds = {"rank": whole, "win": win, "vp": (0.0, float(MOST_VP)), "shaped": whole}
        return {name: bound for name, bound in bounds.items() if name != "vp" or self.has_vp}

    def reward_kind(self, name: str) -> Reward:
        """Return the kind of reward with this name, "rank", "win", "vp" or "shaped"; see `fujikoro_env.fujikoro_v0`."""
        if name in self._reward_bounds:
            return Reward[name.upper()]
        why = " (no VP in co-op, COOP-3)" if name == "vp" else ""
        raise RulesError(f"reward={quoted(name)}: allowed are {', '.join(map(repr, self._reward_bounds))}{why}")

    def write_settings(self, settings: Any) -> None:
        """Write these rules into the settings of a game's record."""
        settings.players = self.players
        settings.mode = Mode[self.mode.upper()]
        if self.played:
            settings.scenario = self.played.number
            settings.terms = self.played.bits
        for name in ("adventure_tokens", "peaceful", "final_at", "max_rounds", "ask_forced"):
            settings[name] = getattr(self, name)
        for name in ("full_rounds", "lava_at", "lava_after"):
            settings[name] = getattr(self, name)
        write_options(OPTIONS, self.options, settings)
        settings.characters[: self.players] = self._character_codes()

    def _character_codes(self) -> list[int]:
        if self.characters is None or self.characters == RANDOM:
            return [Character.SYMMETRIC if self.characters is None else ANY_CHARACTER] * self.players
        return [Character[name.upper()] for name in self.characters]

    @classmethod
    def read_settings(cls, settings: Any, content: str | Path | Pack) -> "Rules":
        """Return the rules stored in the settings of a game's record."""
        numbers: dict[str, Any] = {name: int(settings[name]) for name in ("players", "max_rounds")}
        if settings.final_at != 0:
            numbers["final_at"] = int(settings.final_at)
        flags: dict[str, Any] = {name: bool(settings[name]) for name in ("adventure_tokens", "peaceful", "ask_forced")}
        options = read_options(OPTIONS, settings)
        mode = Mode(int(settings.mode)).name.lower()
        played = scenario_of(int(settings.scenario))
        codes = [int(code) for code in settings.characters[: numbers["players"]]]
        characters = _characters_of(codes)
        scenario = played.name if played else None
        return cls(mode=mode, characters=characters, scenario=scenario, content=content, **numbers, **flags, **options)


def _characters_of(codes: list[int]) -> tuple[str, ...] | str | None:
    """Return the setting `characters` from the numbers in the record."""
    if ANY_CHARACTER in codes:
        return RANDOM
    return tuple(Character(code).name.lower() for code in codes) if any(codes) else None


def _checked_content(content: str | Path | Pack) -> str | Path | Pack:
    """Return a shipped pack by its name, so that rules are equal however the pack was given."""
    if isinstance(content, str | Path):
        return content
    if not isinstance(content, Pack):
        raise RulesError(f"content={quoted(content)}: allowed are the name of a shipped pack, a folder, or a Pack")
    if not content.is_checked:
        raise RulesError(
            f"content={quoted(content)} was edited by hand: derive a pack with Pack.changed (docs/content.md)"
        )
    is_shipped = not content.origin.changes and content.origin.content in shipped_packs()
    return content.origin.content if is_shipped else content


def _pack_of(content: str | Path | Pack) -> Pack:
    return content if isinstance(content, Pack) else pack_at(content)


@lru_cache(TABLES_KEPT)
def _tables_of(pack: Pack) -> Any:
    """Return the tables of a pack. Packs are equal by digest, so those that play alike share them."""
    return make_tables(pack)


def _scenario(given: Any) -> Scenario | None:
    try:
        return find_scenario(given)
    except UnknownScenarioError as error:
        raise RulesError(str(error)) from error


def _mode(given: str | None, played: Scenario | None) -> str:
    """Return the mode; by default competitive, or the first one that the scenario allows."""
    if given is None:
        return played.modes[0] if played else COMPETITIVE
    if given not in MODES:
        raise RulesError(f"mode {quoted(given)} is not known: allowed are {', '.join(map(repr, MODES))}")
    kept = COMPETITIVE if given == COMPETITIVE else "coop"
    if played and kept not in played.modes:
        allowed = "'solo'" if played.solo else " and ".join(map(repr, played.modes))
        raise RulesError(
            f"scenario {played.name!r} is not for mode {quoted(given)}: allowed is {allowed} ({played.rule})"
        )
    return given


def _refuse_what_the_scenario_has_not(played: Scenario, characters: Any, peaceful: bool) -> None:
    if played.symmetric and characters is not None:
        raise RulesError(
            f"characters={quoted(characters)}: scenario {played.name!r} has symmetric boards only ({played.rule})"
        )
    if peaceful and Term.MEETINGS_ARE_DUELS in played.terms:
        raise RulesError(f"peaceful=True: in scenario {played.name!r} samurai who meet must fight (SCEN-15)")


def _foreign(mode: str, played: Scenario | None) -> dict[str, str]:
    """Return the settings and options that have no effect in such a game, and why."""
    foreign = dict(COOP_ONLY if mode == COMPETITIVE else COMPETITIVE_ONLY)
    if played and played.has_vp:
        foreign = {name: why for name, why in foreign.items() if name not in WITHOUT_VP}
    terms = played.terms if played else ()
    foreign |= {name: why for name, (term, why) in FOR_TERM.items() if term not in terms}
    return foreign | {name: why for name, (term, why) in AGAINST_TERM.items() if term in terms}


def _refuse_what_means_nothing(mode: str, played: Scenario | None, **given: Any) -> None:
    """Raise an error for a setting without effect, because it is probably a mistake."""
    foreign = _foreign(mode, played)
    for name, value in given.items():
        if name in foreign and value not in (None, _usual(name)):
            raise RulesError(f"{name}={quoted(value)} has no effect in mode {mode!r} ({foreign[name]}): leave it out")


def _usual(name: str) -> Any:
    return OPTIONS[name][1][0] if name in OPTIONS else None


def _players(mode: str, players: int | None, played: Scenario | None) -> int:
    if mode == "solo" or (played and played.solo):
        if players not in (None, 1):
            why = f"scenario {played.name!r} is for 1 ({played.rule})" if played and played.solo else SOLO
            raise RulesError(f"players={quoted(players)}: {why}")
        return 1
    if mode == COMPETITIVE:
        return _number("players", players, DEFAULT_PLAYERS, 2, PLAYERS, "SETUP-1")
    return _number("players", players, DEFAULT_PLAYERS, 1, PLAYERS, "COOP-1")


def _refuse_packs_without_piles(pack: Pack, players: int) -> None:
    """Raise an error if a stack is too small for co-op: a pile of 4 with the special tile, the tiles below it, and one
    tile that is out of the game (COOP-4, COOP-5)."""
    tables, need = _tables_of(pack)[0], PILE + TILES_UNDER_PILE[players] + 1
    for level in (2, 3):
        tiles, special = int(tables.tile_count[level - 1]), int(tables.special_tiles[level - 1])
        if special.bit_count() != 1 or tiles < need:
            raise RulesError(
                f"content={str(pack)!r} can't be played in co-op: level {level} has {tiles} tiles, "
                f"{special.bit_count()} of them special; needed are {need} or more and one (COOP-5)"
            )


def _refuse_packs_that_arm_no_enemies(pack: Pack) -> None:
    """Raise an error if the pack has too few cubes or blueprints to arm the enemies with the most expensive blueprints
    and still give a player its first gear (SCEN-71)."""
    tables = _tables_of(pack)[0]
    by_gear = tables.blueprints["needs"].reshape(len(GEAR), -1, len(RESOURCES))  # gear, card, kind; zeros for no card
    dearest = np.sort(by_gear, axis=1)[:, -TEMPLES:].sum(axis=(0, 1))
    first_gear = tables.gear_cards["needs"].max(axis=0) + MAX_FIRST_CUBES
    needed = dict(zip(RESOURCES, (dearest + first_gear).tolist(), strict=True)) | {"magic": len(GEAR) * TEMPLES}
    for piece, number in needed.items():
        if pack.supply[piece] < number:
            raise RulesError(
                f"content={str(pack)!r} can't be played in scenario 7: it has {pack.supply[piece]} {piece}, "
                f"its enemies and the player may need {number} (SCEN-71)"
            )
    fewest, all_in_play = int(tables.card_count[1].min()), TEMPLES + 1  # one for each enemy and one in the temples
    if fewest < all_in_play:
        raise RulesError(f"content={str(pack)!r} has {fewest} blueprints of a type, not {all_in_play} (SCEN-71)")


def _checked_characters(given: Any, players: int) -> tuple[str, ...] | str | None:
    """Return the characters, one for each player and all different, or None (SETUP-1, CHAR)."""
    if given is None or given == RANDOM:
        return None if given is None else RANDOM
    allowed = f"allowed are {RANDOM!r}, None, or one each of {', '.join(CHARACTERS)}"
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise RulesError(f"characters={quoted(given)}: {allowed} (CHAR-1)")
    names = tuple(given)
    if unknown := [name for name in names if name is not None and name not in CHARACTERS]:
        raise RulesError(f"no character is called {quoted(unknown[0])}: {allowed} (CHAR-1)")
    if None in names:
        raise RulesError(f"characters={list(names)}: all players have asymmetric boards, or none; {allowed} (SETUP-1)")
    if len(names) != players:
        raise RulesError(f"{len(names)} characters for {players} players: {allowed} (SETUP-1)")
    if twice := [name for name in names if names.count(name) > 1]:
        raise RulesError(f"there is only one {twice[0]}: {allowed} (CHAR-1)")
    return names


def _number(name: str, value: int | None, default: int, low: int, high: int, rule: str) -> int:
    return default if value is None else checked_number(name, value, low, high, rule)
