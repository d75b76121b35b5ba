"""Requests of the proposal: their fields, classes and annotation, and when they have ended (PR-018…021,
PR-050, PR-212, PR-218).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from reference_impl.api.kinds import PROVISIONING_REQUESTS

from ..requests.expiry import ANSWERED_SECONDS, NEVER
from ..requests.pods import OLD_CONSUME
from ..requests.request import ACCEPTED, FAILED, PROVISIONED, ProvisioningRequest, RequestFields
from ..requests.routing import RequestRouting
from ..simulation.pod import Pod
from .conditions import CAPACITY_AVAILABLE

RESOURCE: Final = replace(PROVISIONING_REQUESTS, version="v1alpha1aep")
FIELDS: Final = RequestFields("provisioningClass", "additionalParameters", "additionalStatus")
CHECK_CAPACITY: Final = "check-capacity.kubernetes.io"
ATOMIC_SCALE_UP: Final = "atomic-scale-up.kubernetes.io"


def is_check(request: ProvisioningRequest, _instance: str) -> bool:
    """Tell whether a request only asks whether there is room."""
    return request.class_name == CHECK_CAPACITY


def is_atomic(request: ProvisioningRequest, _instance: str) -> bool:
    """Tell whether a request has all its nodes added at once, or none."""
    return request.class_name == ATOMIC_SCALE_UP


ROUTING: Final = RequestRouting(is_check, is_atomic)


def is_picked(routing: RequestRouting, request: ProvisioningRequest, instance: str) -> bool:
    """Tell whether a request is looked at; one that its class does not allow is not (PR-272)."""
    accepted = request.condition(ACCEPTED)
    allowed = accepted is None or accepted["status"] == "True"
    return allowed and routing.is_served(request, instance)


def pod_annotations(request: ProvisioningRequest) -> Mapping[str, str]:
    """Return the annotation of the pods that stand for a request."""
    return {OLD_CONSUME: request.key.name}


def consumed_request(pod: Pod) -> str | None:
    """Return the request whose capacity a pod uses: there is one annotation for it (PR-212)."""
    return pod.annotations.get(OLD_CONSUME)


def is_answered(request: ProvisioningRequest) -> bool:
    """Tell whether a request has its last answer; a check has but one (PR-202)."""
    return (
        request.is_true(FAILED)
        or request.is_true(PROVISIONED)
        or request.condition(CAPACITY_AVAILABLE) is not None
    )


def is_never_booked(_routing: RequestRouting, _request: ProvisioningRequest, _instance: str) -> bool:
    """Keep capacity for no request (PR-201, PR-211)."""
    return False


def deletion_time(request: ProvisioningRequest) -> float:
    """Return the moment after which the last answer is so old that the request is deleted (PR-218)."""
    ends = [
        request.since(kind)
        for kind in (FAILED, PROVISIONED, CAPACITY_AVAILABLE)
        if kind == CAPACITY_AVAILABLE or request.is_true(kind)
    ]
    return min((since for since in ends if since is not None), default=NEVER) + ANSWERED_SECONDS
