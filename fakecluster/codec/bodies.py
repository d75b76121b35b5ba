"""The bytes of a request as a JSON tree, whatever their format, and the words for what cannot be read
(FK-024, FK-026, FK-041).
"""

from __future__ import annotations

from msgspec import Struct, field

from ..api import status
from ..api.kind import Kind
from ..api.outcome import Request
from ..base.json_types import Json
from . import body_limits, media, protobuf
from .json import reader as json_reader

# Messages quote no more of a body than the real server does.
QUOTED_BYTES = 30
IN_SCHEME = 'in scheme "pkg/runtime/scheme.go:111"'
NO_VERSION = "couldn't get version/kind; json parse error: "
HEADER_TYPE = (
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
)
GO_NAMES = {str: "string", bool: "bool", list: "array", dict: "object", int: "number", float: "number"}


class UnreadableBody(Exception):
    """The body is no object; the text says why."""


class Body(Struct, frozen=True):
    """A body's tree, the fields it repeats as strict errors,
    and where each field stands when that is known.
    """

    tree: Json
    repeated: tuple[str, ...] = ()
    position: dict[str, int] = field(default_factory=dict)
    plain: bool = True
    """Whether its members stand in the order in which they were written."""
    json: bool = False
    """Whether the body is JSON, so that a message can quote its numbers as they are written."""


def read_as(request: Request, kind: Kind) -> Body:
    """Read a body as the tree of an object of a kind, None for an empty one. Raises 400, 413, 415."""
    try:
        body = read(
            request,
            merging=not kind.custom,
            assumed=(kind.api_version, kind.kind),
            limit=body_limits.values_of(kind),
        )
        # apiVersion and kind are decoded on their own first, so that their errors come before all others.
        if why := header_problem(body.tree):
            raise UnreadableBody(NO_VERSION + why)
        if kind.custom and not (body.tree or {}).get("kind"):
            raise UnreadableBody(f"Object 'Kind' is missing in '{request.body.decode('utf-8', 'replace')}'")
    except UnreadableBody as error:
        raise unrecognized_object(kind, str(error), request.body) from error
    # After the shape is known to be an object: the limit is that of its kind.
    body_limits.check(kind, body.tree, request.body)
    return body


def read(
    request: Request,
    *,
    merging: bool,
    assumed: tuple[str, str] = ("", ""),
    limit: int = body_limits.MAX_VALUES,
) -> Body:
    """Read the body by its Content-Type; a protobuf body that
    names no apiVersion and kind has the `assumed` ones.

    `limit` is the number of values that it may hold. Raises 413, 415, UnreadableBody.
    """
    kind = media.content_type(request.headers.get("content-type", ""))
    if kind in {"", media.JSON}:
        return _json(request.body, merging=merging, limit=limit)
    if kind == media.YAML:
        return _yaml(request.body, limit)
    if kind == media.PROTOBUF:
        return _protobuf(request.body, assumed)
    raise status.unsupported_media_type(media.SERVED_TYPES)


def summary(body: bytes) -> str:
    """Show the beginning of a body, in hexadecimal unless it looks like JSON."""
    if not body:
        return "<empty>"
    head = body[:QUOTED_BYTES]
    # As summarizeData of the real server: what begins like JSON is shown, all else in hexadecimal.
    text = head.decode("utf-8", "replace") if body.lstrip()[:1] == b"{" else head.hex()
    return f"{text} ..." if len(body) > QUOTED_BYTES else text


def unrecognized_object(kind: Kind, why: str, body: bytes) -> status.StatusError:
    """Refuse a body that is no object of any kind."""
    text = f"the object provided is unrecognized (must be of type {kind.kind}): {why} ({summary(body)})"
    return status.bad_request(text)


def kind_not_registered(kind: str, api_version: str) -> str:
    """Return the text for a kind that is not registered."""
    return f'no kind "{kind}" is registered for version "{api_version}" {IN_SCHEME}'


def header_problem(tree: Json) -> str:
    """Return why apiVersion and kind cannot be read from a tree; empty when they can."""
    if not isinstance(tree, dict):
        return (
            ""
            if tree is None
            else f"json: cannot unmarshal {_go_name(tree)} into Go value of type {HEADER_TYPE}"
        )
    for name in ("apiVersion", "kind"):
        value = tree.get(name)
        if value is not None and not isinstance(value, str):
            return f"json: cannot unmarshal {_go_name(value)} into Go struct field .{name} of type string"
    return ""


def _go_name(value: Json) -> str:
    return GO_NAMES[type(value)]


def _json(body: bytes, *, merging: bool, limit: int) -> Body:
    try:
        tree, walk = json_reader.parse(body, merging=merging, limit=limit)
    except json_reader.MalformedJson as error:
        raise UnreadableBody(f"{NO_VERSION}{error}") from error
    return Body(tree, _word_repetitions(walk.repeated), walk.position, json=True)


def _word_repetitions(paths: list[str]) -> tuple[str, ...]:
    return tuple(map(json_reader.repetition, paths))


def _yaml(body: bytes, limit: int) -> Body:
    from .yaml import reader  # few bodies are YAML

    try:
        tree, repeated = reader.parse(body, limit)
    except reader.MalformedYaml as error:
        raise UnreadableBody(str(error)) from error
    # Go converts YAML to JSON by way of a map, which loses the order of the members.
    return Body(tree, tuple(reader.strict(repeated)), plain=False)


def _protobuf(body: bytes, assumed: tuple[str, str]) -> Body:
    try:
        return Body(protobuf.decode(body, *assumed))
    except protobuf.ProtobufError as error:
        raise UnreadableBody(str(error)) from error
