"""Exchanges over a WebSocket: the headers that ask for one, and its messages up to a close."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wsproto.connection import CLIENT, Connection
from wsproto.events import CloseConnection, Event, Message, TextMessage

from ..base.json_types import Json
from . import messages

SWITCHING = 101
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
"""The nonce of RFC 6455: no exchange looks at what is made of it."""
PIECE_BYTES = 65536


def headers(origin: str, subprotocols: Sequence[str]) -> Mapping[str, str]:
    """Return the headers that ask for a WebSocket; `origin` is the address of the server itself."""
    offered = {"Sec-WebSocket-Protocol": ", ".join(subprotocols)} if subprotocols else {}
    return {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Key": KEY,
        "Sec-WebSocket-Version": "13",
        "Origin": origin,
        **offered,
    }


def read(response: http.client.HTTPResponse, count: int) -> list[Json]:
    """Return so many messages behind a handshake, fewer where a close or the end comes before: an event of a
    watch, or what was said on a channel.
    """
    received: list[Json] = []
    for message in _messages(response):
        if len(received) < count:
            received.append(message)
        if len(received) == count:
            break
    return received


def _messages(response: http.client.HTTPResponse) -> Iterator[Json]:
    pieces: list[str | bytes] = []
    for event in _events(response):
        if isinstance(event, CloseConnection):
            yield {"close": int(event.code)}
            return
        if isinstance(event, Message):
            pieces.append(event.data)
            if event.message_finished:
                yield _decode_message(pieces, text=isinstance(event, TextMessage))
                pieces = []


def _events(response: http.client.HTTPResponse) -> Iterator[Event]:
    connection = Connection(CLIENT)
    while data := response.fp.read1(PIECE_BYTES):
        connection.receive_data(data)
        yield from connection.events()


def _decode_message(pieces: Sequence[Any], *, text: bool) -> Json:
    if text:
        return json.loads("".join(pieces))
    data = b"".join(pieces)
    if data.startswith(b"\n"):
        return messages.decode(data)
    # A message of exec or attach begins with the number of its channel.
    text_ = data[1:].decode()
    return {"channel": data[0], "said": json.loads(text_) if text_.startswith("{") else text_}
