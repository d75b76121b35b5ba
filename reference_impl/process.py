"""The control plane as a process: reach the server, install, start, say `ready`, run until a signal comes."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack

from .composition import USER_AGENT, certificates, program, serve_webhooks, served_visibility, shared_keyring
from .config import ADMISSION, Config
from .install import install, register, require_installed
from .runtime.client import Client
from .runtime.clock import WallClock
from .runtime.errors import ApiError, OutsideError
from .runtime.log import Logger
from .runtime.manager import Manager

Announce = Callable[[str], None]
GARBAGE = (50_000, 20, 100)
"""Followed objects are trees without cycles and are many: looking for cycles among them often finds nothing."""


def run(config: Config, *, with_install: bool, announce: Announce) -> None:
    """Run until SIGTERM or SIGINT; raises OutsideError when that is not possible."""
    gc.set_threshold(*GARBAGE)
    use_all_descriptors()
    serving = _serve(config, with_install=with_install, announce=announce)
    try:
        import uvloop
    except ImportError:
        asyncio.run(serving)
    else:
        uvloop.run(serving)


def use_all_descriptors() -> None:
    """Raise the soft limit of open files to the hard one: silent peers of three ports may hold more than the usual 1024."""
    try:
        import resource
    except ImportError:  # not everywhere
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def _serve(config: Config, *, with_install: bool, announce: Announce) -> None:
    """Race the work against the signals."""
    loop = asyncio.get_running_loop()
    stopped = loop.create_future()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, lambda: None if stopped.done() else stopped.set_result(None))
    work = loop.create_task(_work(config, with_install=with_install, announce=announce))
    await asyncio.wait({work, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if work.done():
        work.result()
        return
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def _work(config: Config, *, with_install: bool, announce: Announce) -> None:
    clock = WallClock()
    log = Logger(clock=clock, level=config.log_level)
    async with AsyncExitStack() as opened:
        client = Client(config.connection, user_agent=USER_AGENT)
        opened.push_async_callback(client.close)
        await _greet(client, config)
        keyring = shared_keyring(config, client, clock, log)
        # Kinds are installed with the address of the webhooks, and read through their conversion.
        webhooks = await serve_webhooks(config, (await keyring.opened()).identity() if keyring else None)
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
                webhooks=webhooks.endpoint if webhooks else None,
                requests_of=config.requests_of,
                beside=ADMISSION not in config.parts,
            )
        if not with_install or ADMISSION not in config.parts:
            await require_installed(client)
        more = (certificates(config, webhooks, keyring),) if webhooks and keyring else ()
        visibility = served_visibility(config)
        manager = Manager(program(config, *more, visibility=visibility), clock)
        opened.push_async_callback(manager.stop)
        await manager.start()
        if visibility and with_install:
            await register(client, visibility.registration())
        shown = f" visibility {visibility.url}" if visibility else ""
        announce(f"ready {config.connection.server} dialect {config.dialect}{shown}")
        await manager.died()


async def _greet(client: Client, config: Config) -> None:
    try:
        await client.request("GET", "/version")
    except ApiError as error:
        if error.code == 401:
            server = config.connection.server
            raise OutsideError(
                f"{server} does not know who we are: check the user of the kubeconfig"
            ) from None
        # Anything else is an API server that answers; what is missing shows in what is really needed.
