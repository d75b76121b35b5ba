"""Which changes of a Pod are allowed (FK-486)."""

from __future__ import annotations

from .....base.json_types import Json
from .....gotypes.golang import to_go_struct
from .....schema import fields
from ....specdiff import difference
from ....validation import basics
from ....validation.basics import Errors
from . import containers, placement, pod_annotations, pod_spec, volumes

MUTABLE_FIELDS = (
    "`spec.containers[*].image`",
    "`spec.initContainers[*].image`",
    "`spec.activeDeadlineSeconds`",
    "`spec.tolerations` (only additions to existing tolerations)",
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
)
ONLY_ADDITIONS = "only additions to spec.nodeSelector are allowed (no mutations or deletions)"
FEWER_TERMS = "no additions/deletions to non-empty NodeSelectorTerms list are allowed"
CONTAINER_FIELDS = ("containers", "initContainers")
AFFINITY = "requiredDuringSchedulingIgnoredDuringExecution"


def judge(pod: Json) -> list[fields.FieldError]:
    """Judge every Pod."""
    spec = pod["spec"]
    return [
        *pod_annotations.judge(pod["metadata"].get("annotations") or {}, spec, "metadata.annotations"),
        *pod_spec.judge(spec, "spec", of_pod=True),
        *volumes.without_account(spec, "spec"),
        *(error for name in CONTAINER_FIELDS for error in _images(spec.get(name) or [], f"spec.{name}")),
    ]


def _images(secrets: list[Json], path: str) -> Errors:
    for number, secret in enumerate(secrets):
        yield from containers.only_of_pods(secret, f"{path}[{number}]")


def new(pod: Json) -> list[fields.FieldError]:
    """Judge what only a new Pod must satisfy."""
    return list(_new(pod["spec"]))


def _new(spec: Json) -> Errors:
    if spec.get("ephemeralContainers"):
        yield fields.forbidden("spec.ephemeralContainers", "cannot be set on create")
    if spec.get("nodeName") and spec.get("schedulingGates"):
        yield fields.forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")


