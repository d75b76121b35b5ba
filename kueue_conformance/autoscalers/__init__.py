"""What answers ProvisioningRequests: the reference in this process, a program, one that is at work in the cluster, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from ..backends import Cluster
from ..dialect import Dialect
from ..errors import UsageError, unknown
from ..proof import Proof
from .cloud import Cloud

Flags = Mapping[str, str]
"""cluster-autoscaler's flags by their names without dashes in front, with their values as text."""

PROCESS = "process:"
"""What the text of an autoscaler begins with that is a program."""
ANSWERS = "an autoscaler"
"""ProvisioningRequests are answered."""
CONFIGURED = "flags of the autoscaler"
"""Each case starts it anew with the flags that the case asks for, and may end it."""
NODE_GROUPS = "node groups"
"""A cloud of ours stands behind it, with groups that a case makes."""

ALL_OR_NONE = "groups of all or none"
"""The cloud can tell that a group has all of its machines or none."""


class Running(Protocol):
    """An autoscaler at work on one cluster."""

    def stop(self) -> None:
        """End it and wait until it has let go of everything."""

    def ended(self) -> str:
        """Tell what of it has ended by itself, with the end of its log; empty while it works, or where that is not seen."""


class Autoscaler(Protocol):
    """Knows how one is brought to work."""

    name: str
    features: frozenset[str]

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Put the definition of ProvisioningRequests into a cluster, once."""

    def cloud(self, cluster: Cluster) -> Cloud:
        """Return a cloud for one case, without groups. Raises UsageError where `NODE_GROUPS` is no feature."""

    def start(self, cluster: Cluster, dialect: Dialect, cloud: Cloud | None, flags: Flags) -> Running:
        """Have it work on a cluster with groups of a cloud, or without any. Raises EnvironmentProblem where it cannot be started."""

    def version(self) -> str:
        """Return the name and the version that it tells, such as `cluster-autoscaler v1.36.1`; empty where that is not seen."""

    def proof(self) -> Proof:
        """Return the proof that it is a real cluster-autoscaler. Raises Unproven for what only plays one, or is not seen."""


def choose(text: str, backend: str) -> Autoscaler:
    """Return an autoscaler by its text, such as `reference` or `process:./cluster-autoscaler`. Raises UsageError."""
    from .found import Found
    from .missing import Missing
    from .process import Process
    from .reference import Reference

    name, _, rest = text.partition(":")
    known: dict[str, Callable[[], Autoscaler]] = {
        "reference": Reference,
        "process": lambda: Process(rest),
        "found": Found,
        "none": Missing,
    }
    if name not in known:
        raise unknown("autoscaler", text, known)
    if bool(rest) != (name == "process"):
        hint = (
            "write --autoscaler process:./my-autoscaler"
            if name == "process"
            else f"write --autoscaler {name}"
        )
        raise UsageError(f"autoscaler {text!r} is incomplete or has too much", hint=hint)
    if name == "found" and backend == "fake":
        raise UsageError(
            "--autoscaler found judges one that is at work, and nothing is at work in a cluster of backend 'fake'",
            hint="use --backend kubeconfig:PATH, or --autoscaler process:COMMAND",
        )
    return known[name]()
