"""How decisions reach the API server: the exact requests of admission.md §2.12 (AC-370…373).

What other managers own besides survives a write here;
nothing imitates that, the API server does it (AC-349, C-05…C-07).
"""

from __future__ import annotations

from typing import Final

from reference_impl.api.kinds import WORKLOADS
from reference_impl.api.resource import Json
from reference_impl.runtime.client import Client

from . import conditions as c
from .decision import ApplyCondition, ApplyStatus, Delete, MergeStatus, ReplaceObject, ReplaceStatus, Write
from .rules import WorkloadRules
from .view import Workload

MANAGER: Final = "kueue-admission"

APPLIED_CONDITIONS: Final = frozenset(
    {
        c.QUOTA_RESERVED,
        c.BLOCKED_ON_PREEMPTION_GATES,
        c.EVICTED,
        c.ADMITTED,
        c.PREEMPTED,
        c.REQUEUED,
        c.DEACTIVATION_TARGET,
        c.FINISHED,
        c.PODS_READY,
    }
)
APPLIED_FIELDS: Final = (
    "admission",
    "requeueState",
    "resourceRequests",
    "accumulatedPastExecutionTimeSeconds",
    "schedulingStats",
    "clusterName",
    "nominatedClusterNames",
    "unhealthyNodes",
    "preemptionGates",
    "admissionChecks",
)


async def perform(client: Client, workload: Workload, write: Write, rules: WorkloadRules) -> Json:
    """Send the one write of a decision, which holds for the revision that it was made from."""
    match write:
        case ApplyStatus(status):
            return await apply_status(client, workload, rules.prune_status(status))
        case ApplyCondition(status, name):
            # Kueue has one field manager for each condition that it applies alone, so
            # that other conditions stay with theirs.
            body = with_one_condition(apply_body(workload, rules.prune_status(status), strict=True), name)
            return await client.apply(WORKLOADS, body, manager=f"kueue-{name}", subresource="status")
        case ReplaceStatus(status):
            return await client.update_status(WORKLOADS, {**workload.object, "status": status})
        case ReplaceObject(new):
            return await client.update(WORKLOADS, new)
        case MergeStatus(patch):
            return await client.patch(
                WORKLOADS, workload.api_key, patch | _revision(workload), subresource="status"
            )
        case Delete():
            # The uid protects a Workload of the same name that was made since.
            return await client.delete(WORKLOADS, workload.api_key, uid=workload.uid)


def _revision(workload: Workload) -> Json:
    return {"metadata": {"resourceVersion": workload.metadata["resourceVersion"]}}


async def apply_status(client: Client, workload: Workload, status: Json, *, strict: bool = True) -> Json:
    """Apply the fields that Kueue owns; `strict` refuses to overwrite a newer revision (AC-370)."""
    body = apply_body(workload, status, strict=strict)
    return await client.apply(WORKLOADS, body, manager=MANAGER, subresource="status")


def apply_body(workload: Workload, status: Json, *, strict: bool) -> Json:
    """Return the body of the apply: a field that is left out here is given up (AC-371)."""
    metadata: Json = workload.metadata
    names = ("name", "namespace", "uid", "generation", "labels", "annotations")
    identity = {name: metadata[name] for name in names if name in metadata}
    # A resourceVersion in the body makes an apply conditional: 409 on a newer revision
    # (AC-370).
    if strict:
        identity["resourceVersion"] = metadata["resourceVersion"]
    # Left out is given up: empty fields are removed by the API server, unless another
    # manager owns them too (AC-371).
    fields = {name: status[name] for name in APPLIED_FIELDS if status.get(name)}
    conditions = [
        condition for condition in status.get("conditions") or () if condition["type"] in APPLIED_CONDITIONS
    ]
    return {
        "apiVersion": WORKLOADS.api_version,
        "kind": WORKLOADS.kind,
        "metadata": identity,
        "status": {**fields, "conditions": conditions},
    }


def with_one_condition(body: Json, name: str) -> Json:
    """Return an apply that says one condition and nothing else of the status."""
    conditions = [condition for condition in body["status"]["conditions"] if condition["type"] == name]
    return {**body, "status": {"conditions": conditions}}
