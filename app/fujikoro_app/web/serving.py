"""Starts the web server."""

import os
import socket
from pathlib import Path
from typing import Final

import uvicorn
from filelock import FileLock, Timeout

from fujikoro_app.web.limits import Limits
from fujikoro_app.web.server import make_app
from fujikoro_app.web.service import Service

LOCAL: Final = ["127.0.0.1", "localhost", "[::1]"]
LOCK: Final = "server.lock"


class ServingError(Exception):
    """The server can't be started; the message is one line."""


def serve(host: str, port: int, hosts: list[str], data: Path, runs: Path, jobs: int | None) -> None:
    """Serve until interrupted. `hosts`: further names of the server; `data`: folder of the games."""
    limits = Limits()
    listening = _bound(host, port)
    with listening, _locked(data):
        service = Service(data, runs, limits, jobs or os.cpu_count() or 1)
        app = make_app(service, allowed_hosts(host, hosts))
        config = uvicorn.Config(
            app,
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=limits.message,
            ws_max_queue=limits.burst,
            timeout_graceful_shutdown=2,
            server_header=False,
            date_header=False,
        )
        print(_greeting(host, listening.getsockname()[1]), flush=True)
        uvicorn.Server(config).run([listening])


def allowed_hosts(host: str, more: list[str]) -> list[str]:
    """Names by which browsers may call a server that is bound to `host`."""
    return [*LOCAL, _in_address(host), *more]


def _in_address(host: str) -> str:
    """A host as part of an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def _greeting(host: str, port: int) -> str:
    address = _in_address(host)
    here = "only this machine can reach it" if address in LOCAL else f"all who can reach {host} can use it"
    return f"Fuji Koro is at http://{address}:{port} ({here}); Ctrl-C ends it, and games go on at the next start"


def _bound(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()  # from now on connections wait until the server is ready
    except OSError as error:
        raise ServingError(f"--host {host} --port {port}: {error.strerror or error}") from None
    return listening


def _locked(data: Path) -> FileLock:
    """A lock on the folder of the games, so that no two servers write there."""
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FileLock(data / LOCK, timeout=0)
        lock.acquire()
    except Timeout:
        raise ServingError(f"--data {data}: another server uses this folder") from None
    except OSError as error:
        raise ServingError(f"--data {data}: {error.strerror}") from None
    return lock
