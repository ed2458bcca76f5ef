"""The frozen benchmark behind `fujikoro evaluate`. docs/benchmark.md describes it.

`protocol` declares what is played, `scripted` plays it in compiled batches where every agent is a script, `batched`
where some are trained networks, `run` plays and stores the games, `fingerprint` says what a result was measured with,
`result` evaluates the games, and `report` shows results and writes the leaderboard.
"""
