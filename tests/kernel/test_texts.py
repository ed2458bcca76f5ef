"""Tests of how players are called."""

import pytest

from fujikoro_env.kernel.texts import label, short_name, short_names


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("shogun", "shogun"),
        ("mcts:iterations=64", "mcts:iterations=64"),
        ("mcts:judge=nets/value.safetensors", "mcts:judge=nets/value.safetensors"),
        ("python:my_module.MyAgent", "python:my_module.MyAgent"),
        ("policy:runs/first/policy.safetensors", "policy:first"),
        ("policy:runs/first/policy.safetensors:greedy=true", "policy:first:greedy=true"),
        ("value:nets/big.safetensors", "value:big"),
        ("policy:mine.safetensors", "policy:mine.safetensors"),
    ],
)
def test_names_of_files_are_short(name, short):
    assert short_name(name) == short


def test_labels_tell_players_apart():
    assert [label("policy:a/b/policy.safetensors", 1), label("", 2)] == ["policy:b (player 1)", "player 2"]


def test_short_names_stay_distinct():
    first, second, third = (f"policy:{folder}/policy.safetensors" for folder in ("a/x", "b/x", "c/y"))
    assert short_names([first, second, third, "guide", "guide"]) == {
        first: first,
        second: second,
        third: "policy:y",
        "guide": "guide",
    }
