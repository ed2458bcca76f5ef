"""The table of a game, read from its record into plain words and numbers. Text and SVG pictures are made from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    COLOURS,
    CUBES,
    GEAR,
    LEVELS,
    MAX_TILES_PER_LEVEL,
    PALACE_TRACKS,
    RESOURCES,
    SUPPLY,
    Card,
    Tile,
    Token,
)
from fujikoro_env.game import Game
from fujikoro_env.kernel.texts import label, short_name
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.names import Character, Cube, Disc, Gear, Marker, Outside, Spot, Terrain, Where
from fujikoro_env.rules.base.phases import Phase, slot_of
from fujikoro_env.rules.base.state import CARD_SLOTS, DRAGONS_TURN, GEAR_WIDTH
from fujikoro_env.rules.base.tables import tiles_of_level
from fujikoro_env.rules.characters.boards import BOARDS, LEFT_PART, Board
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, FIRST_TILE_SPACE, PLACES, SPACES, START, TEMPLES, geometry
from fujikoro_env.rules.map.stacks import PILE, TILES_UNDER_PILE
from fujikoro_env.rules.scenarios.monk_fight import INITIATIVE as MONKS_INITIATIVE
from fujikoro_env.rules.scenarios.terms import Term
from fujikoro_env.rules.turn.stages import ACTIONS_A_TURN, FIRST_ACTION
from fujikoro_env.scenarios import title_of
from fujikoro_env.settings import Rules
from fujikoro_env.vocabulary import hidden_name, is_hidden

GRID_LETTERS = "WMT"  # cubes on a gear grid, as in the patterns of cards
EMPTY, CLOSED = ".", "x"
SPOT_NAMES = tuple(spot.name.lower() for spot in Spot if spot != Spot.CARRIED)
FIELD_NAMES = tuple(field.name.lower() for field in Disc)
TILE_SPACES = 7
CUBE_WORTH = "wood covers 1, metal 2, tooth 3, magic 4"  # DMG-1, DMG-3
THE_MONK = "the monk"
MAP_FIELDS = ("terrain", "eruption", "token", "face_up", "monk", "scroll", "adventure", "spoils")
SPOILS = ("tooth", "status marker")  # by bit (SCEN-17)


@dataclass(frozen=True)
class DragonLook:
    id: str
    colour: str
    place: int
    initiative: int
    health: int  # printed, for this number of players
    damage: int  # permanent
    marker: str  # "awake", "asleep" or ""


@dataclass(frozen=True)
class SpaceLook:
    number: int
    name: str
    tile: str  # id of the tile that the space belongs to, or ""
    terrain: Terrain
    safe: bool
    eruption: int  # printed number, or 0
    token: Token | None
    face_up: bool
    monk: bool
    scroll: str  # colour, or ""
    adventure: str  # power, or ""
    secret_exit: bool
    dragon: DragonLook | None
    spoils: tuple[str, ...]  # beside a dragon, or left behind by one
    samurai: tuple[int, ...]  # seats


@dataclass(frozen=True)
class GearLook:
    gear: str
    rows: tuple[str, ...]  # letters of cubes, EMPTY or CLOSED
    magic: str  # "", "magic", or for two weapons "magic left" or "magic right"


@dataclass(frozen=True)
class PackItem:
    kind: str  # "blueprint", "scroll", "monk" or a resource
    name: str  # gear type of a blueprint, colour of a scroll token


@dataclass(frozen=True)
class PlayerLook:
    """A player, or an enemy that guards a temple (SCEN-71)."""

    seat: int
    name: str  # "player 1" or "enemy 0"
    agent: str  # name of the agent that plays it, or "" if not given
    is_enemy: bool
    character: str  # or "" for a symmetric board
    colour: str
    vp: int
    has_vp: bool
    lives: int | None  # left, in co-op
    where: str
    unconscious: bool
    pool: int
    fields: dict[str, int]  # discs by action
    monks: dict[str, int]  # by spot
    pack: tuple[PackItem, ...]  # in the order of PACK-5
    pack_size: int
    pack_slots: tuple[int, int]  # size of the pack and of the second pack
    scrolls: tuple[str, ...]
    blueprints: tuple[Card, ...]
    cards: dict[str, Card]  # gear cards by action
    gear: tuple[GearLook, ...]
    adventures: tuple[str, ...]
    claims: dict[str, int]  # shogun bonuses by track
    status: int  # markers
    on_rope: bool  # leaves at the start of its next turn
    trophies: tuple[str, ...]  # dragons that it has kept

    def __hash__(self) -> int:
        """Hash of the fields that change often, for the caches of drawn boards. Dictionaries can't be hashed."""
        return hash((self.seat, self.vp, self.where, self.pool, self.pack, self.gear))

    @property
    def mark(self) -> str:
        """Label of its piece: the number in its name."""
        return f"E{self.name.removeprefix('enemy ')}" if self.is_enemy else str(self.seat)

    @property
    def plight(self) -> str:
        """State that keeps the player from acting, or ""."""
        return "unconscious" if self.unconscious else "on the rope" if self.on_rope else ""

    @property
    def standing(self) -> str:
        """Score in words: VP, lives, or both."""
        points = f"{self.vp} VP"
        if self.lives is None:
            return points
        lives = "1 life" if self.lives == 1 else f"{self.lives} lives"
        return f"{points}, {lives}" if self.has_vp else lives


