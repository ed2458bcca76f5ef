"""Tournaments: who plays better, by how much, and how certain that is. docs/tournaments.md describes the method.

`schedule` decides who plays whom, `match` plays one game, `pool` plays many on all cores, `store` saves them and
`games` holds them; `ratings`, `shares`, `cycles` and `settled` evaluate them, `summary` collects the results, `report`
and `picture` show them. `run` plays a whole tournament.
"""
