"""The autoscaler as a process: flags become a program, which runs until a signal comes."""

from __future__ import annotations

from collections.abc import Callable

from reference_impl.api.resource import Key
from reference_impl.runtime import kubeconfig
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import Clock, WallClock
from reference_impl.runtime.errors import OutsideError
from reference_impl.runtime.health import Endpoints, Probe
from reference_impl.runtime.log import Logger
from reference_impl.runtime.manager import Manager
from reference_impl.runtime.program import Program
from reference_impl.runtime.signals import run_until_signal

from .cloud import Cloud
from .flags import Flags
from .installing import install
from .part import AutoscalerPart
from .rules import AutoscalerRules

LEASE = "cluster-autoscaler"
EXTERNAL_GRPC = "externalgrpc"
ANY_HOST = "127.0.0.1"
"""An address without a host is loopback: who wants more names it."""


Announce = Callable[[str], None]


def run(flags: Flags, rules: AutoscalerRules, *, with_install: bool, announce: Announce) -> None:
    """Run until SIGTERM or SIGINT. Raises OutsideError."""
    run_until_signal(_work(flags, rules, with_install=with_install, announce=announce))


async def _work(flags: Flags, rules: AutoscalerRules, *, with_install: bool, announce: Announce) -> None:
    connection = kubeconfig.load(flags.kubeconfig) if flags.kubeconfig else kubeconfig.in_cluster()
    cloud = _cloud(flags)
    clock = WallClock()
    if with_install:
        await _install(connection, clock, rules)
    program = Program(
        user_agent=rules.user_agent,
        lease=Key(flags.namespace, LEASE),
        connection=connection,
        components=(AutoscalerPart(flags, cloud, rules),),
        leader_election=flags.leader_elect,
    )
    manager = Manager(program, clock)
    host, _, port = flags.address.rpartition(":")
    running = Probe(lambda: manager.ready, "OK", "Error: the loop does not run")
    endpoints = Endpoints(
        f"{host or ANY_HOST}:{port}",
        probes={"/health-check": running, "/healthz": running},
        metrics=manager.metrics,
    )
    await endpoints.start()
    try:
        await manager.start()
        announce(f"ready {connection.server} address {host or ANY_HOST}:{endpoints.port}")
        await manager.wait_for_death()
    finally:
        await manager.stop()
        await endpoints.stop()
        await cloud.close()


async def _install(connection: kubeconfig.Connection, clock: Clock, rules: AutoscalerRules) -> None:
    client = Client(connection, user_agent=rules.user_agent)
    try:
        await install(client, clock, Logger(clock=clock, level="warning"), rules)
    finally:
        await client.close()


def _cloud(flags: Flags) -> Cloud:
    if flags.cloud_provider != EXTERNAL_GRPC:
        raise OutsideError(
            f"--cloud-provider={flags.cloud_provider or '(none)'} is not known: {EXTERNAL_GRPC} is"
        )
    try:
        from .cloud.externalgrpc.client import CloudConfig, ExternalCloud
    except ImportError as error:
        raise OutsideError(
            f"--cloud-provider={EXTERNAL_GRPC} needs grpcio and protobuf: pip install 'kueue-conformance[autoscaler]' ({error})"
        ) from None
    return ExternalCloud(CloudConfig.read(flags.cloud_config))
