"""A transcript: exchanges in order, one JSON object a line; a file may be packed with gzip (F-08)."""

from __future__ import annotations

import gzip
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

import msgspec
import orjson
from msgspec import Struct, field

from .. import files
from ..api.protobuf import ProtobufError, decode
from ..api.protobuf.reader import MAGIC

Json = Any
KEPT_HEADERS = ("accept", "content-type", "if-none-match", "user-agent")
METHOD = re.compile(r"[A-Z]+")
TARGET = re.compile(r"/[\x21-\x7e]*")
NAME = re.compile(r"[A-Za-z0-9-]+")
VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
PACKED = b"\x1f\x8b"


class TranscriptError(ValueError):
    """A file that is no transcript; the text says which line and what was expected."""


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """What was sent: text as it is, anything else as base64."""

    text: str = ""
    base64: str = ""

    @classmethod
    def of(cls, data: bytes) -> Self:
        """Return the body of these bytes."""
        try:
            return cls(text=data.decode())
        except UnicodeDecodeError:
            return cls(base64=b64encode(data).decode())

    def bytes(self) -> bytes:
        """Return what was sent."""
        return b64decode(self.base64) if self.base64 else self.text.encode()

    @property
    def protobuf(self) -> bool:
        """Whether these are a protobuf message in its envelope; a short one may well be text."""
        return self.bytes().startswith(MAGIC)

    def json(self) -> Json:
        """Return what JSON or a protobuf message says, None when it is neither."""
        try:
            return decode(self.bytes()) if self.protobuf else orjson.loads(self.bytes())
        except (orjson.JSONDecodeError, ProtobufError):
            return None


class Exchange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request and its answer."""

    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Body = field(default_factory=Body)
    code: int = 0
    content_type: str = ""
    etag: str = ""
    answer: Body = field(default_factory=Body)
    complete: bool = True
    """Whether the answer was read to its end; a watch that somebody left is not."""

    def json(self) -> Json:
        """Return what the answer says, None when it is neither JSON nor protobuf."""
        return self.answer.json()

    @property
    def watch(self) -> bool:
        """Whether a stream was asked for."""
        return self.method == "GET" and any(
            part in {"watch=true", "watch=1"} for part in self.target.partition("?")[2].split("&")
        )

    def line(self) -> bytes:
        """Return the exchange as a line of the file."""
        return msgspec.json.encode(self) + b"\n"

    @classmethod
    def of_line(cls, line: bytes) -> Self:
        """Read a line. Raises MsgspecError for other fields and types, ValueError for a request that cannot be sent."""
        told = msgspec.json.decode(line, type=cls)
        if not METHOD.fullmatch(told.method) or not TARGET.fullmatch(told.target):
            raise ValueError(f"{told.method[:20]!r} {told.target[:100]!r} is no request line")
        if not all(NAME.fullmatch(name) and VALUE.fullmatch(value) for name, value in told.headers.items()):
            raise ValueError("a header cannot be sent")
        for body in (told.body, told.answer):
            b64decode(body.base64, validate=True)
        return told


def read(path: Path) -> tuple[Exchange, ...]:
    """Read a file, packed or not. Raises OSError, TranscriptError."""
    return tuple(_read(path, number, line) for number, line in enumerate(_plain(path).splitlines(), 1))


def write(path: Path, exchanges: Iterable[Exchange]) -> None:
    """Write a file that its owner alone may read, packed when its name ends in .gz. Raises OSError."""
    lines = b"".join(one.line() for one in exchanges)
    files.write(path, gzip.compress(lines, mtime=0) if path.suffix == ".gz" else lines, private=True)


def _plain(path: Path) -> bytes:
    data = path.read_bytes()
    try:
        return gzip.decompress(data) if data.startswith(PACKED) else data
    except (EOFError, OSError, zlib.error) as error:
        raise TranscriptError(f"{path} is packed but cannot be unpacked: {error}; record it again") from error


def _read(path: Path, number: int, line: bytes) -> Exchange:
    try:
        return Exchange.of_line(line)
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise TranscriptError(
            f"{path}:{number} is no exchange: {error}; expected a line that `fakecluster record` wrote"
        ) from error
