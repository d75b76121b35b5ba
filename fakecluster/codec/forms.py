"""The forms that JSON trees are written in: compact and indented JSON,
YAML, protobuf (FK-010…FK-012, FK-020, FK-532).
"""

from __future__ import annotations

from collections.abc import Callable

import orjson
from msgspec import Struct

from ..base.json_types import Json
from ..store import encode
from . import frames, media
from .protobuf.table import message_for
from .protobuf.writer import encode as encode_message


class Form(Struct, frozen=True, kw_only=True):
    """A way to write: a whole tree, which says of what kind it is, and a watch event of a type around one."""

    content_type: str
    write: Callable[[Json], bytes]
    event: Callable[[str, Json], bytes]


def form_of(media_type: str, *, pretty: bool = False, stream: bool = False) -> Form:
    """Return the form of a media type."""
    if media_type == media.YAML:
        return YAML
    # A stream differs in its Content-Type alone; its messages are the same.
    if media_type == media.PROTOBUF:
        return PROTOBUF_STREAM if stream else PROTOBUF
    return PRETTY if pretty else COMPACT


def has_message(value: Json) -> bool:
    """Whether protobuf knows the kind of a tree."""
    return bool(message_for(value.get("apiVersion", ""), value["kind"]))


def write_indented(value: Json) -> bytes:
    """Encode JSON for people."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)


def _line(value: Json) -> bytes:
    return encode(value) + b"\n"


def _yaml(value: Json) -> bytes:
    from .yaml import writer  # few clients want YAML

    return writer.dump(value)


def _message(value: Json) -> bytes:
    return encode_message(value.get("apiVersion", ""), value["kind"], value)


def _line_event(type: str, value: Json) -> bytes:  # noqa: A002
    return frames.event(type, encode(value))


def _message_event(type: str, value: Json) -> bytes:  # noqa: A002
    return frames.message(type, _message(value))


COMPACT = Form(content_type=media.JSON, write=_line, event=_line_event)
PRETTY = Form(content_type=media.JSON, write=write_indented, event=_line_event)
YAML = Form(content_type=media.YAML, write=_yaml, event=_line_event)
PROTOBUF = Form(content_type=media.PROTOBUF, write=_message, event=_message_event)
PROTOBUF_STREAM = Form(content_type=media.STREAMED_TYPES[1], write=_message, event=_message_event)
