"""What is asked of a Pod through subresources that are no objects: binding, eviction, log (FK-083, FK-487).

There is no kubelet, so no log: the answer is what a server gives for a pod without a node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import orjson

from ...schema.fields import go_quote
from ...store import Stored
from .. import status
from ..action import Action, Verb
from ..admission import admitted, of_subresource
from ..decoding import bodies
from ..meta import metadata
from ..outcome import Outcome, Response
from ..verbs import deleting
from .typed import GoTypeError, decode_message

Json = Any
DISRUPTION = {
    "type": "DisruptionTarget",
    "status": "True",
    "lastProbeTime": None,
    "reason": "EvictionByEvictionAPI",
    "message": "Eviction API: evicting",
}


def bind(action: Action) -> Outcome:
    """Assign a Pod to a node, once."""
    binding = asked(action, "core.v1.Binding")
    return admitted(action.api, of_subresource(action, binding), lambda found: _bound(action, found))


def _bound(action: Action, binding: Json) -> Outcome:
    current = action.existing()
    node = binding["target"].get("name", "")
    if not node:
        raise status.raw("target.name: Required value")
    if why := _unbindable(current.object):
        raise status.conflict(replace(action.kind, plural="pods/binding"), action.name, why)
    commit(action, current, bound(current.object, node, binding, metadata.timestamp(action.now)))
    return action.answer_status(status.success(code=201), 201)


def evict(action: Action) -> Outcome:
    """Delete a Pod for the reason of an eviction."""
    eviction = asked(action, "policy.v1.Eviction")
    return admitted(action.api, of_subresource(action, eviction), lambda found: _evicted(action, found))


def _evicted(action: Action, eviction: Json) -> Outcome:
    current = action.existing()
    options = eviction.get("deleteOptions") or {}
    if not options.get("dryRun"):
        commit(action, current, disrupted(current.object, metadata.timestamp(action.now)))
    body = orjson.dumps({**options, "kind": "DeleteOptions", "apiVersion": "v1"})
    headers = {**action.request.headers, "content-type": "application/json"}
    deleting.delete_unasked(
        replace(action, request=replace(action.request, method="DELETE", body=body, headers=headers))
    )
    return action.answer_status(status.success(code=201), 201)


def log(action: Action) -> Outcome:
    """Answer that there is nothing to read."""
    action.existing()
    return Response(code=204, body=b"")


VERBS: Mapping[tuple[str, str, str], Verb] = {
    ("", "pods", "binding"): bind,
    ("", "pods", "eviction"): evict,
    ("", "pods", "log"): log,
}


def asked(action: Action, message: str) -> Json:
    """Return the body of a request as an object of another kind than the path's. Raises 400."""
    try:
        tree = bodies.read(action.request, merging=True).tree or {}
        group, version, kind = message.split(".")
        api_version = version if group == "core" else f"{group}/{version}"
        return {**decode_message(message, tree).object, "apiVersion": api_version, "kind": kind}
    except (bodies.Unreadable, GoTypeError) as error:
        raise status.bad_request(str(error)) from error


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
