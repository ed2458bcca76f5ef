"""Compiled scripted agents: a ladder of rungs, each with more skills than the one below."""
