"""What the learnability probe found, as tables and as a picture."""

from pathlib import Path
from typing import Any

PANELS = {"random": "random", "sampled": "learner, sampled", "greedy": "learner, greedy"}


def write_tables(results: dict[str, Any], path: Path) -> None:
    parts = [_summary(results), _events(results), _phases(results), _vp(results), _curve_table(results)]
    path.write_text("\n\n".join(parts) + "\n")


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _summary(results: dict[str, Any]) -> str:
    panels = [results[name] for name in PANELS]
    rows = [
        ["win share", *(f"{p['win share']:.3f} +- {p['win share +-']:.3f}" for p in panels)],
        ["its VP", *(f"{p['vp'][1]:.1f} +- {p['vp +-'][1]:.1f}" for p in panels)],
        ["VP of the others", *(f"{p['vp'][0]:.1f}" for p in panels)],
        ["rounds", *(f"{p['rounds']:.1f}" for p in panels)],
        ["games without a final chapter", *(f"{p['games without a final chapter']:.0%}" for p in panels)],
        ["its decisions a game", *(f"{p['decisions'][1]:.0f}" for p in panels)],
        ["decisions of each other", *(f"{p['decisions'][0]:.0f}" for p in panels)],
    ]
    return _table(["", *PANELS.values()], rows)


def _events(results: dict[str, Any]) -> str:
    names = sorted({name for panel in PANELS for name in results[panel]["events"]})
    rows = [[name, *(f"{results[p]['events'].get(name, (0, 0))[1]:.2f}" for p in PANELS)] for name in names]
    return _table(["a game", *PANELS.values()], rows)


def _phases(results: dict[str, Any]) -> str:
    """Shares of the decisions of the seat that the policy holds."""
    everybody = [results[panel] for panel in PANELS]
    names = sorted({name for p in everybody for name in p["phases"]}, key=lambda name: -_share(everybody[1], name))
    rows = [
        [f"`{name}`", *(f"{_share(p, name):.1%}" for p in everybody), _choices(everybody[1], name)]
        for name in names
        if max(_share(p, name) for p in everybody) >= 0.002
    ]
    return _table(["phase", *PANELS.values(), "legal actions"], rows)


def _share(panel: dict[str, Any], phase: str) -> float:
    return float(panel["phases"].get(phase, (0, 0))[1] / panel["decisions"][1])


def _choices(panel: dict[str, Any], phase: str) -> str:
    return f"{panel['choices'].get(phase, (0, 0))[1]:.1f}"


def _vp(results: dict[str, Any]) -> str:
    names = sorted({name for panel in PANELS for name in results[panel]["vp by phase"]})
    rows = [[f"`{name}`", *(f"{results[p]['vp by phase'].get(name, (0, 0))[1]:.2f}" for p in PANELS)] for name in names]
    return _table(["VP by the answer to", *PANELS.values()], rows)


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
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "fujikoro"  # the same picture of the same numbers
    from matplotlib import pyplot

    first = {**results["untrained"], "learned": 0}
    rows = [first, *results["curve"]]
    millions = [row["learned"] / 1e6 for row in rows]
    events = [row["events"] for row in rows]
    panels = (
        ("win share", {"learner": [row["win share"] for row in rows]}),
        ("VP", {"learner": [row["vp"][1] for row in rows], "random players": [row["vp"][0] for row in rows]}),
        (
            "a game",
            {
                "gear cards owned": [e["gear cards owned"][1] for e in events],
                "dragons beaten": [e["dragons beaten"][1] for e in events],
                "blueprints taken": [e["blueprints taken"][1] for e in events],
                "scrolls taken": [e["scrolls taken"][1] for e in events],
            },
        ),
    )
    figure, axes = pyplot.subplots(1, len(panels), figsize=(11, 3.2), layout="constrained")
    for axis, (title, lines) in zip(axes, panels, strict=True):
        for label, values in lines.items():
            axis.plot(millions, values, marker=".", label=label)
        axis.set(title=title, xlabel="million decisions learned from", ylim=(0, None))
        axis.grid(alpha=0.3)
        axis.legend(fontsize="small", frameon=False)
    axes[0].axhline(1 / results["settings"]["players"], color="grey", linestyle=":")
    axes[0].set_ylim(0, 1)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
