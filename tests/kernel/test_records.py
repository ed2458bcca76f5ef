"""Records in plain Python: fields are attributes at every depth, of the same layout that compiled code reads."""

import pickle

import numpy as np
import pytest
from numba import from_dtype

from fujikoro_env.kernel.records import Ints, Records, dtype_of, i16, i16s, i64, many, one, record, zeros


@record
class Inner:
    points: int = i16()
    cells: int = i64()


@record
class Outer:
    first: int = i16()
    alone: Inner = one(Inner)
    others: Records[Inner] = many(Inner, 3)
    numbers: Ints = i16s(2)


def test_fields_are_read_and_written_at_every_depth():
    batch = zeros(Outer, 2)
    game = batch[1]
    game.first += 2
    game.alone.points = 3
    game.others[2].cells |= 1 << 40
    game.numbers[1] = 5
    assert batch["first"].tolist() == [0, 2]
    assert batch["alone"]["points"].tolist() == [0, 3]
    assert batch["others"]["cells"].tolist() == [[0, 0, 0], [0, 0, 1 << 40]]
    assert batch["numbers"].tolist() == [[0, 0], [0, 5]]


def test_a_number_is_as_wide_as_in_compiled_code_until_it_is_stored():
    inner = zeros(Inner, 1)[0]
    inner.points = 30_000
    assert inner.points * 2 == 60_000
    with pytest.raises(OverflowError):
        inner.points *= 2


def test_the_layout_is_the_one_that_compiled_code_reads():
    batch = zeros(Outer, 1)
    assert batch.dtype == dtype_of(Outer)
    assert from_dtype(batch.dtype) == from_dtype(dtype_of(Outer))
    assert zeros(Outer, 1).dtype is batch.dtype


def test_records_are_pickled():
    batch = zeros(Outer, 2)
    batch[1].others[0].points = 7
    copy = pickle.loads(pickle.dumps(batch))
    assert copy[1].others[0].points == 7
    assert np.array_equal(copy, batch)


def test_a_field_that_would_hide_an_attribute_is_refused():
    with pytest.raises(TypeError, match=r"Wrong: field names \['round'\] hide attributes of np.void"):

        @record
        class Wrong:
            round: int = i16()


def test_a_field_that_is_not_there_is_an_error():
    with pytest.raises(AttributeError):
        _ = zeros(Inner, 1)[0].pionts
    with pytest.raises(AttributeError):
        zeros(Inner, 1)[0].pionts = 1
