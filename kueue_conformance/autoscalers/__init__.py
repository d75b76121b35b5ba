"""Autoscalers that answer ProvisioningRequests:
the reference in this process, a program, the cluster's own, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from ..backends.cluster import Cluster
from ..base.errors import UsageError, unknown
from ..programs.proof import Proof
from ..scenarios.dialect import Dialect
from .cloud import Cloud

Flags = Mapping[str, str]
"""cluster-autoscaler's flags by their names without dashes in front, with their values as text."""

PROCESS = "process:"
"""The prefix of a connection text that names a program."""
ANSWERS = "an autoscaler"
"""ProvisioningRequests are answered."""
CONFIGURED = "flags of the autoscaler"
"""Each case starts the autoscaler with its own flags, and may stop it."""
NODE_GROUPS = "node groups"
"""The autoscaler's cloud is ours: a case makes node groups in it."""

ALL_OR_NONE = "groups of all or none"
"""The cloud can mark a group as all-or-none: it has all of its machines or none."""


class RunningAutoscaler(Protocol):
    """An autoscaler at work on one cluster."""

    def stop(self) -> None:
        """Stop the autoscaler; return when its tasks and connections have ended."""

    def exit_reason(self) -> str:
        """Return which part has ended by itself, with the end of its log; empty while it works, or where that
        cannot be seen.
        """


class Autoscaler(Protocol):
    """Installs, starts and identifies an autoscaler."""

    name: str
    features: frozenset[str]

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Install the CustomResourceDefinition of ProvisioningRequests, once for a cluster."""

    def cloud(self, cluster: Cluster) -> Cloud:
        """Return a cloud for one case, without groups.

        Raises UsageError where `NODE_GROUPS` is no feature.
        """

    def start(
        self, cluster: Cluster, dialect: Dialect, cloud: Cloud | None, flags: Flags
    ) -> RunningAutoscaler:
        """Start the autoscaler on a cluster, with the node groups of a cloud or without any.

        Raises EnvironmentProblem.
        """

    def version(self) -> str:
        """Return the name and the version that the autoscaler reports, such as `cluster-autoscaler v1.36.1`;
        empty where it reports none.
        """

    def proof(self) -> Proof:
        """Return the proof that this is a real cluster-autoscaler.

        Raises Unproven for an imitation, and where it cannot be seen.
        """


def choose(text: str, backend: str) -> Autoscaler:
    """Return an autoscaler by its text, such as `reference` or `process:./cluster-autoscaler`.

    Raises UsageError.
    """
    from .existing_autoscaler import ExistingAutoscaler
    from .no_autoscaler import NoAutoscaler
    from .process import AutoscalerProcess
    from .reference import ReferenceAutoscaler

    name, _, rest = text.partition(":")
    factories: dict[str, Callable[[], Autoscaler]] = {
        "reference": ReferenceAutoscaler,
        "process": lambda: AutoscalerProcess(rest),
        "found": ExistingAutoscaler,
        "none": NoAutoscaler,
    }
    if name not in factories:
        raise unknown("autoscaler", text, factories)
    if bool(rest) != (name == "process"):
        hint = (
            "write --autoscaler process:./my-autoscaler"
            if name == "process"
            else f"write --autoscaler {name}"
        )
        raise UsageError(f"autoscaler {text!r} is incomplete or has extra text", hint=hint)
    if name == "found" and backend == "fake":
        raise UsageError(
            "--autoscaler found judges an autoscaler that runs in the cluster, and a cluster of backend 'fake' has none",
            hint="use --backend kubeconfig:PATH, or --autoscaler process:COMMAND",
        )
    return factories[name]()
