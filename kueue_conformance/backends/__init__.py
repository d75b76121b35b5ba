"""The API server of a run. A backend lends a `Cluster` to each case; suites do not know which backend it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ..cluster_options import ClusterOptions
from ..dialect import Dialect
from ..errors import UsageError
from ..history import Owns, Recorder
from ..proof import Proof
from ..wire.client import Client, Transport
from ..wire.client import connect as reach
from ..wire.endpoint import Endpoint
from .assets import find

VIRTUAL_TIME = "virtual time"
JOURNAL = "journal"
KINDS = ("fake", "envtest", "kind", "kubeconfig")
PODS = "pods"
"""The cluster runs pods, so that a subject can be deployed."""
WEBHOOKS = "webhooks"
"""The API server calls the control plane's webhooks: v1beta1 is converted, and Kueue's validation applies."""

FAULTS = "faults"
"""The requests and watches of the subject can be disturbed on purpose."""
SERVER_RESTART = "server restart"
"""The API server can be stopped and started again."""
REACHES_HOST = "pods that reach this machine"
"""Pods of the cluster can connect to this machine."""
GARBAGE = "garbage collection"
"""Objects are deleted after their owners."""
CLOCK_SKEW = "clock skew"
"""The API server's clock can differ from the subject's."""
FRONT = frozenset({JOURNAL, FAULTS, SERVER_RESTART})
"""What a front between the subject and a foreign API server adds, for a subject whose requests pass through
it.
"""
KUEUE_FAULTS = "faults of Kueue"
"""The requests and watches of the control plane can be disturbed on purpose."""
AUTOSCALER_FAULTS = "faults of the autoscaler"
"""The requests and watches of the autoscaler can be disturbed on purpose."""
KUEUE_RESTART = "restart of Kueue"
"""The control plane works for one case alone, which may stop and start it."""
OWN = "a cluster of its own"
"""The cluster is made for the run, which may write anywhere in it."""
SERVERS = "servers of this process"
"""The API server calls servers of the harness on loopback."""
AGGREGATED_ROLES = "aggregated ClusterRoles"
"""A controller fills the rules of aggregated ClusterRoles, as kube-controller-manager does."""
UNATTENDED = "no built-in controllers"
"""The only controllers, scheduler and kubelets of the cluster are those that the run starts."""
BARE_API_SERVER = frozenset({OWN, SERVERS, "users by token", UNATTENDED})
"""The API server was started to be judged itself: it knows alice and bob by their tokens, and runs no
built-in controllers.
"""


SLOW_REVIEWS = "slow access reviews"
"""A scenario can delay the API server's answers to SubjectAccessReviews."""


class Faults(Protocol):
    """Disturbs requests of the subject, never those of the harness or the control plane. Seconds are those of
    the cluster's clock.

    `kind` is `Workload` with its subresources or `Workload/status`, `verb` an RBAC verb, `name` an object's
    name; empty means all but Leases, without which a leader may have to end, and Events. A rule holds for
    `times` requests that it fits, 0 for ever.
    """

    def refuse(
        self,
        code: int,
        *,
        verb: str = "",
        kind: str = "",
        name: str = "",
        times: int = 0,
        after: bool = False,
        retry_after: int = 0,
    ) -> None:
        """Answer with an error; with `after`, carry out the request first."""

    def cut(self, *, verb: str = "", kind: str = "", times: int = 0, after: bool = False) -> None:
        """Cut the connection in place of an answer."""

    def cut_after(self, requests: int) -> None:
        """Answer so many requests and cut all later ones."""

    def delay(self, seconds: float, *, verb: str = "", kind: str = "", times: int = 0) -> None:
        """Answer later."""

    def serve_stale(self, revisions: int, *, kind: str = "", times: int = 0) -> None:
        """Answer reads from the state of so many revisions ago."""

    def end_watches(self, code: int = 0, *, kind: str = "") -> None:
        """End the open watches now: by an ERROR event with this code, or by cutting the connection."""

    def give_short_pages(self, items: int) -> None:
        """Return at most so many objects in a page of a list, as the API permits."""

    def freeze_watches(self, *, kind: str = "", times: int = 0) -> None:
        """Stop sending events on open watches, all or the given number, and keep their connections open."""

    def repeat_events(self, *, kind: str = "") -> None:
        """Send every event twice."""

    def withhold_bookmarks(self) -> None:
        """Send no bookmark."""

    def refuse_events(self, code: int, *, kind: str = "", times: int = 1, skip: int = 0) -> None:
        """End a watch with an ERROR event in place of the next event, or of a later one."""

    @property
    def struck(self) -> int:
        """How many times a fault of this case has affected a request or watch."""

    def clear(self) -> None:
        """Remove all faults; frozen watches end, so that no event arrives late."""


