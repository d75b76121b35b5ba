"""Where the API server comes from. A backend lends a `Cluster` to each case; suites never see which one it is."""

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
"""Pods run, so that a subject can be deployed."""
WEBHOOKS = "webhooks"
"""The API server calls webhooks of the control plane, so that v1beta1 is served and Kueue's own rules hold."""

FAULTS = "faults"
"""The requests and watches of the subject can be disturbed on purpose."""
SERVER_RESTART = "server restart"
"""The API server can be stopped and started again."""
REACHES_HOST = "pods that reach this machine"
"""What listens on this machine is reached from the pods of the cluster."""
GARBAGE = "garbage collection"
"""Objects go when their owners are gone."""
CLOCK_SKEW = "clock skew"
"""The time of the API server can be another than that of the subject."""
FRONT = frozenset({JOURNAL, FAULTS, SERVER_RESTART})
"""What a front between the subject and the API server of somebody else can do, for a subject that comes through it."""
KUEUE_FAULTS = "faults of Kueue"
"""The requests and watches of whoever plays Kueue can be disturbed on purpose."""
AUTOSCALER_FAULTS = "faults of the autoscaler"
"""The requests and watches of whatever answers ProvisioningRequests can be disturbed on purpose."""
KUEUE_RESTART = "restart of Kueue"
"""Who plays Kueue works for one case alone, which may end it and start it again."""
OWN = "a cluster of its own"
"""The cluster is made for the run, which may write anywhere in it."""
SERVERS = "servers of this process"
"""The API server calls servers of the harness on loopback."""
AGGREGATED_ROLES = "aggregated ClusterRoles"
"""Somebody fills the rules of ClusterRoles that are made of others, as Kubernetes' controller manager does."""
BARE_API_SERVER = frozenset({OWN, SERVERS, "users by token", "no built-in controllers"})
"""The API server was started to be examined: it knows alice and bob by their tokens, and there are no controllers."""


SLOW_REVIEWS = "slow access reviews"
"""The API server takes its time to say whether a user has a right, where a scenario wants that."""


