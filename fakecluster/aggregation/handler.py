"""The handler of paths that belong to extension servers (FK-437…FK-441)."""

from __future__ import annotations

from urllib.parse import unquote

from ..api.context import Context
from ..api.outcome import Outcome, Proxy, Request, Response
from ..api.service_address import Address, ServiceResolver, ServiceUnreachableError
from ..discovery.responses import NO_SNIFF
from . import forwarding
from .extension import Extension, ExtensionIndex
from .extension_documents import ExtensionKnowledge

DOCUMENTS = "/openapi/v3"
"""What stands before the path of a group and version where its OpenAPI document is."""
GROUP_DOCUMENTS = f"{DOCUMENTS}/apis/"
SWITCHING_PROTOCOLS = 101
REDIRECTS = frozenset({301, 302, 303, 307, 308})
REDIRECT_REFUSED = b"the backend attempted to redirect this request, which is not permitted"
PLAIN_TEXT = "text/plain; charset=utf-8"


class Aggregation:
    """Passes on requests below a group and version of an extension server;
    every other request is left to the next handler.
    """

    def __init__(self, book: ExtensionIndex, knowledge: ExtensionKnowledge) -> None:
        self._book = book
        self._knowledge = knowledge

    def __call__(self, api: Context, request: Request) -> Outcome | None:
        """Return the request to pass on, 503 when that server is
        not available, None when the path is not one of theirs.
        """
        # The router of the real server sees the decoded path, so an escaped slash separates as well.
        path = unquote(request.path)
        extension = self._book.find(path.removeprefix(DOCUMENTS)) or self._describes_group(path)
        if extension is None:
            return None
        # Not even tried: the condition of the APIService decides, as in the real aggregator.
        if not extension.available:
            return unavailable("service unavailable")
        try:
            return forward(extension, request, api.services)
        except ServiceUnreachableError:
            return unavailable("service unavailable")

    def _describes_group(self, path: str) -> Extension | None:
        """Return the extension that has an OpenAPI document of
        the pages of its group, when a path is that of one.
        """
        if not path.startswith(GROUP_DOCUMENTS):
            return None
        group = path.removeprefix(GROUP_DOCUMENTS).rstrip("/")
        extensions = self._book.of_group(group)
        return next(
            (extension for extension in extensions if self._knowledge.of(extension).group_openapi), None
        )


def address_of(extension: Extension, services: ServiceResolver) -> Address:
    """Return where an extension is asked. Raises ServiceUnreachableError."""
    find = services.virtual_address if extension.inside else services.address
    return find(extension.namespace, extension.service, extension.port)


def forward(extension: Extension, request: Request, services: ServiceResolver) -> Proxy:
    """Return a request as an extension gets it. Raises ServiceUnreachableError."""
    address = address_of(extension, services)
    upgrade = forwarding.is_upgrade(request.all_headers)
    return Proxy(
        method=request.method,
        target=forwarding.target(request),
        body=request.body,
        headers=forwarding.headers(request, address),
        address=address,
        name=extension.server_name,
        ca=extension.ca,
        inside=extension.service_key if extension.inside else "",
        answer_headers=forwarding.answer_headers,
        refused=_refuse_no_upgrade if upgrade else _refuse_redirect,
        failed=lambda why: unavailable(f"error trying to reach service: {why}"),
    )


def unavailable(why: str) -> Response:
    """Return 503 with a text."""
    return Response(code=503, body=f"{why}\n".encode(), content_type=PLAIN_TEXT, headers=NO_SNIFF)


def _refuse_redirect(code: int) -> Response | None:
    if code == SWITCHING_PROTOCOLS:
        return unavailable(
            "error trying to reach service: it speaks another protocol, which nobody asked for"
        )
    return Response(code=502, body=REDIRECT_REFUSED, content_type=PLAIN_TEXT) if code in REDIRECTS else None


def _refuse_no_upgrade(code: int) -> Response | None:
    """Return the refusal of another protocol where the extension does not speak it."""
    return (
        None if code == SWITCHING_PROTOCOLS else unavailable(f"invalid upgrade response: status code {code}")
    )
