"""Clients of a visibility server over TLS with connections that stay open: one, then fifty while Workloads
come and go (VIS-952).
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

import orjson

from .figure import Figure, measure_each
from .pending import CLUSTER_QUEUE
from .processes import running

PAGE, TIMES = 1000, 300
OFFSETS = (0, 50_000, 99_000)
CLIENTS, PER_SECOND, SECONDS = 50, 1000, 20.0
REAL = Figure("v0.19.2 at 10000", (66.0,), "ms")
"""Page of 1000, p50, through the aggregator, 2 shared cores, 2026-11-20."""
REAL_ONE = Figure("v0.19.2 at 10000", (59.0,), "ms")
"""`limit=10`, likewise."""

Connect = Callable[[], HTTPSConnection]


def figures(many: int) -> Iterator[Figure]:
    """Yield what one client sees of a quiet server, then what many see of a busy one."""
    with _server(many, 0) as connect:
        for offset in OFFSETS:
            yield from _one(
                connect,
                f"over TLS, page of {PAGE} at {offset}",
                f"{CLUSTER_QUEUE}?limit={PAGE}&offset={offset}",
                REAL,
            )
        yield from _one(connect, "over TLS, limit=1", f"{CLUSTER_QUEUE}?limit=1", REAL_ONE)
    with _server(many, PER_SECOND) as connect, ThreadPoolExecutor(CLIENTS) as pool:
        ends = perf_counter() + SECONDS
        pagings = list(
            pool.map(lambda number: Paging.until(ends, connect, many * number // CLIENTS), range(CLIENTS))
        )
    yield from _crowd(pagings)


def _one(connect: Connect, name: str, target: str, real: Figure) -> Iterator[Figure]:
    connection = connect()
    samples = measure_each(lambda _: _got(connection, target), range(TIMES))
    connection.close()
    yield Figure(name, samples, "ms", "≤ 10", real)
    yield Figure("  p99", (quantiles(samples, n=100)[-1],), "ms", "≤ 30")


def _crowd(pagings: Sequence[Paging]) -> Iterator[Figure]:
    title = f"{CLIENTS} clients, {PER_SECOND} Workloads/s come and go"
    waits = [milliseconds for paging in pagings for milliseconds in paging.milliseconds]
    pages = [len(paging.milliseconds) for paging in pagings]
    yield Figure(f"{title}: pages", (sum(pages) / SECONDS,), "1/s", "", note=f"{sum(pages)} pages")
    yield Figure(
        "  a page",
        tuple(waits),
        "ms",
        note=f"p99 {quantiles(waits, n=100)[-1]:.4g}, longest {max(waits):.4g}",
    )
    yield Figure(
        "  pages of a client", tuple(map(float, pages)), "", note=f"fewest {min(pages)}, most {max(pages)}"
    )
    yield Figure("  inconsistent pages", (float(sum(paging.inconsistent for paging in pagings)),), "", "0")
    yield Figure("  errors", (float(sum(paging.errors for paging in pagings)),), "", "0")


@dataclass(slots=True)
class Paging:
    """What one client saw that asked for the same page again and again."""

    milliseconds: list[float]
    inconsistent: int = 0
    errors: int = 0

    @classmethod
    def until(cls, ends: float, connect: Connect, offset: int) -> Paging:
        """Ask until a moment of `perf_counter`."""
        paging, connection = cls([]), connect()
        while perf_counter() < ends:
            began = perf_counter()
            status, body = _got(connection, f"{CLUSTER_QUEUE}?limit={PAGE}&offset={offset}")
            paging.milliseconds.append((perf_counter() - began) * 1000)
            paging.errors += status != 200
            paging.inconsistent += status == 200 and not is_consistent(body, offset)
        connection.close()
        return paging


def is_consistent(body: bytes, offset: int) -> bool:
    """Tell whether a page counts up from its offset, for each LocalQueue as well, and names nothing twice."""
    items = orjson.loads(body)["items"]
    expected: dict[tuple[str, str], int] = {}
    for position, item in enumerate(items, offset):
        queue = item["metadata"]["namespace"], item["localQueueName"]
        local = expected.get(queue, item["positionInLocalQueue"])
        expected[queue] = local + 1
        if (item["positionInClusterQueue"], item["positionInLocalQueue"]) != (position, local):
            return False
    return len({(item["metadata"]["namespace"], item["metadata"]["name"]) for item in items}) == len(items)


def _got(connection: HTTPSConnection, target: str) -> tuple[int, bytes]:
    connection.request("GET", target)
    answer = connection.getresponse()
    return answer.status, answer.read()


@contextmanager
def _server(many: int, per_second: int) -> Iterator[Connect]:
    with TemporaryDirectory() as folder:
        authority = Path(folder) / "authority.crt"
        with running("benchmarks.pending_server", str(many), str(per_second), str(authority)) as program:
            context = ssl.create_default_context(cafile=str(authority))
            port = int(program.ready.split()[1])
            yield lambda: HTTPSConnection("127.0.0.1", port, context=context)
