"""Datasets of games behind `fujikoro dataset`. docs/datasets.md describes them.

`schema` declares the columns, `play` plays games and records every decision, `store` writes them as shards that can be
continued after a kill, `read` reads them as arrays, and `minari` writes them in the format of the library Minari.
"""
