"""Learning plans from an agent that looks ahead: `fujikoro train pupil`.

The pupil is a network that chooses plans without trying anything out. Its teacher looks ahead over the turn with a
value network, and says for the choices of a question how much better or worse than the script's they are. `recipe`
describes a run, `lessons` plays the games that are learned from, `fit` fits a network, and `run` puts them together.
"""
