"""Capabilities that a story shows: one row for each that
can be seen in the subject's writes (harness/H-08).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...base.json_types import Json
from ...base.objects import CheckState
from ...history.story import Change
from ...scenarios.capability import Capability
from ..story import Story
from ..workload import list_entries, workload_status

_DECIDED = ("Ready", "Retry", "Rejected")
_OWN_WORK = ("workloads", "admissionchecks", "leases", "events")
"""Resources that every check controller writes, which are not outside work."""


def observe_capabilities(story: Story) -> frozenset[Capability]:
    """Return the observed capabilities."""
    return frozenset(capability for capability, is_shown in ABILITIES.items() if is_shown(story))


def _entries(story: Story) -> Iterator[tuple[Change, CheckState, CheckState]]:
    """Return the old and new value of each own entry that the subject changed."""
    for change in story.workloads():
        before = {entry["name"]: entry for entry in list_entries(change.before)}
        for entry in list_entries(change.after):
            old = before.get(entry["name"], {})
            if entry != old and story.owns(entry["name"]):
                yield change, old, entry


def _says(state: str) -> Callable[[Story], bool]:
    return lambda story: any(
        new["state"] == state and old.get("state") != state for _, old, new in _entries(story)
    )


def _revokes(story: Story) -> bool:
    return any(
        old.get("state") == "Ready"
        and new["state"] in ("Retry", "Rejected")
        # Before admission a Ready that is taken back stops nothing, and is no revocation.
        and _is(change.before, "Admitted", "True")
        for change, old, new in _entries(story)
    )


def _is(workload: Json, condition: str, status: str) -> bool:
    conditions = workload_status(workload).get("conditions") or ()
    return any(row["type"] == condition and row["status"] == status for row in conditions)


def _serves_many(story: Story) -> bool:
    return any(
        sum(entry["state"] in _DECIDED and story.owns(entry["name"]) for entry in list_entries(change.after))
        > 1
        for change, _, _ in _entries(story)
    )


def _updates_pods(story: Story) -> bool:
    return any(new.get("podSetUpdates") for _, _, new in _entries(story))


def _delays(story: Story) -> bool:
    return any(new["state"] == "Retry" and new.get("requeueAfterSeconds") for _, _, new in _entries(story))


def _reads_parameters(story: Story) -> bool:
    """Tell whether a check with parameters was ever found unusable:
    one that looks at none has no reason to.
    """
    return any(
        check.after["spec"].get("parameters")
        and _is(check.after, "Active", "False")
        and story.owns(check.name)
        for check in story.checks()
        if check.after
    )


def _cleans_up(story: Story) -> bool:
    return any(
        # An owner reference is clean-up too: the garbage collector deletes for the controller.
        request.verb in ("delete", "deletecollection") or b'"ownerReferences"' in request.body
        for request in story.requests
        if request.writes and request.code < 300 and request.resource not in _OWN_WORK
    )


def _writes(resource: str) -> Callable[[Story], bool]:
    return lambda story: any(
        request.writes and request.code < 300 and request.resource == resource for request in story.requests
    )


ABILITIES: Mapping[Capability, Callable[[Story], bool]] = {
    Capability.READY: _says("Ready"),
    Capability.RETRY: _says("Retry"),
    Capability.REJECTED: _says("Rejected"),
    Capability.REVOKE: _revokes,
    Capability.PARAMETERS: _reads_parameters,
    Capability.MANY_CHECKS: _serves_many,
    Capability.POD_SET_UPDATES: _updates_pods,
    Capability.RETRY_DELAY: _delays,
    Capability.CLEANUP: _cleans_up,
    Capability.LEADER_ELECTION: _writes("leases"),
    Capability.PROVISIONING: _writes("provisioningrequests"),
}
"""Restart is not among them: that a program starts again is seen in no write."""
