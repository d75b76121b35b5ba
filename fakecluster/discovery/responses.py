"""What answers about the server itself share: complete pages,
and who may ask for which form of them (FK-004, FK-005, FK-027).
"""

from __future__ import annotations

import hashlib

from ..api import status
from ..api.outcome import Request, Response
from ..base.json_types import Json
from ..codec import media, negotiation

Headers = tuple[tuple[str, str], ...]
TEXT = "text/plain; charset=utf-8"
NO_SNIFF: Headers = (("X-Content-Type-Options", "nosniff"),)


def page(body: bytes, content_type: str = media.JSON, headers: Headers = ()) -> Response:
    """Return a page."""
    return Response(code=200, body=body, content_type=content_type, headers=headers)


def check_routing(request: Request, produced: tuple[str, ...] = media.SERVED_TYPES) -> None:
    """Check what the router of a page checks: only GET, and a form that the page has. Raises 405, 406."""
    if request.method != "GET":
        raise status.method_not_allowed()
    if not media.is_routed(request.headers.get("accept", ""), produced):
        raise status.not_acceptable(media.not_routed(produced), {})


def negotiate(request: Request, value: Json) -> Response:
    """Return a page in the form that the client wants. Raises 406."""
    content = negotiation.encode_unconverted(request, value)
    if content is None:
        raise status.not_acceptable(media.not_served())
    return page(content[1], content[0])


def with_etag(request: Request, tag: str, answer: Response) -> Response:
    """Return a page with its tag, or that the client has it already (FK-365)."""
    headers = (*answer.headers, ("Etag", f'"{tag}"'))
    if request.headers.get("if-none-match") == f'"{tag}"':
        return Response(code=304, body=b"", content_type="", headers=headers)
    return page(answer.body, answer.content_type, headers)


def digest(body: bytes) -> str:
    """Return what changes with a page."""
    return hashlib.sha512(body).hexdigest().upper()
