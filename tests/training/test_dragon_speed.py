"""The measured effect of faster dragons (training/fujikoro_training/dragon_speed.py)."""

import pytest

from fujikoro_training import dragon_speed


def test_slow_dragons_differ_from_those_of_the_base_pack_in_their_initiative_alone():
    slow, base = dragon_speed.packs().values()
    assert [(d.id, d.health) for d in slow.dragons] == [(d.id, d.health) for d in base.dragons]
    assert {d.id: d.initiative for d in slow.dragons if d.colour in ("green", "red")} == {
        "moss_fang": 2,
        "bamboo_fang": 9,
        "jade_fang": 3,
        "venom_fang": 4,
        "cinder_wing": 3,
        "magma_wing": 4,
        "blood_wing": 5,
        "inferno_wing": 6,
    }


def test_a_row_for_each_line_up_and_pack(monkeypatch, capsys):
    monkeypatch.setattr(dragon_speed, "LINE_UPS", dragon_speed.LINE_UPS[:1])
    dragon_speed.main(["--games", "2"])
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert "monks sent" in head
    assert [row.split(" | ")[1] for row in rows] == ["slow", "as they are"]


def test_no_games_are_refused(capsys):
    with pytest.raises(SystemExit):
        dragon_speed.main(["--games", "0"])
    assert "--games must be at least 1" in capsys.readouterr().err
