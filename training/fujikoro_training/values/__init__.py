"""Learning values of positions by self-play: `fujikoro train value`.

`recipe` describes a run, `turn_ends` plays the games that are learned from, `targets` makes the values to learn, `fit`
fits a network to them, and `run` puts them together.
"""
