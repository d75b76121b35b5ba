"""The reference's autoscaler in a manager on a cluster's loop: on virtual time its waits cost nothing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...backends import Cluster
from ...dialect import Dialect
from .. import ANSWERS, CONFIGURED, Flags
from ..cloud import Cloud
from .definition import install

if TYPE_CHECKING:
    from reference_impl.runtime.kubeconfig import Connection

ADMINISTRATOR = "admin"


class Reference:
    """Runs a manager with the autoscaler as its only part."""

    name = "reference"
    features = frozenset({ANSWERS, CONFIGURED})

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Put the definition of ProvisioningRequests into a cluster."""
        install(cluster, dialect)

    def start(self, cluster: Cluster, dialect: Dialect, cloud: Cloud, flags: Flags) -> InProcess:
        """Start the manager on the cluster's loop; it follows the cluster when this returns."""
        from reference_impl.api.resource import Key
        from reference_impl.autoscaler.booking import all_placed, never
        from reference_impl.autoscaler.flags import parse
        from reference_impl.autoscaler.part import AutoscalerPart
        from reference_impl.autoscaler.process import LEASE, USER_AGENT
        from reference_impl.runtime.clock import WallClock
        from reference_impl.runtime.manager import Manager
        from reference_impl.runtime.program import Program

        read = parse([f"--{name}={value}" for name, value in flags.items()]).flags
        is_consumed = all_placed if dialect.fact("booking-ends-with-its-pods") else never
        program = Program(
            user_agent=USER_AGENT,
            lease=Key(read.namespace, LEASE),
            connection=_connection(cluster),
            parts=(AutoscalerPart(read, NoGroups(), is_consumed),),
            log_level="error",
        )
        with ExitStack() as held:

            async def made(clock: Any) -> Manager:
                return Manager(program, clock or WallClock())

            manager = cluster.run(made)
            held.callback(lambda: cluster.run(lambda _: manager.stop()))
            cluster.run(lambda _: manager.start())
            return InProcess(manager, held.pop_all())

    def version(self) -> str:
        """Return the version of the reference."""
        from reference_impl import __version__

        return str(__version__)


def _connection(cluster: Cluster) -> Connection:
    """Return how a manager reaches a cluster: without an address where both share a loop, else as its kubeconfig says."""
    from reference_impl.runtime import kubeconfig

    if cluster.dial is None:
        return kubeconfig.load(Path(cluster.kubeconfig))
    server = cluster.endpoint
    return kubeconfig.Connection(server=server.url, token=server.token(ADMINISTRATOR), dial=cluster.dial)


class NoGroups:
    """A cloud without groups."""

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


class InProcess:
    """A manager at work on a cluster's loop."""

    def __init__(self, manager: Any, held: ExitStack) -> None:
        self._manager = manager
        self._held = held

    def ended(self) -> str:
        """Tell which part of it has died, and of what."""
        return str(self._manager.dead)

    def stop(self) -> None:
        """End its tasks and close its connections."""
        self._held.close()