def judge_update(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge an update of a Pod: the rules of every one, then what it changes."""
    return [*judge(after), *_annotations(after, before), *_spec(after["spec"], before["spec"])]


def _annotations(after: Json, before: Json) -> Errors:
    """Judge that marks stay, and annotations once more."""
    new_marks, old_marks = (pod["metadata"].get("annotations") or {} for pod in (after, before))
    yield from pod_annotations.judge_update(new_marks, old_marks, "metadata.annotations")
    yield from pod_annotations.judge(new_marks, after["spec"], "metadata.annotations")


def _spec(new_spec: Json, old_spec: Json) -> Errors:
    for name in CONTAINER_FIELDS:
        containers = new_spec.get(name) or []
        if len(containers) != len(old_spec.get(name) or ()):
            yield fields.forbidden(f"spec.{name}", "pod updates may not add or remove containers")
            return
        for number, container in enumerate(containers):
            if not container.get("image"):
                yield fields.required(f"spec.{name}[{number}].image")
        yield from _images(containers, f"spec.{name}")
    deadline = list(_deadline(new_spec.get("activeDeadlineSeconds"), old_spec.get("activeDeadlineSeconds")))
    yield from deadline
    if deadline and new_spec.get("activeDeadlineSeconds") is not None:
        return
    yield from _tolerations(new_spec, old_spec)
    yield from _gates(new_spec, old_spec)
    yield from _rest(new_spec, old_spec)


def _deadline(new_value: int | None, old_value: int | None) -> Errors:
    path = "spec.activeDeadlineSeconds"
    if new_value is None:
        if old_value is not None:
            yield fields.invalid(path, None, "must not update from a positive integer to nil value")
    elif not 0 <= new_value <= basics.INT32_MAX:
        yield fields.invalid(path, new_value, f"must be between 0 and {basics.INT32_MAX}, inclusive")
    elif old_value is not None and old_value < new_value:
        yield fields.invalid(path, new_value, "must be less than or equal to previous value")


def _tolerations(new_spec: Json, old_spec: Json) -> Errors:
    after = {_plain(toleration) for toleration in new_spec.get("tolerations") or ()}
    for toleration in old_spec.get("tolerations") or ():
        if _plain(toleration) not in after:
            why = "existing toleration can not be modified except its tolerationSeconds"
            yield fields.forbidden("spec.tolerations", why)
            return
    yield from placement.tolerations(new_spec.get("tolerations") or [], "spec.tolerations")


def _plain(toleration: Json) -> frozenset[tuple[str, Json]]:
    return frozenset((name, value) for name, value in toleration.items() if name != "tolerationSeconds")


def _gates(new_spec: Json, old_spec: Json) -> Errors:
    before = {gate["name"] for gate in old_spec.get("schedulingGates") or ()}
    gates = {gate["name"]: number for number, gate in enumerate(new_spec.get("schedulingGates") or ())}
    for name, number in gates.items():
        if name not in before:
            why = f"only deletion is allowed, but found new scheduling gate '{name}'"
            yield fields.forbidden(f"spec.schedulingGates[{number}].name", why)


def _rest(new_spec: Json, old_spec: Json) -> Errors:
    """Judge everything that is not free to change by comparing what remains."""
    munged = dict(new_spec)
    for name in ("containers", "initContainers"):
        if munged.get(name):
            pairs = zip(munged[name], old_spec[name], strict=True)
            munged[name] = [{**container, "image": old.get("image", "")} for container, old in pairs]
    for name in ("activeDeadlineSeconds", "schedulingGates", "tolerations"):
        munged = _as_before(munged, old_spec, name)
    if (
        old_spec.get("terminationGracePeriodSeconds", 0) < 0
        and munged.get("terminationGracePeriodSeconds") == 1
    ):
        munged = _as_before(munged, old_spec, "terminationGracePeriodSeconds")
    if old_spec.get("schedulingGates"):
        yield from _node_selector(munged.get("nodeSelector"), old_spec.get("nodeSelector"))
        munged = _as_before(munged, old_spec, "nodeSelector")
        yield from _node_affinity(munged, old_spec)
        munged = _with_affinity(munged, old_spec)
    if munged != old_spec:
        text = f"pod updates may not change fields other than {','.join(MUTABLE_FIELDS)}\n"
        diff = difference(to_go_struct("core.v1.PodSpec", old_spec), to_go_struct("core.v1.PodSpec", munged))
        yield fields.forbidden("spec", text + diff)


def _as_before(spec: Json, old_spec: Json, name: str) -> Json:
    rest_of_spec = {key: value for key, value in spec.items() if key != name}
    return {**rest_of_spec, name: old_spec[name]} if name in old_spec else rest_of_spec


def _node_selector(after: Json, before: Json) -> Errors:
    if any((after or {}).get(key) != value for key, value in (before or {}).items()):
        yield fields.invalid("spec.nodeSelector", after, ONLY_ADDITIONS)


def _node_affinity(spec: Json, old_spec: Json) -> Errors:
    """Judge that a gated Pod's node affinity only becomes narrower."""
    before = ((old_spec.get("affinity") or {}).get("nodeAffinity") or {}).get(AFFINITY)
    if before is None:
        return
    after = ((spec.get("affinity") or {}).get("nodeAffinity") or {}).get(AFFINITY) or {}
    path = f"spec.affinity.nodeAffinity.{AFFINITY}.nodeSelectorTerms"
    new_terms, old_terms = after.get("nodeSelectorTerms") or [], before.get("nodeSelectorTerms") or []
    if old_terms and len(new_terms) != len(old_terms):
        go_terms = [to_go_struct("core.v1.NodeSelectorTerm", term) for term in new_terms]
        yield fields.invalid(path, go_terms or None, FEWER_TERMS)
        return
    for number, (new_term, old_term) in enumerate(zip(new_terms, old_terms, strict=False)):
        if not _narrower(new_term, old_term):
            why = "only additions are allowed (no mutations or deletions)"
            yield fields.invalid(f"{path}[{number}]", to_go_struct("core.v1.NodeSelectorTerm", new_term), why)


def _narrower(after: Json, before: Json) -> bool:
    return all(
        (after.get(name) or [])[: len(before.get(name) or ())] == (before.get(name) or [])
        for name in ("matchExpressions", "matchFields")
    )


def _with_affinity(spec: Json, old_spec: Json) -> Json:
    """Return the spec with the old node affinity."""
    before = (old_spec.get("affinity") or {}).get("nodeAffinity")
    rest = {name: value for name, value in (spec.get("affinity") or {}).items() if name != "nodeAffinity"}
    affinity = {**rest, **({"nodeAffinity": before} if before else {})}
    without_affinity = {name: value for name, value in spec.items() if name != "affinity"}
    return (
        {**without_affinity, "affinity": affinity} if affinity or "affinity" in old_spec else without_affinity
    )
