"""Values that no transcript keeps: those of Secrets, and tokens that are asked for or shown (F-08).

Both sides of an exchange get the same word in their place, so that a transcript can still be played.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
from msgspec.structs import replace

from ..api.decoding import yamlbody
from ..api.protobuf import ProtobufError
from ..api.protobuf.writer import encode
from ..api.routes import RequestInfo
from .transcript import Body, Exchange

Json = Any
HIDDEN = "UkVEQUNURUQ="
"""Base64 of REDACTED, as what stands in a Secret has to be."""
OF_SECRETS = frozenset({"data", "stringData", "value", "kubectl.kubernetes.io/last-applied-configuration"})
"""Members of a Secret, of its annotations, and of the steps of a JSON patch."""
OF_TOKENS = frozenset({"token"})
NOTHING: frozenset[str] = frozenset()
SHOWING_TOKENS = frozenset({("", "serviceaccounts", "token"), ("authentication.k8s.io", "tokenreviews", "")})


def redacted(exchange: Exchange) -> Exchange:
    """Return an exchange as it may be written down."""
    hidden = _hidden(exchange.info)
    if not hidden:
        return exchange
    body, answer = (_body(one, hidden) for one in (exchange.body, exchange.answer))
    return replace(exchange, body=body, answer=answer)


def _hidden(info: RequestInfo) -> frozenset[str]:
    if (info.group, info.resource) == ("", "secrets"):
        return OF_SECRETS
    return OF_TOKENS if (info.group, info.resource, info.subresource) in SHOWING_TOKENS else NOTHING


def _body(body: Body, hidden: frozenset[str]) -> Body:
    """Return a body without what is hidden; one that cannot be read is not kept at all."""
    data = body.bytes()
    if not data:
        return body
    if body.protobuf:
        return Body.of(_message(body, hidden))
    try:
        return Body.of(b"\n".join(_document(line, hidden) for line in _documents(data)))
    except (orjson.JSONDecodeError, orjson.JSONEncodeError, yamlbody.MalformedYaml):
        return Body.of(HIDDEN.encode())


def _message(body: Body, hidden: frozenset[str]) -> bytes:
    tree = body.json()
    try:
        return encode(tree["apiVersion"], tree["kind"], without(tree, hidden))
    except (KeyError, TypeError, ValueError, ProtobufError):
        return HIDDEN.encode()


def _documents(data: bytes) -> Iterator[bytes]:
    """Yield a body as it is, that of a watch line by line."""
    lines = data.split(b"\n")
    yield from lines if all(line.startswith(b"{") for line in lines if line) else [data]


def _document(data: bytes, hidden: frozenset[str]) -> bytes:
    if not data.strip():
        return data
    tree = orjson.loads(data) if data.lstrip()[:1] in b"{[" else yamlbody.parse(data)[0]
    return orjson.dumps(without(tree, hidden))


def without(tree: Json, hidden: frozenset[str]) -> Json:
    """Return JSON with one word in place of each text that is hidden."""
    if isinstance(tree, dict):
        return {key: _veiled(one) if key in hidden else without(one, hidden) for key, one in tree.items()}
    return [without(one, hidden) for one in tree] if isinstance(tree, list) else tree


def _veiled(found: Json) -> Json:
    """Return a value without its texts; what removes something still does."""
    if isinstance(found, dict):
        return {key: _veiled(one) for key, one in found.items()}
    if isinstance(found, list):
        return [_veiled(one) for one in found]
    return HIDDEN if isinstance(found, str) else found
