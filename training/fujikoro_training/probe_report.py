"""Report of the learnability probe: tables and a picture."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Line = tuple[list[float], list[float]]

SHOWN_EVENTS = ("gear cards owned", "dragons beaten", "blueprints taken", "scrolls taken")
EVALUATIONS = {"random": "random", "sampled": "learner, sampled", "greedy": "learner, greedy"}


def write_tables(results: dict[str, Any], path: Path) -> None:
    """Write the tables of a run."""
    parts = [_summary(results), _events(results), _phases(results), _vp(results), _curve_table(results)]
    path.write_text("\n\n".join(parts) + "\n")


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _summary(results: dict[str, Any]) -> str:
    evaluations = [results[name] for name in EVALUATIONS]
    rows = [
        ["win share", *(f"{p['win share']:.3f} +- {p['win share +-']:.3f}" for p in evaluations)],
        ["its VP", *(f"{p['vp'][1]:.1f} +- {p['vp +-'][1]:.1f}" for p in evaluations)],
        ["VP of the others", *(f"{p['vp'][0]:.1f}" for p in evaluations)],
        ["rounds", *(f"{p['rounds']:.1f}" for p in evaluations)],
        ["games without a final chapter", *(f"{p['games without a final chapter']:.0%}" for p in evaluations)],
        ["its decisions per game", *(f"{p['decisions'][1]:.0f}" for p in evaluations)],
        ["decisions per other player", *(f"{p['decisions'][0]:.0f}" for p in evaluations)],
    ]
    return _table(["", *EVALUATIONS.values()], rows)


def _events(results: dict[str, Any]) -> str:
    names = sorted({name for evaluation in EVALUATIONS for name in results[evaluation]["events"]})
    rows = [[name, *(f"{results[p]['events'].get(name, (0, 0))[1]:.2f}" for p in EVALUATIONS)] for name in names]
    return _table(["per game", *EVALUATIONS.values()], rows)


def _phases(results: dict[str, Any]) -> str:
    """Shares of the decisions of the policy's seat."""
    everybody = [results[evaluation] for evaluation in EVALUATIONS]
    names = sorted({name for p in everybody for name in p["phases"]}, key=lambda name: -_share(everybody[1], name))
    rows = [
        [f"`{name}`", *(f"{_share(p, name):.1%}" for p in everybody), _choices(everybody[1], name)]
        for name in names
        if max(_share(p, name) for p in everybody) >= 0.002
    ]
    return _table(["phase", *EVALUATIONS.values(), "legal actions"], rows)


def _share(evaluation: dict[str, Any], phase: str) -> float:
    return float(evaluation["phases"].get(phase, (0, 0))[1] / evaluation["decisions"][1])


def _choices(evaluation: dict[str, Any], phase: str) -> str:
    return f"{evaluation['choices'].get(phase, (0, 0))[1]:.1f}"


def _vp(results: dict[str, Any]) -> str:
    names = sorted({name for evaluation in EVALUATIONS for name in results[evaluation]["vp by phase"]})
    rows = [
        [f"`{name}`", *(f"{results[p]['vp by phase'].get(name, (0, 0))[1]:.2f}" for p in EVALUATIONS)] for name in names
    ]
    return _table(["VP from the answer to", *EVALUATIONS.values()], rows)


def _curve_table(results: dict[str, Any]) -> str:
    rows = [
        [
            f"{row['minutes']:.1f}",
            f"{row['learned']:,}",
            f"{row['win share']:.2f}",
            f"{row['vp'][1]:.1f}",
            f"{row['events']['gear cards owned'][1]:.2f}",
            f"{row['events']['dragons beaten'][1]:.2f}",
            f"{-row.get('entropy_loss', 0):.2f}",
            f"{row.get('explained_variance', 0):.2f}",
        ]
        for row in results["curve"]
    ]
    return _table(
        ["minutes", "decisions", "win share", "VP", "gear cards", "dragons", "entropy", "explained variance"], rows
    )


def draw_curve(results: dict[str, Any], path: Path) -> None:
    """Draw what one run learned: wins, VP, and events per game."""
    rows = _rows(results)
    lines = {
        "win share": {"learner": [row["win share"] for row in rows]},
        "VP": {"learner": [row["vp"][1] for row in rows], "random players": [row["vp"][0] for row in rows]},
        "per game": {name: [row["events"][name][1] for row in rows] for name in SHOWN_EVENTS},
    }
    learned = [row["learned"] / 1e6 for row in rows]
    _draw(
        {title: {label: (learned, ys) for label, ys in of.items()} for title, of in lines.items()},
        path,
        even=1 / results["settings"]["players"],
    )


def draw_runs(runs: dict[str, dict[str, Any]], path: Path) -> None:
    """Draw several runs together: wins, VP, and decisions per game."""
    curves = {label: _rows(results) for label, results in runs.items()}

    def lines(value: Callable[[dict[str, Any]], float]) -> dict[str, Line]:
        return {k: ([row["learned"] / 1e6 for row in rows], [value(row) for row in rows]) for k, rows in curves.items()}

    _draw(
        {
            "win share": lines(lambda row: float(row["win share"])),
            "VP": lines(lambda row: float(row["vp"][1])),
            "its decisions per game": lines(lambda row: float(row["decisions"][1])),
        },
        path,
        even=1 / next(iter(runs.values()))["settings"]["players"],
    )


def _rows(results: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**results["untrained"], "learned": 0}, *results["curve"]]


def _draw(charts: dict[str, dict[str, Line]], path: Path, even: float) -> None:
    """Draw the charts. `even`: win share of equally strong players."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "fujikoro"  # the same numbers always give the same file
    matplotlib.rcParams["svg.fonttype"] = "none"  # text instead of outlines: a third of the size
    from matplotlib import pyplot

    same_lines = len({tuple(lines) for lines in charts.values()}) == 1
    figure, axes = pyplot.subplots(1, len(charts), figsize=(11, 3.2), layout="constrained")
    for axis, (title, lines) in zip(axes, charts.items(), strict=True):
        for label, (xs, ys) in lines.items():
            axis.plot(xs, ys, marker=".", label=label)
        axis.set(title=title, xlabel="million decisions learned from", ylim=(0, None))
        axis.grid(alpha=0.3)
        if not same_lines:
            axis.legend(fontsize="small", frameon=False)
    if same_lines:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    axes[0].axhline(even, color="grey", linestyle=":")
    axes[0].set_ylim(0, 1.05)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def main(arguments: list[str]) -> int:
    """Draw several runs together: `python -m fujikoro_training.probe_report picture.svg "a name=runs/a"
    "another=runs/b"`."""
    pairs = [argument.split("=", 1) for argument in arguments[1:]]
    draw_runs({k: json.loads((Path(folder) / "results.json").read_text()) for k, folder in pairs}, Path(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
