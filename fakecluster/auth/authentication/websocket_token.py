"""The bearer token of a WebSocket, offered as a subprotocol (FK-390)."""

from __future__ import annotations

import base64
import re

from ...api import websocket_request
from ...api.websocket_request import BEARER, Headers

ALPHABET = re.compile(r"[A-Za-z0-9_-]*")


class MalformedTokenError(ValueError):
    """A subprotocol that is to be a token and is none; the text says why."""


def token_of(headers: Headers) -> str:
    """Return the token that a request for a WebSocket offers, empty when there is none.

    Raises MalformedTokenError.
    """
    if not websocket_request.is_upgrade(headers):
        return ""
    encoded = websocket_request.bearer_protocols(headers)
    if len(encoded) > 1:
        raise MalformedTokenError("multiple base64.bearer.authorization tokens specified")
    token = _decode(encoded[0].removeprefix(BEARER)) if encoded else ""
    # The server has to name a subprotocol in its answer, and does not repeat the token.
    if token and not websocket_request.other_protocols(headers):
        raise MalformedTokenError("missing additional subprotocol")
    return token


def _decode(text: str) -> str:
    if not ALPHABET.fullmatch(text) or len(text) % 4 == 1:
        raise MalformedTokenError("invalid base64.bearer.authorization token encoding")
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    except UnicodeDecodeError as error:
        raise MalformedTokenError("invalid base64.bearer.authorization token") from error