@dataclass(frozen=True)
class StackLook:
    """A stack of tiles: how many are left, the top tile if somebody has looked at it, and in co-op the possible
    positions of the special tile (COOP-5)."""

    level: int
    left: int
    top: str
    seen_by: tuple[int, ...]
    pile: str

    def __str__(self) -> str:
        seen = f", {self.top or 'the top'} seen by {', '.join(map(str, self.seen_by))}" if self.seen_by else ""
        return f"level {'I' * self.level} {self.left}{seen}{self.pile}"


@dataclass(frozen=True)
class Turn:
    """A place in the order of a fight."""

    who: str  # "player 1", or the dragon
    initiative: int | None  # None: before everybody else (SCEN-41)
    inside: bool  # still in the fight
    now: bool


@dataclass(frozen=True)
class FightLook:
    dragon: str  # id, or "the monk" (SCEN-41), or "" in a duel
    health: int  # remaining health of the dragon or the monk
    round_number: int  # from 1
    fighters: tuple[int, ...]  # seats
    order: tuple[Turn, ...]  # empty until it is decided
    hits: int  # sum of the dice on the table
    break_hits: int  # the part of these that is on breaking dice
    breaks: dict[str, int]  # breaking dice on the table, by resource


@dataclass(frozen=True)
class TableLook:
    scenario: str  # its title, or ""
    round_number: int
    max_rounds: int
    full_rounds: int  # in games without VP: rounds before the final ones
    final_at: int  # VP that begin the final chapter, or 0 in games without VP
    active: int  # seat of the player whose turn it is
    actor: int  # -1 when the game is over
    question: str  # when the game is over: the winner
    detail: str  # subject of the question, if the question does not name it
    fight: FightLook | None
    open_spaces: tuple[int, ...]  # spaces that the acting player may choose
    open_places: tuple[int, ...]
    offer: dict[str, int]  # resources that the question is about
    drawn: Tile | None  # being laid, on the place
    drawn_place: int
    has_final_chapter: bool  # whether it has begun
    final_chapter: str  # in words
    calls: tuple[str, ...]  # of the countdown
    countdown: int  # spaces entered
    players: tuple[PlayerLook, ...]
    spaces: tuple[SpaceLook, ...]
    dragons: tuple[DragonLook, ...]
    gear_cards: dict[str, tuple[Card, ...]]  # in the display, by gear type
    temples: tuple[tuple[Card, ...], ...]  # their blueprints
    scrolls: tuple[str, ...]
    scroll_deck: int
    scroll_discards: int
    stacks: tuple[StackLook, ...]
    supply: dict[str, int]


