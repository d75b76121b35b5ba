"""The pods that a request stands for, made from its PodTemplates (PR-130…134)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import is_not
from typing import Final, Protocol

from reference_impl.api.resource import Json, Key, key_of

from ..simulation.pod import Pod, PodShape
from .request import ProvisioningRequest

CONSUME: Final = "autoscaling.x-k8s.io/consume-provisioning-request"
CLASS_NAME: Final = "autoscaling.x-k8s.io/provisioning-class-name"
OLD_CONSUME: Final = "cluster-autoscaler.kubernetes.io/consume-provisioning-request"

MOST_SHAPES: Final = 1000
"""Of templates that are remembered."""
MOST_REQUESTS: Final = 2000
"""Whose pods are remembered."""

FindTemplate = Callable[[Key], Json | None]


class PodTemplates(Protocol):
    """The PodTemplates that there are."""

    changes: int
    """How often they have changed."""

    def get(self, key: Key) -> Json | None:
        """Return one by its name."""
        ...


class NoPodsError(Exception):
    """PodTemplates that a request names are not there."""


@dataclass(frozen=True, slots=True)
class _CachedPods:
    """Pods, with what they were made of: a request, its templates, and how often templates had changed."""

    request: Json
    templates: Sequence[Json]
    changes: int
    pods: Sequence[Pod]


@dataclass(frozen=True, slots=True)
class RequestPods:
    """Makes the pods of requests from the PodTemplates that there are."""

    templates: PodTemplates
    defaulted: Callable[[Json], Json]
    marks: Callable[[ProvisioningRequest], Mapping[str, str]]
    _shapes: dict[Key, tuple[Json, PodShape]] = field(default_factory=dict, init=False)
    """By template, as it was read last."""
    _made_of: dict[str, _CachedPods] = field(default_factory=dict, init=False)
    """By the uid of a request."""

    def __call__(self, request: ProvisioningRequest) -> Sequence[Pod]:
        """Return the pods of a request: podSet by podSet, one shape each.

        Raises NoPodsError with the text of its condition.
        """
        changes, seen_changes = self.templates.changes, self._made_of.get(request.uid)
        if (
            seen_changes is not None
            and seen_changes.request is request.object
            and seen_changes.changes == changes
        ):
            return seen_changes.pods
        templates = templates_of(request, self.templates.get)
        if (
            seen_changes is None
            or seen_changes.request is not request.object
            or any(map(is_not, seen_changes.templates, templates))
        ):
            if len(self._made_of) >= MOST_REQUESTS:
                self._made_of.clear()
            pods = self._make_pods(request, templates)
        else:
            pods = seen_changes.pods
        self._made_of[request.uid] = _CachedPods(request.object, templates, changes, pods)
        return pods

    def _make_pods(self, request: ProvisioningRequest, templates: Sequence[Json]) -> Sequence[Pod]:
        namespace, name = request.key
        annotations = self.marks(request)
        return [
            Pod(
                namespace=namespace,
                name=f"{name}-{index}-{replica}",
                shape=shape,
                uid=f"{namespace}/{name}-{index}-{replica}",
                annotations=annotations,
                owner=request.uid,
                created=request.created,
            )
            for index, (pod_set, there) in enumerate(zip(request.pod_sets, templates, strict=True))
            for shape in (self._shape(there),)
            for replica in range(int(pod_set["count"]))
        ]

    def _shape(self, template: Json) -> PodShape:
        """Return the shape of a template's pods: the same value for as long as the template is unchanged."""
        key = key_of(template)
        revision, shape = self._shapes.get(key, (None, None))
        if shape is None or revision is not template:
            inner = template["template"]
            spec = self.defaulted(inner.get("spec") or {})
            shape = PodShape.of(key.namespace, inner.get("metadata") or {}, spec)
            if len(self._shapes) >= MOST_SHAPES:
                self._shapes.clear()
            self._shapes[key] = template, shape
        return shape


def templates_of(request: ProvisioningRequest, template: FindTemplate) -> Sequence[Json]:
    """Return the PodTemplates of a request, by its podSets. Raises NoPodsError when one is missing."""
    namespace = request.key.namespace
    templates = [template(Key(namespace, pod_set["podTemplateRef"]["name"])) for pod_set in request.pod_sets]
    missing = [
        pod_set["podTemplateRef"]["name"]
        for pod_set, there in zip(request.pod_sets, templates, strict=True)
        if there is None
    ]
    if missing:
        raise NoPodsError(
            f"missing pod templates, {len(templates)} pod templates were referenced, "
            f"{len(missing)} templates were missing: {','.join(missing)}"
        )
    return templates


def pod_annotations(request: ProvisioningRequest) -> Mapping[str, str]:
    """Return the annotations of the pods that stand for a request (PR-131)."""
    return {CONSUME: request.key.name, CLASS_NAME: request.class_name}


def consumed_request(pod: Pod) -> str | None:
    """Return the request whose capacity a pod uses,
    the new annotation before the old; None for an ordinary pod (PR-180…183).
    """
    consumer = pod.annotations.get(CONSUME)
    return pod.annotations.get(OLD_CONSUME) if consumer is None else consumer


def keep_pod_spec(spec: Json) -> Json:
    """Read the spec of a PodTemplate without defaults: a limit stands in for a missing request (PR-132)."""
    return spec


def ignore_limits(spec: Json) -> Json:
    """Leave limits out of the spec of a PodTemplate: 1.30 does not take them for requests (finding S4)."""
    changed = {
        group: [_without_limits(container) for container in spec.get(group) or ()]
        for group in ("containers", "initContainers")
    }
    return {**_without_limits(spec), **changed}


def _without_limits(holder: Json) -> Json:
    resources = {
        name: amounts for name, amounts in (holder.get("resources") or {}).items() if name != "limits"
    }
    return {**holder, "resources": resources}
