"""The commands `fujikoro balance` and `fujikoro compare`."""

import argparse
import json
import sys
from math import isfinite, isnan
from pathlib import Path
from typing import Any, Final

import pandas as pd

from fujikoro_env.content import ContentError, load_pack
from fujikoro_env.kernel.thread_pool import cores
from fujikoro_env.player import AgentError, make_agent
from fujikoro_training.balance.analysis import HOLDER_VP, LEAD, clearest_components
from fujikoro_training.balance.cells import Cell
from fujikoro_training.balance.compare import CompareError, compare, side_of
from fujikoro_training.balance.playing import is_scripted
from fujikoro_training.balance.run import run
from fujikoro_training.balance.settings import SettingsError
from fujikoro_training.balance.statistics import Estimate
from fujikoro_training.balance.store import AnySettings, RunError, Store
from fujikoro_training.balance.team import TeamSettings, read_any_settings
from fujikoro_training.balance.tune import (
    Search,
    Tuned,
    TuneError,
    misses,
    parse_changes,
    parse_target,
    sure,
    tune,
    win_shares,
)
from fujikoro_training.balance.write_pack import PackError, write_pack
from fujikoro_training.workers.chosen import workers_at
from fujikoro_training.workers.job import WorkerError

MOST_LINES: Final = 60  # of a table on the terminal
FRESH: Final = 10_000_000  # added to the seed of a search for the games after it
TEAM_REFERENCES: Final = {"parameters": "base", "characters": "without"}  # what values are compared with
TYPED: Final = (
    "game",
    "agents",
    "players",
    "games",
    "slow_games",
    "precision",
    "seed",
    "content",
    "within",
    "decisions",
)


class BalanceError(ValueError):
    """Something that can't be done; the message has a line for each fault."""


def experimented(args: argparse.Namespace) -> str:
    """Run an experiment as typed; return the text to print."""
    typed = {name: getattr(args, name) for name in TYPED}
    typed["rules"] = dict(args.option) or None
    try:
        if getattr(args, "largest_of", None):
            typed["components"] = _clearest(Path(args.largest_of))
        settings = read_any_settings(args.settings, {"experiment": args.experiment, **typed})
        folder = Path(args.out) if args.out else Path("runs") / f"balance-{settings.experiment}"
        with workers_at(args.cluster, args.jobs or cores()) as workers:
            effects = run(settings, folder, workers, _say)
    except SettingsError as error:
        raise BalanceError("\n".join(error.faults)) from None
    except (RunError, WorkerError) as error:
        raise BalanceError(str(error)) from None
    except KeyboardInterrupt:
        _say("fujikoro: interrupted; the games so far are saved, the same command goes on")
        raise
    if args.json:
        return str(effects.to_json(orient="records"))
    return f"{as_text(settings, effects)}\n\nwritten to {folder}; as a page: fujikoro balance report {folder}"


def _clearest(folder: Path) -> list[str]:
    """Components with the clearest effects in a run."""
    store = Store(folder)
    if (found := store.settings().experiment) != "components":
        raise RunError(f"{folder}: a run of the experiment {found!r}; --largest-of needs one of 'components'")
    return clearest_components(store.effects())


def as_text(settings: AnySettings, effects: pd.DataFrame) -> str:
    """The effects as a table, for a terminal."""
    lines = [f"{settings.experiment}: value (95 % interval by seed block), reference, finding"]
    named = TEAM_REFERENCES.get(settings.experiment) if isinstance(settings, TeamSettings) else None
    for measure, rows in effects.groupby("measure", sort=False):
        shown = rows if len(rows) <= MOST_LINES else _largest(rows)
        alike = len(set(zip(rows["agent"], rows["players"], strict=True))) == 1 and rows["level"].all()
        lines.append(f"\n{measure}" + (f" ({_who(next(rows.itertuples()))})" if alike else ""))
        if len(shown) < len(rows):
            lines[-1] += f", the {len(shown)} clearest of {len(rows)} lines"
        labels = [_label(row, not alike) for row in shown.itertuples()]
        name = max(map(len, labels))
        numbers = [_numbers(row, named or _reference(str(measure))) for row in shown.itertuples()]
        lines += [f"  {label:{name}}  {told}" for label, told in zip(labels, numbers, strict=True)]
    return "\n".join(lines)


