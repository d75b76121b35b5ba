"""Which releases of Kueue are known, and the names under which a dialect is asked for.

A dialect is a release exact to the patch, such as `0.19.14` or `0.20.0-devel`; the names of `NAMED` stand for
one. Of a line that has no name of its own, `v0.15` and `0.15` are its newest known patch.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from .releases import LINE_PARTS, Version, parse_version, version_text

NEWEST_PATCHES: Final[Mapping[Version, int]] = MappingProxyType(
    {
        (0, 6): 3,
        (0, 7): 1,
        (0, 8): 4,
        (0, 9): 5,
        (0, 10): 6,
        (0, 11): 9,
        (0, 12): 10,
        (0, 13): 10,
        (0, 14): 8,
        (0, 15): 8,
        (0, 16): 9,
        (0, 17): 8,
        (0, 18): 6,
        (0, 19): 14,
        (0, 20): 7,
        (0, 21): 0,
    }
)
"""The newest known patch of each release line."""
PRERELEASES: Final = ("0.20.0-devel", "0.21.0-rc.0", "0.21.0-rc.3")
"""Builds before a release: of `0.20.0-devel` the answers were recorded (kueue-0.20.md)."""
NAMED: Final[Mapping[str, Version]] = MappingProxyType(
    {
        "v0.6": (0, 6, 2),
        "docs-2024": (0, 9),
        "v0.19": (0, 19, 2),
        "v0.20": (0, 20, 7),
        "kep993": (0, 20, 7),
    }
)
"""Dialects by a name: the releases that were recorded, and the KEP as it is written."""
DEFAULT: Final = "v0.20"


class UnknownDialectError(ValueError):
    """A name of no dialect; the text says which are known."""


@cache
def version_of(name: str) -> Version:
    """Return the release that a dialect stands for; raises UnknownDialectError."""
    if name in NAMED:
        return NAMED[name]
    text = name.removeprefix("v")
    if text in PRERELEASES:
        return parse_version(text)
    if not all(number.isascii() and number.isdecimal() for number in text.split(".")):
        raise UnknownDialectError(_describe_unknown_name(name))
    version = parse_version(text)
    line = version[:LINE_PARTS]
    newest = NEWEST_PATCHES.get(line)
    if newest is None or len(version) > LINE_PARTS + 1 or version_text(version) != text:
        raise UnknownDialectError(f"unknown dialect {name!r}; {_known()}")
    if len(version) == LINE_PARTS:
        return NAMED.get(f"v{version_text(version)}", (*line, newest))
    if version[LINE_PARTS] > newest:
        raise UnknownDialectError(
            f"unknown dialect {name!r}; the newest known release of its line is {version_text((*line, newest))}"
        )
    return version


def _describe_unknown_name(name: str) -> str:
    near = difflib.get_close_matches(name, NAMED, n=1)
    return f"unknown dialect {name!r}; " + (f"did you mean {near[0]}? " if near else "") + _known()


def _known() -> str:
    oldest, newest = min(NEWEST_PATCHES), max(NEWEST_PATCHES)
    releases = f"{version_text((*oldest, 0))} to {version_text((*newest, NEWEST_PATCHES[newest]))}"
    return f"known: {', '.join(NAMED)}, a release from {releases}, {', '.join(PRERELEASES)}"
