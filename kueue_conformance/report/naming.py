"""Generated names as people speak of them: `workload 1` in place of `workload-1-chk-014-ttdfp-838-morning`."""

from __future__ import annotations

import re

_GENERATED = re.compile(
    r"\b([a-z]+(?:-[a-z]+)*)-(\d+)-[a-z0-9-]{1,24}-[a-z0-9]{5}-[0-9a-f]{3}(?:-[a-z0-9]+)?\b"
)
_KINDS = re.compile(r"\b(Workload|AdmissionCheck|ClusterQueue|LocalQueue|Namespace|Job) (?=[a-z]+ \d)")


def by_role(text: str) -> str:
    """Return a text in which each generated name is what it names and its place among those of the case."""
    return _GENERATED.sub(lambda found: f"{found[1].replace('-', ' ')} {found[2]}", text)


def of_any_case(text: str) -> str:
    """Return a text without what differs from case to case: names, numbers, times."""
    return re.sub(r"\d+(\.\d+)?", "#", _KINDS.sub("", by_role(text)))
