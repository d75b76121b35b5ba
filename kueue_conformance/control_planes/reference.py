"""The reference Kueue, on the cluster's own loop and clock: the only importer of reference_impl."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..backends import Cluster
from ..dialect import Dialect


class Reference:
    """Runs the reference's manager in this process."""

    name = "reference"
    features: frozenset[str] = frozenset()

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Create Kueue's kinds as the dialect knows them, and wait until they are served."""
        cluster.run(lambda _: _install(cluster.kubeconfig, dialect.name))

    def start(self, cluster: Cluster, dialect: Dialect) -> InProcess:
        """Start the manager on the cluster's loop; it reconciles when this returns."""
        from reference_impl.config import Config
        from reference_impl.manager import Manager
        from reference_impl.runtime import kubeconfig
        from reference_impl.runtime.clock import WallClock

        connection = kubeconfig.load(Path(cluster.kubeconfig))
        config = Config(connection=connection, dialect=dialect.name)

        async def started(clock: Any) -> Manager:
            manager = Manager(config, clock or WallClock())
            await manager.start()
            return manager

        return InProcess(cluster, cluster.run(started))

    def version(self) -> str:
        """Return the version of the reference."""
        from reference_impl import __version__

        return str(__version__)


async def _install(path: str, dialect: str) -> None:
    """Install in real time: nothing is there yet that could make virtual time pass."""
    from reference_impl.install import install
    from reference_impl.runtime import kubeconfig
    from reference_impl.runtime.client import Client
    from reference_impl.runtime.clock import WallClock
    from reference_impl.runtime.log import Logger

    client, clock = Client(kubeconfig.load(Path(path)), user_agent="kueue-conformance"), WallClock()
    try:
        await install(
            client, clock, Logger(clock=clock, level="warning"), dialect=dialect, namespace="kueue-system"
        )
    finally:
        await client.close()


class InProcess:
    """A manager at work on a cluster's loop."""

    def __init__(self, cluster: Cluster, manager: Any) -> None:
        self._cluster = cluster
        self._manager = manager

    def stop(self) -> None:
        """End its tasks and close its connections."""
        self._cluster.run(lambda _: self._manager.stop())
