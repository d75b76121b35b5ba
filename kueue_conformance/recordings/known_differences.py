"""Known differences of the reference from the recorded Kueue: the rows of `kueue-known-differences.yaml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import yaml

from ..base.resources import fixtures

FILE = "kueue-known-differences.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDifference:
    """A row: story, step, place in the state, the row of the fact pages, and why."""

    story: str
    step: str
    where: str
    row: str
    reason: str


@cache
def known_differences() -> Mapping[str, Sequence[KnownDifference]]:
    """Return the rows by story."""
    rows = yaml.safe_load((fixtures() / "recordings" / FILE).read_text("utf-8")) or ()
    by_story: dict[str, list[KnownDifference]] = {}
    for row in rows:
        by_story.setdefault(row["story"], []).append(KnownDifference(**row))
    return by_story
