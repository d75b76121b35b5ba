"""A visibility server over TLS in a process of its own, while Workloads come and go: `python -m
benchmarks.pending_server N PER_SECOND FILE`.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections import deque
from pathlib import Path

from reference_impl.kueue.queueing.queues import Queues
from reference_impl.runtime.serving.certificates import Identity, fresh
from reference_impl.runtime.serving.server import Server
from reference_impl.runtime.signals import GARBAGE

from .pending import NOW, handler, pending, queues, workloads

PAUSE_SECONDS = 0.01


async def serve(many: int, per_second: int, identity: Identity) -> None:
    """Serve a queue of `many` Workloads until the process is ended; as many come as go, the oldest first."""
    full = queues(pending(workloads(range(many))))
    server = Server(handler(full), name="visibility", identity=identity)
    await server.start()
    print(f"ready {server.port}", flush=True)
    await _change(full, many, per_second)


async def _change(full: Queues, many: int, per_second: int) -> None:
    loop = asyncio.get_running_loop()
    keys = deque(workload.key for workload in workloads(range(many)))
    began, done = loop.time(), 0
    while True:
        await asyncio.sleep(PAUSE_SECONDS)
        due = int((loop.time() - began) * per_second)
        for pending_workload in pending(workloads(range(many + done, many + due))):
            full.push(pending_workload, NOW)
            keys.append(pending_workload.key)
            full.delete(keys.popleft())
        done = due


if __name__ == "__main__":
    gc.set_threshold(*GARBAGE)
    shown = fresh(["127.0.0.1"])
    Path(sys.argv[3]).write_bytes(shown.authority)
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2]), shown))
