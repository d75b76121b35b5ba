"""The control plane of a run: the reference, a real Kueue, or the harness itself (`scripted`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ..backends.backend import InProcessFunctions
from ..backends.cluster import Cluster
from ..base.errors import UsageError, unknown
from ..programs.proof import Proof
from ..scenarios.capability import PROVISIONING_REQUESTS
from ..scenarios.dialect import Dialect
from ..wire.raw_client import Headers, RawAnswer, RawRequest, SentRequests

Way = Literal["none", "in-process", "served"]
"""How webhooks or the visibility API are served: not at all, by functions of this process, or by a server."""


@dataclass(frozen=True, slots=True)
class ServedApis:
    """What a control plane serves: webhooks and the visibility API; and its configuration."""

    webhooks: Way = "none"
    visibility: Way = "none"
    older_versions: bool = False
    """The kinds are served in v1beta1 too, converted by functions of this process, even without webhooks."""
    provisioning: bool = False
    """Its provisioning check controller is on."""
    jobs: bool = True
    """Its integration of Jobs is on."""
    configured: frozenset[str] = frozenset()
    """The members of `CONFIGURABLE` that its configuration switches on."""
    elects_leader: bool = False
    """It leads by a Lease, so that another replica can be started beside it."""


DEFAULT_SERVING = ServedApis()
SCRIPTED = "scripted control plane"
DEPLOYED = "reference:deployed"
UPSTREAM = "upstream"
"""A real Kueue; what follows behind a colon says how it is started."""
METRICS = "metrics of the control plane"
"""Its metrics can be read, in Prometheus' text format."""
VISIBILITY = "pending-workloads API"
"""It serves visibility.kueue.x-k8s.io, behind the API server's aggregation layer."""
VISIBILITY_GROUP = "visibility.kueue.x-k8s.io"
DIRECT = "the visibility server's own port"
"""Its visibility server can be reached without the API server."""

REPLICAS = "two replicas of Kueue"
"""A second one can be started beside it; they elect a leader."""

FAIR_SHARING = "fair sharing"
"""Its configuration has fairSharing, with both preemption strategies."""
ADMISSION_FAIR_SHARING = "admission fair sharing"
"""Its configuration has admissionFairSharing."""
BLOCKED_ADMISSION = "blocked admission"
"""Its configuration has waitForPodsReady.blockAdmission."""
LIMITED_REQUEUING = "limited requeuing"
"""Its configuration has waitForPodsReady.requeuingStrategy with a backoffLimitCount of 1."""
SHORT_RECOVERY = "short recovery"
"""Its configuration has waitForPodsReady.recoveryTimeout of `1m`."""
WORKLOAD_TIMEOUTS = "timeouts of Workloads"
"""Its feature gate WorkloadLevelWaitForPodsReady is on."""
ALPHA_APIS = "alpha APIs"
"""The kinds of kueue.x-k8s.io/v1alpha1 are installed."""
MANAGED_NAMESPACES = "managed namespaces"
"""Its configuration has a managedJobsNamespaceSelector that leaves out what has the label `UNMANAGED`."""
UNMANAGED = "kueue-conformance.dev/unmanaged"
"""The label of namespaces whose Jobs are not managed."""
OBJECT_RETENTION = "object retention"
"""Its configuration has objectRetentionPolicies.workloads with an afterFinished of `1h`."""
ADMITTED_WORKLOADS = "admitted-workloads API"
"""Its feature gate VisibilityAdmittedWorkloads is on, which no release of Kueue has."""
CONFIGURABLE = frozenset(
    {
        FAIR_SHARING,
        ADMISSION_FAIR_SHARING,
        BLOCKED_ADMISSION,
        LIMITED_REQUEUING,
        SHORT_RECOVERY,
        OBJECT_RETENTION,
        MANAGED_NAMESPACES,
        ADMITTED_WORKLOADS,
        WORKLOAD_TIMEOUTS,
        ALPHA_APIS,
    }
)
INSTALLED = frozenset({WORKLOAD_TIMEOUTS, ALPHA_APIS})
"""Those of them that change what is installed: webhooks and definitions."""
GATES: Mapping[str, str] = {
    VISIBILITY: "VisibilityOnDemand",
    PROVISIONING_REQUESTS: "ProvisioningACC",
    ADMISSION_FAIR_SHARING: "AdmissionFairSharing",
    OBJECT_RETENTION: "ObjectRetentionPolicies",
    WORKLOAD_TIMEOUTS: "WorkloadLevelWaitForPodsReady",
}
"""The feature gate of Kueue on which a feature hangs: the reference has it on for a case that needs the
feature, unless the run sets it off.
"""
MADE_BY_GATES = frozenset({WORKLOAD_TIMEOUTS})
"""Features that their gate alone makes: nothing else is configured for them."""


