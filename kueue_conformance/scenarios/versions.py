"""Versions of Kueue and of autoscalers, and since which of them something holds, line by line."""

from __future__ import annotations

from typing import TypeAlias

from ..base.numbers import whole

Order: TypeAlias = tuple[int, ...]
"""What versions compare by; empty for what is no release."""
LINE_PARTS = 2
DEVELOPMENT, CANDIDATE = -2, -1
"""The place of a patch in `0.20.0-devel` and in `0.21.0-rc.3`: before the first release of their line."""


def order_of(version: str) -> Order:
    """Return what a version compares by; empty for a text that is no version.

    What `git describe` adds to a tag, such as `-377-gff69552e79` or `-dirty`, does not count.
    """
    release, _, suffix = version.removeprefix("v").partition("-")
    build = suffix.partition("-")[0]
    numbers = [whole(digits) for digits in release.split(".")]
    if numbers[0] is None:
        return ()
    parts = tuple(number or 0 for number in numbers)
    if build == "devel":
        return (*parts[:LINE_PARTS], DEVELOPMENT)
    if build.startswith("rc."):
        return (*parts[:LINE_PARTS], CANDIDATE, whole(build.removeprefix("rc.")) or 0)
    return parts


def text_of(order: Order) -> str:
    """Return the text of a version without a `v`."""
    line = ".".join(map(str, order[:LINE_PARTS]))
    match order[LINE_PARTS:]:
        case (patch,) if patch == DEVELOPMENT:
            return f"{line}.0-devel"
        case (patch, candidate) if patch == CANDIDATE:
            return f"{line}.0-rc.{candidate}"
        case patches:
            return ".".join((line, *map(str, patches)))


def has_since(order: Order, since: str) -> bool:
    """Tell whether a release has what came with the first release of each line, as in `0.19.14, 0.20.7`.

    A line between two that is not named lacks it; one that is newer than all of them has it.
    """
    firsts = sorted(order_of(text.strip()) for text in since.split(","))
    own = [first for first in firsts if first[:LINE_PARTS] == order[:LINE_PARTS]]
    return any(first <= order for first in own or firsts[-1:])


def is_until(order: Order, until: str) -> bool:
    """Tell whether a release is not newer than a version, or, with `<`, lacks what came with the first
    release of each line, as in `<0.19.14, 0.20.7`; an empty text bounds nothing.
    """
    if until.startswith("<"):
        return not has_since(order, until.removeprefix("<"))
    return not until or order <= order_of(until)