class Cluster(Protocol):
    """One API server as one case sees it."""

    transport: Transport

    @property
    def kubeconfig(self) -> str:
        """The path of a kubeconfig for an administrator."""

    @property
    def endpoint(self) -> Endpoint:
        """The API server for requests that `transport` cannot send; the harness is its user `admin`."""

    mark: str
    """The run's label value for objects made on this cluster; empty until `mark` was set."""
    log: Path | None
    """The log file of a control plane in this process; None for stderr."""
    host_address: str
    """The address by which the API server reaches this machine."""
    dial: Callable[[asyncio.Protocol], None] | None
    """Connects a client on the cluster's event loop without a socket; None for a server in another process,
    or in real time.
    """

    @property
    def recorder(self) -> Recorder:
        """The recorder of the case's story."""

    @property
    def faults(self) -> Faults | None:
        """Faults for the subject; None where the backend lacks the feature."""

    @property
    def kueue_faults(self) -> Faults | None:
        """Faults for the control plane; None where the backend lacks the feature."""

    @property
    def autoscaler_faults(self) -> Faults | None:
        """Faults for the autoscaler; None where the backend lacks the feature."""

    def begins(self, owns: Owns, calm: float) -> None:
        """Start to record a case; `owns` tells the case's objects from those of other cases on the cluster.

        In real time a wait ends only when nothing was written for `calm` seconds, if that is not 0.
        """

    def ends(self, react: Callable[[], bool]) -> bool:
        """Wait until the effects of the case are done, so that its story is complete; returns whether the
        cluster is quiet.
        """

    def restart_server(self, pause: float) -> None:
        """Stop the API server and start it again after `seconds`. Raises UsageError where the backend lacks
        the feature.
        """

    ahead: float
    """Seconds that the server's clock is ahead of the clock of a subject in this process."""

    def skew(self, seconds: float) -> None:
        """Set the server's clock ahead of the subject's, in seconds. Raises UsageError where the backend
        lacks the feature.
        """

    def now(self) -> float:
        """Return the cluster's time in seconds since the epoch."""

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Wait until `condition` holds or `seconds` have passed; `react` runs stand-ins in between.

        Returns whether the condition held. On a virtual clock the seconds pass only when everything is at
        rest.
        """

    def passes(self, seconds: float, react: Callable[[], bool]) -> None:
        """Let `seconds` pass; `react` runs stand-ins after each change."""

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Wait for quiet: settled on a virtual clock, `seconds` without a change in real time."""

    def answer_for(self, service: str, handler: Callable[[Any], Any]) -> Callable[[], None]:
        """Route the API server's requests for a Service (`namespace/name`) to a coroutine of this process;
        returns a function that ends it.

        Raises UsageError where servers are asked over the network only.
        """

    def reviews_take(self, seconds: float) -> None:
        """Delay each answer to a SubjectAccessReview by `seconds`. Raises UsageError where the backend lacks
        the feature.
        """

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Run the coroutine `work(clock)` on the cluster's event loop and return its result."""

    def identity_for_subject(self, folder: Path, replica: int = 1, account: str = "") -> str:
        """Return the path of a kubeconfig for a replica of the subject, with its own user where the backend
        can make one.

        For pods the server in it is one that they reach, and they have the rights of their service `account`;
        without the feature `REACHES_HOST` that is the kubeconfig of the cluster.
        """

    def cut_off(self, replica: int) -> None:
        """Cut off this replica of the subject: refuse all its requests; no effect where it has no user of its
        own.
        """

    def close(self) -> None:
        """Return the cluster to its backend."""


