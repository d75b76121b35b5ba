"""Who plays Kueue: the reference, a real one found in the cluster, or the harness itself (`scripted`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ..backends import Cluster, InProcessFunctions
from ..dialect import Dialect
from ..errors import UsageError, unknown
from ..proof import Proof
from ..wire.raw import Headers, RawAnswer, RawRequest, Sent

Way = Literal["none", "in-process", "served"]
"""How something is served: not at all, by functions of this process, or by a server."""


@dataclass(frozen=True, slots=True)
class Serving:
    """What a control plane is wanted to serve, its webhooks and the API of pending Workloads, and how it is configured."""

    webhooks: Way = "none"
    visibility: Way = "none"
    older_versions: bool = False
    """The kinds are served in v1beta1 too, converted by functions of this process, also without webhooks."""
    provisioning: bool = False
    """It makes ProvisioningRequests for the checks that ask for them."""
    configured: frozenset[str] = frozenset()
    """What of `CONFIGURABLE` its configuration switches on."""


DEFAULT_SERVING = Serving()
SCRIPTED = "scripted control plane"
DEPLOYED = "reference:deployed"
METRICS = "metrics of the control plane"
"""What it counts can be read, in Prometheus' text format."""
VISIBILITY = "pending-workloads API"
"""It serves visibility.kueue.x-k8s.io, which the API server passes requests on to."""
VISIBILITY_GROUP = "visibility.kueue.x-k8s.io"
DIRECT = "the visibility server's own port"
"""Its server can be asked without the API server in front."""

FAIR_SHARING = "fair sharing"
"""Its configuration has fairSharing, with both preemption strategies."""
ADMISSION_FAIR_SHARING = "admission fair sharing"
"""Its configuration has admissionFairSharing."""
BLOCKED_ADMISSION = "blocked admission"
"""Its configuration has waitForPodsReady.blockAdmission."""
CONFIGURABLE = frozenset({FAIR_SHARING, ADMISSION_FAIR_SHARING, BLOCKED_ADMISSION})


class Running(Protocol):
    """A control plane at work on one cluster."""

    def stop(self) -> None:
        """End it and wait until it has let go of everything."""

    def ended(self) -> str:
        """Tell what of it has ended by itself, with the end of its log; empty while it works, or where that is not seen."""


class Measured(Running, Protocol):
    """One whose metrics can be read in this process."""

    def exposition(self) -> str:
        """Return what its `/metrics` would answer."""


class Reachable(Running, Protocol):
    """One whose visibility server can be asked by this process."""

    def ask(self, method: str, target: str, headers: Headers, body: bytes) -> RawAnswer:
        """Send a request to the visibility server itself."""

    def send(self, requests: Sequence[RawRequest]) -> Sent:
        """Send several requests to it at one moment, and wait for no answer."""


class ControlPlane(Protocol):
    """Knows how Kueue's part is played."""

    name: str
    features: frozenset[str]
    lacks: frozenset[str]
    """Features of a backend that are of no use with it."""
    images: tuple[str, ...]
    """Images, or archives of images, that the nodes of a cluster have to know."""

    def install(self, cluster: Cluster, dialect: Dialect, serving: Serving = DEFAULT_SERVING) -> None:
        """Put what it needs into a cluster, once: kinds and rights, and what makes the API server ask for what it serves."""

    def start(self, cluster: Cluster, dialect: Dialect, serving: Serving = DEFAULT_SERVING) -> Running:
        """Have it reconcile a cluster; returns when it does, and when its API of pending Workloads answers where that is wanted."""

    def in_process_functions(self, dialect: Dialect, serving: Serving) -> InProcessFunctions:
        """Return what the cluster has to know before it is made: the functions of what is served `inside`."""

    def close(self) -> None:
        """End what serves all clusters."""

    def version(self) -> str:
        """Return the version as the control plane itself tells it."""

    def release(self) -> str:
        """Return the version of Kueue that it was seen to be, such as `v0.19.2`; empty where it is whatever it is told to be."""

    def proof(self, cluster: Cluster) -> Proof:
        """Return the proof that it is a real Kueue. Raises Unproven for what only plays one."""


def choose(text: str, backend: str) -> ControlPlane:
    """Return a control plane by its text, such as `reference` or `upstream:./kueue`. Raises UsageError for one that there is not, or where none was named."""
    from .deployed import DeployedReference
    from .no_control_plane import NoControlPlane
    from .reference import Reference
    from .scripted import Scripted
    from .upstream import upstream

    known: dict[str, Callable[[], ControlPlane]] = {
        "none": NoControlPlane,
        "reference": lambda: DeployedReference() if rest else Reference(),
        "scripted": Scripted,
        "upstream": lambda: upstream(rest),
    }
    if not text:
        raise UsageError(
            f"backend {backend!r} is somebody's cluster, and it is not said who plays Kueue there",
            hint="add --control-plane upstream for the Kueue in the cluster, or --control-plane reference to start ours",
        )
    name, _, rest = text.partition(":")
    if name not in known:
        raise unknown("control plane", text, known)
    if rest and name != "upstream" and text != DEPLOYED:
        raise UsageError(
            f"control plane {text!r} has something after the colon", hint=f"write --control-plane {name}"
        )
    chosen = known[name]()
    if name == "upstream" and chosen.images and backend != "kind":
        raise UsageError(
            f"image archives can be brought to the nodes of a kind cluster only, and --backend is {backend!r}",
            hint="have the nodes pull the images of the manifests, and leave images= out",
        )
    return chosen
