"""Ray nodes on this machine, for tests: each a tree of processes on a loopback address of its own.

Authentication is on, with a token for each set of nodes. Only processes that were recorded as descendants of a node are
ended: `ray stop` would end every Ray process of the machine.
"""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import psutil

SECONDS_TO_START = 300  # on a busy machine
STARTS = 3  # attempts to start a node
STARTED = "Ray runtime started"
START = "from ray.scripts.scripts import main; main()"


class Node:
    """One node: the process of `ray start --block` and its descendants."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process, self._log = process, log
        self._root = psutil.Process(process.pid)
        self._recorded: dict[int, psutil.Process] = {}

    def has_started(self) -> bool:
        """Wait until the node is a part of the cluster. On a busy machine it may give up."""
        last = time.monotonic() + SECONDS_TO_START
        while STARTED not in self._log.read_text():
            self.record()
            if self.process.poll() is not None or time.monotonic() > last:
                return False
            time.sleep(0.2)
        self.record()
        return True

    def record(self) -> list[psutil.Process]:
        """Note all processes of the node."""
        with suppress(psutil.NoSuchProcess):
            for found in [self._root, *self._root.children(recursive=True)]:
                self._recorded.setdefault(found.pid, found)
        return list(self._recorded.values())

    def workers(self, name: str) -> list[psutil.Process]:
        """Processes of the node that do tasks or are actors of this name."""
        return [found for found in self.record() if found.is_running() and f"ray::{name}" in _command(found)]

    def kill(self) -> None:
        """End all processes of the node at once."""
        if self.process.poll() is None:
            self.record()
        for found in self._recorded.values():
            with suppress(psutil.NoSuchProcess):  # psutil knows whether the number belongs to another process by now
                found.kill()
        self.process.wait()


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


class Nodes:
    """A cluster; a context manager. `head` and `others` are its nodes."""

    def __init__(self, cpus: int = 1) -> None:
        """`cpus`: of the head."""
        self.folder = Path(tempfile.mkdtemp(prefix="fk-ray-"))  # names of sockets must be short
        token = self.folder / "token"
        token.write_text(secrets.token_hex(32))
        token.chmod(0o600)
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("RAY_")},
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(token),
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_worker_niceness": "0",  # Ray would let all other processes of the machine go first
        }
        self._started = 0
        self.address = f"127.0.0.2:{_free_port()}"
        port = self.address.partition(":")[2]
        self.others: list[Node] = []
        self.head = self._start("--head", f"--port={port}", f"--ray-client-server-port={_free_port()}", cpus=cpus)

    def _start(self, *options: str, cpus: int) -> Node:
        self._started += 1
        host, log = f"127.0.0.{1 + self._started}", self.folder / f"node{self._started}.log"
        command = [
            *(sys.executable, "-c", START, "start", "--block", f"--node-ip-address={host}", f"--num-cpus={cpus}"),
            *("--min-worker-port=0", "--max-worker-port=0", "--object-store-memory=150000000"),
            *options,
        ]
        if "--head" in options:
            command += ["--include-dashboard=false", "--no-monitor", f"--temp-dir={self.folder / 't'}"]
        for _ in range(STARTS):
            with log.open("wb") as file:
                process = subprocess.Popen(
                    command, env=self.env, stdout=file, stderr=file, stdin=subprocess.DEVNULL, start_new_session=True
                )
            node, has_started = Node(process, log), False
            try:
                has_started = node.has_started()
            finally:  # also when the tests are interrupted
                if not has_started:
                    node.kill()
            if has_started:
                return node
        raise RuntimeError(log.read_text())

    def add(self, cpus: int = 1) -> Node:
        """Start another node."""
        self.others.append(self._start(f"--address={self.address}", cpus=cpus))
        return self.others[-1]

    def __enter__(self) -> "Nodes":
        return self

    def __exit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        for node in (*self.others, self.head):
            node.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.2", 0))
        port: int = server.getsockname()[1]
    return port