def _largest(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.sort_values("p", kind="stable").head(MOST_LINES)


def _label(row: Any, with_players: bool) -> str:
    if not with_players:
        return str(row.level)
    return f"{row.level} ({_who(row)})" if row.level else _who(row)


def _who(row: Any) -> str:
    return f"{row.agent}, {row.players} players"


def _reference(measure: str) -> str:
    """What the reference of a measure is: the value of equal players, or of games without the change."""
    if is_share(measure):
        return "fair"
    return "even" if measure in (LEAD, HOLDER_VP) else "unchanged"


def _numbers(row: Any, named: str) -> str:
    share = is_share(row.measure)
    text = f"{shown(row.value, share):>7}"
    if isfinite(row.low):
        text += f" ({shown(row.low, share)} to {shown(row.high, share)})"
    if isfinite(row.reference) and isfinite(row.p):
        text += f", {named} {shown(row.reference, share)}"
    text += f", {row.finding}" if row.finding else ""
    return text + (", equivalent" if row.equivalent else "")


def is_share(measure: str) -> bool:
    """Whether a measure is a share, told in per cent."""
    return "share" in measure or measure in ("finishes ahead", "chosen when offered")


def shown(value: float, share: bool) -> str:
    """A number as text."""
    return f"{value:.1%}" if share else f"{value:.2f}"


def compared(args: argparse.Namespace) -> str:
    """Compare two sides as typed; return the text to print."""
    try:
        make_agent(args.agent)
        sides = [side_of(text, args.content) for text in (args.a, args.b)]
        found = compare(sides[0], sides[1], args.agent, args.players, args.games, args.seed)
    except (AgentError, CompareError) as error:
        raise BalanceError(str(error)) from None
    if args.json:
        rows = [
            {"measure": one.measure, "a": one.a, "b": one.b, "difference": [one.gap.value, one.gap.low, one.gap.high]}
            for one in found
        ]
        return json.dumps({"a": args.a, "b": args.b, "games": args.games, "seed": args.seed, "differences": rows})
    return f"{args.a} and {args.b}: {'; '.join(map(str, found))}"


# --- the tuner ------------------------------------------------------------------------------------------------------


def tuned(args: argparse.Namespace) -> str:
    """Search as typed; return the text to print."""
    try:
        search = _search(args)
        found = tune(search, _say)
        report = {agent: _fresh(search, found, agent, args) for agent in args.confirm}
        pack = load_pack(args.content).changed(found.changes) if found.changes else load_pack(args.content)
        if args.out:
            write_pack(pack, Path(args.out), Path(args.out).name, _told_changes(found))
    except (AgentError, ContentError, TuneError, PackError) as error:
        raise BalanceError(str(error)) from None
    if args.json:
        return json.dumps(_as_json(found, report))
    return "\n".join(_told(search, found, report, args.out))


def _search(args: argparse.Namespace) -> Search:
    for agent in (args.agent, *args.confirm):
        make_agent(agent)
        if not is_scripted(Cell("", (agent,) * args.players)):
            raise TuneError(f"agent {agent!r}: only scripted agents can play with assigned characters")
    values = parse_changes(args.change, args.content)
    return Search(
        args.content, parse_target(args.target), values, args.agent, args.players, args.games, args.trials, args.seed
    )


Fresh = tuple[dict[str, Estimate], dict[str, Estimate]]  # before and after


def _fresh(search: Search, found: Tuned, agent: str, args: argparse.Namespace) -> Fresh:
    """Win shares before and after on seeds that the search has not seen."""
    games = args.slow_games if agent == "shogun" else args.fresh_games
    _say(f"fresh seeds with {agent}: {games} games before and after")
    seed = search.seed + FRESH
    return win_shares(search, {}, agent, games, seed), win_shares(search, found.changes, agent, games, seed)


def _told_changes(found: Tuned) -> str:
    return "; ".join(f"{path} = {value}" for path, value in found.changes.items()) or "nothing"


def _told(search: Search, found: Tuned, report: dict[str, Fresh], out: str | None) -> list[str]:
    lines = [f"{found.trials} trials of {search.games} games with {search.agent}", f"changes: {_told_changes(found)}"]
    for agent, (before, after) in report.items():
        missed = misses(search, after)
        verdict = "met" if not missed else f"not met for {', '.join(missed)}"
        verdict += f"; beyond chance for {len(sure(after))} of {len(after)} (equivalence test)"
        lines.append(f"\n{agent}, fresh seeds: characters within {100 * search.points:g} points is {verdict}")
        for name in sorted(after, key=lambda name: -before[name].value):
            lines.append(f"  {name:10} {_interval(before[name])} -> {_interval(after[name])}")
    return [*lines, *([f"\nwritten to {out}"] if out else [])]


def _interval(found: Estimate) -> str:
    if isnan(found.low):
        return f"{found.value:.1%} (one seed)"
    return f"{found.value:.1%} ({100 * found.low:.1f} to {100 * found.high:.1f})"


def _as_json(found: Tuned, report: dict[str, Fresh]) -> dict[str, Any]:
    def plain(shares: dict[str, Estimate]) -> dict[str, list[float | None]]:
        return {name: [None if isnan(x) else x for x in (one.value, one.low, one.high)] for name, one in shares.items()}

    fresh = {agent: {"before": plain(before), "after": plain(after)} for agent, (before, after) in report.items()}
    return {"changes": found.changes, "trials": found.trials, "fresh": fresh}


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # what is printed on the other side may be JSON
