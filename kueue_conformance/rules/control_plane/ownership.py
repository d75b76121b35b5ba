"""Field owners of a Workload's status: two managers of Kueue for one field,
and neither can clear it (AC-338, AC-349, AC-371).
"""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from ...scenarios.outcome import Level
from ..story import Finding, SafetyRule, Story
from ..writes import by_kueue

_MANAGERS = ("kueue", "manager")
_SHARED = ("f:admissionChecks", 'k:{"type":"PodsReady"}')
"""Entries are created by a PUT and applied with everything else (C-07); PodsReady is the integrations' and
applied as well (AC-371, AC-373).
"""


def _two_owners(story: Story) -> Iterator[Finding]:
    for change in by_kueue(story):
        before = _fields_of_several_owners(change.before)
        for field, owners in _fields_of_several_owners(change.after).items():
            # Only the write that brought a second owner; later ones find it.
            if before.get(field) != owners:
                yield change, f"{field} is owned by {' and '.join(sorted(owners))}"


def _fields_of_several_owners(workload: Json) -> dict[str, frozenset[str]]:
    """Return the fields and conditions of the status that
    several of Kueue's managers own, with their owners.
    """
    owners: dict[str, set[str]] = {}
    for entry in ((workload or {}).get("metadata") or {}).get("managedFields") or ():
        manager = str(entry.get("manager", ""))
        if manager in _MANAGERS or (
            # Kueue applies as several managers; the harness's own name begins like them.
            manager.startswith("kueue-") and not manager.startswith("kueue-conformance")
        ):
            for field in _fields(entry.get("fieldsV1") or {}):
                owners.setdefault(field, set()).add(manager)
    return {field: frozenset(managers) for field, managers in owners.items() if len(managers) > 1}


def _fields(fields: Json) -> Iterator[str]:
    for name, below in (fields.get("f:status") or {}).items():
        if name == "f:conditions":
            yield from (key for key in below if key.startswith("k:") and key not in _SHARED)
        elif name not in _SHARED:
            yield name


OWNERSHIP = (
    SafetyRule(
        "AC-371",
        "owns each field of a status as one manager, so that it can remove the field",
        _two_owners,
        level=Level.SHOULD,
    ),
)
