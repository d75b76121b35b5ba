"""PodTemplates of requests, and their owners (PA-065…069, PC-08)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from reference_impl.api.kinds import POD_TEMPLATES, PROVISIONING_REQUESTS, RESOURCE_FLAVORS, WORKLOADS
from reference_impl.api.resource import Json
from reference_impl.kueue.workload import pod_set_info
from reference_impl.kueue.workload.pod_set_info import PodSetConflict
from reference_impl.kueue.workload.view import Workload

from . import messages
from .managed_pod_sets import ManagedPodSet
from .request import Request

MANAGED: Final = "kueue.x-k8s.io/managed"
MANAGED_LABELS: Final[Mapping[str, str]] = {MANAGED: "true"}
MAPS: Final = frozenset({"labels", "annotations", "nodeSelector", "requests", "limits"})
"""Fields of a template whose entries have no defaults."""
CompleteTemplate = Callable[[Json], Json]


class TemplateRules(Protocol):
    """How templates are made in a dialect."""

    @property
    def complete_template(self) -> CompleteTemplate:
        """Return what fills in requests."""

    @property
    def labels(self) -> Mapping[str, str]:
        """Return what marks a template."""


class TemplateError(Exception):
    """A template that cannot be made; the text says why."""


class OwnedByAnotherError(Exception):
    """An object of the right name belongs to something else (PC-08)."""


def owner(api_version: str, kind: str, metadata: Json) -> Json:
    """Return the reference of what controls an object."""
    return {
        "apiVersion": api_version,
        "kind": kind,
        "name": metadata["name"],
        "uid": metadata["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }


def workload_owner(workload: Workload) -> Json:
    """Return the reference to a Workload."""
    return owner(WORKLOADS.api_version, WORKLOADS.kind, workload.metadata)


def pod_template(
    name: str, workload: Workload, pod_set: ManagedPodSet, flavors: Mapping[str, Json], how: TemplateRules
) -> Json:
    """Return the PodTemplate of a podSet on its flavors. Raises TemplateError."""
    template = how.complete_template(pod_set.pod_set["template"])
    try:
        info = pod_set_info.of_flavors(pod_set.assignment, flavors)
        template = pod_set_info.inject(template, info)
    except KeyError as missing:
        raise TemplateError(messages.not_found(RESOURCE_FLAVORS.kind, str(missing.args[0]))) from None
    except PodSetConflict as conflict:
        raise TemplateError(str(conflict)) from None
    return {
        "apiVersion": POD_TEMPLATES.api_version,
        "kind": POD_TEMPLATES.kind,
        "metadata": {
            "name": name,
            "namespace": workload.namespace,
            **({"labels": dict(how.labels)} if how.labels else {}),
            "ownerReferences": [workload_owner(workload)],
        },
        "template": template,
    }


def use_limits_as_requests(template: Json) -> Json:
    """Return a template whose missing requests are its limits: of containers and of the pod (PA-066)."""
    spec = dict(template.get("spec") or {})
    for kind in ("containers", "initContainers"):
        if kind in spec:
            spec[kind] = [_requesting(container) for container in spec[kind]]
    return {**template, "spec": _requesting(spec)}


def keep_requests(template: Json) -> Json:
    """Leave limits limits, as v0.6 did (DK-19)."""
    return template


def _requesting(holder: Json) -> Json:
    resources = holder.get("resources") or {}
    limits = resources.get("limits")
    if not limits:
        return holder
    requests = {**limits, **(resources.get("requests") or {})}
    return {**holder, "resources": {**resources, "requests": requests}}


def transfer(template: Json, request: Request, workload: Workload) -> Json | None:
    """Return a template that belongs to the request from now on, None when it does.

    Raises OwnedByAnotherError.

    A request of the same name that is no more counts as the same owner (PC-08).
    """
    ours = owner(request.object["apiVersion"], request.object["kind"], request.object["metadata"])
    present: Sequence[Json] = template["metadata"].get("ownerReferences") or ()
    if ours in present:
        return None
    before = workload_owner(workload)
    remaining = [owner for owner in present if not _has_same_owner(owner, before)]
    controller = next((owner for owner in remaining if owner.get("controller")), None)
    # By group, kind and name, without the uid: a request that was deleted and made
    # again takes its templates over (PC-08).
    if controller is not None and not _has_same_owner(controller, ours):
        raise OwnedByAnotherError(messages.already_owned(controller["kind"], controller["name"]))
    owners = [*(owner for owner in remaining if owner is not controller), ours]
    return {**template, "metadata": {**template["metadata"], "ownerReferences": owners}}


def _has_same_owner(first: Json, other: Json) -> bool:
    groups = (owner["apiVersion"].rpartition("/")[0] for owner in (first, other))
    return next(groups) == next(groups) and (first["kind"], first["name"]) == (other["kind"], other["name"])


def is_any_template(_template: Json, _expected: Json, _workload: Workload) -> bool:
    """Use whatever has the right name (PA-068)."""
    return True


def is_own_template(template: Json, _expected: Json, workload: Workload) -> bool:
    """Use a PodTemplate of this Workload that no request owns; any other of this name is replaced
    (PC-08, fixed).
    """
    owners = template["metadata"].get("ownerReferences") or ()
    return any(owner.get("controller") and owner["uid"] == workload.uid for owner in owners)


def has_expected_contents(template: Json, expected: Json, _workload: Workload) -> bool:
    """Use a PodTemplate with the contents that a new one would have, whatever owns it (KV-43)."""
    return _covers(template.get("template") or {}, expected.get("template") or {})


def _covers(present: Json, expected: Json) -> bool:
    """Tell whether a stored value has all of an expected one; the API server fills in fields, not entries."""
    if isinstance(expected, dict) and isinstance(present, dict):
        return all(
            present.get(name, {}) == expected.get(name, {})
            if name in MAPS
            else name not in expected or _covers(present.get(name), expected[name])
            for name in {*present, *expected}
        )
    if isinstance(expected, list) and isinstance(present, list):
        return len(present) == len(expected) and all(map(_covers, present, expected))
    return bool(present == expected)


def replaces_any(_template: Json, _workload: Workload, _request: str, _living: Callable[[str], str]) -> bool:
    """Replace every template that is not used (KV-43)."""
    return True


def is_left_over(template: Json, workload: Workload, request: str, living: Callable[[str], str]) -> bool:
    """Tell whether a template was made for a request of this name,
    or a Workload of this one's, that is no more.

    `living` finds the uid of the request of a name that there is.
    """
    owners = template["metadata"].get("ownerReferences") or ()
    controller = next((owner for owner in owners if owner.get("controller")), None)
    if controller is None:
        return False
    made_for: tuple[str, str] = (controller["kind"], controller["name"])
    if made_for == (PROVISIONING_REQUESTS.kind, request):
        return living(request) != str(controller["uid"])
    return made_for == (WORKLOADS.kind, workload.name)
