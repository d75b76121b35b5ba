"""The closed vocabularies: profiles with their families, capabilities of subjects (harness/H-07, H-14)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .dialect import Family


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


MEANINGS = {
    Capability.READY: "it admits Workloads",
    Capability.RETRY: "it sends Workloads back to try again later",
    Capability.REJECTED: "it turns Workloads down for good",
    Capability.REVOKE: "it takes a Ready back after admission, by Retry or Rejected",
    Capability.PARAMETERS: "its AdmissionChecks refer to parameters, and are Active only with good ones",
    Capability.MANY_CHECKS: "it answers for several AdmissionChecks of one Workload",
    Capability.POD_SET_UPDATES: "its Ready brings labels, annotations, tolerations or node selectors for the pods",
    Capability.RETRY_DELAY: "its Retry says after how many seconds to try again",
    Capability.CLEANUP: "it begins work outside of Kueue for a Workload, such as objects or claims, and releases it with the Workload",
    Capability.LEADER_ELECTION: "of several replicas one is at work",
    Capability.RESTART: "it may be ended and started again at any time",
    Capability.PROVISIONING: "it makes ProvisioningRequests",
}


AUTOSCALER = "autoscaler"
CHECK_CONTROLLER = "check controller"
JOB_INTEGRATION = "job integration"
PROVISIONING_REQUESTS = "ProvisioningRequests"
"""ProvisioningRequests are served, and the subject makes them for Workloads."""
UPGRADES = "upgrade of Kueue"
"""The control plane of one release can take the place of that of another in the middle of a case."""
NEWER = "upgrade to a newer release"
"""The control plane that takes the place is of a newer release: no downgrade."""
UNGUARDED = "writes while no Kueue works"
"""Workloads can be written between two control planes: no webhook of a stopped one refuses that."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A named set of scenarios: those of one family, that is of one folder of suites."""

    name: str
    family: str
    folder: str
    judges: str
    """`control plane`, `check controller`, `job integration`, `API server`, `autoscaler`, or `control plane
    or check controller`: the latter where a subject is named.
    """
    needs: tuple[str, ...] = ()
    """Features of a backend or control plane that each of its scenarios needs."""
    capabilities: tuple[Capability, ...] = ()
    """Capabilities that a subject must declare for each of its scenarios."""
    speaks: Family = "Kueue"
    """The family of its dialects."""
    judges_own_jobs: bool = False
    """The control plane's own integration of Jobs is judged by the safety rules of job integrations, too."""

    @property
    def judges_autoscaler(self) -> bool:
        """Tell whether an autoscaler is judged; its cluster has no Kueue unless a scenario needs one."""
        return self.judges == AUTOSCALER

    @property
    def takes_subject(self) -> bool:
        """Tell whether a check controller can be judged."""
        return self.takes(CHECK_CONTROLLER)

    @property
    def needs_subject(self) -> bool:
        """Tell whether only a check controller can be judged."""
        return self.judges == CHECK_CONTROLLER

    def takes(self, role: str) -> bool:
        """Tell whether a subject of a role can be judged, such as `job integration`."""
        return self.judges.endswith(role)


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("ADMISSION", "ADM", "admission", "control plane"),
        Profile("CHECK-CONTROLLER", "CHK", "check_controller", "check controller"),
        Profile("QUEUEING", "QUE", "queueing", "control plane"),
        Profile("VISIBILITY", "VSB", "visibility", "control plane"),
        Profile(
            "PROVISIONING-CHECK",
            "PRC",
            "provisioning_check",
            "control plane or check controller",
            (PROVISIONING_REQUESTS,),
            (Capability.PROVISIONING,),
        ),
        Profile("PROVISIONING-REQUEST", "PRQ", "provisioning_request", AUTOSCALER, speaks="autoscaler"),
        Profile("JOB-INTEGRATION", "JIN", "job_integration", JOB_INTEGRATION),
        Profile("KUEUE-RECORDED", "KRC", "kueue_recorded", "control plane", judges_own_jobs=True),
        Profile("UPGRADE", "UPG", "upgrade", "control plane", (UPGRADES,)),
        Profile(
            "UPGRADE-CHECK-CONTROLLER", "UPC", "upgrade_check_controller", "check controller", (UPGRADES,)
        ),
        Profile("API-SERVER", "API", "api_server", "API server"),
    )
}

FAMILIES = {profile.family: profile for profile in PROFILES.values()}
