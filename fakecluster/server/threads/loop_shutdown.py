"""The end of an event loop: its tasks are cancelled, and it is closed."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any


def end(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel every task of a loop that does not turn, and close it."""
    loop.run_until_complete(_cancel_all(asyncio.all_tasks(loop)))
    # Generators hold files and sockets until they are closed.
    loop.run_until_complete(loop.shutdown_asyncgens())
    with warnings.catch_warnings():
        # A connection in the midst of its handshake is known to the loop alone, which warns of it before it
        # closes it; as an error the warning would leave it open, and its client waiting.
        warnings.simplefilter("ignore", ResourceWarning)
        loop.close()


async def _cancel_all(tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0.001)  # aborted transports close their sockets a turn later
