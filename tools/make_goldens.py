"""Regenerates the files that tests compare the game with: `make goldens`. docs/goldens.md says when to do so.

These are transcripts of one whole game for each number of players, each mode and each scenario, and some of Fuji; the
ends of the sample games; and the signature of the benchmark. The mid-game positions that fixed play starts from are
regenerated only with `--positions`, because they should outlive changes of the rules.
"""

import argparse
import re
from pathlib import Path
from typing import Any

from fujikoro_app import bench
from fujikoro_env import Game, Rules
from tests.helpers import mid_games, sample_games
from tests.helpers.fuji_transcript import fuji_transcript
from tests.helpers.transcript import transcript, transcript_from

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "golden"
ENDS = FOLDER / "ends.txt"
BENCH = ROOT / "app" / "fujikoro_app" / "bench.py"
COMMAND = "make goldens"

# Seed and settings of games, by name, with fights, magic, scrolls, eruptions, escapes and bonuses. Forced decisions are
# asked too, so that a reader sees them, and the final chapter starts early.
GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "players2": (38, {"players": 2, "final_at": 14}),
    "players3": (43, {"players": 3, "final_at": 12}),
    "players4": (16, {"players": 4, "final_at": 10}),
    "players5": (32, {"players": 5, "final_at": 9}),
    "players6": (40, {"players": 6, "final_at": 8}),
    "characters3": (1, {"players": 3, "final_at": 10, "characters": ["yoshihiro", "masako", "mitsuhide"]}),
    "characters4": (2, {"players": 4, "final_at": 10, "characters": ["masatsura", "takeko", "tomoe", "daisuke"]}),
    "solo": (3, {"mode": "solo", "coop_lives": 3}),
    "coop3": (49, {"mode": "coop", "players": 3, "coop_lives": 3}),
    "coop5_characters": (38, {"mode": "coop", "players": 5, "coop_lives": 3, "characters": "random"}),
    "scenario1": (3, {"scenario": 1, "players": 3, "final_at": 12}),
    "scenario2": (9, {"scenario": 2, "players": 3, "final_at": 14}),
    "scenario3": (2, {"scenario": 3, "players": 2, "final_at": 16}),
    "scenario3_coop": (0, {"scenario": 3, "mode": "coop", "players": 3, "coop_lives": 3}),
    "scenario4": (30, {"scenario": 4, "players": 3, "final_at": 5}),
    "scenario5": (103, {"scenario": 5, "players": 3, "final_at": 3}),
    "scenario6": (3, {"scenario": 6, "players": 3, "coop_lives": 3}),
    "scenario7": (77, {}),
    "scenario8": (31, {"scenario": 8, "final_at": 3, "coop_lives": 3}),
}

# The same of Fuji: among them a win, and ends by lava and by stamina.
FUJI_GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "fuji2_a": (18, {"players": 2, "variant": "A", "scenario": 3, "late_eruption": True}),
    "fuji2_b": (1, {"players": 2, "variant": "B", "scenario": 4}),
    "fuji3": (3, {"players": 3, "scenario": 1}),
    "fuji3_open": (15, {"players": 3, "scenario": 6, "level": 3, "talk": "open"}),
    "fuji4": (12, {"players": 4, "scenario": 7, "level": 2}),
}


# These start from a position stored beside them: alone, lively players do not survive long enough to see a temple.
FROM_POSITION = ("scenario7",)


def transcript_path(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def golden_game(name: str) -> list[str]:
    """The lines of the golden game of this name."""
    if name in FUJI_GAMES:
        seed, settings = FUJI_GAMES[name]
        return fuji_transcript(settings, seed)
    seed, settings = GAMES[name]
    if name in FROM_POSITION:
        return transcript_from(Game.from_json((FOLDER / f"{name}.json").read_text(encoding="utf-8")), seed)
    return transcript(Rules(ask_forced=True, **settings), seed)


def position_text(name: str) -> str:
    """A position as JSON without the digest of the content, so that changing a number on a card does not invalidate
    it."""
    return re.sub(r',\s*"digest": "\w+"', "", mid_games.find(name).to_json(), count=1)


def bench_source() -> str:
    """The source of the benchmark with an updated signature."""
    line = f'SIGNATURE = "{bench.signature()}"'
    return re.sub(r'^SIGNATURE = "\w*"', line, BENCH.read_text(encoding="utf-8"), flags=re.MULTILINE)


def main() -> None:
    """Write all golden files that have changed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", action="store_true", help="make the positions in mid-game anew, too")
    if parser.parse_args().positions:
        for name in mid_games.SITUATIONS:
            write(mid_games.FOLDER / f"{name}.json", position_text(name))
    for name in (*GAMES, *FUJI_GAMES):
        write(transcript_path(name), "\n".join(golden_game(name)) + "\n")
    write(ENDS, "\n".join(sample_games.ends(sample_games.digests())) + "\n")
    write(BENCH, bench_source())


def write(path: Path, text: str) -> None:
    """Write a file if its text has changed."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
