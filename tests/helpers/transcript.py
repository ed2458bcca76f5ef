"""Transcripts of Fuji Koro. Dice are recomputed from the random generator."""

from collections.abc import Iterator
from typing import Any

from fujikoro_env import Game, Rules
from fujikoro_env.game import DICE_LETTERS
from fujikoro_env.position import position_of
from fujikoro_env.render.rolls import Roll, rolls_of
from fujikoro_env.rules.base.names import Terrain
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import FIRST_TILE_SPACE, geometry
from tests.helpers.lively import LivelyPlayer
from tests.helpers.transcripts import Transcript, folded, shown

# Not shown, because it is in other lines or follows from them.
UNTOLD = (
    "version",
    "rules",
    "viewer",
    "round",
    "first_player",
    "active",
    "stock_taken",
    "used_powers",
    "asked",
    "path",
)
UNTOLD_LUCK = ("streams", "loaded_dice", "loaded_draws")
UNTOLD_OF_PLAYER = ("counts", "left_round")
UNTOLD_OF_FIGHT = ("active", "turn")
OWN_NAMES = ("places", "spaces", "dragons")  # what is in them is shown under its own name
SET_UP = ("gear_cards", "temples", "scrolls")


def transcript(rules: Rules, seed: int) -> list[str]:
    """The lines of a game of lively players, from set-up to the end."""
    return transcript_from(Game(rules, seed), seed)


def transcript_from(game: Game, seed: int) -> list[str]:
    """The lines of a game of lively players, from this position to the end."""
    return list(OwnTranscript().lines(game, LivelyPlayer(seed), seed))


class OwnTranscript(Transcript):
    """How games of Fuji Koro are told."""

    def position(self, game: Game) -> dict[str, Any]:
        return position_of(game)

    def told(self, position: dict[str, Any]) -> dict[str, Any]:
        return _told(position)

    def head(self, position: dict[str, Any], seed: int) -> Iterator[str]:
        return _head(position, seed)

    def turn(self, game: Game) -> tuple[int, int]:
        return _turn(game)

    def turn_head(self, game: Game) -> str:
        return _turn_head(game)

    def luck(self, before: Game, action: int, after: Game) -> list[str]:
        return _luck(before, action, after)

    def end(self, game: Game) -> Iterator[str]:
        return _end(game)

    def special(self, label: str, new: Any) -> list[str] | None:
        if label == "fight" and not new:
            return ["the fight is over"]
        return [f"{label} out"] if label.startswith("fight p") and not new else None


def _head(position: dict[str, Any], seed: int) -> Iterator[str]:
    rules = {key: value for key, value in position["rules"].items() if value is not False}
    yield f"A game of Fuji Koro by lively players, seed {seed}; made by `make goldens`"
    yield from folded("rules: ", [f"{key} {shown(value)}".rstrip() for key, value in rules.items()])
    yield from folded("colours: ", [f"p{p} {_board(player)}" for p, player in enumerate(position["players"])])
    for key in SET_UP:
        yield from folded("", OwnTranscript().change(key, None, position[key]))
    yield f"p{position['first_player']} begins"


def _board(player: dict[str, Any]) -> str:
    """The character and colour of a player, if it has them."""
    return " ".join(player[key] for key in ("character", "colour") if key in player)


def _turn(game: Game) -> tuple[int, int]:
    """Round and player; round 0 is set-up."""
    s = game.state
    in_setup = s.depth > 1 and s.stack[1].phase == Phase.SETUP
    return (0, 0) if in_setup else (int(s.round_number), int(s.active))


def _turn_head(game: Game) -> str:
    number, p = _turn(game)
    me = game.state.players[p]
    where = "outside" if me.outside else f"at {geometry().space_names[me.at]}"
    standing = f"{me.lives_lost} lives lost" if game.rules.is_coop else f"{me.vp} VP"
    return f"round {number}, p{p} {where}, {standing}" if number else "set-up"


