"""Scripted players, compiled: one function that answers every question, as skilled as it is told to be."""
