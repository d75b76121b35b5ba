"""Runs one part of the reference in its own manager on a cluster's event loop."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...backends.cluster import Cluster

if TYPE_CHECKING:
    from reference_impl.runtime.kubeconfig import Connection

ADMINISTRATOR = "admin"


def start_manager(cluster: Cluster, user_agent: str, component: Any, exit_stack: ExitStack) -> Any:
    """Start a manager with one part, stopped by `exit_stack`; it follows the cluster when this returns."""
    from reference_impl.api.resource import Key
    from reference_impl.runtime.clock import WallClock
    from reference_impl.runtime.manager import Manager
    from reference_impl.runtime.program import Program

    program = Program(
        user_agent=user_agent,
        lease=Key("kube-system", user_agent.partition("/")[0]),
        connection=_connection(cluster),
        components=(component,),
        log_level="error",
    )

    async def make_manager(clock: Any) -> Manager:
        return Manager(program, clock or WallClock())

    manager = cluster.run(make_manager)
    exit_stack.callback(lambda: cluster.run(lambda _: manager.stop()))
    cluster.run(lambda _: manager.start())
    return manager


def _connection(cluster: Cluster) -> Connection:
    """Return the connection of a manager: in-process where
    both share a loop, else from the cluster's kubeconfig.
    """
    from reference_impl.runtime import kubeconfig

    if cluster.dial is None:
        return kubeconfig.load(Path(cluster.kubeconfig))
    server = cluster.endpoint
    return kubeconfig.Connection(server=server.url, token=server.token(ADMINISTRATOR), dial=cluster.dial)
