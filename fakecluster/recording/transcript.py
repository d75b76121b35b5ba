"""A transcript: exchanges in order, one JSON object a line; a file may be packed with gzip (F-08).

A file is read as foreign data: of bounded size, and with nothing in a request but what the proxy writes down.
"""

from __future__ import annotations

import gzip
import re
import stat
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Self
from urllib.parse import parse_qsl

import msgspec
import orjson
from msgspec import Struct, field

from ..api import routes
from ..api.routes import RequestInfo
from ..base import files
from ..base.json_types import Json
from ..codec.protobuf import ProtobufError, decode
from ..codec.protobuf.reader import MAGIC

KEPT_HEADERS = ("accept", "content-type", "if-none-match", "user-agent")
GZIP_MAGIC = b"\x1f\x8b"
LINE = 128 * 1024 * 1024
"""Bytes of a line: a body and an answer of the greatest
length that the proxy keeps, each of its characters escaped.
"""
MAX_FILE_BYTES = 1024 * 1024 * 1024
"""Bytes of a file when it is unpacked."""
HIGHEST_CODE = 999
METHOD = re.compile(r"[A-Z]{1,16}")
TARGET = re.compile(r"/[!-~]*")
TEXT = re.compile(r"[ -~\t\x80-\U0010ffff]*")


class TranscriptError(ValueError):
    """A file that is no transcript; the text says which line and what was expected."""


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a message: text as text, bytes as base64."""

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
        return b64decode(self.base64, validate=True) if self.base64 else self.text.encode()

    @property
    def protobuf(self) -> bool:
        """Whether these are a protobuf message in its envelope; a short one may well be text."""
        return self.bytes().startswith(MAGIC)

    def json(self) -> Json:
        """Return the object in a body of JSON or protobuf,
        None when it is neither or nests too deeply to be written.
        """
        try:
            tree = decode(self.bytes()) if self.protobuf else orjson.loads(self.bytes())
            orjson.dumps(tree)
        except (orjson.JSONDecodeError, orjson.JSONEncodeError, ProtobufError):
            return None
        return tree


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
    """Whether the answer was read to its end; a watch whose client left is not."""

    def json(self) -> Json:
        """Return the object in the answer, None when it is neither JSON nor protobuf."""
        return self.answer.json()

    @property
    def info(self) -> RequestInfo:
        """What was asked for."""
        path, _, query = self.target.partition("?")
        return routes.parse(self.method, path, parse_qsl(query, keep_blank_values=True))

    @property
    def watch(self) -> bool:
        """Whether a stream of events was asked for."""
        return self.info.verb == "watch"

    def line(self) -> bytes:
        """Return the exchange as a line of the file."""
        return msgspec.json.encode(self) + b"\n"

    @classmethod
    def of_line(cls, line: bytes) -> Self:
        """Read a line. Raises ValueError."""
        exchange = msgspec.json.decode(line, type=cls)
        _check(exchange)
        return exchange


def read(path: Path) -> tuple[Exchange, ...]:
    """Read a file, packed or not. Raises OSError, TranscriptError."""
    with path.open("rb") as file:
        # A pipe or a device has no end to read to.
        if not stat.S_ISREG(path.stat().st_mode):
            raise TranscriptError(f"{path} is no file: expected what `fakecluster record` wrote")
        return tuple(_read(path, number, line) for number, line in enumerate(_lines(path, file), 1))


def write(path: Path, exchanges: Iterable[Exchange]) -> None:
    """Write a file that its owner alone may read, packed when its name ends in .gz. Raises OSError."""
    lines = b"".join(exchange.line() for exchange in exchanges)
    # Without the time of packing equal transcripts are equal files.
    files.write(path, gzip.compress(lines, mtime=0) if path.suffix == ".gz" else lines, private=True)


def _lines(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
    file.seek(0)
    plain: IO[bytes] = gzip.GzipFile(fileobj=file) if packed else file  # type: ignore[assignment]
    bytes_left = MAX_FILE_BYTES
    try:
        # Bounded also when unpacked: a small file may hold a line of gigabytes.
        while line := plain.readline(min(LINE, bytes_left) + 1):
            bytes_left -= len(line)
            if len(line) > LINE or bytes_left < 0:
                raise TranscriptError(
                    f"{path} is too large: expected at most {MAX_FILE_BYTES} bytes in lines of at most {LINE}"
                )
            yield line
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise TranscriptError(f"{path} is packed but cannot be unpacked: {error}; record it again") from error


def _read(path: Path, number: int, line: bytes) -> Exchange:
    try:
        return Exchange.of_line(line)
    except (ValueError, RecursionError) as error:
        raise TranscriptError(
            f"{path}:{number} is no exchange: {error}; expected a line that `fakecluster record` wrote"
        ) from error


def _check(exchange: Exchange) -> None:
    """Raise ValueError for a request that would be another one when it is written to a server."""
    if not METHOD.fullmatch(exchange.method):
        raise ValueError(f"method {exchange.method[:32]!r}")
    if not TARGET.fullmatch(exchange.target):
        raise ValueError(f"target {exchange.target[:64]!r}")
    if not 0 <= exchange.code <= HIGHEST_CODE:
        raise ValueError("its code is none of HTTP's")
    for name, value in exchange.headers.items():
        if name not in KEPT_HEADERS or not TEXT.fullmatch(value):
            raise ValueError(f"header {name[:64]!r}")
    for body in (exchange.body, exchange.answer):
        body.bytes()
