"""What the desk needs of a cluster; `FakeCluster` has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Self, TypeVar

from ..base.clock import Clock
from ..faults import Faults
from ..journal import Journal
from ..store import Snapshot

T = TypeVar("T")


class Pods(Protocol):
    """The stand-in for kubelets."""

    def reach(self, namespace: str, name: str, phase: Any, exit_code: int = 0) -> None:
        """Let a pod reach a phase."""


class Cluster(Protocol):
    """A running cluster. Its methods are called from threads other than its loop's."""

    url: str
    faults: Faults

    @property
    def clock(self) -> Clock:
        """Its time."""

    @property
    def journal(self) -> Journal:
        """What happened."""

    @property
    def pods(self) -> Pods:
        """What its pods do. Raises RuntimeError without the controller."""

    def call(self, action: Callable[[], T]) -> T:
        """Do something on the cluster's loop and wait for it."""

    def settle(self) -> None:
        """Wait until nothing goes on. Raises NotQuiet, TypeError on the wall clock."""

    def advance(self, seconds: float) -> None:
        """Move time on. Raises NotQuiet, TypeError on the wall clock."""

    def snapshot(self) -> Snapshot:
        """Return the present state."""

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a state."""

    def fork(self) -> Self:
        """Return a started cluster with the same state."""

    def at(self, revision: int | None = None, *, time: float | None = None) -> Self:
        """Return a started cluster that shows a past state. Raises Expired."""

    def kubeconfig(self) -> str:
        """Return a kubeconfig of the administrator."""

    def stop(self) -> None:
        """Stop it."""
