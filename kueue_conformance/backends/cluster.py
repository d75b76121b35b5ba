"""One API server as one case sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from ..base.errors import UsageError
from ..history.story import Owns, Recorder
from ..wire.endpoint import Endpoint
from ..wire.transport import Transport
from .faults import Faults


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
        """Stop the API server and start it again after `seconds`.

        Raises UsageError where the backend lacks the feature.
        """

    ahead: float
    """Seconds that the server's clock is ahead of the clock of a subject in this process."""

    def skew(self, seconds: float) -> None:
        """Set the server's clock ahead of the subject's, in seconds.

        Raises UsageError where the backend lacks the feature.
        """

    def now(self) -> float:
        """Return the cluster's time in seconds since the epoch."""

    def wait(self, condition: Callable[[], bool], seconds: float, react: Callable[[], bool]) -> bool:
        """Wait until `condition` holds or `seconds` have passed; `react` runs stand-ins in between.

        Returns whether the condition held. On a virtual clock
        the seconds pass only when everything is at rest.
        """

    was_wait_too_short: bool
    """Whether the last wait that failed ended before its seconds were over: the machine had other work."""

    def passes(self, seconds: float, react: Callable[[], bool]) -> None:
        """Let `seconds` pass; `react` runs stand-ins after each change."""

    def rest(self, seconds: float, react: Callable[[], bool]) -> None:
        """Wait for quiet: settled on a virtual clock, `seconds` without a change in real time."""

    def answer_for(self, service: str, handler: Callable[[Any], Any]) -> Callable[[], None]:
        """Route the API server's requests for a Service (`namespace/name`) to a coroutine of this process;
        returns a function that ends it.

        Raises UsageError where servers are asked over the network only.
        """

    def answer_reviews(self, url: str, function: Callable[[Any], Any]) -> Callable[[], None]:
        """Have a coroutine of this process, which may know this cluster, answer for the URL of a webhook in
        place of the function that all clusters share; returns a function that ends it.

        Raises UsageError where webhooks are called over the network only.
        """

    def reviews_take(self, seconds: float) -> None:
        """Delay each answer to a SubjectAccessReview by `seconds`.

        Raises UsageError where the backend lacks the feature.
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
        """Cut off this replica of the subject: refuse all its requests;
        no effect where it has no user of its own.
        """

    def close(self) -> None:
        """Return the cluster to its backend."""


def lacking(feature: str) -> UsageError:
    """Return the UsageError for a feature that a backend lacks."""
    return UsageError(f"this backend has no {feature}", hint=f"add needs={feature!r}")
