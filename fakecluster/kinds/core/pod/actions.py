"""Subresources of a Pod that are actions: binding, eviction, log (FK-083, FK-487)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from msgspec.structs import replace

from ....api import status
from ....api.kind import Kind
from ....api.outcome import Outcome
from ....api.steps import Steps
from ....meta import metadata
from ....registry.action import Action, Verb, with_options
from ....registry.verbs.deletions import deleting
from ....registry.verbs.writes import decoding, storage, subresource_review
from ....schema import fields
from ....schema.fields import go_quote
from ....store import Stored
from ...policy import evictions
from ...row import row
from . import logs

Json = Any
BINDING = row("core.v1.Binding", "bindings", verbs=("create",))
EVICTION = row("policy.v1.Eviction", "evictions", verbs=("create",))
DISRUPTION = {
    "type": "DisruptionTarget",
    "status": "True",
    "lastProbeTime": None,
    "reason": "EvictionByEvictionAPI",
    "message": "Eviction API: evicting",
}


@with_options("CreateOptions")
def bind(action: Action) -> Steps[Outcome]:
    """Assign a Pod to a node, once."""
    binding = asked(action, BINDING)
    _check_name(action, binding, "Binding")
    binding = yield from action.admit(subresource_review.review(action, binding))
    current = action.existing()
    node = _node(action, binding, current)
    if why := _unbindable(current.object):
        raise status.conflict(replace(action.kind, plural="pods/binding"), action.name, why)
    commit(action, current, bound(current.object, node, binding, metadata.timestamp(action.api.clock.now())))
    return action.answer_status(status.success(code=201), 201)


@with_options("CreateOptions")
def evict(action: Action) -> Steps[Outcome]:
    """Delete a Pod for the reason of an eviction."""
    eviction = asked(action, EVICTION)
    _check_name(action, eviction, "Eviction")
    eviction = yield from action.admit(subresource_review.review(action, eviction))
    current = action.existing()
    asking = eviction.get("deleteOptions") or {}
    evictions.spend(action, current, dry_run=bool(asking.get("dryRun")))
    if not asking.get("dryRun"):
        commit(action, current, disrupted(current.object, metadata.timestamp(action.api.clock.now())))
    body = orjson.dumps({**asking, "kind": "DeleteOptions", "apiVersion": "v1"})
    headers = {**action.request.headers, "content-type": "application/json"}
    deleting.delete_evicted(
        replace(action, request=replace(action.request, method="DELETE", body=body, headers=headers))
    )
    return action.answer_status(status.success(code=201), 201)


@with_options("CreateOptions")
def bind_by_body(action: Action) -> Steps[Outcome]:
    """Assign the Pod that the body names, through the door of old."""
    name = asked(action, BINDING)["metadata"].get("name", "")
    pods = action.api.registry.of_kind("v1", "Pod")
    return bind(
        replace(action, kind=pods or action.kind, info=replace(action.info, name=name, subresource="binding"))
    )


def _node(action: Action, binding: Json, current: Stored) -> str:
    """Return the node that a binding names. Raises 409, 500."""
    target, uid = binding["target"], binding["metadata"].get("uid", "")
    if target.get("kind") not in {None, "", "Node"}:
        why = fields.not_supported("target.kind", target["kind"], ["Node", "<empty>"])
        raise status.raw(str(why))
    if not target.get("name"):
        raise status.raw("target.name: Required value")
    if uid and uid != current.uid:
        raise status.conflict(
            action.kind, action.name, storage.uid_mismatch(action, uid, current.uid, tried=False)
        )
    return str(target["name"])


def _check_name(action: Action, obj: Json, noun: str) -> None:
    if obj["metadata"].get("name") != action.name:
        raise status.bad_request(f"name in URL does not match name in {noun} object")


VERBS: Mapping[tuple[str, str, str], Verb] = {
    ("", "pods", "binding"): bind,
    ("", "pods", "eviction"): evict,
    ("", "pods", "log"): logs.log,
    ("", "bindings", ""): bind_by_body,
}


def asked(action: Action, kind: Kind) -> Json:
    """Return the body of a request as an object of another kind than the path's. Raises 400, 415."""
    return decoding.written(replace(action, kind=kind))


def commit(action: Action, current: Stored, new: Json) -> None:
    """Store a new state of a Pod."""
    event = action.api.store.commit(action.kind.stored_as, current.name, new, expected=current)
    action.trace.events.append(event)


def _unbindable(pod: Json) -> str:
    name, spec = pod["metadata"]["name"], pod["spec"]
    if "deletionTimestamp" in pod["metadata"]:
        return f"pod {name} is being deleted, cannot be assigned to a host"
    if spec.get("nodeName"):
        return f"pod {name} is already assigned to node {go_quote(spec['nodeName'])}"
    return f"pod {name} has non-empty .spec.schedulingGates" if spec.get("schedulingGates") else ""


def bound(pod: Json, node: str, binding: Json, now: str) -> Json:
    """Return the Pod on its node, scheduled since now."""
    condition = {"type": "PodScheduled", "status": "True", "lastProbeTime": None, "lastTransitionTime": now}
    given = {name: binding["metadata"].get(name) for name in ("labels", "annotations")}
    merged = {name: {**pod["metadata"].get(name, {}), **more} for name, more in given.items() if more}
    return {
        **with_condition(pod, condition),
        "metadata": {**pod["metadata"], **merged},
        "spec": {**pod["spec"], "nodeName": node},
    }


def disrupted(pod: Json, now: str) -> Json:
    """Return the Pod as the target of a disruption."""
    return with_condition(pod, {**DISRUPTION, "lastTransitionTime": now})


def with_condition(pod: Json, condition: Json) -> Json:
    """Return the Pod with a condition in the place of the one of its type."""
    conditions = pod.get("status", {}).get("conditions", [])
    others = [one for one in conditions if one["type"] != condition["type"]]
    return {**pod, "status": {**pod.get("status", {}), "conditions": [*others, condition]}}
