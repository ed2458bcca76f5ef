"""Makes anew what tests compare the game with: `make goldens`. When to do so: docs/goldens.md.

Transcripts of one whole game for each number of players, the ends of the sample games, and the signature of the
benchmark. The positions in mid-game that play begins from are made anew with `--positions` alone: they should outlive
changes of the rules.
"""

import argparse
import re
from pathlib import Path
from typing import Any

from fujikoro_env import Rules, bench
from tests import mid_games, sample_games
from tests.transcript import transcript

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "golden"
ENDS = FOLDER / "ends.txt"
BENCH = ROOT / "fujikoro_env" / "bench.py"
COMMAND = "make goldens"

# By number of players, the seed and the settings of a game with fights, magic, scrolls, eruptions, escapes and bonuses.
# Every decision is asked, so that a reader sees it, and the final chapter starts early.
GAMES: dict[int, tuple[int, dict[str, Any]]] = {
    2: (38, {"final_at": 14}),
    3: (43, {"final_at": 12}),
    4: (16, {"final_at": 10}),
    5: (32, {"final_at": 9}),
    6: (40, {"final_at": 8}),
}


def transcript_path(players: int) -> Path:
    return FOLDER / f"players{players}.txt"


def golden_game(players: int) -> list[str]:
    """The lines of the game for so many players."""
    seed, settings = GAMES[players]
    return transcript(Rules(players, ask_forced=True, **settings), seed)


def position_text(name: str) -> str:
    """Without the digest of the content, so that another number on a card makes no position unreadable."""
    return re.sub(r',\s*"digest": "\w+"', "", mid_games.find(name).to_json(), count=1)


def bench_source() -> str:
    """The source of the benchmark with its signature renewed."""
    line = f'SIGNATURE = "{bench.signature()}"'
    return re.sub(r'^SIGNATURE = "\w*"', line, BENCH.read_text(encoding="utf-8"), flags=re.MULTILINE)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", action="store_true", help="make the positions in mid-game anew, too")
    if parser.parse_args().positions:
        for name in mid_games.SITUATIONS:
            write(mid_games.FOLDER / f"{name}.json", position_text(name))
    for players in GAMES:
        write(transcript_path(players), "\n".join(golden_game(players)) + "\n")
    write(ENDS, "\n".join(sample_games.ends(sample_games.digests())) + "\n")
    write(BENCH, bench_source())


def write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"written: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
