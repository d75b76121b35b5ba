"""Runs a program as a process: until it ends, or until a signal says so."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Coroutine
from typing import Any

GARBAGE = (50_000, 20, 100)
"""Followed objects are trees without cycles and are many: looking for cycles among them often finds nothing.
"""

ENDING = (signal.SIGTERM, signal.SIGINT)


def run_until_signal(work: Coroutine[Any, Any, None]) -> None:
    """Run until SIGTERM or SIGINT; what the work raises is raised here."""
    gc.set_threshold(*GARBAGE)
    use_all_descriptors()
    serving, before = _race(work), {name: signal.getsignal(name) for name in ENDING}
    try:
        import uvloop
    except ImportError:
        run = asyncio.run
    else:
        run = uvloop.run
    try:
        run(serving)
    finally:
        for name, handler in before.items():  # a loop of uvloop leaves its own
            signal.signal(name, handler)


def use_all_descriptors() -> None:
    """Raise the soft limit of open files to the hard one:
    silent peers of three ports may hold more than the usual 1024.
    """
    try:
        import resource
    except ImportError:  # not everywhere
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def _race(work: Coroutine[Any, Any, None]) -> None:
    """Race the work against the signals."""
    loop = asyncio.get_running_loop()
    stopped = loop.create_future()
    for name in ENDING:
        loop.add_signal_handler(name, lambda: None if stopped.done() else stopped.set_result(None))
    task = loop.create_task(work)
    await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
        return
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
