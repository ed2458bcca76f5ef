"""The command `fujikoro web`: play, watch, replay and analyse games in a browser; docs/web.md describes it.

The server draws the pictures and holds the games. Agents think in worker processes. A page gets only what its seat, or
a spectator, may see.
"""
