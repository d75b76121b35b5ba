"""The build information of a Go program: its main package, and its modules with checksums."""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"\xff Go buildinf:"
_HEADER = 32
_FLAGS = 15
_INLINE = 2
"""The flag of Go 1.18 and later: version and modules follow the header."""
_ALIGNMENT = 16
_SENTINEL = 16
"""Bytes around the text of the modules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoProgram:
    """A program: `package` is the path of its main package, `modules` are `version checksum` by path;
    `sha256` is of the file.
    """

    package: str
    modules: Mapping[str, str]
    sha256: str


def read(file: Path) -> GoProgram | None:
    """Return the build information of a file; None for a file that is no Go program. Raises OSError."""
    with file.open("rb") as opened:
        if not file.stat().st_size:
            return None
        with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
            module_text = next(_module_texts(content), None)
            digest = hashlib.sha256(content).hexdigest()
    if module_text is None:
        return None
    lines = [line.split("\t") for line in module_text.splitlines()]
    package = next((line[1] for line in lines if line[0] == "path"), "")
    modules = {line[1]: " ".join(line[2:]) for line in lines if line[0] in ("mod", "dep")}
    return GoProgram(package=package, modules=modules, sha256=digest)


def _module_texts(content: mmap.mmap) -> Iterator[str]:
    """Yield the texts of modules; a program that reads others has the magic among its constants as well."""
    at = content.find(_MAGIC)
    while at >= 0:
        if at % _ALIGNMENT == 0 and content[at + _FLAGS] & _INLINE:
            version, after = _string(content, at + _HEADER)
            modules, _ = _string(content, after)
            if version.startswith(b"go") and len(modules) > 2 * _SENTINEL:
                yield modules[_SENTINEL:-_SENTINEL].decode("utf-8", "replace")
        at = content.find(_MAGIC, at + 1)


def _string(content: mmap.mmap, at: int) -> tuple[bytes, int]:
    """Return a string that follows its length, a varint, and the offset of its end."""
    length = shift = 0
    while at < len(content):
        byte = content[at]
        at += 1
        length |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            break
    return content[at : at + length], at + length
