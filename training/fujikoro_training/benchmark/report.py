"""Reports of the benchmark: one result for the terminal and in Markdown, and the leaderboard of many."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from fujikoro_training.benchmark.protocol import FIRST_SEED, LAST_SEED, PROTOCOLS, Protocol
from fujikoro_training.benchmark.result import FORMAT
from fujikoro_training.tournament.report import Layout, Row, in_columns, in_markdown, number, percent
from fujikoro_training.tournament.store import StoreError

RESULT, REPORT = "result.json", "result.md"
NOT_MEASURED: Final = "-"


def write_result(result: dict[str, Any], folder: Path) -> None:
    """Write a result to a folder as JSON and Markdown."""
    try:
        (folder / RESULT).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        (folder / REPORT).write_text(as_markdown(result), encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}") from None


def as_text(result: dict[str, Any]) -> str:
    """A result as text for a terminal."""
    return "\n\n".join([_heading(result), _table(result, in_columns), _conditions(result)])


def as_markdown(result: dict[str, Any]) -> str:
    """A result in Markdown."""
    fingerprint = f"```json\n{json.dumps(result['fingerprint'], indent=1)}\n```"
    parts = [f"# {_heading(result)}", _table(result, in_markdown), _conditions(result), fingerprint]
    return "\n\n".join(parts) + "\n"


def _heading(result: dict[str, Any]) -> str:
    trial = "" if result["is_result"] else ": a quick trial, NOT a result of the protocol"
    part = "" if result["complete"] else " (some of its series)"
    return f"{result['agent']}, protocol {result['protocol']}{part}{trial}"


def _table(result: dict[str, Any], layout: Layout) -> str:
    rows: list[Row] = [("series", "players", "opponents", "games", "wins", "fair", "VP lead", "mean rank", "forfeits")]
    for series in result["series"]:
        who = (series["name"], str(series["players"]), series["opponent"] or "none: co-op", str(series["games"]))
        fair = f"{series['fair']:.1%}" if series["fair"] else NOT_MEASURED
        lead = number(series["vp_lead"], 1) if "vp_lead" in series else NOT_MEASURED
        rank = number(series["mean_rank"], 2) if "mean_rank" in series else NOT_MEASURED
        rows.append((*who, percent(series["wins"]), fair, lead, rank, str(series["forfeits"])))
    return layout(rows)


def _conditions(result: dict[str, Any]) -> str:
    found = result["fingerprint"]
    return (
        f"95 % intervals by seed. Comparable with results that have {found['comparable']}; content {found['content']}, "
        f"results {found['results']}."
    )


# The leaderboard


def read_results(folder: Path) -> list[dict[str, Any]]:
    """All results that are stored in a folder. Raises `StoreError` for a file that is no result, for a quick trial, and
    for results that can't be compared with each other."""
    found = [_read(path) for path in sorted(folder.glob("*.json"))]
    for result in found:
        if result["fingerprint"]["comparable"] != found[0]["fingerprint"]["comparable"]:
            raise StoreError(
                f"{folder}: the results of {found[0]['agent']} and {result['agent']} were measured with different "
                "protocols, content or opponents, and can't stand in one leaderboard"
            )
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if result["format"] != FORMAT or not result["is_result"]:
            raise StoreError(f"{path}: not a result of a protocol; `fujikoro evaluate` without --quick writes one")
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{path}: not a result of `fujikoro evaluate`") from None
    return result


def leaderboard(results: Sequence[dict[str, Any]], protocol: Protocol, costs: Mapping[str, float]) -> str:
    """Table of the wins of all agents in all series, best first by the mean of the competitive series. Agents that
    did not play all of these come last. `costs`: milliseconds a decision, by agent."""
    rows: list[Row] = [("agent", "ms", *(series.name for series in protocol.series), "results")]
    for result in sorted(results, key=_rank, reverse=True):
        wins = {series["name"]: percent(series["wins"]) for series in result["series"]}
        cells = [wins.get(series.name, NOT_MEASURED) for series in protocol.series]
        cost = f"{costs[result['agent']]:.2g}" if result["agent"] in costs else NOT_MEASURED
        rows.append((f"`{result['agent']}`", cost, *cells, f"`{result['fingerprint']['results']}`"))
    return in_markdown(rows)


def _rank(result: dict[str, Any]) -> tuple[int, float]:
    """Number of competitive series that were played, and the mean share of wins in them."""
    shares: list[float] = [series["wins"][0] for series in result["series"] if series["opponent"]]
    return len(shares), sum(shares) / max(1, len(shares))


def protocol_table(protocol: Protocol) -> str:
    """Table of the series of a protocol."""
    rows: list[Row] = [("series", "players", "opponents", "seeds", "games")]
    for series in protocol.series:
        opponents = f"{series.players - 1} `{series.opponent}`" if series.opponent else "none: co-op, all seats"
        opponents += ", characters dealt at random" if series.characters else ""
        seeds = f"{series.first_seed} to {series.first_seed + series.seeds - 1}"
        rows.append((f"`{series.name}`", str(series.players), opponents, seeds, str(series.games)))
    return in_markdown(rows)


def board(
    results: Sequence[dict[str, Any]],
    protocol: Protocol,
    wanted: Iterable[str],
    note: str,
    costs: Mapping[str, float],
) -> str:
    """The leaderboard of a protocol with what has to be said about it. `wanted`: agents that it should have; `note`:
    what to add about those that are missing; `costs`: milliseconds a decision, by agent."""
    found = results[0]["fingerprint"] if results else {"comparable": "none", "content": "none"}
    missing = [name for name in wanted if name not in {result["agent"] for result in results}]
    shown = ", ".join(f"`{name}`" for name in missing)
    said = f"Not measured yet: {shown}." if missing else "All agents that we ship have a row."
    return BOARD.format(
        name=protocol.name,
        comparable=found["comparable"],
        content=found["content"],
        leaderboard=leaderboard(results, protocol, costs),
        missing=f"{said}\n\n{note}".strip(),
    )


