"""Subresources of a Pod that are actions: binding, eviction, log (FK-083, FK-487)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ....api import status
from ....api.outcome import Outcome
from ....api.steps import Steps
from ....base.json_types import Json
from ....meta import metadata
from ....registry.action import Action, Verb, with_options
from ....registry.verbs.writes import storage, subresource_bodies
from ....schema import fields
from ....schema.fields import go_quote
from ....store import Stored
from ...row import row
from . import logs
from .conditions import with_condition
from .eviction import evict

BINDING = row("core.v1.Binding", "bindings", verbs=("create",))


@with_options("CreateOptions")
def bind(action: Action) -> Steps[Outcome]:
    """Assign a Pod to a node, once."""
    binding = yield from subresource_bodies.receive(action, BINDING)
    subresource_bodies.check_name(action, binding, "Binding")
    _check_target(binding)
    yield from subresource_bodies.validate(action, binding)
    return _assign(action, binding)


@with_options("CreateOptions")
def bind_by_body(action: Action) -> Steps[Outcome]:
    """Assign the Pod that the body names, by the path of old."""
    binding = yield from subresource_bodies.receive(action, BINDING)
    _check_target(binding)
    yield from subresource_bodies.validate(action, binding)
    pods = action.api.registry.of_kind("v1", "Pod") or action.kind
    info = replace(action.info, name=binding["metadata"].get("name", ""), subresource="binding")
    return _assign(replace(action, kind=pods, info=info), binding)


def _assign(action: Action, binding: Json) -> Outcome:
    """Store a Pod on its node. Raises 404, 409."""
    pod = action.existing()
    uid = binding["metadata"].get("uid", "")
    if uid and uid != pod.uid:
        why = storage.uid_mismatch(action, uid, pod.uid, tried=False)
        raise status.conflict(action.kind, action.name, why)
    if why := _unbindable(pod.object):
        raise status.conflict(replace(action.kind, plural="pods/binding"), action.name, why)
    _commit(action, pod, _on_node(pod.object, binding, metadata.timestamp(action.api.clock.now())))
    return action.answer_status(status.success(code=201), 201)


def _check_target(binding: Json) -> None:
    """Check that a binding names a node. Raises 500."""
    target = binding["target"]
    if target.get("kind") not in {None, "", "Node"}:
        why = fields.not_supported("target.kind", target["kind"], ["Node", "<empty>"])
        raise status.raw(str(why))
    if not target.get("name"):
        raise status.raw("target.name: Required value")


VERBS: Mapping[tuple[str, str, str], Verb] = {
    ("", "pods", "binding"): bind,
    ("", "pods", "eviction"): evict,
    ("", "pods", "log"): logs.log,
    ("", "bindings", ""): bind_by_body,
}


def _commit(action: Action, current: Stored, new: Json) -> None:
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


def _on_node(pod: Json, binding: Json, time: str) -> Json:
    """Return the Pod on its node, scheduled since now."""
    condition = {"type": "PodScheduled", "status": "True", "lastProbeTime": None, "lastTransitionTime": time}
    binding_metadata = {name: binding["metadata"].get(name) for name in ("labels", "annotations")}
    merged = {
        name: {**pod["metadata"].get(name, {}), **members}
        for name, members in binding_metadata.items()
        if members
    }
    return {
        **with_condition(pod, condition),
        "metadata": {**pod["metadata"], **merged},
        "spec": {**pod["spec"], "nodeName": binding["target"]["name"]},
    }
