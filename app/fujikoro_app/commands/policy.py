"""`fujikoro policy`: files of trained policies."""

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fujikoro_app.commands.errors import OK, UsageError
from fujikoro_app.commands.options import add_json
from fujikoro_app.commands.parser import add_command


def add(commands: Any) -> None:
    example = "policy convert my_agent.zip my_agent.safetensors --trust"
    parser = add_command(commands, "policy", "convert and describe files of trained policies", example)
    actions = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    what = "convert a MaskablePPO model to a policy file, which can't run code"
    convert = add_command(actions, "convert", what, example, run_convert)
    convert.add_argument("model", metavar="IN", help="a model of Stable-Baselines3 (.zip)")
    convert.add_argument("out", metavar="OUT", help="the new policy file (.safetensors)")
    convert.add_argument("--trust", action="store_true", help="read the model, although such a file can run code")
    convert.add_argument("--content", default="base", metavar="PACK", help="content it was trained with (base)")
    example_of_average = "policy average mean.safetensors first.safetensors second.safetensors"
    what = "write the mean of the weights of policy files, such as snapshots of one run"
    average = add_command(actions, "average", what, example_of_average, run_average)
    average.add_argument("out", metavar="OUT", help="the new policy file (.safetensors)")
    average.add_argument(
        "files", nargs="+", metavar="FILE", help="policy files with the same network, the last one newest"
    )
    show = add_command(actions, "show", "describe a policy file", "policy show my_agent.safetensors", run_show)
    show.add_argument("file", metavar="FILE", help="a policy file (.safetensors)")
    add_json(show)


def run_convert(args: argparse.Namespace) -> int:
    from fujikoro_agents.policy import PolicyError, convert_model
    from fujikoro_env.content import ContentError, load_pack

    if Path(args.out).exists():
        raise UsageError(f"{args.out}: exists already, and is left as it is")
    try:
        policy = convert_model(args.model, args.out, args.trust, load_pack(args.content))
    except (PolicyError, ContentError, OSError) as error:
        raise UsageError(str(error)) from None
    kind, seen = policy.head.network.kind, policy.observation
    print(f"written to {args.out}: network of the kind {kind}, which sees {seen} observations")
    return OK


def run_average(args: argparse.Namespace) -> int:
    from fujikoro_agents.policy import PolicyError, load_policy, mean_policy, save_policy

    if Path(args.out).exists():
        raise UsageError(f"{args.out}: exists already, and is left as it is")
    try:
        policy = mean_policy([load_policy(file) for file in args.files])
        save_policy(args.out, policy.weights, policy.head)
    except (PolicyError, ValueError, OSError) as error:
        raise UsageError(str(error)) from None
    print(f"written to {args.out}: the mean of {len(args.files)} policies")
    return OK


def run_show(args: argparse.Namespace) -> int:
    from fujikoro_agents.policy import PolicyError

    try:
        found = _described_network(args.file)
    except PolicyError as error:
        raise UsageError(str(error)) from None
    print(json.dumps(found) if args.json else "\n".join(_shown_lines(found)))
    return OK


def _described_network(file: str) -> dict[str, Any]:
    from fujikoro_agents.policy import misfit, read_head
    from fujikoro_agents.values.file import is_value_file, load_value

    if is_value_file(file):
        value = load_value(file)
        network = {"kind": "value of positions", "layers": list(value.layers), "margin": value.margin}
        return {"network": network, "training": value.training, "versions": value.versions, "plays": "yes, value:FILE"}
    head = read_head(file)
    reason = misfit(head)
    return {**head.to_json(), "plays": f"no: {reason}" if reason else "yes"}


def _shown_lines(found: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """Entries as lines. How a network was trained has a line for each part, and its settings for each section."""
    for name, value in found.items():
        if name in ("training", "settings") and isinstance(value, dict) and value and len(indent) < 4:
            yield f"{indent}{name}:"
            yield from _shown_lines(value, indent + "  ")
        else:
            yield f"{indent}{_printable(name)}: {_printable(value)}"


def _printable(value: Any) -> str:
    return value if isinstance(value, str) and value.isprintable() else json.dumps(value)
