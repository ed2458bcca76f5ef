"""The web server: pages, requests and sockets."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from jinja2 import Environment, PackageLoader, select_autoescape
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from fujikoro_app.web import runs
from fujikoro_app.web.frames import definitions
from fujikoro_app.web.lobby import LobbyError, checked_agent, offer, read_seats, read_wish
from fujikoro_app.web.messages import MessageError, Meter, read_message
from fujikoro_app.web.replays import ReplayBook
from fujikoro_app.web.security import Guard, TooLargeError, is_same_origin, read_body
from fujikoro_app.web.service import Service
from fujikoro_app.web.storage import StorageError
from fujikoro_app.web.table import RefusedError, Sent, Table
from fujikoro_app.web.thinking import ThinkingError
from fujikoro_env.kernel.declared import find_game
from fujikoro_env.kernel.record import RecordError, Recording
from fujikoro_env.kernel.record.events import SPECTATOR

MOST_REQUEST: Final = 64 << 10  # bytes of a request that is not an upload
TOO_MANY: Final = 1008  # code of a closed socket: a rule was broken
TRY_LATER: Final = 1013
MOST_LISTED: Final = 50  # games in the lobby
MOST_GAMES: Final = 500  # of a run, that are listed
PAUSE: Final = 0.03  # seconds between two pictures of a page
Handler = Callable[[Request], Awaitable[Response]]


class WebError(Exception):
    """An answer other than the wanted one: a status and one line."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def make_app(service: Service, hosts: list[str]) -> Starlette:
    """The application. `hosts`: names by which browsers may call the server."""
    return Web(service).app(hosts)


class Socket:
    """A connected page: a `Page` of its table."""

    def __init__(self, socket: WebSocket, role: int) -> None:
        self._socket, self.role = socket, role
        self.sent: Sent | None = None
        self.changed = asyncio.Event()
        self.changed.set()
        self._lock = asyncio.Lock()

    def wake(self) -> None:
        self.changed.set()

    async def send(self, **message: Any) -> None:
        async with self._lock:
            await self._socket.send_text(json.dumps(message, separators=(",", ":")))

    async def show(self, table: Table) -> None:
        """Send the game, and then every change. When there is much to do, several changes are sent at once."""
        while True:
            await self.changed.wait()
            self.changed.clear()
            await self.send(state=table.news_for(self))
            await asyncio.sleep(PAUSE)


