"""Where work is done: in processes of this machine, or on a cluster.

`job` says what a job is, `pool` does its tasks in processes, `cluster` as tasks of Ray, and `chosen` opens one of them.
Both give the same results. docs/cluster.md describes clusters.
"""