def look(game: Game, names: Sequence[str] = ()) -> TableLook:
    """Reads the table of a game. `names`: the agents' names by seat, to be shown beside the players."""
    if names and len(names) != game.rules.players:
        raise ValueError(f"names={list(names)} has {len(names)} names, and the game {game.rules.players} players")
    s, pack = game.state, game.rules.pack
    drawn, drawn_place = _drawn_tile(game)
    dragons = _dragons(game)
    calls = pack.countdown if game.rules.has_vp else pack.coop_countdown
    return TableLook(
        scenario=title_of(game.rules.played) if game.rules.played else "",
        round_number=int(s.round_number),
        max_rounds=game.rules.max_rounds,
        full_rounds=game.rules.full_rounds,
        final_at=game.rules.final_at,
        active=int(s.active),
        actor=game.actor,
        question=_question(game, names),
        detail=_detail(game),
        fight=_fight(game),
        open_spaces=_nameable(game, act.STEP, SPACES),
        open_places=_nameable(game, act.PLACE, PLACES),
        offer=_offer(game),
        drawn=drawn,
        drawn_place=drawn_place,
        has_final_chapter=bool(s.final_player if game.rules.has_vp else s.countdown),
        final_chapter=_final_chapter(game),
        calls=calls,
        countdown=int(s.countdown),
        players=tuple(_player(game, seat, names) for seat in range(game.rules.seats)),
        spaces=_spaces(game, dragons),
        dragons=dragons,
        gear_cards={gear: _cards(game, "gear_cards", Where.DISPLAY, gear) for gear in GEAR},
        temples=tuple(_cards(game, "blueprints", Where.TEMPLE + k) for k in range(TEMPLES)),
        scrolls=tuple(game.vocabulary.scroll(int(card)) for card in s.scroll_display if card),
        scroll_deck=int(s.scroll_deck).bit_count(),
        scroll_discards=int(s.scroll_discards).bit_count(),
        stacks=tuple(_stack(game, level) for level in LEVELS),
        supply=dict(zip(SUPPLY, map(int, s.supply), strict=True)),
    )


# what is asked


def _question(game: Game, names: Sequence[str]) -> str:
    if game.outcome is None:
        return game.question
    reason, winners = game.outcome.reason.replace("_", " "), game.outcome.winners
    if game.rules.is_coop:
        return f"{game.question} It is {reason}."
    called = [label(names[seat], seat) for seat in winners] if names else ["player " + " and ".join(map(str, winners))]
    return f"{game.question} ({reason}) Won by {' and '.join(called)}."


def _frame(game: Game) -> Any:
    return game.state.stack[game.state.depth - 1]


def _nameable(game: Game, first: int, count: int) -> tuple[int, ...]:
    """Arguments of an action block that are legal now."""
    return tuple(action - first for action in game.legal_actions().tolist() if first <= action < first + count)


def kept(game: Game, name: str) -> Any:
    """Value that the frame of the question stores under this name (docs/phases.md)."""
    return _frame(game)[slot_of(game.phase, name)]


def _offer(game: Game) -> dict[str, int]:
    return _by_resource(kept(game, "offer")) if game.phase == Phase.TAKE else {}


def _by_resource(numbers: Any) -> dict[str, int]:
    return {kind: int(n) for kind, n in zip(RESOURCES, numbers, strict=True) if n}


