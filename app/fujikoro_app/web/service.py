"""All games of a server: begun, resumed after a restart, and found by their numbers; and its recordings."""

import asyncio
import secrets
import sys
from pathlib import Path

from fujikoro_app.web.limits import Limits
from fujikoro_app.web.lobby import LobbyError, Seat, Wish
from fujikoro_app.web.replays import Replays
from fujikoro_app.web.storage import GameFiles, StorageError, stored_games
from fujikoro_app.web.table import Table
from fujikoro_app.web.thinking import Thinkers
from fujikoro_env.kernel.declared import THIS_GAME, find_game
from fujikoro_env.kernel.session import Session


class Service:
    """The games and recordings in a folder."""

    def __init__(self, folder: Path, runs: Path, limits: Limits, processes: int) -> None:
        self.folder, self.runs, self.limits = folder, runs, limits
        self.thinkers = Thinkers(processes, limits.thinking, limits.waiting)
        self.replays = Replays(folder / "replays", limits.replays, limits.recordings)
        self.tables: dict[str, Table] = {}
        self.sockets = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._replay_of: dict[str, str] = {}  # recordings of finished games

    def resume(self) -> None:
        """Read the latest stored games, and let those go on that are not over."""
        for files in stored_games(self.folder / "games")[-2 * self.limits.games :]:
            try:
                self._open(Table.resume(files, self.thinkers))
            except StorageError as error:
                print(f"fujikoro: left out: {error}", file=sys.stderr)

    def begin(self, wish: Wish) -> Table:
        """Deal a new game."""
        seed = secrets.randbits(31) if wish.seed is None else wish.seed
        return self.take(find_game(wish.game).session_class(wish.rules, seed), wish.seats, game=wish.game)

    def take(
        self, session: Session, seats: tuple[Seat, ...], agents_seed: int | None = None, game: str = THIS_GAME
    ) -> Table:
        """Open a table for a game, new or branched off. Raises `LobbyError` if there are too many. `agents_seed`: seed
        of the agents' own random numbers; random by default."""
        if sum(not table.session.over for table in self.tables.values()) >= self.limits.games:
            raise LobbyError(f"{self.limits.games} games are running, which is the most that this server allows")
        files = GameFiles(self.folder / "games" / secrets.token_urlsafe(9))
        table = Table.begin(session, seats, files, self.thinkers, agents_seed, game)
        self._forget_finished()
        self._open(table)
        return table

    def _forget_finished(self) -> None:
        """Forget the oldest finished games that nobody looks at, so that the memory of the server stays bounded."""
        finished = [number for number, table in self.tables.items() if table.session.over and not table.pages]
        for number in finished[: max(0, len(self.tables) + 1 - self.limits.tables)]:
            del self.tables[number]
            self._replay_of.pop(number, None)

    def _open(self, table: Table) -> None:
        self.tables[table.number] = table
        task = asyncio.create_task(table.run())
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            print(f"fujikoro: a game stopped: {error!r}", file=sys.stderr)

    def replay_of(self, table: Table) -> str:
        """Id of the recording of a finished game, or of a game of agents as far as it is played."""
        number = self._replay_of.get(table.number)
        if number is None or not table.session.over:
            number = self.replays.add(table.session.recording().to_json())
            if table.session.over:
                self._replay_of[table.number] = number
        return number

    def close(self) -> None:
        """Stop all games; they go on when the server starts again."""
        for task in self._tasks:
            task.cancel()
        self.thinkers.stop()
