"""The closed vocabularies: profiles with their families, capabilities of subjects (harness/H-07, H-14)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Capability(StrEnum):
    """An optional feature that a subject declares."""

    READY = "Ready"
    RETRY = "Retry"
    REJECTED = "Rejected"
    REVOKE = "Revoke"
    PARAMETERS = "Parameters"
    MANY_CHECKS = "ManyChecks"
    POD_SET_UPDATES = "PodSetUpdates"
    RETRY_DELAY = "RetryDelay"
    CLEANUP = "Cleanup"
    LEADER_ELECTION = "LeaderElection"
    RESTART = "Restart"
    PROVISIONING = "Provisioning"


@dataclass(frozen=True, slots=True)
class Profile:
    """A named set of scenarios: those of one family, that is of one folder of suites."""

    name: str
    family: str
    folder: str
    judges: str
    """`control plane`, `check controller` or `API server`."""


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("ADMISSION", "ADM", "admission", "control plane"),
        Profile("CHECK-CONTROLLER", "CHK", "check_controller", "check controller"),
        Profile("QUEUEING", "QUE", "queueing", "control plane"),
        Profile("VISIBILITY", "VSB", "visibility", "control plane"),
        Profile("PROVISIONING-CHECK", "PRC", "provisioning_check", "control plane"),
        Profile("PROVISIONING-REQUEST", "PRQ", "provisioning_request", "control plane"),
        Profile("API-SERVER", "API", "api_server", "API server"),
    )
}

FAMILIES = {profile.family: profile for profile in PROFILES.values()}
