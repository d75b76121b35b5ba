"""A snapshot of one Workload for the provisioning check: the read-only view that decisions take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from reference_impl.api.objects import CheckState
from reference_impl.api.resource import Json
from reference_impl.kueue.workload.view import Workload

from .config import ProvisioningConfig
from .managed_pod_sets import ManagedPodSet
from .request import Request


@dataclass(frozen=True, slots=True)
class ProvisioningCheck:
    """A provisioning check of a Workload, with its configuration."""

    name: str
    entry: CheckState
    config: ProvisioningConfig | None = None
    """None for a check that is not active: its configuration is missing (PA-034)."""
    problem: str = ""
    """The problem of its reference, empty when it has none."""
    is_deleting: bool = False
    """Whether the AdmissionCheck waits for its finalizers."""

    @property
    def state(self) -> str:
        """Return the answer so far."""
        return str(self.entry["state"])


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadSnapshot:
    """A Workload with its checks and requests."""

    workload: Workload
    checks: tuple[ProvisioningCheck, ...] = ()
    requests: tuple[Request, ...] = ()
    """All that are taken for its own, the configured ones or not."""
    flavors: Mapping[str, Json] = field(default_factory=dict)
    template: Callable[[str], Json | None] = lambda _name: None
    """Finds a PodTemplate of its namespace."""
    request_uid: Callable[[str], str] = lambda _name: ""
    """Finds the uid of a request of its namespace, of whatever owner; empty where there is none."""
    current_time: float = 0.0
    jitter: float = 0.0


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """A check with its wanted podSets and its current request."""

    check: ProvisioningCheck
    pod_sets: tuple[ManagedPodSet, ...]
    request: Request | None = None
    attempt: int = 0
