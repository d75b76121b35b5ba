"""The cloud as a process: Nodes in an API server,
the protocol for an autoscaler, HTTP to look at it and to disturb it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reference_impl.api.resource import Key
from reference_impl.runtime import kubeconfig
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import WallClock
from reference_impl.runtime.errors import ApiError, OutsideError
from reference_impl.runtime.manager import Manager
from reference_impl.runtime.program import Program
from reference_impl.runtime.signals import run_until_signal

from . import http_api
from .failures import FailurePlan
from .model import CloudModel
from .parsing import CloudFile
from .part import CloudPart

USER_AGENT: Final = "kueue-cloud/v1 (reference)"
LEASE: Final = Key("kube-system", "kueue-cloud")


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudSettings:
    """The values of the command line; without a kubeconfig the account of a pod is used.

    Addresses are host and port.
    """

    kubeconfig: Path | None
    cloud: CloudFile
    address: tuple[str, int]
    control_address: tuple[str, int]
    scheduler: bool = True
    log_level: str = "warning"


def run(settings: CloudSettings, announce: Callable[[str], None]) -> None:
    """Run until SIGTERM or SIGINT. Raises OutsideError."""
    run_until_signal(_work(settings, announce))


async def _work(settings: CloudSettings, announce: Callable[[str], None]) -> None:
    try:
        from .externalgrpc.server import CloudServer
    except ImportError as error:
        raise OutsideError(
            f"kueue-cloud needs grpcio and protobuf: pip install 'kueue-conformance[autoscaler]' ({error})"
        ) from None
    connection = kubeconfig.load(settings.kubeconfig) if settings.kubeconfig else kubeconfig.in_cluster()
    clock = WallClock()
    await _greet(connection)
    model = CloudModel(
        settings.cloud.groups, current_time=clock.now, plan=FailurePlan(settings.cloud.failures)
    )
    program = Program(
        user_agent=USER_AGENT,
        lease=LEASE,
        connection=connection,
        components=(CloudPart(model, scheduler=settings.scheduler),),
        log_level=settings.log_level,
    )
    async with AsyncExitStack() as opened:
        manager = Manager(program, clock)
        opened.push_async_callback(manager.stop)
        await manager.start()  # first: Nodes that are there already are machines when an autoscaler asks
        host, port = settings.address
        served = CloudServer(model, clock, host, port)
        await served.start()
        opened.push_async_callback(served.stop)
        server = http_api.server(model, clock.now, *settings.control_address)
        await server.start()
        opened.push_async_callback(server.stop)
        shown = f"http://{settings.control_address[0]}:{server.port}"
        announce(f"ready {connection.server} address {host}:{served.port} control {shown}")
        await manager.wait_for_death()


async def _greet(connection: kubeconfig.Connection) -> None:
    """Raise OutsideError where no API server answers: informers would wait for one."""
    client = Client(connection, user_agent=USER_AGENT)
    try:
        await client.request("GET", "/version")
    except ApiError as error:
        if error.code == 401:
            raise OutsideError(
                f"{connection.server} does not know this user: check the user of the kubeconfig"
            ) from None
        # Anything else is an API server that answers; what is missing shows in what is really needed.
    finally:
        await client.close()
