"""The pods that a request stands for, made from its PodTemplates (PR-130…134)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from reference_impl.api.resource import Json, Key

from ..simulation.pod import Pod, PodShape
from .request import Request

CONSUME: Final = "autoscaling.x-k8s.io/consume-provisioning-request"
CLASS_NAME: Final = "autoscaling.x-k8s.io/provisioning-class-name"
OLD_CONSUME: Final = "cluster-autoscaler.kubernetes.io/consume-provisioning-request"

FindTemplate = Callable[[Key], Json | None]


class NoPodsError(Exception):
    """PodTemplates that a request names are not there."""


def pods_of(request: Request, template: FindTemplate) -> Sequence[Pod]:
    """Return its pods: podSet by podSet, one shape each. Raises NoPodsError with the text of its condition."""
    namespace, name = request.key
    found = [template(Key(namespace, each["podTemplateRef"]["name"])) for each in request.pod_sets]
    missing = [
        each["podTemplateRef"]["name"]
        for each, there in zip(request.pod_sets, found, strict=True)
        if there is None
    ]
    if missing:
        raise NoPodsError(
            f"missing pod templates, {len(found)} pod templates were referenced, "
            f"{len(missing)} templates were missing: {','.join(missing)}"
        )
    return [
        Pod(
            namespace=namespace,
            name=f"{name}-{index}-{replica}",
            shape=shape,
            uid=f"{namespace}/{name}-{index}-{replica}",
            annotations={CONSUME: name, CLASS_NAME: request.class_name},
            owner=request.uid,
            created=request.created,
        )
        for index, (pod_set, there) in enumerate(zip(request.pod_sets, found, strict=True))
        for shape in (_shape(namespace, there),)
        for replica in range(int(pod_set["count"]))
    ]


def consumed(pod: Pod) -> str | None:
    """Return the request whose capacity a pod uses, the new annotation before the old; None for an ordinary pod (PR-180…183)."""
    found = pod.annotations.get(CONSUME)
    return pod.annotations.get(OLD_CONSUME) if found is None else found


def _shape(namespace: str, template: Json) -> PodShape:
    inner = template["template"]
    return PodShape.of(namespace, inner.get("metadata") or {}, inner.get("spec") or {})