def _end(game: Game) -> Iterator[str]:
    outcome = game.outcome
    assert outcome is not None
    yield ""
    yield f"over in round {game.state.round_number}: {outcome.reason}; digest {game.digest()}"
    if not game.rules.is_coop:
        for rank, p in sorted(zip(outcome.ranking, range(game.rules.players), strict=True)):
            yield f"rank {rank}: p{p} with {outcome.scores[p]} VP"


# What is shown


def _told(position: dict[str, Any]) -> dict[str, Any]:
    """The position with everything that is shown, under the names by which it is shown."""
    told = {key: value for key, value in position.items() if key not in (*UNTOLD, *UNTOLD_LUCK, *OWN_NAMES)}
    told |= {f"p{p}": _told_of_player(player) for p, player in enumerate(told.pop("players"))}
    told["fight"] = _told_of_fight(position.get("fight", {}))
    if final := position.get("final"):
        told["final"] = {**final, "started_by": f"p{final['started_by']}"}
    told |= {place: f"{laid['tile']} turned {laid['turn']}" for place, laid in position["places"].items()}
    spaces = position.get("spaces", {})
    told |= {f"{space} {key}": value for space, here in spaces.items() for key, value in _token_first(here).items()}
    lava = [space for space, here in spaces.items() if "lava_tile" in here]
    return {**told, **position.get("dragons", {}), "lava tiles": lava}


def _token_first(here: dict[str, Any]) -> dict[str, Any]:
    """The things on a space, with a token and its face as one thing."""
    told = {key: value for key, value in here.items() if key not in ("resources", "face", "lava_tile")}
    return {"token": f"{here['resources']} face {here['face']}", **told} if "resources" in here else told


def _told_of_player(player: dict[str, Any]) -> dict[str, Any]:
    """The player with gear in one line, without empty cells on the right and below. Counters are left out, because they
    only sum up what other lines say."""
    gear = {name: "/".join(row.rstrip(".") or "." for row in rows) for name, rows in player.get("gear", {}).items()}
    told = {key: value for key, value in player.items() if key not in UNTOLD_OF_PLAYER}
    return {**told, "gear": {name: rows.rstrip("./") for name, rows in gear.items()}}


def _told_of_fight(fight: dict[str, Any]) -> dict[str, Any]:
    if not fight:
        return {}
    told = {key: value for key, value in fight.items() if key not in (*UNTOLD_OF_FIGHT, "fighters")}
    told |= {key: f"p{told[key]}" for key in ("defender", "loser") if key in told}
    told["order"] = [who if who == "dragon" else f"p{who}" for who in told.get("order", [])]
    fighters = enumerate(fight.get("fighters", []))
    return {**told, **{f"p{p}": fighter for p, fighter in fighters if "inside" in fighter}}


# Luck


def _luck(before: Game, action: int, after: Game) -> list[str]:
    """The dice that were rolled, and what is printed on a tile that was laid."""
    dice = [die for roll in rolls_of(before, action, after) for die in _dice(roll)]
    return ([f"dice {' '.join(dice)}"] if dice else []) + _printed(before, after)


def _dice(roll: Roll) -> list[str]:
    """Dice as `Game.load_dice` takes them: the actor's own come first, then those of its opponent."""
    shown = [f"{DICE_LETTERS[kind]}{face.hits}{'*' if face.breaks else ''}" for kind, face in roll.dice]
    return [f"{roll.unknown} dice"] if roll.unknown else shown


def _printed(before: Game, after: Game) -> list[str]:
    """Lava and eruption numbers of new tiles."""
    new = [place for place, tile in enumerate(after.state.tile) if tile and not before.state.tile[place]]
    return [line for place in new for line in _printed_on(after.state, place)]


def _printed_on(s: Any, place: int) -> Iterator[str]:
    first = FIRST_TILE_SPACE + 7 * place
    names = [name.partition("/")[2] for name in geometry().space_names[first : first + 7]]
    lava = [name for k, name in enumerate(names) if s.terrain[first + k] == Terrain.LAVA]
    numbers = [f"{name} erupts at {s.eruption[first + k]}" for k, name in enumerate(names) if s.eruption[first + k]]
    yield from [f"lava on {' '.join(lava)}"] * bool(lava) + numbers
