"""Serves the reference's cloud by the `externalgrpc` protocol, for an autoscaler in another process."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from ...backends.cluster import Cluster
from ...base.errors import EnvironmentProblem
from .cloud import ReferenceCloud

_HOST = "127.0.0.1"
_STEP_SECONDS = 30.0


class ServedCloud(ReferenceCloud):
    """A gRPC server on a loopback port for the duration of a case."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__(cluster)
        try:
            from reference_impl.cloud.externalgrpc.server import CloudServer
        except ImportError as error:
            raise EnvironmentProblem(
                f"a cloud for another program needs grpcio and protobuf: {error}",
                hint="pip install 'kueue-conformance[autoscaler]'",
            ) from error

        async def start_server(clock: Any) -> Any:
            from reference_impl.runtime.clock import WallClock

            server = CloudServer(self.model, clock or WallClock(), _HOST, 0)
            await _within_time(server.start(), "start")
            return server

        server = cluster.run(start_server)
        self._held.callback(lambda: cluster.run(lambda _: _within_time(server.stop(), "stop")))
        self.address = f"{_HOST}:{server.port}"


async def _within_time(step: Coroutine[Any, Any, None], name: str) -> None:
    """Do a step of the server, but not for ever: a case that waits for it would have no end.

    Raises EnvironmentProblem.
    """
    try:
        await asyncio.wait_for(step, _STEP_SECONDS)
    except TimeoutError:
        raise EnvironmentProblem(
            f"the cloud's server did not {name} within {_STEP_SECONDS:g} s",
            hint="is the machine overloaded? Run the case again, with less beside it",
        ) from None
