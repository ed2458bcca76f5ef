"""Learning by self-play: `fujikoro train`, its recipes, and the parts it is made of.

`recipe` describes a run, `games` are the games that learners play, `opponents` the other players, `ppo` the learner,
`checkpoint` what is kept of a run, and `run` puts them together.
"""