class Faults(Protocol):
    """Disturbs what the subject asks for, never the harness or the control plane. Times are those of the cluster.

    `kind` is `Workload` with its subresources or `Workload/status`, `verb` one of RBAC's, `name` that of an object; nothing means
    all but Leases, without which a leader may have to end, and Events. A rule holds for `times` requests that it fits, 0 for ever.
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
        """Answer with a failure; `after` the request took effect when that is said."""

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
        """Give a list that is asked for in pages no more than so many objects at a time, as the API permits."""

    def freeze_watches(self, *, kind: str = "", times: int = 0) -> None:
        """Send no event any more, and leave the connections open; of so many watches, when that is said."""

    def repeat_events(self, *, kind: str = "") -> None:
        """Send every event twice."""

    def withhold_bookmarks(self) -> None:
        """Send no bookmark."""

    def refuse_events(self, code: int, *, kind: str = "", times: int = 1, skip: int = 0) -> None:
        """End a watch with an ERROR event in place of the next event, or of a later one."""

    @property
    def struck(self) -> int:
        """How often a fault of this case has hit so far."""

    def clear(self) -> None:
        """Take all back; watches that are held back end, so that nothing comes late."""


class Cluster(Protocol):
    """One API server as one case sees it."""

    transport: Transport

    @property
    def kubeconfig(self) -> str:
        """The path of a kubeconfig for an administrator."""

    @property
    def endpoint(self) -> Endpoint:
        """The API server for requests that `transport` cannot send, with the harness as `admin`."""

    mark: str
    """The run that things made there are labelled with; empty until it is said."""
    log: Path | None
    """Where a control plane in this process keeps its log; None for stderr."""
    host_address: str
    """The address of this machine as the API server reaches it."""
    dial: Callable[[asyncio.Protocol], None] | None
    """Connects a client on the cluster's loop without a socket; None where the server is of another process, or in real time."""

    @property
    def recorder(self) -> Recorder:
        """Where the story of the case is."""

    @property
    def faults(self) -> Faults | None:
        """How the subject is disturbed; None where the backend lacks the feature."""

    @property
    def kueue_faults(self) -> Faults | None:
        """How whoever plays Kueue is disturbed; None where the backend lacks the feature."""

    @property
    def autoscaler_faults(self) -> Faults | None:
        """How an autoscaler is disturbed; None where the backend lacks the feature."""

    def begins(self, owns: Owns, calm: float) -> None:
        """Keep the story of a case from now on; `owns` tells its things from those of others that share the cluster.

        In real time a wait ends only when nothing was written for `calm` seconds, if that is not 0.
        """

    def ends(self, react: Callable[[], bool]) -> bool:
        """Return when what the case has caused is done, so that its story is whole; tells whether all is at rest then."""

    def restart_server(self, pause: float) -> None:
        """Stop the API server and start it again after so many seconds. Raises UsageError where that is no feature."""

    ahead: float
    """By how many seconds the server's time is ahead of that of a subject that lives by the cluster's clock."""

    def skew(self, seconds: float) -> None:
        """Let the server's time be ahead of that of the subject. Raises UsageError where that is no feature."""

    def now(self) -> float:
        """Return the cluster's present, in seconds since the epoch."""

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Let things happen until `condition` holds or `seconds` have passed; `react` plays stand-ins in between.

        Returns whether the condition held. On a virtual clock the seconds pass only when everything is at rest.
        """

    def passes(self, seconds: float, react: Callable[[], bool]) -> None:
        """Let so many seconds pass; `react` plays stand-ins whenever something has happened."""

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Return when nothing more happens: settled on a virtual clock, `seconds` without a change in real time."""

    def answer_for(self, service: str, handler: Callable[[Any], Any]) -> Callable[[], None]:
        """Have a coroutine of this process answer what the API server passes on to a Service (`namespace/name`); returns how that ends.

        Raises UsageError where servers are asked over the network only.
        """

    def reviews_take(self, seconds: float) -> None:
        """Answer each SubjectAccessReview so many seconds later from now on. Raises UsageError where that is no feature."""

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Run the coroutine `work(clock)` on the loop that the cluster lives on and return its result."""

    def identity_for_subject(self, folder: Path, replica: int = 1, account: str = "") -> str:
        """Return the path of a kubeconfig for a replica of the subject, with a user of its own where we can make one.

        For pods the server in it is one that they reach, and they have the rights of their service `account`; without the feature
        `REACHES_HOST` that is the kubeconfig of the cluster.
        """

    def cut_off(self, replica: int) -> None:
        """Answer this replica of the subject no more, whatever it still tries; nothing where it has no user of its own."""

    def close(self) -> None:
        """Give the cluster back."""


def lacking(feature: str) -> UsageError:
    """Return the error for the use of a feature that a backend does not have."""
    return UsageError(
        f"this backend has no {feature}", hint=f"let the scenario say that it needs {feature!r}"
    )


Prepare = Callable[[Cluster], None]


@dataclass(frozen=True, slots=True)
class InProcessFunctions:
    """What functions of this process answer: a server and its handshakes would prove nothing about admission."""

    reviews: Mapping[str, Callable[[Any], Any]]
    """By URL: what gets a review and returns one."""
    converters: Mapping[str, Callable[[Any, str], Any]]
    """By definition: what gets an object and an apiVersion, and returns the object in that version."""
    extension: bool = False
    """An extension API server will be asked by users, so that roles and bindings count."""


NO_FUNCTIONS = InProcessFunctions({}, {})


class Backend(Protocol):
    """Lends clusters."""

    name: str
    shared: bool
    """All workers of a run work on the same cluster; else each worker has its own."""

    @property
    def features(self) -> frozenset[str]:
        """What its clusters can do beyond answering requests."""

    @property
    def handle(self) -> str:
        """What a worker needs to join the cluster that the leading process prepared; empty when it needs nothing."""

    @property
    def program(self) -> str:
        """What the server is said to be, where that is worth a line in the report."""

    def api_server(self) -> Endpoint:
        """Return an API server that is judged itself: nobody plays Kueue on it, and it knows admin, alice and bob."""

    def lend(
        self, dialect: Dialect, prepare: Prepare | None = None, functions: InProcessFunctions = NO_FUNCTIONS
    ) -> Cluster:
        """Return a cluster for one case.

        Where each case gets a cluster of its own, `prepare` installs, once for each dialect and with or without webhooks,
        what the control plane needs.
        """

    def proof(self) -> Proof:
        """Return the proof that its server is a real kube-apiserver. Raises Unproven for what only plays one."""

    def failed(self) -> None:
        """Keep what explains a failure of the run, beside the report, while it can be had."""

    def close(self) -> None:
        """Remove everything the backend made."""


_NOTHING = ClusterOptions()


def connect(
    text: str, *, foreign: bool = False, rights: Sequence[Any] | None = None, joined: str = "", allow_imitation: bool = False,
    cluster_options: ClusterOptions = _NOTHING, tell: Callable[[str], None] = print,
) -> Backend:  # fmt: skip
    """Return the backend for a connection text such as `fake` or `kubeconfig:PATH@context`. Raises ConformanceError.

    A subject takes part when `rights` are given, the rules of what it may do on a cluster that we make, and with `foreign` it lives in
    real time. `joined` is the `handle` of the backend of the process that
    leads the run. `allow_imitation` lets backend envtest take programs that are not the real ones. Backend kind makes the cluster
    that is `cluster_options`, and tells what it is doing.
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
    """Raise ConformanceError when a backend cannot be used: no kubeconfig, no server, no programs, no Docker."""
    kind, _, rest = text.partition(":")
    if kind == "envtest":
        find(allow_imitation=allow_imitation)
    if kind == "kind":
        from . import kind as clusters

        clusters.look(cluster_options)
    if kind == "kubeconfig":
        path, _, context = rest.partition("@")
        Client(reach(path, context), agent="kueue-conformance").call("GET", "/version")
