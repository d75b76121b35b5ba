"""The reference's autoscaler in a manager on a cluster's event loop;
on virtual time its waits take no real time.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from ...backends.cluster import Cluster
from ...programs.proof import CLUSTER_AUTOSCALER, Proof, refuse_imitation
from ...scenarios.dialect import Dialect
from .. import ALL_OR_NONE, ANSWERS, CONFIGURED, NODE_GROUPS, Flags
from ..cloud import Cloud
from ..release import OURS
from .cloud import ReferenceCloud
from .definition import install
from .manager import start_manager


class ReferenceAutoscaler:
    """Runs a manager whose only part is the autoscaler."""

    name = "reference"
    features = frozenset({ANSWERS, CONFIGURED, NODE_GROUPS, ALL_OR_NONE})

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Put the definition of ProvisioningRequests into a cluster."""
        install(cluster, dialect)

    def cloud(self, cluster: Cluster) -> Cloud:
        """Return a cloud of this process."""
        return ReferenceCloud(cluster)

    def start(
        self, cluster: Cluster, dialect: Dialect, cloud: Cloud | None, flags: Flags
    ) -> RunningReference:
        """Start the manager on the cluster's loop; it follows the cluster when this returns."""
        from reference_impl.autoscaler import dialects
        from reference_impl.autoscaler.flags import parse
        from reference_impl.autoscaler.part import AutoscalerPart
        from reference_impl.cloud.in_process import InProcessCloud

        rules = dialects.dialect(dialect.name)
        parsed_flags = parse([f"--{name}={value}" for name, value in flags.items()]).flags
        defaults = {
            name: value for name, value in rules.flag_defaults.items() if name.replace("_", "-") not in flags
        }
        read = replace(parsed_flags, **defaults)
        behind = InProcessCloud(cloud.model) if isinstance(cloud, ReferenceCloud) else NoGroups()
        with ExitStack() as exit_stack:
            manager = start_manager(
                cluster, rules.user_agent, AutoscalerPart(read, behind, rules), exit_stack
            )
            return RunningReference(manager, exit_stack.pop_all())

    def version(self) -> str:
        """Return the name and the version of the reference."""
        from reference_impl import __version__

        return f"{OURS} v{__version__}"

    def proof(self) -> Proof:
        """Raise Unproven: the reference is not cluster-autoscaler."""
        raise refuse_imitation(f"autoscaler {self.name}", CLUSTER_AUTOSCALER)


class NoGroups:
    """A cloud without node groups, for scenarios that use none."""

    async def groups(self) -> Sequence[Any]:
        """Return none."""
        return ()

    async def increase(self, group: str, delta: int) -> None:
        """Do nothing: there is no group."""

    async def decrease_target(self, group: str, delta: int) -> None:
        """Do nothing."""

    async def delete_nodes(self, group: str, nodes: Sequence[tuple[str, str]]) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


class RunningReference:
    """A running manager on a cluster's event loop."""

    def __init__(self, manager: Any, exit_stack: ExitStack) -> None:
        self._manager = manager
        self._held = exit_stack

    def exit_reason(self) -> str:
        """Return which part has died, with its exception."""
        return str(self._manager.dead)

    def stop(self) -> None:
        """Stop its tasks and close its connections."""
        self._held.close()
