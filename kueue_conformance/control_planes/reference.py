"""The reference Kueue, on the cluster's own loop and clock: the only importer of reference_impl."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..backends import Cluster
from ..dialect import Dialect


class Reference:
    """Runs the reference's manager in this process."""

    name = "reference"

    def install(self, cluster: Cluster, dialect: Dialect) -> None:
        """Create Kueue's kinds as the dialect knows them, and wait until they are served."""
        from reference_impl.install import install
        from reference_impl.runtime import kubeconfig

        connection = kubeconfig.load(Path(cluster.kubeconfig))
        cluster.run(lambda clock: install(connection, dialect.name, clock))

    def start(self, cluster: Cluster, dialect: Dialect) -> InProcess:
        """Start the manager on the cluster's loop; it reconciles when this returns."""
        from reference_impl.config import Config
        from reference_impl.manager import Manager
        from reference_impl.runtime import kubeconfig

        connection = kubeconfig.load(Path(cluster.kubeconfig))
        config = Config(connection=connection, dialect=dialect.name)

        async def started(clock: Any) -> Manager:
            manager = Manager(config, clock)
            await manager.start()
            return manager

        return InProcess(cluster, cluster.run(started))

    def version(self) -> str:
        """Return the version of the reference."""
        from reference_impl import __version__

        return str(__version__)


class InProcess:
    """A manager at work on a cluster's loop."""

    def __init__(self, cluster: Cluster, manager: Any) -> None:
        self._cluster = cluster
        self._manager = manager

    def stop(self) -> None:
        """End its tasks and close its connections."""
        self._cluster.run(lambda _: self._manager.stop())
