"""Scripted players, compiled: a ladder of rungs, each of which knows more than the one below."""
