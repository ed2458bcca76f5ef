"""Tournaments: who plays better, by how much, and how sure is that. docs/tournaments.md tells how it works.

`schedule` says who plays whom, `match` plays one game, `pool` plays many on all cores, `store` keeps them and `games`
holds them; `ratings`, `shares`, `cycles` and `settled` find out what came of it, `summary` gathers that, `report` and
`picture` show it. `run` plays a whole tournament.
"""
