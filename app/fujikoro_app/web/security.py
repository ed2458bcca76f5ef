"""Protection of pages and requests: headers, the origin of requests, and sizes of uploads."""

from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # links carry tokens
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
LONGEST_ADDRESS: Final = 2000  # characters of a path and its query
LONG_LIVED: Final = "public, max-age=600"


class TooLargeError(ValueError):
    """An upload that is larger than allowed."""


def is_same_origin(headers: Headers) -> bool:
    """Whether a request comes from a page of this server. Browsers send the origin with all sockets and with all
    requests that change something; a request without one, and without the mark of another site, is not a browser's."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    try:
        return urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # no address at all
        return False


class Guard:
    """Adds the headers to all answers, and refuses requests of other sites."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if len(scope["path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
                refused = JSONResponse({"error": "the address is too long"}, 414)
                await refused(scope, receive, _with_headers(send, is_static=False))
                return
            is_static = scope["path"].startswith("/static/")
            changes = scope["method"] not in ("GET", "HEAD")
            if changes and not is_same_origin(Headers(scope=scope)):
                refused = JSONResponse({"error": "requests from other sites are refused"}, 403)
                await refused(scope, receive, _with_headers(send, is_static))
                return
            send = _with_headers(send, is_static)
        await self._app(scope, receive, send)


def _with_headers(send: Send, is_static: bool) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = LONG_LIVED if is_static and name == "Cache-Control" else value
        await send(message)

    return sending


async def read_body(request: Request, most: int) -> bytes:
    """The body of a request. Raises `TooLargeError` as soon as it is larger than allowed."""
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > most:
        raise TooLargeError(f"uploads may have {most} bytes at most")
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > most:
            raise TooLargeError(f"uploads may have {most} bytes at most")
    return bytes(found)
