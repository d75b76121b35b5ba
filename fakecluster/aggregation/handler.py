"""The handler of paths that belong to extension servers (FK-437…FK-441)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..api.about.answering import NO_SNIFF
from ..api.outcome import Outcome, Proxy, Request, Response
from ..api.service_address import Services, ServiceUnreachableError
from . import forwarding
from .extension import Book, Extension

if TYPE_CHECKING:
    from ..api.context import Context

DOCUMENTS = "/openapi/v3"
"""What stands before the path of a group and version where its OpenAPI document is."""
SWITCHING = 101
REDIRECTS = frozenset({301, 302, 303, 307, 308})
REDIRECTED = b"the backend attempted to redirect this request, which is not permitted"
TEXT = "text/plain; charset=utf-8"


class Aggregation:
    """Passes on what is under a group and version of somebody else; whatever it does not know is left to others."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def __call__(self, api: Context, request: Request) -> Outcome | None:
        """Return the request to pass on, 503 when that server is not available, None when the path is not one of theirs."""
        extension = self._book.find(request.path.removeprefix(DOCUMENTS))
        if extension is None:
            return None
        if not extension.available:
            return unavailable("service unavailable")
        try:
            return passed_on(extension, request, api.services)
        except ServiceUnreachableError:
            return unavailable("service unavailable")


def passed_on(extension: Extension, request: Request, services: Services) -> Proxy:
    """Return a request as an extension gets it. Raises ServiceUnreachableError."""
    address = services.address(extension.namespace, extension.service, extension.port)
    upgrade = forwarding.is_upgrade(request.all_headers)
    return Proxy(
        method=request.method, target=forwarding.target(request), body=request.body,
        headers=forwarding.headers(request, address), address=address, name=extension.server_name, ca=extension.ca,
        answer_headers=forwarding.answer_headers, refused=_no_upgrade if upgrade else _redirected,
        failed=lambda why: unavailable(f"error trying to reach service: {why}"),
    )  # fmt: skip


def unavailable(why: str) -> Response:
    """Return 503 with a text."""
    return Response(code=503, body=f"{why}\n".encode(), content_type=TEXT, headers=NO_SNIFF)


def _redirected(code: int) -> Response | None:
    if code == SWITCHING:
        return unavailable(
            "error trying to reach service: it speaks another protocol, which nobody asked for"
        )
    return Response(code=502, body=REDIRECTED, content_type=TEXT) if code in REDIRECTS else None


def _no_upgrade(code: int) -> Response | None:
    """Return the refusal of another protocol where the extension does not speak it."""
    return None if code == SWITCHING else unavailable(f"invalid upgrade response: status code {code}")
