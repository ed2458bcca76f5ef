"""Opens the workers that a caller chose: a number of processes on this machine, or a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager

from fujikoro_training.workers.job import Workers
from fujikoro_training.workers.pool import ProcessPool


@contextmanager
def opened(workers: int | Workers) -> Iterator[Workers]:
    """A pool of this many processes, ended at the end; or workers that are open already, and stay so."""
    if isinstance(workers, int):
        with ProcessPool(workers) as pool:
            yield pool
    else:
        yield workers


@contextmanager
def workers_at(cluster: str | None, processes: int) -> Iterator[Workers]:
    """The cluster at this address, or without one a pool of processes."""
    if cluster is None:
        with ProcessPool(processes) as pool:
            yield pool
        return
    from fujikoro_training.workers.cluster import Cluster  # Ray is an extra

    with Cluster(cluster) as workers:
        yield workers
