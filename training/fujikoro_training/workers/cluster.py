"""`Cluster`: does tasks on the machines of a Ray cluster. A task whose process or machine is lost is done again.

The main process, the head, hands out the tasks and keeps all files. Machines get nothing but the job and its tasks, so
they must have the same version of this package and the same agents; compiled code comes from the head.
"""

import logging
import math
import os
import socket
import time
import uuid
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import ray
from ray.exceptions import RayError

from fujikoro_env.kernel.text import one_line, quoted
from fujikoro_training.workers.installation import (
    check_installation,
    exported_code,
    import_exported,
    needs_code,
    package_digest,
    use_folder_of_head,
)
from fujikoro_training.workers.job import Failure, Job, R, T, WorkerError, given
from fujikoro_training.workers.pool import ProcessPool

AUTO: Final = "auto"
SECONDS_TO_CONNECT: Final = 10.0
SECONDS_OF_A_TASK: Final = 5.0  # short tasks are done together until they take about this long
HANDED_OUT: Final = 2  # Ray tasks for each CPU at a time, so that none waits for the head
RETRIES: Final = 20  # of a Ray task whose process or machine was lost
AnyJob = Job[Any, Any]


@dataclass(frozen=True)
class Order:
    """What a machine has to know before it does tasks of a job."""

    key: str
    package: str  # digest of the head's installation
    agents: str  # digests of the agents' code there
    folder: str  # working directory of the head
    code: Any  # reference to an archive of machine code


# On a machine of the cluster

_jobs: dict[str, AnyJob] = {}  # for which this process is prepared, by the key of the order
_pool = ProcessPool(1)  # for jobs that are watched; its process ends with this one


def prepared(order: Order, job: AnyJob) -> AnyJob:
    """Check this machine and get compiled code, once for each job. Returns the job as it came first, so that its
    processes are used again."""
    if order.key not in _jobs:
        use_folder_of_head(order.folder)
        check_installation(order.package, order.agents, job)
        if needs_code() and (archive := ray.get(order.code)):
            import_exported(archive)
        _jobs[order.key] = job
    return _jobs[order.key]


def do_tasks(order: Order, job: AnyJob, tasks: list[Any]) -> tuple[float, list[Any]]:
    """Do tasks one after the other. Returns the seconds that they took, and their results; a failure ends the list."""
    answers: list[Any] = []
    began = time.monotonic()
    try:
        job = prepared(order, job)
        began = time.monotonic()
        for _, answer in _done_here(job, tasks):
            answers.append(answer)
    except Exception as error:
        answers.append(Failure.of(error))
    return time.monotonic() - began, answers


def _done_here(job: AnyJob, tasks: list[Any]) -> Iterator[tuple[Any, Any]]:
    if job.watched:
        return _pool.run(job, tasks)
    return ProcessPool(1).run(job, tasks)  # in this process: Ray replaces it


# On the head


class ClusterError(WorkerError):
    """Raised for a cluster that can't be used. The message is one line."""


class Cluster:
    """The machines of a Ray cluster, as workers. `address`: `auto` for the cluster of this machine, or HOST:PORT."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._is_ours = False  # the connection

    def __enter__(self) -> "Cluster":
        if not ray.is_initialized():
            connect(self.address)
            self._is_ours = True
        return self

    def __exit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        if self._is_ours:
            ray.shutdown()

    def run(self, job: Job[T, R], tasks: Sequence[T]) -> Iterator[tuple[T, R]]:
        """Do all tasks; yield each with its result, in the order in which they end."""
        if not tasks:
            return
        given_to_all = ray.put(order_for(job)), ray.put(job)
        waiting, running = deque(tasks), dict[Any, list[T]]()
        length = 1
        try:
            while waiting or running:
                cpus = cpus_of_cluster()
                while waiting and len(running) < HANDED_OUT * cpus:
                    some = min(length, math.ceil(len(waiting) / (HANDED_OUT * cpus)))
                    chunk = [waiting.popleft() for _ in range(some)]
                    running[remote_tasks().remote(*given_to_all, chunk)] = chunk
                for done in ray.wait(list(running), num_returns=1)[0]:
                    chunk = running.pop(done)
                    seconds, answers = _result(done)
                    length = max(1, round(len(chunk) * SECONDS_OF_A_TASK / max(seconds, 1e-3)))
                    for task, answer in zip(chunk, answers, strict=False):  # a failure comes alone
                        yield task, given(answer)
        finally:
            for reference in running:
                with suppress(RayError):
                    ray.cancel(reference, force=True)


@cache
def remote_tasks() -> Any:
    """`do_tasks` as a task of Ray."""
    return ray.remote(do_tasks).options(num_cpus=1, max_retries=RETRIES, scheduling_strategy="SPREAD")


def _result(reference: Any) -> tuple[float, list[Any]]:
    try:
        seconds, answers = ray.get(reference)
    except RayError as error:
        raise ClusterError(f"a task was lost {RETRIES + 1} times: {_first_line(error)}") from None
    return seconds, answers


def order_for(job: AnyJob) -> Order:
    """The order for a job: what machines compare, and compiled code for them."""
    agents = job.code()  # makes the agents, so that all their code is imported
    code = ray.put(exported_code())
    return Order(uuid.uuid4().hex, package_digest(), agents, str(Path.cwd()), code)


def cpus_of_cluster() -> int:
    """Number of CPUs that tasks may use now."""
    cpus = int(ray.cluster_resources().get("CPU", 0))
    if cpus < 1:
        raise ClusterError("the cluster has no CPU for tasks: start a node with --num-cpus=1 or more")
    return cpus


def connect(address: str) -> None:
    """Connect this process to a cluster."""
    if address != AUTO:
        _check_address(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError:
        raise ClusterError(f"--cluster {address}: no cluster is running here (ray start --head)") from None
    except Exception as error:  # Ray raises errors of many kinds for wrong versions, tokens and addresses
        raise ClusterError(f"--cluster {address}: {_first_line(error)}") from None


def _check_address(address: str) -> None:
    """Refuse an address at which nobody listens. Ray would go on trying for minutes."""
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ClusterError(f"--cluster {quoted(address)}: allowed are auto, and HOST:PORT such as 127.0.0.1:6379")
    try:
        socket.create_connection((host, int(port)), SECONDS_TO_CONNECT).close()
    except OSError as error:
        raise ClusterError(f"--cluster {address}: {error.strerror or error}") from None


def _first_line(error: Exception) -> str:
    return one_line(str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__)
