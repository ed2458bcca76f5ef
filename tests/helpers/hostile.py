"""Counting of hostile inputs. A test that attacks a border says how many inputs it tried,
`record_property(HOSTILE_INPUTS, 20_000)`, and pytest prints the sum in the last line of a run."""

from typing import Final

HOSTILE_INPUTS: Final = "hostile inputs"
