"""The control plane as a process: reach the server, install, start, say `ready`, run until a signal comes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack

from ..runtime.client import Client
from ..runtime.clock import WallClock
from ..runtime.errors import ApiError, OutsideError
from ..runtime.log import Logger
from ..runtime.manager import Manager
from ..runtime.part import Part
from ..runtime.signals import run_until_signal
from .composition import (
    candidate,
    certificates,
    program,
    serve_visibility,
    serve_webhooks,
    share_keyring,
    user_agent,
)
from .config import ADMISSION, JOBS, Config
from .install import install, register, require_installed
from .jobs.unsupported import UnsupportedFeaturesPart
from .managed_namespaces import ManagedNamespaces
from .webhooks.priority_classes import GATE as DEFAULTING_GATE
from .webhooks.priority_classes import KnownPriorityClasses

Announce = Callable[[str], None]


def run(config: Config, *, with_install: bool, announce: Announce) -> None:
    """Run until SIGTERM or SIGINT; raises OutsideError when that is not possible."""
    run_until_signal(_work(config, with_install=with_install, announce=announce))


async def _work(config: Config, *, with_install: bool, announce: Announce) -> None:
    clock = WallClock()
    log = Logger(clock=clock, level=config.log_level)
    async with AsyncExitStack() as opened:
        client = Client(config.connection, user_agent=user_agent(config.dialect))
        opened.push_async_callback(client.close)
        await _greet(client, config)
        if with_install and config.leader_election:
            # What is installed calls the webhooks of this process: those of a leader stay called.
            await candidate(config, client, clock, log).wait_until_free()
        keyring = share_keyring(config, client, clock, log)
        # Kinds are installed with the address of the webhooks, and read through their conversion.
        identity = (await keyring.open()).identity() if keyring else None
        classes = KnownPriorityClasses()
        namespaces = ManagedNamespaces(config.namespace_selector)
        webhooks = await serve_webhooks(config, classes, namespaces, identity)
        if webhooks:
            opened.push_async_callback(webhooks.stop)
        if with_install:
            await install(
                client,
                clock,
                log,
                dialect=config.dialect,
                namespace=config.namespace,
                defects=config.defects,
                visibility_apf=config.visibility_apf,
                alpha_apis=config.alpha_apis,
                webhooks=webhooks.endpoint if webhooks else None,
                requests_of=config.requests_of,
                beside=ADMISSION not in config.parts,
            )
        if not with_install or ADMISSION not in config.parts:
            await require_installed(client)
        additional_parts: list[Part] = [UnsupportedFeaturesPart()] if JOBS in config.parts else []
        if webhooks and config.gates[DEFAULTING_GATE]:
            additional_parts.append(classes)
        if webhooks:
            additional_parts.append(namespaces)
        if webhooks and keyring:
            additional_parts.append(certificates(config, webhooks, keyring))
        visibility = serve_visibility(config)
        manager = Manager(program(config, *additional_parts, visibility=visibility), clock)
        opened.push_async_callback(manager.stop)
        await manager.start()
        if visibility and with_install:
            await register(client, visibility.registration())
        shown = f" visibility {visibility.url}" if visibility else ""
        announce(f"ready {config.connection.server} dialect {config.dialect}{shown}")
        await manager.wait_for_death()


async def _greet(client: Client, config: Config) -> None:
    try:
        await client.request("GET", "/version")
    except ApiError as error:
        if error.code == 401:
            server = config.connection.server
            raise OutsideError(
                f"{server} does not authenticate this client: check the user of the kubeconfig"
            ) from None
        # Anything else is an API server that answers; what is missing shows in what is really needed.
