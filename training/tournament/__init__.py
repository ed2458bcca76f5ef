"""Tournaments: who plays better, by how much, and how sure is that. docs/tournaments.md tells how it works.

`schedule` says who plays whom, `match` plays one game, `pool` plays many on all cores, `store` keeps them, `entrants`
reads names; `ratings`, `shares` and `cycles` say what came of it, `report` and `picture` show that, `run` does it all.
"""
