"""Where the API server comes from. A backend lends a `Cluster` to each case; suites never see which one it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from ..client import Client, Transport
from ..client import connect as reach
from ..dialect import Dialect
from ..endpoint import Endpoint
from ..errors import UsageError
from ..history import Recorder
from .assets import find

VIRTUAL_TIME = "virtual time"
JOURNAL = "journal"
WEBHOOKS = "webhooks"
"""The API server calls webhooks of the control plane, so that v1beta1 is served and Kueue's own rules hold."""


class Cluster(Protocol):
    """One API server as one case sees it."""

    kubeconfig: str
    transport: Transport

    @property
    def recorder(self) -> Recorder:
        """Where the story of the case is."""

    def now(self) -> float:
        """Return the cluster's present, in seconds since the epoch."""

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Let things happen until `condition` holds or `seconds` have passed; `react` plays stand-ins in between.

        Returns whether the condition held. On a virtual clock the seconds pass only when everything is at rest.
        """

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Return when nothing more happens: settled on a virtual clock, `seconds` without a change in real time."""

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Run the coroutine `work(clock)` on the loop that the cluster lives on and return its result."""

    def identity_for_subject(self, folder: Path, replica: int = 1) -> str:
        """Return the path of a kubeconfig for a replica of the subject, with a user of its own where we can make one."""

    def close(self) -> None:
        """Give the cluster back."""


Prepare = Callable[[Cluster], None]
Inside = Mapping[str, Callable[[Any], Any]]
"""Webhooks that are functions of this process, by URL: a server and its handshakes would prove nothing about admission."""
NOBODY: Inside = MappingProxyType({})


class Backend(Protocol):
    """Lends clusters."""

    name: str
    features: frozenset[str]
    shared: bool
    """All workers of a run work on the same cluster; else each worker has its own."""

    @property
    def handle(self) -> str:
        """What a worker needs to join the cluster that the leading process prepared; empty when it needs nothing."""

    @property
    def program(self) -> str:
        """What the server is said to be, where that is worth a line in the report."""

    def api_server(self) -> Endpoint:
        """Return an API server that is judged itself: nobody plays Kueue on it, and it knows admin, alice and bob."""

    def lend(self, dialect: Dialect, prepare: Prepare | None = None, webhooks: Inside = NOBODY) -> Cluster:
        """Return a cluster for one case.

        Where each case gets a cluster of its own, `prepare` installs, once for each dialect and with or without webhooks,
        what the control plane needs.
        """

    def close(self) -> None:
        """Remove everything the backend made."""


def connect(text: str, *, foreign: bool = False, joined: str = "", allow_imitation: bool = False) -> Backend:
    """Return the backend for a connection text such as `fake` or `kubeconfig:PATH@context`. Raises ConformanceError.

    With `foreign` a subject takes part that lives in real time. `joined` is the `handle` of the backend of the process that
    leads the run. `allow_imitation` lets backend envtest take programs that are not the real ones.
    """
    kind, _, rest = text.partition(":")
    if kind == "fake":
        from .fake import FakeBackend, WallFakeBackend

        return WallFakeBackend() if foreign else FakeBackend()
    if kind == "kubeconfig" and rest:
        from .kubeconfig import KubeconfigBackend

        path, _, context = rest.partition("@")
        return KubeconfigBackend(path, context)
    if kind == "envtest":
        from .envtest import EnvtestBackend

        return EnvtestBackend(joined, allow_imitation=allow_imitation)
    raise UsageError(
        f"backend {text!r} is incomplete", hint="write fake, envtest, or kubeconfig:PATH[@context]"
    )


def look(text: str, *, allow_imitation: bool = False) -> None:
    """Raise ConformanceError when a backend cannot be used: no kubeconfig, no server, no programs."""
    kind, _, rest = text.partition(":")
    if kind == "envtest":
        find(allow_imitation=allow_imitation)
    if kind == "kubeconfig":
        path, _, context = rest.partition("@")
        Client(reach(path, context), agent="kueue-conformance").call("GET", "/version")
