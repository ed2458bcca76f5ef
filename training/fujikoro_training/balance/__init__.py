"""Balance research behind `fujikoro balance` and `fujikoro compare`. docs/balance.md describes it.

`settings` reads and checks what is asked for, `cells` turns it into conditions, `playing` plays a condition on some
seeds, `store` and `run` do so for all of them in many processes, `statistics` has the tests, `analysis` applies them,
and `tune` searches for content that meets a target.
"""
