"""Values that no transcript keeps: those of Secrets, and tokens that are asked for or shown (F-08).

Both sides of an exchange get the same word in their place, so that a transcript can still be played.
"""

from __future__ import annotations

from collections.abc import Iterator

import orjson
from msgspec.structs import replace

from ..base import confidential
from ..codec.protobuf import ProtobufError
from ..codec.protobuf.writer import encode
from ..codec.yaml import reader
from .transcript import Body, Exchange

REDACTED_BASE64 = "UkVEQUNURUQ="
"""Base64 of REDACTED, as what stands in a Secret has to be."""


def redact(exchange: Exchange) -> Exchange:
    """Return an exchange as it may be written down."""
    # By the path, since the body of a patch does not name its kind.
    members = confidential.of_resource(exchange.info.resource, exchange.info.subresource)
    if members is None:
        return exchange
    body, answer = (_body(message_body, members) for message_body in (exchange.body, exchange.answer))
    return replace(exchange, body=body, answer=answer)


def _body(body: Body, members: frozenset[str]) -> Body:
    """Return a body without its confidential members; an unreadable one is replaced as a whole."""
    data = body.bytes()
    if not data:
        return body
    if body.protobuf:
        return Body.of(_message(body, members))
    try:
        return Body.of(b"\n".join(_document(line, members) for line in _documents(data)))
    except (orjson.JSONDecodeError, orjson.JSONEncodeError, reader.MalformedYaml):
        return Body.of(REDACTED_BASE64.encode())


def _message(body: Body, members: frozenset[str]) -> bytes:
    tree = body.json()
    try:
        return encode(
            tree["apiVersion"], tree["kind"], confidential.hide_members(tree, members, REDACTED_BASE64)
        )
    except (KeyError, TypeError, ValueError, ProtobufError):
        return REDACTED_BASE64.encode()


def _documents(data: bytes) -> Iterator[bytes]:
    """Yield a body whole, that of a watch line by line."""
    lines = data.split(b"\n")
    # The events of a watch are a line each; an indented object spans many.
    yield from lines if all(line.startswith(b"{") for line in lines if line) else [data]


def _document(data: bytes, members: frozenset[str]) -> bytes:
    if not data.strip():
        return data
    tree = orjson.loads(data) if data.lstrip()[:1] in b"{[" else reader.parse(data)[0]
    return orjson.dumps(confidential.hide_members(tree, members, REDACTED_BASE64))
