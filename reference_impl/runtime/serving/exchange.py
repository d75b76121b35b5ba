"""A request and its answer as values: a handler can be tried without a socket, and runs behind HTTPS or
inside of a process.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One HTTP request, read whole."""

    method: str
    target: str
    """Path and query as they were sent, nothing decoded."""
    headers: Headers = ()
    """Names in lower case, in the order in which they came."""
    body: bytes = b""
    certificate: bytes = b""
    """The certificate that the client showed, in DER, not verified yet; empty when it showed none."""

    def header(self, name: str) -> str | None:
        """Return the first value of a header (its name in lower case)."""
        return next((value for header, value in self.headers if header == name), None)

    def all_of(self, name: str) -> tuple[str, ...]:
        """Return every value of a header (its name in lower case)."""
        return tuple(value for header, value in self.headers if header == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One HTTP response; the server adds what frames its body, and Date."""

    code: int
    headers: Headers = ()
    body: bytes | bytearray = b""


Handler = Callable[[Request], Awaitable[Response]]
