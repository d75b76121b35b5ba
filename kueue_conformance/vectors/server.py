"""A server that vectors are asked of: any API server over HTTP or HTTPS, one bearer token per user."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

Json = Any
TIMEOUT = 30.0


@dataclass(frozen=True, slots=True)
class Raw:
    """An answer as it came: status, headers by lower-case name (joined by comma), body as JSON or as text."""

    status: int
    headers: Mapping[str, str]
    body: Json


class Server:
    """Asks one server; a user without a token is anonymous."""

    def __init__(self, url: str, tokens: Mapping[str, str], ca: Path | None = None) -> None:
        parts = urlsplit(url)
        self._address = (
            parts.hostname or "127.0.0.1",
            parts.port or (443 if parts.scheme == "https" else 80),
        )
        self._context = ssl.create_default_context(cafile=ca) if parts.scheme == "https" else None
        self._tokens = tokens
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
    ) -> Raw:
        """Send a request and read its answer, of a watch the first `events` lines."""
        token = self._tokens.get(user)
        sent = {
            "User-Agent": "vectors/1.0",
            **({"Authorization": f"Bearer {token}"} if token else {}),
            **headers,
        }
        connection = self._open or self._connect()
        self._open = None
        connection.request(method, path, body=body or None, headers=sent)
        response = connection.getresponse()
        found = {name.lower(): response.headers.get_all(name) or [] for name, _ in response.getheaders()}
        content = b"".join(response.readline() for _ in range(events)) if events else response.read()
        self._keep(connection, closed=bool(events) or response.will_close)
        joined = {name: ", ".join(values) for name, values in found.items()}
        return Raw(response.status, joined, _decoded(content, joined.get("content-type", ""), events))

    def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            self._open.close()
        self._open = None

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._address
        if self._context is None:
            return http.client.HTTPConnection(host, port, timeout=TIMEOUT)
        return http.client.HTTPSConnection(host, port, timeout=TIMEOUT, context=self._context)

    def _keep(self, connection: http.client.HTTPConnection, *, closed: bool) -> None:
        if closed:
            connection.close()
        else:
            self._open = connection


def _decoded(content: bytes, content_type: str, events: int) -> Json:
    text = content.decode("utf-8", "replace")
    if not content_type.startswith("application/json") or not text:
        return text
    return [json.loads(line) for line in text.splitlines()] if events else json.loads(text)
