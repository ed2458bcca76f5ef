"""Foundations shared by all chapters: records, enumerations, action and phase tables, frames and chance."""
