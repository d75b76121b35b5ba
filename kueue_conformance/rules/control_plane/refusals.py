"""Writes of Kueue that the API server refused as invalid, where requests can be seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..story import Finding, Story


def refusals(story: Story, field: str, problem: str = "") -> Iterator[Finding]:
    """Yield the first refused write of each Workload whose message names a field (a pattern), or one below
    it, and a problem.
    """
    reported: set[tuple[str, str]] = set()
    pattern = re.compile(rf"(?:^|[\s\"\[]){field}[^:]*: .*{problem}")
    for attempt in story.attempts:
        key = attempt.namespace, attempt.name
        if attempt.kind == "Workload" and key not in reported and pattern.search(attempt.message):
            reported.add(key)
            yield attempt, f"the API server refused it: {attempt.message}"
