"""Pages of a queue in which 100 000 Workloads wait:
in process and over TLS, beside a full sort in the same call (VIS-950…958).

What runs in this process is told in CPU time, which others on the machine disturb less; over TLS it is the
time that a client waits.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from time import process_time

from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.queues import Queues
from reference_impl.runtime.serving.exchange import Handler, Request, Response
from reference_impl.runtime.signals import GARBAGE

from . import paging
from .figure import Figure
from .pending import (
    CLUSTER_QUEUE,
    LOCAL_QUEUE,
    NOW,
    handler,
    page_by_full_sort,
    pending,
    queues,
    to_sort,
    workloads,
)
from .processes import memory

MANY, FEW, PAGE = 100_000, 10_000, 1000
OFFSETS = (0, 50_000, 99_000)
TIMES, SORTS, DUMPS, CHANGES = 200, 5, 5, 10_000
WHOLE = f"{CLUSTER_QUEUE}?limit={MANY}"


class Visibility:
    """The server in this process, asked one request after another."""

    def __init__(self, full: Queues) -> None:
        self._handler: Handler = handler(full)
        self._loop = asyncio.new_event_loop()

    def ask(self, target: str) -> Response:
        """Return the answer to a GET."""
        return self._loop.run_until_complete(_ask(self._handler, target))

    def figure(self, name: str, target: str, goal: str = "", peer: Figure | None = None) -> Figure:
        """Time a request, the first time left out."""
        self.ask(target)
        return Figure(name, _measure(partial(self.ask, target), TIMES), "ms", goal, peer)

    def held(self, target: str) -> float:
        """Return for how many milliseconds at most nothing else could run while a request was answered."""
        return self._loop.run_until_complete(_longest_turn(self._handler, target))

    def close(self) -> None:
        """Give up the loop."""
        self._loop.close()


def figures() -> Iterator[Figure]:
    """Yield the figures of one queue in process, then those of a server over TLS."""
    gc.set_threshold(*GARBAGE)
    stored = list(workloads(range(MANY)))
    gc.collect()
    before = memory()
    waiting, full = pending(stored), queues()
    enqueued = _spent(partial(_push, full, waiting))
    server = Visibility(full)
    cold = server.held(f"{CLUSTER_QUEUE}?limit={PAGE}"), server.held(WHOLE)
    gc.collect()
    kilobytes = (memory() - before) * 1000 / MANY
    yield Figure(
        "memory for each pending Workload", (kilobytes,), "kB", "≤ 2.5", note="beside the stored object"
    )
    yield Figure(f"enqueue, from 0 to {MANY}", (MANY / enqueued,), "1/s", "≥ 30 000")
    yield from _changes(full, stored)
    pages = {at: server.figure(f"page of {PAGE} at {at}", _page(at), "≤ 2") for at in OFFSETS}
    yield from pages.values()
    yield from _sorts(waiting, pages)
    yield from _others(server, pages[0])
    yield from _longest_waits(server, cold)
    server.close()
    yield from paging.figures(MANY)


def _page(offset: int) -> str:
    return f"{CLUSTER_QUEUE}?limit={PAGE}&offset={offset}"


def _changes(full: Queues, stored: Sequence[object]) -> Iterator[Figure]:
    """Yield what it costs to come and to go while as many wait, and to see a Workload as queues do."""
    new = list(workloads(range(len(stored), len(stored) + CHANGES)))
    pending_workloads: list[PendingWorkload] = []
    derived, enqueued, dequeued = [], [], []
    for _ in range(SORTS):
        derived.append(_spent(lambda: pending_workloads.__setitem__(slice(None), pending(new))))
        enqueued.append(_spent(lambda: _push(full, pending_workloads)))
        dequeued.append(
            _spent(lambda: [full.delete(pending_workload.key) for pending_workload in pending_workloads])
        )
    rates = (
        ("enqueue", enqueued, "≥ 30 000"),
        ("dequeue", dequeued, "≥ 30 000"),
        ("  seen as queues see it", derived, ""),
    )
    for name, seconds, goal in rates:
        yield Figure(f"{name} beside {MANY}", tuple(CHANGES / duration for duration in seconds), "1/s", goal)


def _sorts(waiting: Sequence[PendingWorkload], pages: dict[int, Figure]) -> Iterator[Figure]:
    """Yield a full sort for each page, and how many times the page is faster."""
    rows = to_sort(waiting)
    for offset, page in pages.items():
        sort = Figure("a full sort", _measure(partial(page_by_full_sort, rows, offset, PAGE), SORTS), "ms")
        times = tuple(sample / page.middle for sample in sort.samples)
        yield Figure(
            f"  a full sort beside the page at {offset}", times, "x", "≥ 50", note=f"{sort.best:.4g} ms"
        )


def _others(server: Visibility, first: Figure) -> Iterator[Figure]:
    yield server.figure(f"page of {PAGE} of a LocalQueue", f"{LOCAL_QUEUE}?limit={PAGE}", "≤ 8", first)
    yield server.figure("limit=1", f"{CLUSTER_QUEUE}?limit=1", peer=first)
    yield server.figure("limit=1 at 99000", f"{CLUSTER_QUEUE}?limit=1&offset=99000", peer=first)
    few = Visibility(queues(pending(workloads(range(FEW)))))
    yield few.figure(f"page of {PAGE} at 0 of {FEW}", _page(0), "≥ 0.33 x", first)
    few.close()


def _longest_waits(server: Visibility, cold: tuple[float, float]) -> Iterator[Figure]:
    """Yield whole lists, and for how long one request keeps everything else waiting."""
    body = len(server.ask(WHOLE).body)
    yield Figure(
        f"all {MANY}",
        _measure(partial(server.ask, WHOLE), DUMPS),
        "ms",
        "≤ 1000",
        note=f"{body / 1e6:.1f} MB",
    )
    for (name, target), first in zip((("page", _page(0)), ("whole list", WHOLE)), cold, strict=True):
        yield Figure(f"  loop held by a {name}, first time", (first,), "ms", "≤ 5")
        yield Figure(
            f"  loop held by a {name}", tuple(server.held(target) for _ in range(SORTS)), "ms", "≤ 5"
        )


def _push(full: Queues, waiting: Sequence[PendingWorkload]) -> None:
    for pending_workload in waiting:
        full.push(pending_workload, NOW)


def _measure(act: Callable[[], object], times: int) -> tuple[float, ...]:
    return tuple(_spent(act) * 1000 for _ in range(times))


def _spent(act: Callable[[], object]) -> float:
    began = process_time()
    act()
    return process_time() - began


async def _ask(answer: Handler, target: str) -> Response:
    return await answer(Request(method="GET", target=target))


async def _longest_turn(answer: Handler, target: str) -> float:
    answering = asyncio.ensure_future(_ask(answer, target))
    turns = [process_time()]
    while not answering.done():
        await asyncio.sleep(0)
        turns.append(process_time())
    await answering
    return max(after - before for before, after in pairwise(turns)) * 1000