class Web:
    """The requests that the server answers."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._pages = Environment(loader=PackageLoader("fujikoro_app.web"), autoescape=select_autoescape())

    def app(self, hosts: list[str]) -> Starlette:
        routes = [
            Route("/", self._guarded(self.lobby_page)),
            Route("/table/{table}", self._guarded(self.watch_page)),
            Route("/table/{table}/", self._guarded(self.no_token)),
            Route("/table/{table}/{token}", self._guarded(self.seat_page)),
            Route("/replay", self._guarded(self.upload_page)),
            Route("/replay/{replay}", self._guarded(self.replay_page)),
            Route("/runs", self._guarded(self.runs_page)),
            Route("/api/lobby", self._guarded(self.lobby)),
            Route("/api/tables", self._guarded(self.new_table), methods=["POST"]),
            Route("/api/table/{table}/replay", self._guarded(self.replay_of_table), methods=["POST"]),
            Route("/api/replays", self._guarded(self.new_replay), methods=["POST"]),
            Route("/api/replay/{replay}", self._guarded(self.timeline)),
            Route("/api/replay/{replay}/at/{step:int}", self._guarded(self.frame)),
            Route("/api/replay/{replay}/values/{step:int}", self._guarded(self.values)),
            Route("/api/replay/{replay}/copies/{step:int}", self._guarded(self.copies)),
            Route("/api/replay/{replay}/explain", self._guarded(self.explain)),
            Route("/api/replay/{replay}/branch/{step:int}", self._guarded(self.branch), methods=["POST"]),
            Route("/api/runs", self._guarded(self.runs_list)),
            Route("/api/runs/{run}/games", self._guarded(self.run_games)),
            Route("/api/runs/{run}/games/{game:int}", self._guarded(self.watch_run_game), methods=["POST"]),
            WebSocketRoute("/socket/{table}", self.socket),
            WebSocketRoute("/socket/{table}/{token}", self.socket),
            Mount("/static/fonts", StaticFiles(packages=[("fujikoro_env.render", "fonts")])),
            Mount("/static", StaticFiles(packages=[("fujikoro_app.web", "static")])),
        ]
        middleware = [
            Middleware(TrustedHostMiddleware, allowed_hosts=hosts),
            Middleware(Guard),
            Middleware(GZipMiddleware, minimum_size=1000),
        ]
        failures: dict[Any, Any] = {404: self._not_found, 405: self._not_found, 500: self._failed}
        return Starlette(routes=routes, middleware=middleware, exception_handlers=failures, lifespan=self._lifespan)

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        self._service.resume()
        yield
        self._service.close()

    def _guarded(self, handler: Handler) -> Handler:
        """A handler whose errors become short answers."""

        async def answer(request: Request) -> Response:
            try:
                return await handler(request)
            except WebError as error:
                return self._refused(request, error.status, str(error))
            except TooLargeError as error:
                return self._refused(request, 413, str(error))
            except (LobbyError, RefusedError, RecordError) as error:
                return self._refused(request, 400, " ".join(str(error).split()))
            except ThinkingError as error:
                return self._refused(request, 503, str(error))
            except OSError as error:  # the disk is full, for example
                return self._refused(request, 507, f"the server can't store this: {error.strerror}")

        return answer

    def _refused(self, request: Request, status: int, message: str) -> Response:
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": message}, status)
        return self._page("refused.html", status, message=message)

    async def _not_found(self, request: Request, _error: Exception) -> Response:
        return self._refused(request, 404, "there is no such page here")

    async def _failed(self, request: Request, _error: Exception) -> Response:
        return self._refused(request, 500, "the server failed; its log has the reason")

    def _page(self, name: str, status: int = 200, **values: Any) -> HTMLResponse:
        return HTMLResponse(self._pages.get_template(name).render(**values), status)

    # the lobby

    async def lobby_page(self, _request: Request) -> Response:
        return self._page("lobby.html")

    async def lobby(self, _request: Request) -> Response:
        folder = self._service.runs
        found = offer(runs.ratings(folder), runs.trained_agents(folder))
        tables = list(reversed(self._service.tables.values()))[:MOST_LISTED]
        return JSONResponse({**found, "games": [_listed(table) for table in tables]})

    async def new_table(self, request: Request) -> Response:
        wish = read_wish(await _json(request), self._trained)
        return _links(self._service.begin(wish))

    # tables

    async def watch_page(self, request: Request) -> Response:
        self._table(request)
        return self._page("table.html", definitions=definitions())

    async def seat_page(self, request: Request) -> Response:
        if self._table(request).role_of(request.path_params["token"]) is None:
            raise WebError(403, "this link is not valid: its token is wrong")
        return self._page("table.html", definitions=definitions())

    async def no_token(self, _request: Request) -> Response:
        raise WebError(403, "this link is not valid: its token is missing")

    def _table(self, request: Request | WebSocket) -> Table:
        table = self._service.tables.get(request.path_params["table"])
        if table is None:
            raise WebError(404, "there is no such game here")
        return table

    async def replay_of_table(self, request: Request) -> Response:
        table = self._table(request)
        if table.had_people and not table.session.over:
            raise WebError(403, "a game with people can be replayed after its end")
        return JSONResponse({"replay": f"/replay/{self._service.replay_of(table)}"})

    async def socket(self, socket: WebSocket) -> None:
        """Serve one page of a game."""
        role = self._role(socket)
        if role is None:
            await socket.close(TOO_MANY)  # before it is accepted, this is status 403
            return
        table, limits = self._table(socket), self._service.limits
        await socket.accept()
        if self._service.sockets >= limits.sockets or len(table.pages) >= limits.sockets_of_a_game:
            await socket.close(TRY_LATER, "too many pages are open")
            return
        page = Socket(socket, role)
        table.pages.add(page)
        self._service.sockets += 1
        showing = asyncio.create_task(page.show(table))
        try:
            await self._listen(socket, page, table)
        except (WebSocketDisconnect, RuntimeError):  # RuntimeError: closed while a message was sent
            pass
        finally:
            table.pages.discard(page)
            self._service.sockets -= 1
            showing.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
                await showing

    def _role(self, socket: WebSocket) -> int | None:
        """The role of a new socket; None if it is refused."""
        if not is_same_origin(socket.headers) or socket.path_params["table"] not in self._service.tables:
            return None
        token = socket.path_params.get("token")
        return SPECTATOR if token is None else self._table(socket).role_of(token)

    async def _listen(self, socket: WebSocket, page: Socket, table: Table) -> None:
        meter = Meter(self._service.limits)
        while True:
            received = await socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            if not meter.has_room():
                await socket.close(TOO_MANY, "too many messages")
                return
            try:
                message = read_message(received.get("text") or "", self._service.limits)
                await self._obey(message, page, table)
            except (MessageError, RefusedError, LobbyError, StorageError) as error:
                await page.send(error=" ".join(str(error).split()))
                if isinstance(error, MessageError) and not meter.bears_fault():
                    await socket.close(TOO_MANY, "too many wrong messages")
                    return

    async def _obey(self, message: dict[str, Any], page: Socket, table: Table) -> None:
        match message["do"]:
            case "act":
                table.act(page.role, message["action"], message["step"])
            case "undo":
                table.ask_undo(page.role)
            case "agree":
                table.agree(page.role, message["yes"])
            case "hint":
                await page.send(hint=await table.hint(page.role))
            case "resign":
                known = self._trained(table.placed.game)
                table.resign(page.role, checked_agent(message["agent"], known, table.kind.declared))
            case "explain":
                await page.send(explain={"about": message["about"], "text": table.explain(page.role, message["about"])})
            case "speed":
                table.set_speed(page.role, message["value"])
            case "pause":
                table.pause(page.role, message["on"])

    # recorded games

    async def upload_page(self, _request: Request) -> Response:
        return self._page("upload.html")

    async def replay_page(self, request: Request) -> Response:
        await self._book(request)
        return self._page("replay.html", definitions=definitions())

    async def new_replay(self, request: Request) -> Response:
        body = await read_body(request, self._service.limits.upload)
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            raise WebError(400, "the file is not text in UTF-8") from None
        number = await asyncio.to_thread(self._service.replays.add, text)
        return JSONResponse({"replay": f"/replay/{number}"})

    async def _book(self, request: Request) -> ReplayBook:
        book = await asyncio.to_thread(self._service.replays.get, request.path_params["replay"])
        if book is None:
            raise WebError(404, "there is no such recording here")
        return book

    async def _at(self, request: Request) -> tuple[ReplayBook, int]:
        book, step = await self._book(request), int(request.path_params["step"])
        if step > book.replay.last:
            raise WebError(404, f"there are only {book.replay.last} steps")
        return book, step

    async def timeline(self, request: Request) -> Response:
        book = await self._book(request)
        return JSONResponse(await asyncio.to_thread(lambda: book.timeline))

    async def frame(self, request: Request) -> Response:
        book, step = await self._at(request)
        before = request.query_params.get("before", "")
        is_step = before.isdecimal() and len(before) < 9 and int(before) <= book.replay.last
        known = book.frame(int(before)) if is_step else None
        return JSONResponse({**book.frame(step).since(known), "step": step})

    async def values(self, request: Request) -> Response:
        book, step = await self._at(request)
        if book.replay.game_at(step).over:
            raise WebError(400, "the game is over: nobody is asked")
        known = self._trained(book.kind.declared.name)
        agent = checked_agent(request.query_params.get("agent", ""), known, book.kind.declared)
        return JSONResponse(await book.judged(step, agent, self._service.thinkers))

    async def copies(self, request: Request) -> Response:
        book, step = await self._at(request)
        return JSONResponse(book.copies(step))

    async def explain(self, request: Request) -> Response:
        book, step = await self._book(request), request.query_params.get("step", "0")
        at = min(int(step), book.replay.last) if step.isdecimal() and len(step) < 9 else 0
        about = request.query_params.get("about", "")[:300]
        return JSONResponse({"about": about, "text": book.kind.explained(book.replay.game_at(at), about, book.names)})

    async def branch(self, request: Request) -> Response:
        book, step = await self._at(request)
        given = await _json(request)
        wanted = given.get("seats") if isinstance(given, dict) else None
        game = book.kind.declared
        seats = read_seats(wanted, self._trained(game.name), game)
        session = book.session.fork(step)
        if len(seats) != session.game.rules.players:
            raise WebError(400, f"the game has {session.game.rules.players} players")
        if session.over:
            raise WebError(400, "the game is over here: branch off earlier")
        return _links(self._service.take(session, seats, game=game.name))

    def _trained(self, game: str) -> list[str]:
        """Agents of training runs that play a game."""
        return runs.trained_agents(self._service.runs).get(game, [])

    # runs

    async def runs_page(self, _request: Request) -> Response:
        return self._page("runs.html")

    async def runs_list(self, _request: Request) -> Response:
        found = await asyncio.to_thread(runs.runs_data, self._service.runs)
        return JSONResponse({"folder": str(self._service.runs), "runs": found})

    async def run_games(self, request: Request) -> Response:
        folder, run, asked = self._service.runs, request.path_params["run"], dict(request.query_params)
        games = await asyncio.to_thread(runs.games_of, folder, run, asked)
        return JSONResponse({"games": games[:MOST_GAMES], "of": len(games)})

    async def watch_run_game(self, request: Request) -> Response:
        """Play a game of a tournament or a balance experiment again, with the same seeds, or show the recording of a
        game of a training."""
        found = await asyncio.to_thread(
            runs.game_again, self._service.runs, request.path_params["run"], int(request.path_params["game"])
        )
        if found is None:
            raise WebError(404, "there is no such game in this run, or it can't be played again")
        if isinstance(found, Recording):
            number = await asyncio.to_thread(self._service.replays.add, found.to_json())
            return JSONResponse({"replay": f"/replay/{number}"})
        seats = read_seats([{"agent": name} for name in found.agents], found.agents, find_game(found.game))
        return _links(self._service.take(found.session, seats, found.agents_seed, found.game))


def _listed(table: Table) -> dict[str, Any]:
    game = table.session.game
    return {
        "table": f"/table/{table.number}",
        "names": list(table.session.names),
        "mode": table.kind.kind_of(game.rules),
        "round": int(game.state.round_number),
        "over": game.over,
    }


def _links(table: Table) -> JSONResponse:
    """The links to a new game: one for each person, one for the host, one to watch."""
    start = f"/table/{table.number}"
    people = [seat for seat, token in enumerate(table.placed.tokens) if token]
    seats = [
        {"seat": seat, "name": table.seats[seat].name, "link": f"{start}/{table.placed.tokens[seat]}"}
        for seat in people
    ]
    return JSONResponse({"seats": seats, "host": f"{start}/{table.placed.host}", "watch": start})


async def _json(request: Request) -> Any:
    try:
        return json.loads(await read_body(request, MOST_REQUEST))
    except (ValueError, RecursionError) as error:
        if isinstance(error, TooLargeError):
            raise
        raise WebError(400, "the request is not JSON") from None