def _detail(game: Game) -> str:
    """Details of the question in words, from the values stored in its frame."""
    if game.over:
        return ""
    match game.phase:
        case Phase.ACTION:
            discs = int(game.state.players[game.actor].pool)
            if kept(game, "extra"):
                return f"one more for a status marker, discs left: {discs}"
            return f"action {game.state.stack[0].stage - FIRST_ACTION} of {ACTIONS_A_TURN}, discs left: {discs}"
        case Phase.MOVE:
            return f"steps left: {kept(game, 'left')}"
        case Phase.PAY:
            return f"{GEAR[kept(game, 'gear')]}, still {kept(game, 'left')} to cover; {CUBE_WORTH}"
        case Phase.DICE:
            return f"{CUBES[kept(game, 'kind')]} dice"
        case Phase.REROLL:
            return f"hits: {game.state.fight.hits}"
        case Phase.BREAK:
            return f"still to break: {_words(_by_resource(kept(game, 'offer')))}"
        case Phase.CRAFT_WAY:
            return GEAR[kept(game, "gear")]
        case Phase.SETUP_CUBES:
            return f"in hand: {_words(_by_resource(kept(game, 'offer')))}"
        case Phase.CRAFT_LAY | Phase.WASTE:
            lifted, pack = (_by_resource(n) for n in (kept(game, "offer"), game.state.players[game.actor].pack))
            return f"{GEAR[kept(game, 'gear')]}; lifted: {_words(lifted)}; pack: {_words(pack)}"
        case Phase.CALL_DUEL:
            other = kept(game, "other")
            return f"player {game.state.active if other == game.actor else other}"
        case Phase.STEAL | Phase.MOVE_OTHER | Phase.THEFT:
            return _name_of(game, int(kept(game, "other")))
        case Phase.SWAP_GIVE | Phase.SWAP_TAKE | Phase.SWAP_CONSENT:
            given = int(kept(game, "given"))
            item = f", for {game.action_name(given - 1)}" if given else ""
            return f"with player {kept(game, 'other')}, steps left: {kept(game, 'left')}{item}"
        case Phase.DRAGON_WAY:
            return str(game.rules.pack.dragons[kept(game, "dragon") - 1].id)
        case Phase.SHARE_TOOTH:
            sharing = game.state.stack[game.state.depth - 2]
            return f"{sharing[slot_of(Phase.SHARING, 'left')]} more after this one"
        case Phase.CONSENT:
            return geometry().space_names[int(kept(game, "space"))]
        case _:
            return ""


