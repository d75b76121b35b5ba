"""The text after `upstream:`: a command,
or `manifests=FILE,images=ARCHIVE,command=COMMAND` with the command last.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import UsageError, unknown

_KEYS = ("manifests", "images", "command")
_HINT = "write upstream:./kueue, or upstream:manifests=kueue.yaml,images=kueue.tar"


@dataclass(frozen=True, slots=True, kw_only=True)
class KueueSources:
    """How a real Kueue is started; all empty for one that runs already."""

    command: Sequence[str] = ()
    manifests: Sequence[Path] = ()
    images: Sequence[Path] = ()


def read(text: str) -> KueueSources:
    """Parse the text. Raises UsageError."""
    if text.partition("=")[0] not in _KEYS:
        return KueueSources(command=_words(text))
    pairs = list(_pairs(text))
    sources = KueueSources(
        command=_words("".join(value for key, value in pairs if key == "command")),
        manifests=[_file(key, value) for key, value in pairs if key == "manifests"],
        images=[_file(key, value) for key, value in pairs if key == "images"],
    )
    if sources.images and (sources.command or not sources.manifests):
        raise UsageError(
            "image archives are for a Kueue that is installed from manifests, "
            + ("and a command starts it as a process" if sources.command else "and none are given"),
            hint=_HINT,
        )
    return sources


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    while text:
        key, equals, rest = text.partition("=")
        if not equals or key not in _KEYS:
            raise unknown("word of --control-plane upstream", key, _KEYS)
        value, _, text = (rest, "", "") if key == "command" else rest.partition(",")
        yield key, value


def _file(key: str, name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise UsageError(f"--control-plane upstream:{key}= names no file: {name!r}", hint="check the path")
    return path.absolute()


def _words(command: str) -> Sequence[str]:
    try:
        return shlex.split(command)
    except ValueError as problem:
        raise UsageError(
            f"the command of --control-plane upstream cannot be read: {problem}",
            hint=f"check the quotes in {command!r}",
        ) from problem
