"""Serves the page on loopback, below a random path, and takes the updates of the workers."""

from __future__ import annotations

import json
import secrets
import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ..report.page.html import environment
from .run_state import RunState

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
_LARGEST_UPDATE = 4_000_000
"""Bytes of one update: of 80 objects and 60 lines there are some ten thousand."""
_LONGEST_WAIT_SECONDS = 10.0
"""How long a page that has seen the newest state waits for another one."""
_LAST_LOOK_SECONDS = 2.0
"""How long the end of a run waits for an open page to hear of it."""


class PageServer:
    """Shows a `RunState` at `url` until it is closed."""

    def __init__(self, state: RunState) -> None:
        self.state = state
        # Other users of the machine and pages of the web in the same browser can ask each port of loopback.
        self._path = f"/{secrets.token_urlsafe(16)}/"
        self._page = environment().get_template("live.html").render().encode()
        self._was_asked = False
        # A run whose page is not open does not wait for it at its end.
        self._end_was_shown = threading.Event()
        # Port 0: a free one. Loopback alone, whatever the machine has else.
        self._server = _LoopbackServer(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._server.serve_forever, name="live page", daemon=True).start()

    @property
    def url(self) -> str:
        """The address of the page, with a slash at its end."""
        return f"http://127.0.0.1:{self._server.server_port}{self._path}"

    def close(self) -> None:
        """End the run of the page: an open one is shown the end first."""
        self.state.end()
        if self._was_asked:
            self._end_was_shown.wait(_LAST_LOOK_SECONDS)
        self._server.shutdown()
        self._server.server_close()

    def get(self, path: str) -> tuple[str, bytes] | None:
        """Return content type and body of what is at a path, None where there is nothing."""
        if path == self._path:
            return "text/html; charset=utf-8", self._page
        start, _, shown_version = path.partition("?version=")
        if start != f"{self._path}state":
            return None
        self._was_asked = True
        if shown_version.isdecimal():
            self.state.wait(int(shown_version), _LONGEST_WAIT_SECONDS)
        document = self.state.to_dict()
        if document["over"]:
            self._end_was_shown.set()
        return "application/json", json.dumps(document).encode()

    def post(self, path: str, body: bytes) -> HTTPStatus:
        """Take the view of a worker's case, as JSON."""
        start, _, worker = path.rpartition("/")
        if f"{start}/" != f"{self._path}cases/" or not worker:
            return HTTPStatus.NOT_FOUND
        try:
            view = json.loads(body)
        except ValueError:
            return HTTPStatus.BAD_REQUEST
        if not isinstance(view, dict):
            return HTTPStatus.BAD_REQUEST
        self.state.show_case(worker, view)
        return HTTPStatus.NO_CONTENT


class _LoopbackServer(ThreadingHTTPServer):
    """Answers each connection in a thread that ends with the process."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing of a page that was closed before it had its answer; anything else as always."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _handler(page_server: PageServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers one connection."""

        def do_GET(self) -> None:
            """Send the page or the state."""
            content = page_server.get(self.path)
            if content is None:
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            content_type, body = content
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Security-Policy", _POLICY)
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            """Take an update."""
            length = self.headers.get("Content-Length", "")
            if not length.isdecimal() or int(length) > _LARGEST_UPDATE:
                self.send_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE if length else HTTPStatus.LENGTH_REQUIRED)
                return
            self.send_response(page_server.post(self.path, self.rfile.read(int(length))))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
            """Print nothing: the terminal is the run's."""

    return Handler
