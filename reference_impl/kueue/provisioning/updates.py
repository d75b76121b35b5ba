"""What pods get once their capacity is provided: podSetUpdates (PA-085…089)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from reference_impl.api.resource import Json

from .config import ProvisioningConfig
from .request import Request

CONSUMES: Final = "autoscaling.x-k8s.io/consume-provisioning-request"
CLASS: Final = "autoscaling.x-k8s.io/provisioning-class-name"
CONSUMES_V0_6: Final = "cluster-autoscaler.kubernetes.io/consume-provisioning-request"
LABEL_VALUE: Final = re.compile(r"(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?")


def consumer_annotations(request: Request) -> Mapping[str, str]:
    """Return by what pods say that they consume a request (PA-086)."""
    return {CONSUMES: request.name, CLASS: request.class_name}


def consumer_annotations_v0_9(request: Request) -> Mapping[str, str]:
    """Return both families, as v0.9 to v0.13 wrote them (DK-21)."""
    return {
        CONSUMES_V0_6: request.name,
        "cluster-autoscaler.kubernetes.io/provisioning-class-name": request.class_name,
        **consumer_annotations(request),
    }


def consumer_annotations_v0_6(request: Request) -> Mapping[str, str]:
    """Return the first one alone (DK-21, DK-22)."""
    return {CONSUMES_V0_6: request.name}


def node_labels(request: Request, config: ProvisioningConfig) -> Mapping[str, str]:
    """Return the labels of the nodes that were provided; a detail that is missing is left out (PA-087)."""
    pairs = ((key, request.details.get(detail)) for key, detail in config.labels or ())
    return {key: value for key, value in pairs if value is not None}


def valid_node_labels(request: Request, config: ProvisioningConfig) -> Mapping[str, str]:
    """Return the same without details that can be no label:
    they are left out like missing ones (PC-11, fixed).
    """
    return {key: value for key, value in node_labels(request, config).items() if LABEL_VALUE.fullmatch(value)}


def pod_sets_of(
    request: Request, pod_sets: Iterable[Json], template: Callable[[str, str], str]
) -> tuple[str, ...]:
    """Return the podSets whose template is in the request,
    in its order; merged ones have none (PA-085, PA-088).

    A template of another client gives an empty name.
    """
    names = {template(request.name, pod_set["name"]): pod_set["name"] for pod_set in pod_sets}
    # A template of something else gives an empty name, which the API refuses: such a
    # request was made by another client (PC-06).
    return tuple(names.get(name, "") for name in request.templates)


def pod_set_updates(
    names: Iterable[str], notes: Mapping[str, str], selector: Mapping[str, str]
) -> Sequence[Json]:
    """Return one update for each podSet."""
    return [
        {
            "name": name,
            "annotations": dict(notes),
            **({"nodeSelector": dict(selector)} if selector else {}),
        }
        for name in names
    ]
