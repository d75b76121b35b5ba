"""Pods of submissions, from the options of an act (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...base.json_types import Json
from ...stage.making import manifests
from .acts import Act

LABEL = "example.com/flavor"
"""The label of nodes that tells flavors apart."""
OTHER_LABEL = "example.com/zone"
"""One that no flavor has."""
_TAINT_KEY = "example.com/reserved"
_OTHER_TAINT_KEY = "example.com/spare"
TAINTS: Mapping[str, Json] = {
    word: {"key": key, "value": "yes", "effect": effect}
    for word, key, effect in (
        ("yes", _TAINT_KEY, "NoSchedule"),
        ("NoExecute", _TAINT_KEY, "NoExecute"),
        ("PreferNoSchedule", _TAINT_KEY, "PreferNoSchedule"),
        ("other-key", _OTHER_TAINT_KEY, "NoSchedule"),
    )
}
"""Taints by the word of an act."""
TOLERATIONS: Mapping[str, Json] = {
    "yes": {"key": _TAINT_KEY, "operator": "Equal", "value": "yes", "effect": "NoSchedule"},
    "any-effect": {"key": _TAINT_KEY, "operator": "Exists"},
    "everything": {"operator": "Exists"},
    "every-key": {"operator": "Exists", "effect": "NoSchedule"},
    "every-NoExecute": {"operator": "Exists", "effect": "NoExecute"},
    "no-operator": {"key": _TAINT_KEY, "value": "yes"},
    "NoExecute": {"key": _TAINT_KEY, "operator": "Exists", "effect": "NoExecute"},
    "other-value": {"key": _TAINT_KEY, "operator": "Equal", "value": "no"},
    "other-key": {"key": _OTHER_TAINT_KEY, "operator": "Exists"},
}
"""Tolerations by the word of an act."""


def tolerations_of(text: str) -> Sequence[Json]:
    """Return the tolerations of `yes+other-key`, or of one word."""
    return [TOLERATIONS[word] for word in text.split("+")]


def template(act: Act, cpu: str, name: Callable[[str], str]) -> Json:
    """Return the pods of a Workload; `name` returns the name of an object by its short form."""
    fields: dict[str, Any] = {}
    if act.option("tolerates"):
        fields["tolerations"] = tolerations_of(act.option("tolerates"))
    if act.option("on"):
        key = OTHER_LABEL if act.option("on") == "zone" else LABEL
        fields["nodeSelector"] = {key: act.option("on")}
    if act.option("affinity"):
        fields["affinity"] = _affinity(act.option("affinity"))
    if act.option("runtime"):
        fields["runtimeClassName"] = name(act.option("runtime"))
    if initial := _initial_containers(act):
        fields["initContainers"] = initial
    if act.option("whole"):
        fields["resources"] = {"requests": {"cpu": act.option("whole")}}
    requests = {"cpu": cpu} if cpu else {}
    if act.option("memory"):
        requests["memory"] = act.option("memory")
    made = manifests.pod_template(requests, **fields)
    containers = made["spec"]["containers"]
    if act.option("requests") == "by-limits":
        containers[0]["resources"] = {"limits": dict(requests)}
    if act.option("second"):
        containers.append(_container("second", act.option("second")))
    return made


def _initial_containers(act: Act) -> Sequence[Json]:
    """Return what runs before the containers: `init=2`, and `sidecar=1`, which goes on beside them."""
    containers = []
    if act.option("sidecar"):
        containers.append({**_container("sidecar", act.option("sidecar")), "restartPolicy": "Always"})
    if act.option("init"):
        containers.append(_container("init", act.option("init")))
    return containers


def _container(name: str, cpu: str) -> Json:
    resources = {"requests": {"cpu": cpu}}
    return {"name": name, "image": "registry.k8s.io/pause:3.10", "resources": resources}


def _affinity(text: str) -> Json:
    """Return the node affinity of `In:f1,f2&NotIn:f1/Exists`: terms of which one has to hold, each of
    expressions that all do.
    """
    terms = [{"matchExpressions": [*map(_expression, term.split("&"))]} for term in text.split("/")]
    required = {"nodeSelectorTerms": terms}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


def _expression(text: str) -> Json:
    """Return the expression of `In:f1`, or of `Exists@zone` about a label that no flavor has."""
    operator, _, values = text.partition(":")
    operator, _, other = operator.partition("@")
    expression: dict[str, Any] = {"key": OTHER_LABEL if other else LABEL, "operator": operator}
    return {**expression, "values": values.split(",")} if values else expression
