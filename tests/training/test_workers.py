"""Process pools: tasks whose process ends, errors of tasks, and workers that are kept."""

import os
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="tournaments are not installed: pip install -e '.[tournament]'")

from fujikoro_training.workers.job import Calls, Failure, WorkerError
from fujikoro_training.workers.pool import ProcessPool


def name_of(task: str) -> tuple[str, int]:
    """The task, and the process that did it. The first attempt at a task that names a new file ends its process."""
    path = Path(task)
    if path.is_absolute() and not path.exists():
        path.write_text("")
        os._exit(3)
    return path.name, os.getpid()


def fail(task: str) -> None:
    if task == "exit":
        os._exit(3)
    raise ValueError(f"no {task}")


def test_a_task_whose_process_ends_is_done_again_in_another(tmp_path):
    tasks = [str(tmp_path / "one"), "two", "three", str(tmp_path / "four")]
    with ProcessPool(2) as pool:
        found = {task: name for task, (name, _) in pool.run(Calls(name_of), tasks)}
        assert found == {task: Path(task).name for task in tasks}
        again = {process for _, (_, process) in pool.run(Calls(name_of), tasks)}
    assert os.getpid() not in again
    assert len(again) <= 2


def test_a_task_that_ends_every_process_is_given_up():
    with ProcessPool(2) as pool, pytest.raises(WorkerError, match="a task ended 3 workers, exit status 3"):
        list(pool.run(Calls(fail), ["exit", "exit"]))


def test_errors_of_tasks_come_back():
    with ProcessPool(2) as pool, pytest.raises(ValueError, match="no bread"):
        list(pool.run(Calls(fail), ["bread", "bread"]))


def test_one_process_needs_no_other():
    assert list(ProcessPool(1).run(Calls(name_of), ["a"])) == [("a", ("a", os.getpid()))]
    assert list(ProcessPool(4).run(Calls(name_of), [])) == []


def test_errors_that_can_not_be_rebuilt_are_told():
    class OddError(Exception):
        def __init__(self, a, b):
            super().__init__(f"{a} and {b}")

    error = Failure.of(OddError(1, 2)).error
    assert isinstance(error, WorkerError)
    assert str(error) == "OddError: 1 and 2"
