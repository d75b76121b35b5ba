"""Writes of Kueue that the API server refused as invalid, where requests can be seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..story import Finding, Story


def refused(story: Story, field: str, problem: str = "") -> Iterator[Finding]:
    """Tell of the first refused write of each Workload whose message names a field (a pattern), or one below
    it, and a problem.
    """
    told: set[tuple[str, str]] = set()
    pattern = re.compile(rf"(?:^|[\s\"\[]){field}[^:]*: .*{problem}")
    for one in story.attempts:
        key = one.namespace, one.name
        if one.kind == "Workload" and key not in told and pattern.search(one.message):
            told.add(key)
            yield one, f"the API server refused it: {one.message}"