def _words(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {kind}" for kind, n in counts.items()) or "nothing"


def _fight(game: Game) -> FightLook | None:
    fight = game.state.fight
    inside = [seat for seat in range(game.rules.seats) if fight.fighters[seat].inside]
    if not inside:
        return None
    settled = [int(code) for code in fight.order if code]
    return FightLook(
        dragon=THE_MONK if fight.monk else game.rules.pack.dragons[fight.dragon - 1].id if fight.dragon else "",
        health=int(fight.health),
        round_number=int(fight.rounds) + 1,
        fighters=tuple(inside),
        order=tuple(_turn(game, code, k + 1 == fight.turn) for k, code in enumerate(settled)),
        hits=int(fight.hits),
        break_hits=int(fight.break_hits),
        breaks=_by_resource(fight.breaks),
    )


def _turn(game: Game, code: int, now: bool) -> Turn:
    """`code`: player + 1, or DRAGONS_TURN."""
    fight = game.state.fight
    if code == DRAGONS_TURN and fight.monk:
        return Turn(THE_MONK, MONKS_INITIATIVE if game.state.settings.monk_initiative else None, True, now)
    if code == DRAGONS_TURN:
        dragon = game.rules.pack.dragons[fight.dragon - 1]
        return Turn(dragon.id, dragon.initiative, True, now)
    fighter = fight.fighters[code - 1]
    return Turn(_name_of(game, code - 1), int(fighter.initiative), bool(fighter.inside), now)


def _drawn_tile(game: Game) -> tuple[Tile | None, int]:
    if game.phase != Phase.EXPLORE_TURN:
        return None, 0
    return _tile(game, int(kept(game, "tile"))), int(kept(game, "place"))


def _final_chapter(game: Game) -> str:
    s = game.state
    if not game.rules.has_vp:
        return _final_rounds(game.rules, int(s.round_number))
    if not s.final_player:
        way_out = ", the secret exit is open" if _exit_opened_early(game) else ""
        return _lava_phase(game) + f"final chapter at {game.rules.final_at} VP{way_out}"
    rope = ", the rope is down" if s.rope else ""
    return f"final chapter, started by player {s.final_player - 1}{rope}"


def _exit_opened_early(game: Game) -> bool:
    """Whether an option opens the exit early (ESC-1) and no dragon bars the way (SCEN-51)."""
    barred = game.rules.has_term(Term.DRAGONS_BAR_THE_WAY) and game.state.dragon_at.any()
    return bool(game.rules.options["exit_always_open"] and game.state.secret_exit and not barred)


def _final_rounds(rules: Rules, now: int) -> str:
    """Final rounds of a co-op game in words (COOP-2, SCEN-33)."""
    lava_ends = rules.lava_after + len(rules.pack.coop_countdown)
    if now > rules.full_rounds:
        return "final rounds"
    lava = ""
    if rules.lava_after and now <= lava_ends:
        lava = "lava phase, " if now > rules.lava_after else f"lava phase from round {rules.lava_after + 1} on, "
    return f"{lava}final rounds from round {rules.full_rounds + 1} on"


def _lava_phase(game: Game) -> str:
    """State of the lava phase in words (SCEN-31)."""
    if not game.rules.lava_at:
        return ""
    starter = int(game.state.lava_player)
    return f"lava phase, started by player {starter - 1}, " if starter else f"lava phase at {game.rules.lava_at} VP, "


# the map


def _tile(game: Game, code: int) -> Tile:
    """`code`: tile + 1, as records keep it; tiles are numbered level by level."""
    level, index = divmod(code - 1, MAX_TILES_PER_LEVEL)
    return tiles_of_level(game.rules.pack, LEVELS[level])[index]


def _dragons(game: Game) -> tuple[DragonLook, ...]:
    standing = [(place, int(code) - 1) for place, code in enumerate(game.state.dragon_at) if code]
    return tuple(_dragon(game, place, index) for place, index in standing)


def _dragon(game: Game, place: int, index: int) -> DragonLook:
    printed = game.rules.pack.dragons[index]
    fighters = 1 if game.rules.has_term(Term.FIGHTS_ALONE) else game.rules.players
    crowd = {1: 2, 2: 1}.get(fighters, 0)  # health is printed for 3 to 6 players, for 2, for 1 (DRAG-8)
    damage, marker = int(game.state.dragons[index].damage), Marker(int(game.state.dragons[index].marker))
    awake = marker.name.lower() if marker else ""
    return DragonLook(printed.id, printed.colour, place, printed.initiative, printed.health[crowd], damage, awake)


def centre_of(place: int) -> int:
    """Central space of a place."""
    return START if place == PLACES else FIRST_TILE_SPACE + TILE_SPACES * place


def _spaces(game: Game, dragons: tuple[DragonLook, ...]) -> tuple[SpaceLook, ...]:
    # as lists: an array's elements cost Python much more, and there are many
    fields = zip(*(game.state[name].tolist() for name in MAP_FIELDS), strict=True)
    dragon_on = {centre_of(dragon.place): dragon for dragon in dragons}
    people = [(seat, game.state.players[seat]) for seat in range(game.rules.seats) if not _is_beaten(game, seat)]
    standing: dict[int, tuple[int, ...]] = {}
    for seat, me in people:
        if me.outside == Outside.INSIDE:
            standing[int(me.at)] = (*standing.get(int(me.at), ()), seat)
    tiles = [_tile(game, code).id if code else "" for code in game.state.tile.tolist()]
    tokens = {token.id: token for token in game.rules.pack.tokens}
    way_out = int(game.state.secret_exit)
    return tuple(
        _space(
            number,
            _tile_under(number, tiles),
            here,
            tokens[game.vocabulary.token(here[2])] if here[2] else None,
            number != START and way_out == number,
            dragon_on.get(number),
            standing.get(number, ()),
        )
        for number, here in enumerate(fields)
    )


@lru_cache(4096)
def _space(
    number: int,
    tile: str,
    fields: tuple[int, ...],
    token: Token | None,
    is_exit: bool,
    dragon: DragonLook | None,
    samurai: tuple[int, ...],
) -> SpaceLook:
    here = dict(zip(MAP_FIELDS, fields, strict=True))
    return SpaceLook(
        number=number,
        name=geometry().space_names[number],
        tile=tile,
        terrain=Terrain(here["terrain"]),
        safe=number == START or number >= FIRST_BRIDGE,  # MAP-5
        eruption=here["eruption"],
        token=token,
        face_up=bool(here["face_up"]),
        monk=bool(here["monk"]),
        scroll=COLOURS[here["scroll"] - 1] if here["scroll"] else "",
        adventure=ADVENTURE_POWERS[here["adventure"] - 1] if here["adventure"] else "",
        secret_exit=is_exit,
        dragon=dragon,
        spoils=tuple(name for bit, name in enumerate(SPOILS) if here["spoils"] >> bit & 1),
        samurai=samurai,
    )


def _tile_under(space: int, tiles: list[str]) -> str:
    place = int(geometry().place_of[space])
    return tiles[place] if 0 <= place < PLACES else ""


def token_letters(token: Token) -> str:
    """Resources of a token as letters: "WWM"."""
    return "".join(letter * n for letter, n in zip(GRID_LETTERS, token.shows, strict=True))


# people


def _player(game: Game, seat: int, names: Sequence[str]) -> PlayerLook:
    me = game.state.players[seat]
    board = board_of(me)
    is_enemy = seat >= game.rules.players
    return PlayerLook(
        seat=seat,
        name=_name_of(game, seat),
        agent=short_name(names[seat]) if seat < len(names) else "",
        is_enemy=is_enemy,
        character=Character(int(me.character)).name.lower() if me.character else "",
        colour=COLOURS[me.colour - 1] if me.colour else "white",
        vp=int(me.vp),
        has_vp=game.rules.has_vp,
        lives=game.rules.options["coop_lives"] - int(me.lives_lost) if game.rules.is_coop else None,
        where="out of the game" if _is_beaten(game, seat) else _where(me),
        unconscious=bool(me.unconscious),
        pool=int(me.pool),
        fields=dict(zip(FIELD_NAMES, map(int, me.fields), strict=True)),
        monks={name: int(me.monks[spot]) for spot, name in enumerate(SPOT_NAMES) if board.room(spot)},
        pack=tuple(_pack_items(game, seat)),
        pack_size=board.pack + (board.second_pack if me.monks[Spot.PACK] else 0),
        pack_slots=(board.pack, board.second_pack),
        scrolls=tuple(game.vocabulary.scroll(int(card)) for card in me.scrolls if card),
        blueprints=_cards(game, "blueprints", Where.OWNED + seat),
        cards=_cards_on_actions(game, seat),
        gear=tuple(_gear(me, gear) for gear in Gear),
        adventures=tuple(power for power, n in zip(ADVENTURE_POWERS, me.adventures, strict=True) for _ in range(n)),
        claims={track: int(n) for track, n in zip(PALACE_TRACKS, me.claimed, strict=True) if n},
        status=int(me.status),
        on_rope=bool(me.on_rope),
        trophies=tuple(dragon.id for k, dragon in enumerate(game.rules.pack.dragons) if int(me.trophies) >> k & 1),
    )


def _name_of(game: Game, seat: int) -> str:
    players = game.rules.players
    return f"player {seat}" if seat < players else f"enemy {seat - players}"


def _is_beaten(game: Game, seat: int) -> bool:
    """Whether a player is a beaten enemy: it is on no space."""
    return seat >= game.rules.players and not game.state.players[seat].at


def _where(me: Any) -> str:
    if me.outside == Outside.INSIDE:
        return geometry().space_names[int(me.at)]
    return {Outside.PALACE: "in the palace", Outside.FOOT: "at the foot of the mountain"}[Outside(int(me.outside))]


def _pack_items(game: Game, seat: int) -> list[PackItem]:
    me = game.state.players[seat]
    items = [PackItem("blueprint", card.gear) for card in _cards(game, "blueprints", Where.OWNED + seat)]
    items += [PackItem("scroll", COLOURS[colour - 1]) for colour in me.scroll_colours if colour]
    items += [PackItem("monk", "")] * int(me.pack_monks)
    for kind in (Cube.TOOTH, Cube.METAL, Cube.WOOD):
        items += [PackItem(RESOURCES[kind], "")] * int(me.pack[kind])
    return items


def _cards_on_actions(game: Game, seat: int) -> dict[str, Card]:
    me = game.state.players[seat]
    owned = {card.gear: card for card in _cards(game, "gear_cards", Where.OWNED + seat)}
    return {field: owned[GEAR[code - 1]] for field, code in zip(FIELD_NAMES, me.card_on, strict=True) if code}


def _gear(me: Any, gear: Gear) -> GearLook:
    grid = me.gear[gear]
    halves = {0: "", 1: "magic", 2: "magic right"}
    magic = halves[int(grid.magic)]
    if magic == "magic" and gear == Gear.WEAPON and _filled(grid) & ~LEFT_PART:
        magic = "magic left"
    return GearLook(GEAR[gear], _grid_rows(me, gear), magic)


def _filled(grid: Any) -> int:
    return sum(int(cells) for cells in grid.cubes)  # no cell holds two cubes, so the sum is the union


def board_of(me: Any) -> Board:
    return BOARDS[Character(int(me.character))]


def _open_cells(me: Any, gear: Gear) -> int:
    """Cells that may hold cubes. WEAP-3: the right part of the weapon grid needs the weapon monk."""
    return board_of(me).cells(gear, bool(me.monks[Spot.WEAPON]))


def _grid_rows(me: Any, gear: Gear) -> tuple[str, ...]:
    width, shown = GEAR_WIDTH[gear], board_of(me).cells(gear) | _filled(me.gear[gear])
    cubes, is_open = me.gear[gear].cubes.tolist(), _open_cells(me, gear)
    cells = [cell for cell in range(shown.bit_length()) if shown >> cell & 1]
    columns, height = max(cell % width for cell in cells) + 1, cells[-1] // width + 1
    return tuple(
        "".join(_cell_letter(cubes, is_open, row * width + column) for column in range(columns))
        for row in range(height)
    )


def _cell_letter(cubes: list[int], is_open: int, cell: int) -> str:
    for letter, cells in zip(GRID_LETTERS, cubes, strict=True):
        if cells >> cell & 1:
            return letter
    return EMPTY if is_open >> cell & 1 else CLOSED


# cards and stacks


def _cards(game: Game, family: str, where: int, gear: str = "") -> tuple[Card, ...]:
    """Gear cards or blueprints at a location (`Where`), all or of one gear type."""
    records, names = getattr(game.state, family), game.vocabulary
    name_of = names.gear_card if family == "gear_cards" else names.blueprint
    printed = {card.id: card for card in getattr(game.rules.pack, family)}
    places = records["where"].tolist()
    slots = [slot for slot in range(len(GEAR) * CARD_SLOTS) if places[slot] == where]
    if not slots:
        return ()
    backs = {hidden_name(slot): _back(slot) for slot in slots if is_hidden(records[slot])}
    return tuple((printed | backs)[name_of(slot)] for slot in slots if gear in ("", GEAR[slot // CARD_SLOTS]))


def _back(slot: int) -> Card:
    """Back of a hidden blueprint: only its gear type is visible (SCEN-12)."""
    return Card(hidden_name(slot), GEAR[slot // CARD_SLOTS], (), "", "")


def _stack(game: Game, level: int) -> StackLook:
    s, index = game.state, LEVELS.index(level)
    top = int(s.top[index])
    name = tiles_of_level(game.rules.pack, level)[top - 1].id if top else ""
    seen_by = tuple(seat for seat in range(game.rules.players) if int(s.top_seen[index]) >> seat & 1)
    left = int(s.tiles_left[index]).bit_count()
    out = 1 if left and _has_pile(game, index) else 0
    return StackLook(level, left - out, name, seen_by, _pile(game, index, left - out))


def _has_pile(game: Game, index: int) -> bool:
    return game.rules.is_coop and int(game.rules.tables[0].special_tiles[index]) != 0


def _pile(game: Game, index: int, left: int) -> str:
    """Possible positions of the special tile in the stack, if it is not found yet (COOP-5)."""
    special = int(game.rules.tables[0].special_tiles[index])
    if not _has_pile(game, index) or not int(game.state.tiles_left[index]) & special:
        return ""
    last = left - TILES_UNDER_PILE[game.rules.players]
    what = {2: "secret exit", 3: "legendary dragon"}[LEVELS[index]]
    return f", {what} among {max(1, last - PILE + 1)} to {last}"
