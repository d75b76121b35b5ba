"""Deployments, ReplicaSets, StatefulSets, DaemonSets and what they may change (FK-500, FK-504)."""

from __future__ import annotations

from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import FieldError
from ..core.pod.validation import claims, pod_spec
from ..core.templates import numbers
from ..validation import basics
from ..validation.basics import Errors
from . import strategies
from .pod_templates import (
    OF_DAEMON_SET,
    OF_DEPLOYMENT,
    OF_STATEFUL_SET,
    always_running,
    judge_selector_and_template,
    optionally_selected,
)

STATEFUL_MUTABLE = (
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds",
)
STATEFUL_TEXT = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy',"
    " 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)
DATA_MANDATORY = "data is mandatory"


def deployment(obj: Json) -> list[FieldError]:
    """Judge a Deployment."""
    spec = obj["spec"]
    return [
        *numbers(spec, ("replicas",)),
        *_always_running_pods(spec),
        *strategies.deployment(spec),
        *numbers(spec, ("minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds")),
        *_progress(spec),
    ]


def _progress(spec: Json) -> Errors:
    deadline = spec.get("progressDeadlineSeconds")
    if deadline is not None and deadline <= spec.get("minReadySeconds", 0):
        yield fields.invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")


def replica_set(obj: Json) -> list[FieldError]:
    """Judge a ReplicaSet."""
    return [*numbers(obj["spec"], ("replicas", "minReadySeconds")), *_always_running_pods(obj["spec"])]


def _always_running_pods(spec: Json) -> Errors:
    """Judge selector and template; a template is not looked at as long as the selector cannot be read."""
    yield from judge_selector_and_template(spec, OF_DEPLOYMENT)
    if not any(basics.label_selector(spec.get("selector"), "")):
        yield from always_running(spec, OF_DEPLOYMENT)


def stateful_set(obj: Json) -> list[FieldError]:
    """Judge a new StatefulSet."""
    spec = obj["spec"]
    return [
        *strategies.stateful_set(spec),
        *_claims(spec.get("volumeClaimTemplates") or []),
        *_replica_numbers(spec),
        *basics.optional_name(spec.get("serviceName"), "spec.serviceName", basics.dns_label),
        *_claiming(spec),
    ]


def _replica_numbers(spec: Json) -> Errors:
    yield from numbers(spec, ("replicas", "minReadySeconds"))
    yield from basics.not_negative((spec.get("ordinals") or {}).get("start"), "spec.ordinals.start")


def _claims(templates: list[Json]) -> Errors:
    for number, claim in enumerate(templates):
        yield from claims.spec(claim["spec"], f"spec.volumeClaimTemplates[{number}].spec")


def _claiming(spec: Json) -> Errors:
    """Judge selector and template with a volume for each claim, in the place of volumes of the same name."""
    names = [claim["metadata"].get("name", "") for claim in spec.get("volumeClaimTemplates") or ()]
    claimed = {name: {"name": name, "persistentVolumeClaim": {"claimName": name}} for name in names}
    pod = {
        name: value
        for name, value in spec["template"]["spec"].items()
        if name not in {"hostname", "subdomain"}
    }
    if claimed:
        own = [volume for volume in pod.get("volumes") or () if volume["name"] not in claimed]
        pod = {**pod, "volumes": [*claimed.values(), *own]}
    template = {**spec["template"], "spec": pod}
    yield from judge_selector_and_template({**spec, "template": template}, OF_STATEFUL_SET)
    if not list(basics.label_selector(spec.get("selector"), "spec.selector")):
        yield from pod_spec.judge_metadata(template, "spec.template")  # once more, as the real server does
    yield from always_running(spec, OF_STATEFUL_SET)


def judge_stateful_set_update(after: Json, before: Json) -> list[FieldError]:
    """Judge an update of a StatefulSet: what cannot change is not judged again."""
    spec = after["spec"]
    immutable_members = [
        {name: value for name, value in obj["spec"].items() if name not in STATEFUL_MUTABLE}
        for obj in (after, before)
    ]
    return [
        *strategies.stateful_set(spec),
        *_replica_numbers(spec),
        *_claiming(spec),
        *([] if immutable_members[0] == immutable_members[1] else [fields.forbidden("spec", STATEFUL_TEXT)]),
    ]


def daemon_set(obj: Json) -> list[FieldError]:
    """Judge a DaemonSet."""
    spec = obj["spec"]
    return [
        *optionally_selected(spec, OF_DAEMON_SET),
        *always_running(spec, OF_DAEMON_SET),
        *numbers(spec, ("minReadySeconds",)),
        *strategies.daemon_set(spec),
        *numbers(spec, ("revisionHistoryLimit",)),
    ]


def judge_daemon_set_update(after: Json, before: Json) -> list[FieldError]:
    """Judge an update of a DaemonSet: its immutable selector, then the object."""
    return [*same_selector(after, before), *daemon_set(after)]


def same_selector(after: Json, before: Json) -> list[FieldError]:
    """Judge that the selector stays."""
    return [*basics.immutable(after["spec"].get("selector"), before["spec"].get("selector"), "spec.selector")]


def revision(obj: Json) -> list[FieldError]:
    """Judge a new ControllerRevision."""
    data = obj.get("data")
    missing = []
    if not isinstance(data, dict):
        missing = [
            fields.required("data", DATA_MANDATORY if data is None else "data must be a valid JSON object")
        ]
    return [*basics.not_negative(obj.get("revision"), "revision"), *missing]


def judge_revision_update(after: Json, before: Json) -> list[FieldError]:
    """Judge an update of a ControllerRevision, which keeps its data."""
    return [
        *basics.not_negative(after.get("revision"), "revision"),
        *basics.immutable(after.get("data"), before.get("data"), "data"),
    ]
