"""Texts of the provisioning check, exactly as the release writes them (provisioning.md B3, B8, B12)."""

from __future__ import annotations

import json
from typing import Final

CONTROLLER_NAME: Final = "kueue.x-k8s.io/provisioning-request"
"""The `controllerName` of its AdmissionChecks, and its field manager (PA-001, PA-008)."""
CONFIG_KIND: Final = "ProvisioningRequestConfig"
CONFIG_GROUP: Final = "kueue.x-k8s.io"

ACTIVE: Final = "The admission check is active"
MISSING_REFERENCE: Final = "missing parameters reference"
BAD_REFERENCE: Final = "bad parameters reference"
NOT_ACTIVE: Final = "the check is not active"
NOT_NEEDED: Final = "the provisioning request is not needed"
NO_REASON: Final = "The autoscaler refused the capacity and gave no reason"
"""No release says so (CC-036, fixed)."""
LONGEST_MESSAGE: Final = 32768


def quote(text: str) -> str:
    """Return a text as Go's %q writes it."""
    return json.dumps(text, ensure_ascii=False)


def not_found(kind: str, name: str) -> str:
    """Say that one of Kueue's objects is missing (PC-20)."""
    return f"{kind}.{CONFIG_GROUP} {quote(name)} not found"


def without_class(name: str) -> str:
    """Say that a configuration names no class; no release says so (PC-23)."""
    return f"{CONFIG_KIND} {quote(name)} has no provisioningClassName: {BAD_REFERENCE}"


def wrong(field: str, actual: str, expected: str) -> str:
    """Return the message for a wrong reference (PA-023, PA-024)."""
    return f"wrong {field} {quote(actual)}, expecting {quote(expected)}: {BAD_REFERENCE}"


def retrying(cause: str, message: str) -> str:
    """Say why another request is made after this one (PA-073, PA-077)."""
    return f"Retrying after {cause}: {message}"


def not_created(kind: str, name: str, error: str) -> str:
    """Say what could not be created (PA-122, PA-123)."""
    return f"Error creating {kind} {quote(name)}: {error}"


def request_created(name: str) -> str:
    """Say that a request was made (PA-120)."""
    return f"Created ProvisioningRequest: {quote(name)}"


def state_changed(check: str, before: str, after: str, message: str) -> str:
    """Say how the answer of a check changed (PA-121)."""
    suffix = f" with message: {message}" if message else ""
    return f"Admission check {check} updated state from {before} to {after}{suffix}"


def inconsistent(pod_set: str) -> str:
    """Say that quota was reserved for other podSets than there are (PA-042)."""
    return f"inconsistent podSet assignments: missing assignment for PodSet {quote(pod_set)}"


def already_owned(kind: str, name: str) -> str:
    """Say that an object belongs to something else (PC-08)."""
    return f"already owned by another {kind} controller {name}"
