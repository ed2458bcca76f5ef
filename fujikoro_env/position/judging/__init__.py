"""Judging: whether a record is a legal position, `whole` first.

Plain Python by the letter of the rules, apart from the compiled ones, so that each checks the other.
"""