def lacking(feature: str) -> UsageError:
    """Return the UsageError for a feature that a backend lacks."""
    return UsageError(f"this backend has no {feature}", hint=f"add needs={feature!r}")


Prepare = Callable[[Cluster], None]


@dataclass(frozen=True, slots=True)
class InProcessFunctions:
    """Webhooks and conversions as functions of this process: an HTTP server with TLS would prove nothing
    about admission.
    """

    reviews: Mapping[str, Callable[[Any], Any]]
    """By webhook URL: a function from AdmissionReview to AdmissionReview."""
    converters: Mapping[str, Callable[[Any, str], Any]]
    """By CustomResourceDefinition: a function from an object and an apiVersion to the converted object."""
    extension: bool = False
    """Users will send requests to an extension API server, so that RBAC must be enforced."""


NO_FUNCTIONS = InProcessFunctions({}, {})


class Backend(Protocol):
    """Lends clusters."""

    name: str
    shared: bool
    """True when all workers of a run share one cluster; else each worker has its own."""

    @property
    def features(self) -> frozenset[str]:
        """The features of its clusters."""

    @property
    def handle(self) -> str:
        """What a worker needs to join the cluster that the leading process prepared; empty for nothing."""

    @property
    def program(self) -> str:
        """The server's name for the report; empty where it says nothing new."""

    def api_server(self) -> Endpoint:
        """Return an API server that is judged itself: without a control plane, with users admin, alice and
        bob.
        """

    def lend(
        self, dialect: Dialect, prepare: Prepare | None = None, functions: InProcessFunctions = NO_FUNCTIONS
    ) -> Cluster:
        """Return a cluster for one case.

        Where each case gets a cluster of its own, `prepare` installs, once for each dialect and with or
        without webhooks, what the control plane needs.
        """

    def proof(self) -> Proof:
        """Return the proof that its server is a real kube-apiserver. Raises Unproven for an imitation."""

    def failed(self) -> None:
        """Save logs that explain a failure of the run beside the report, before the cluster is gone."""

    def close(self) -> None:
        """Remove everything the backend made."""


_NOTHING = ClusterOptions()


def connect(
    text: str,
    *,
    foreign: bool = False,
    rights: Sequence[Any] | None = None,
    joined: str = "",
    allow_imitation: bool = False,
    cluster_options: ClusterOptions = _NOTHING,
    tell: Callable[[str], None] = print,
) -> Backend:
    """Return the backend for a connection text such as `fake` or `kubeconfig:PATH@context`. Raises
    ConformanceError.

    `rights` are the subject's RBAC rules on a cluster that the harness makes, None without a subject; a
    `foreign` subject lives in real time. `joined` is the `handle` of the backend of the process that leads
    the run. `allow_imitation` lets backend envtest take programs that are not the real ones. Backend kind
    makes the cluster that is `cluster_options`, and tells what it is doing.
    """
    kind, _, rest = text.partition(":")
    if kind == "fake":
        from .fake import FakeBackend, WallFakeBackend

        return WallFakeBackend(rights, tell) if foreign else FakeBackend(rights)
    if kind == "kubeconfig" and rest:
        from .kubeconfig import KubeconfigBackend

        path, _, context = rest.partition("@")
        return KubeconfigBackend(path, context, tell=tell)
    if kind == "envtest":
        from .envtest import EnvtestBackend

        return EnvtestBackend(joined, allow_imitation=allow_imitation)
    if kind == "kind":
        from .kind import KindBackend

        return KindBackend(cluster_options, joined, tell)
    raise UsageError(
        f"backend {text!r} is incomplete", hint="write fake, envtest, kind, or kubeconfig:PATH[@context]"
    )


def look(text: str, *, allow_imitation: bool = False, cluster_options: ClusterOptions = _NOTHING) -> None:
    """Raise ConformanceError when a backend cannot be used: no kubeconfig, server, programs or Docker."""
    kind, _, rest = text.partition(":")
    if kind == "envtest":
        find(allow_imitation=allow_imitation)
    if kind == "kind":
        from . import kind as clusters

        clusters.look(cluster_options)
    if kind == "kubeconfig":
        path, _, context = rest.partition("@")
        Client(reach(path, context), agent="kueue-conformance").call("GET", "/version")
