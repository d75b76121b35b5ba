"""What is allowed of entries of checks by the answers to their ProvisioningRequests (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ....stage.workloads.view import WorkloadView
from .provisioning_case import ProvisioningCase

NOT_NEEDED = "the provisioning request is not needed"
_CONSUMES = "autoscaling.x-k8s.io/consume-provisioning-request"
_CLASS = "autoscaling.x-k8s.io/provisioning-class-name"
_FAILURES: Mapping[str, str] = {"Failed": "failure", "BookingExpired": "booking expired"}


def verdicts(case: ProvisioningCase) -> Iterator[tuple[str, str]]:
    """The entry says what the newest request does (PA-070…PA-083)."""
    has_ended = case.workload.is_true("Evicted") or case.workload.is_true("Finished")
    if not case.workload.is_true("QuotaReserved") or has_ended or case.is_stalled:
        return
    state, message = case.entry.get("state"), case.entry.get("message", "")
    if not case.config:
        if (state, message) != ("Pending", "the check is not active"):
            yield "the entry is Pending: the check is not active (PA-070)", f"{state}, {message!r}"
        return
    if not case.pod_sets:
        if state != "Ready":
            yield f"the entry is Ready: {NOT_NEEDED} (PA-043)", f"{state}, {message!r}"
        return
    if not case.request:
        return
    for expected in _expected_verdict(case):
        if (state, message) not in (expected, (expected[0], None)) and (state, None) != expected:
            yield f"the entry is {expected} (PA-073…PA-083)", f"{state}, {message!r}"
    if state == "Ready" and case.says("Provisioned").get("status") == "True":
        yield from _updates(case)


def _expected_verdict(case: ProvisioningCase) -> Iterator[tuple[str, str | None]]:
    """Yield the state and message of the entry by the first condition that decides; None for any message."""

    def is_true(name: str) -> bool:
        return case.says(name).get("status") == "True"

    if is_true("Failed") or is_true("CapacityRevoked") or is_true("BookingExpired"):
        # An eviction follows, which resets the entry and deletes the request.
        return
    if is_true("Provisioned"):
        yield "Ready", None
    elif is_true("Accepted") and case.says("Provisioned"):
        yield "Pending", case.says("Provisioned").get("message", "")
    elif not is_true("Accepted") and case.entry.get("state") == "Pending":
        yield "Pending", ""


def _updates(case: ProvisioningCase) -> Iterator[tuple[str, str]]:
    """A Ready entry has an update for each pod set of the request, by which pods use it (PA-085, PA-086)."""
    former = case.state.earlier(case.workload).checks.get(case.check, {})
    # Later details and settings change nothing (PA-091).
    if not case.state.single_act or former.get("state") == "Ready":
        return
    name, spec = case.request["metadata"]["name"], case.request["spec"]
    template_names = [item["podTemplateRef"]["name"] for item in spec["podSets"]]
    labels = _node_labels(case)
    expected = [
        (pod_set["name"], {_CONSUMES: name, _CLASS: spec["provisioningClassName"]}, labels)
        for pod_set in case.workload.object["spec"]["podSets"]
        if f"ppt-{name}-{pod_set['name']}" in template_names
    ]
    observed = [
        (item["name"], item.get("annotations", {}), item.get("nodeSelector", {}))
        for item in case.entry.get("podSetUpdates") or ()
        # Whether pod sets that are merged into another one have updates is a matter of releases (PA-088).
        if f"ppt-{name}-{item['name']}" in template_names or not case.config["spec"].get("podSetMergePolicy")
    ]
    if observed != expected:
        yield f"podSetUpdates of the entry are {expected} (PA-085…PA-087)", f"they are {observed}"


def _node_labels(case: ProvisioningCase) -> Mapping[str, str]:
    """Return the labels of nodes by details of the class: a detail that is missing gives none (PA-087)."""
    details = (case.request.get("status") or {}).get("provisioningClassDetails") or {}
    items = (case.config["spec"].get("podSetUpdates") or {}).get("nodeSelector") or ()
    pairs = ((item["key"], details.get(item["valueFromProvisioningClassDetail"])) for item in items)
    return {key: value for key, value in pairs if value is not None}


def failures(case: ProvisioningCase) -> Iterator[tuple[str, str]]:
    """A request that failed is answered by a retry, or at the limit by a rejection (PA-073, PA-095)."""
    check, limits = case.check, (case.config or {}).get("spec", {}).get("retryStrategy")
    for change in case.state.changes:
        if change.name != case.workload.object["metadata"]["name"] or not change.before or not change.after:
            continue
        old, new = (WorkloadView(item).checks.get(check, {}) for item in (change.before, change.after))
        if old.get("state") == new.get("state") or not limits or not old:
            continue
        attempt = int(old.get("retryCount", 0)) + 1
        if new.get("state") == "Retry":
            wait = _wait(attempt, limits)
            # Kueue adds a ten-thousandth at most, and cuts to whole seconds.
            if int(new.get("requeueAfterSeconds") or 0) not in (wait, wait + 1):
                yield f"requeueAfterSeconds is {wait} (PA-095)", f"{new.get('requeueAfterSeconds')}"
            if attempt > limits["backoffLimitCount"]:
                yield f"attempt {attempt} is the last one: the entry is Rejected (PA-075)", "it is Retry"
            texts = [f"Retrying after {word}: the autoscaler says {name}" for name, word in _FAILURES.items()]
            if new.get("message") not in texts:
                yield f"the message is one of {texts} (PA-073)", f"{new.get('message')!r}"
        is_revoked = "CapacityRevoked" in str(new.get("message"))
        if new.get("state") == "Rejected" and not is_revoked and attempt <= limits["backoffLimitCount"]:
            yield f"attempt {attempt} is tried again: the entry is Retry (PA-073)", "it is Rejected"


def _wait(attempt: int, limits: Mapping[str, Any]) -> int:
    """Return the seconds before another attempt: the first is not limited (PA-095)."""
    wait = int(limits["backoffBaseSeconds"]) << (attempt - 1)
    longest = int(limits["backoffMaxSeconds"])
    return min(wait, longest) if attempt > 1 and longest else wait
