"""A server that vectors are asked of: any API server over HTTP or HTTPS."""

from __future__ import annotations

import http
import http.client
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from ..base.json_types import Json
from ..wire.endpoint import Endpoint
from ..wire.raw_client import open_connection, send_request
from . import content, websockets


@dataclass(frozen=True, slots=True)
class RawResponse:
    """An answer as it came: status, headers by lower-case
    name (joined by comma), body as JSON, fields or text.
    """

    status: int
    headers: Mapping[str, str]
    body: Json


class Server:
    """Asks one server; a user that the endpoint does not know is anonymous."""

    def __init__(self, endpoint: Endpoint) -> None:
        address = urlsplit(endpoint.url)
        self._address = (
            address.hostname or "127.0.0.1",
            address.port or (443 if address.scheme == "https" else 80),
        )
        self.origin = f"{address.scheme}://{address.netloc}"
        self._context = endpoint.tls
        self._users = endpoint.users
        self._open: http.client.HTTPConnection | None = None

    def ask(
        self,
        method: str,
        path: str,
        *,
        user: str = "admin",
        headers: Mapping[str, str],
        body: bytes,
        events: int = 0,
        websocket: bool = False,
    ) -> RawResponse:
        """Send a request and read its answer, of a watch the first `events` lines or messages."""
        own = {name.lower() for name in headers}
        default_headers = [("User-Agent", "vectors/1.0"), *self._users.get(user, ())]
        sent_headers = [*(pair for pair in default_headers if pair[0].lower() not in own), *headers.items()]
        connection = self._open or self._connect()
        self._open = None
        try:
            response = send_request(connection, method, path, sent_headers, body)
            response_headers = {
                name.lower(): response.headers.get_all(name) or [] for name, _ in response.getheaders()
            }
            content = _read(response, events, websocket=websocket)
        except BaseException:
            connection.close()
            raise
        switched = response.status == websockets.SWITCHING
        self._keep(connection, closed=bool(events) or response.will_close or switched)
        joined = {name: ", ".join(values) for name, values in response_headers.items()}
        return RawResponse(response.status, joined, content)

    def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            self._open.close()
        self._open = None

    def _connect(self) -> http.client.HTTPConnection:
        return open_connection(*self._address, self._context)

    def _keep(self, connection: http.client.HTTPConnection, *, closed: bool) -> None:
        if closed:
            connection.close()
        else:
            self._open = connection


def _read(response: http.client.HTTPResponse, events: int, *, websocket: bool) -> Json:
    """Return what an answer says: its body, or the first messages or lines of a stream."""
    if response.status == websockets.SWITCHING:
        return websockets.read(response, events)
    is_refused = websocket and response.status != http.HTTPStatus.OK
    return content.read(response, 0 if is_refused else events)