def benchmark_page(
    results: Mapping[str, Sequence[dict[str, Any]]],
    wanted: Mapping[str, Sequence[str]],
    notes: Mapping[str, str],
    costs: Mapping[str, float],
) -> str:
    """The page docs/benchmark.md. `results`, `wanted` and `notes`: by the name of a protocol; `costs`: by agent."""
    v0, tables = PROTOCOLS["v0"], PROTOCOLS["tables-v0"]
    return PAGE.format(
        digest=v0.digest,
        tables_digest=tables.digest,
        first=FIRST_SEED,
        last=LAST_SEED,
        games=f"{v0.games:,}",
        tables_games=f"{tables.games:,}",
        seconds=f"{v0.move_seconds:g}",
        protocol=protocol_table(v0),
        tables=protocol_table(tables),
        boards="\n\n".join(
            board(results[name], PROTOCOLS[name], wanted[name], notes.get(name, ""), costs) for name in PROTOCOLS
        ),
    )


BOARD: Final = """\
### {name}

All results have `comparable` `{comparable}` and were measured with content `{content}`.

{leaderboard}

{missing}"""

PAGE: Final = """\
# Benchmark

`fujikoro evaluate AGENT --protocol v0` plays a fixed set of games and measures an agent. Everybody who runs it plays
the same opponents with the same seeds in the same seats, so results can be compared.

```sh
pip install 'fujikoro_env[tournament]'
fujikoro evaluate runner                                   # protocol v0, all series, all cores
fujikoro evaluate mcts:iterations=64 --series shogun-4     # one series
fujikoro evaluate policy:model.safetensors --quick         # a trial of a minute; not a result
fujikoro evaluate python:my_agents.Mine --jobs 8 --out runs/mine --json
```

## Protocol v0

{protocol}

All games are played with the default rules and the content pack `base`. In competitive series one copy of the agent
plays against copies of one opponent, and every seed is played with the agent in every seat. In co-op series the agent
plays all seats together with copies of itself. These are {games} games. An agent that takes longer than {seconds} s for
one decision, raises an exception or returns an illegal action forfeits the game
([tournaments.md](tournaments.md#forfeits)).

The seeds from {first} to {last} are reserved for benchmarks: don't train, tune or choose between agents with them.
Agents never learn the seed of a game. The protocol is declared in
`training/fujikoro_training/benchmark/protocol.py` and never changes (digest `{digest}`); an improved one gets another
name.

## Protocol tables-v0

`fujikoro evaluate AGENT --protocol tables-v0` measures whether an agent also plays well with other numbers of players
and with characters: {tables_games} games under the same conditions (digest `{tables_digest}`).

{tables}

## Options

Games of scripts and trained networks are played side by side in batches, all others one by one in separate processes.
This makes no difference to the games: agents get the same luck either way, networks compute one forward pass for each
game, and tests compare both.

| option | meaning (default) |
| --- | --- |
| `--protocol NAME` | the protocol (`v0`) |
| `--series NAMES` | play only these series, with commas between them (all). Results of single series count, too |
| `--quick` | a trial with two seeds per series, from a range of its own; marked as no result |
| `--jobs N` | number of processes (all cores) |
| `--cluster ADDRESS` | play on a Ray cluster: `auto` or HOST:PORT ([cluster.md](cluster.md)) |
| `--out FOLDER` | folder for games and result (`runs/evaluate-...`); an unfinished evaluation in it is continued |
| `--json` | print the result as one JSON object |

## What is written

The folder has `result.json`, `result.md` and the journal `games.jsonl`, to which every finished game is added. After an
interruption, even `kill -9`, the same command continues. It refuses to continue with another agent, protocol, content
or code, and refuses a journal with games that are not of the protocol.

*wins* is the share of the wins in all seats; players who tie for first place share the win. *fair* is the share of an
agent that is as good as its opponents. In co-op, *wins* is the share of games won. *VP lead* is the agent's VP less the
mean of its opponents. Intervals are 95 % intervals by seed, with Student's quantiles, as in tournaments
([tournaments.md](tournaments.md#what-the-numbers-mean)). An agent that plays against itself scores exactly its fair
share with every seed; its interval only says how many seeds there were.

The fingerprint of a result has these parts:

| part | what it identifies |
| --- | --- |
| `protocol` | the table above |
| `content` | the content pack |
| `yardstick` | results of `runner` with the first two seeds of every series; they change with rules and opponents |
| `comparable` | the three above in one: results with the same value can be compared |
| `actions`, `observations` | the tables of actions and observations |
| `package` | the version of fujikoro_env |
| `agent`, `agent_code` | the agent as it was named, and its code and model files |
| `results` | what happened in all games. Agents without a time limit get the same value again |

## Leaderboard

Wins with 95 % intervals, best first by the mean of the competitive series; agents that did not play all of these come
last. `-` is not measured. *ms* is what a decision costs: milliseconds of CPU time, in a single game of four in which
the agent has all seats (`python -m fujikoro_training.measure AGENT` prints decisions per second). In batches, scripts
and networks need less.

{boards}

The tables are written by `python tools/make_benchmark.py` from the files in `docs/benchmark/`, one folder for each
protocol. Each of them is the `result.json` of an agent. To add a row, run the protocol, copy the file there and run the
tool.
"""
