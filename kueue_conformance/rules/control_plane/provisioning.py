"""ProvisioningRequests that Kueue makes for Workloads (provisioning.md PA-031, PA-032, PA-036, PA-058,
PA-079, PA-155, PA-170).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...base.json_types import Json
from ...history.story import Change
from ..story import Finding, SafetyRule, Story
from ..workload import changed_entries, conditions, describe_move, entries, is_true
from ..writes import WriterCache, by_kueue, is_kueues

CONTROLLER = "kueue.x-k8s.io/provisioning-request"
NOT_NEEDED = "the provisioning request is not needed"
_KIND = "ProvisioningRequest"
_NUMBER = re.compile(r"\d+$")
_OVER = ("Failed", "BookingExpired")
_RESTS = 2
"""The number of quiet moments after which a remaining object is reported."""


def _creations(story: Story) -> Iterator[Change]:
    """Return each creation of a request by Kueue."""
    return (
        change
        for change in story.changes
        if change.kind == _KIND and change.before is None and change.after and is_kueues(change)
    )


def _owner(request: Json) -> Json:
    """Return the reference to the Workload that controls a request, empty where there is none."""
    owners = request["metadata"].get("ownerReferences") or ()
    return next(
        (
            reference
            for reference in owners
            if reference["kind"] == "Workload" and reference.get("controller")
        ),
        {},
    )


def _without_quota(story: Story) -> Iterator[Finding]:
    cache = WriterCache(story, "Workload")
    for change in _creations(story):
        owner = _owner(change.after).get("name", "")
        if not owner:
            continue
        copies = list(cache.states_of(change, "Workload", owner, change.namespace))
        # Kueue creates by its copy of the Workload, which may be older than the server's.
        if not any(copy and is_true(copy, "QuotaReserved") for copy in copies):
            yield change, f"is created for Workload {owner}, which has no quota"
        elif all(copy and is_true(copy, "Finished") for copy in copies):
            yield change, f"is created for Workload {owner}, which has finished"


def _without_owner(story: Story) -> Iterator[Finding]:
    for change in _creations(story):
        if not _owner(change.after):
            yield change, "is created without a Workload as its controller"


def _beside_another(story: Story) -> Iterator[Finding]:
    there: dict[tuple[str, str], Json] = {}
    for change in story.changes:
        if change.kind != _KIND:
            continue
        key = change.namespace, change.name
        if change.before is None and change.after and is_kueues(change):
            for other in there.values():
                if _is_open(other) and _series(other) == _series(change.after):
                    yield change, f"is created while {other['metadata']['name']} is open"
        if change.after is None:
            there.pop(key, None)
        else:
            there[key] = change.after


def _series(request: Json) -> tuple[str, str]:
    """Return what the requests of one Workload and check have in common: the uid of the Workload, and the
    name without its number.
    """
    # Kueue ends the name with the number of the attempt.
    return _owner(request).get("uid", ""), _NUMBER.sub("", request["metadata"]["name"])


def _is_open(request: Json) -> bool:
    status_conditions = conditions(request)
    over = any(status_conditions.get(type_, {}).get("status") == "True" for type_ in _OVER)
    return not over and "deletionTimestamp" not in request["metadata"]


def _ready_too_early(story: Story) -> Iterator[Finding]:
    cache = WriterCache(story, _KIND, "AdmissionCheck")
    for change in by_kueue(story):
        for name, old, new in changed_entries(change):
            becomes = new.get("state") == "Ready" and old.get("state") not in (None, "Ready")
            if not becomes or new.get("message") == NOT_NEEDED or not is_provisioning(story, name):
                continue
            if not any(_is_provided(world, change) for world in cache.worlds(change)):
                yield change, f"{describe_move(name, old, new)}, and no request of it is Provisioned"


def _is_provided(world: Mapping[Any, Json], change: Change) -> bool:
    owned = [
        request
        for (kind, namespace, _), request in world.items()
        if kind == _KIND and namespace == change.namespace and _names(request, change.name)
    ]
    return any(is_true(request, "Provisioned") for request in owned)


def _names(request: Json, workload: str) -> bool:
    owners = request["metadata"].get("ownerReferences") or ()
    return any(reference["name"] == workload for reference in owners)


def is_provisioning(story: Story, check: str) -> bool:
    """Tell whether a check is one of the provisioning controller in Kueue, as it was made last."""
    checks = [
        change.after
        for change in story.changes
        if change.kind == "AdmissionCheck" and change.name == check and change.after
    ]
    return bool(checks) and checks[-1]["spec"].get("controllerName") == CONTROLLER


def _leftovers(story: Story) -> Iterator[Finding]:
    """Find requests of Workloads that had finished when all
    was at rest, and that were there at the next rest.
    """
    # At one rest the deletion may not have begun: only what outlives the next one is left over.
    if len(story.settled) < _RESTS:
        return
    before, last = story.settled[-_RESTS], story.settled[-1]
    workloads, requests = _present(story, "Workload", before), _present(story, _KIND, last)
    workloads_at_end = _present(story, "Workload", last)
    for (namespace, _), (change, request) in requests.items():
        owner = _owner(request)
        owners = [
            workloads_by_name.get((namespace, owner.get("name", "")))
            for workloads_by_name in (workloads, workloads_at_end)
        ]
        if "deletionTimestamp" not in request["metadata"] and all(
            _is_done(owner_state, owner) for owner_state in owners
        ):
            yield change, f"still exists, though Workload {owner['name']} has finished"


def _is_done(change_and_workload: tuple[Change, Json] | None, owner: Json) -> bool:
    """Tell whether a Workload was there, is the owner, and has finished."""
    if change_and_workload is None:
        return False
    workload = change_and_workload[1]
    # By uid: a Workload of the same name may be a later one.
    return workload["metadata"]["uid"] == owner.get("uid") and is_true(workload, "Finished")


def _present(story: Story, kind: str, revision: int) -> Mapping[tuple[str, str], tuple[Change, Json]]:
    """Return the objects of a kind that were there at a revision, with the change that made them so."""
    present: dict[tuple[str, str], tuple[Change, Json]] = {}
    for change in story.changes:
        if change.kind == kind and change.revision <= revision:
            if change.after is None:
                present.pop((change.namespace, change.name), None)
            else:
                present[change.namespace, change.name] = change, change.after
    return present


def _others_entries(story: Story) -> Iterator[Finding]:
    """Find writes that decide for our checks and move an entry of another controller with them."""
    for change in by_kueue(story):
        altered = {name: (old, new) for name, old, new in changed_entries(change)}
        ours = [
            name
            for name, (old, new) in altered.items()
            if old and new and is_provisioning(story, name) and new["state"] != "Pending"
        ]
        # An eviction resets the entries of all controllers in one write.
        if not ours or is_true(change.after, "Evicted") != is_true(change.before, "Evicted"):
            continue
        for name in entries(change.before):
            if name in altered and not is_provisioning(story, name):
                yield change, f"{describe_move(name, *altered[name])}, which is another controller's"


PROVISIONING = (
    SafetyRule(
        "PA-031", "creates no request for a Workload that has no quota, or has finished", _without_quota
    ),
    SafetyRule("PA-032", "leaves no ProvisioningRequest of a Workload that has finished", _leftovers),
    SafetyRule(
        "PA-036",
        "creates no second ProvisioningRequest for a Workload and a check while one is open",
        _beside_another,
    ),
    SafetyRule(
        "PA-058", "creates no ProvisioningRequest without the Workload as its controller", _without_owner
    ),
    SafetyRule(
        "PA-079",
        "writes Ready for a provisioning check only when a request is Provisioned, or none is needed",
        _ready_too_early,
    ),
    SafetyRule(
        "PA-155",
        "changes no entry of another controller when it decides about a provisioning check",
        _others_entries,
    ),
)
