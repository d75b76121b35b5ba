"""What lends clusters to cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..programs.proof import Proof
from ..scenarios.dialect import Dialect
from ..wire.endpoint import Endpoint
from .cluster import Cluster

Prepare = Callable[[Cluster], None]


@dataclass(frozen=True, slots=True)
class InProcessFunctions:
    """Webhooks and conversions as functions of this process:
    an HTTP server with TLS would prove nothing about admission.
    """

    reviews: Mapping[str, Callable[[Any], Any]]
    """By webhook URL: a function from AdmissionReview to AdmissionReview."""
    converters: Mapping[str, Callable[[Any, str], Any]]
    """By CustomResourceDefinition: a function from an object and an apiVersion to the converted object."""
    extension: bool = False
    """Users will send requests to an extension API server, so that RBAC must be enforced."""
    alone: bool = False
    """No client of the cluster has a connection of its own,
    so that the cluster may stand still between two calls.
    """
    installed: frozenset[str] = frozenset()
    """Features of the control plane that are installed with it: a cluster is prepared for each set."""


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

    def api_server(self, *, controllers: bool = False) -> Endpoint:
        """Return an API server that is judged itself:
        without a control plane, with users admin, alice and bob.

        controllers: with kube-controller-manager; only where the backend has feature CONTROLLERS.
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

    def save_failure_logs(self) -> None:
        """Save logs that explain a failure of the run beside the report, before the cluster is gone."""

    def close(self) -> None:
        """Remove everything the backend made."""