class RunningControlPlane(Protocol):
    """A running control plane on one cluster."""

    def stop(self) -> None:
        """Stop the control plane; return when its tasks and connections have ended."""

    def exit_reason(self) -> str:
        """Return which part has ended by itself, with the end of its log; empty while it works, or where that
        cannot be seen.
        """


class HasMetrics(RunningControlPlane, Protocol):
    """A control plane whose metrics can be read in this process."""

    def exposition(self) -> str:
        """Return the text of its `/metrics`."""


class HasDirectAccess(RunningControlPlane, Protocol):
    """A control plane whose visibility server this process can reach."""

    def ask(self, method: str, target: str, headers: Headers, body: bytes) -> RawAnswer:
        """Send a request to the visibility server directly."""

    def send(self, requests: Sequence[RawRequest]) -> SentRequests:
        """Send several requests to the visibility server at one moment, without waiting for answers."""


class ControlPlane(Protocol):
    """Installs and starts a control plane."""

    name: str
    features: frozenset[str]
    lacks: frozenset[str]
    """Features of a backend that do not work with this control plane."""
    images: tuple[str, ...]
    """Images, or image archives, that the nodes of a cluster need."""

    def install(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> None:
        """Install CustomResourceDefinitions, RBAC,
        webhook configurations and APIServices into a cluster, once.
        """

    def start(
        self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING
    ) -> RunningControlPlane:
        """Start to reconcile a cluster; returns when it does,
        and when its visibility API answers where that is wanted.
        """

    def in_process_functions(self, dialect: Dialect, serving: ServedApis) -> InProcessFunctions:
        """Return the functions that a fake cluster calls as webhooks and converters, needed before the
        cluster is made.
        """

    def uninstall(self) -> None:
        """Delete what `install` has brought into a cluster that outlives the run; called while the control
        plane still works, so that the API server does not call a stopped one.
        """

    def close(self) -> None:
        """Stop the servers that serve all clusters."""

    def version(self) -> str:
        """Return the version that the control plane reports."""

    def release(self) -> str:
        """Return the observed release of Kueue, such as `v0.19.2`; empty where the dialect decides."""

    def feature_gates(self) -> Mapping[str, bool]:
        """Return the feature gates that were read from it; the others have the defaults of its release."""

    def proof(self, cluster: Cluster) -> Proof:
        """Return the proof that it is a real Kueue. Raises Unproven for an imitation."""


class Replaceable(ControlPlane, Protocol):
    """A control plane that takes the place of another one, and whose place another one can take."""

    def replace(self, cluster: Cluster, dialect: Dialect, serving: ServedApis = DEFAULT_SERVING) -> None:
        """Install its objects over those of a stopped control plane; every object of users stays."""


class HasReplicas(ControlPlane, Protocol):
    """A control plane that can be started twice on one cluster."""

    def start_replica(self, cluster: Cluster, dialect: Dialect, serving: ServedApis) -> RunningControlPlane:
        """Start a second one, which waits until it leads; returns at once."""


def is_upstream(text: str) -> bool:
    """Tell whether a connection text names a real Kueue, such as `upstream:./kueue`."""
    return text.partition(":")[0] == UPSTREAM


def choose(text: str, backend: str) -> ControlPlane:
    """Return a control plane by its connection text, such as `reference` or `upstream:./kueue`.

    Raises UsageError for an unknown or missing one.
    """
    from .deployed_reference import DeployedReference
    from .no_control_plane import NoControlPlane
    from .reference import ReferenceControlPlane
    from .scripted import ScriptedControlPlane
    from .upstream import upstream

    factories: dict[str, Callable[[], ControlPlane]] = {
        "none": NoControlPlane,
        "reference": lambda: DeployedReference() if rest else ReferenceControlPlane(),
        "scripted": ScriptedControlPlane,
        UPSTREAM: lambda: upstream(rest),
    }
    if not text:
        raise UsageError(
            f"backend {backend!r} is an existing cluster, and no control plane is named for it",
            hint="add --control-plane upstream for the Kueue in the cluster, or --control-plane reference to start ours",
        )
    name, _, rest = text.partition(":")
    if name not in factories:
        raise unknown("control plane", text, factories)
    if rest and name != UPSTREAM and text != DEPLOYED:
        raise UsageError(
            f"control plane {text!r} has text after the colon", hint=f"write --control-plane {name}"
        )
    chosen = factories[name]()
    if name == UPSTREAM and chosen.images and backend != "kind":
        raise UsageError(
            f"image archives can be brought to the nodes of a kind cluster only, and --backend is {backend!r}",
            hint="leave images= out, so that the nodes pull the images of the manifests",
        )
    return chosen
