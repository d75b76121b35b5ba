"""What a cluster costs: the first in a process, the next, a fork, an end, and memory (B-01…B-04).

Each first cluster is that of a process of its own, timed inside it from before the first import of ours until
the definitions of Kueue are served; Python's own start is not in the figure.
"""

from __future__ import annotations

import ssl
import subprocess
import sys
from collections.abc import Iterator
from urllib.request import urlopen

from .figure import Figure, measure, measure_each

PROCESSES, TIMES = 3, 10
FIRST = """
import time
began = time.perf_counter()
from fakecluster import FakeCluster
from reference_impl.api.crds import definitions
imported = time.perf_counter()
cluster = FakeCluster().start()
cluster.apply(definitions("v0.19"))
ready = time.perf_counter()
status = open("/proc/self/status").read() if __import__("os").path.exists("/proc/self/status") else "VmRSS: nan"
rss = float(status.split("VmRSS:")[1].split()[0]) / 1024
print((ready - began) * 1000, (imported - began) * 1000, rss)
cluster.stop()
"""


def figures() -> Iterator[Figure]:
    """Yield the figures of first clusters, then those of later ones in this process."""
    rows = zip(*(_first() for _ in range(PROCESSES)), strict=True)
    milliseconds, imports, memory = rows
    first = Figure("first cluster with Kueue's kinds, imports included", milliseconds, "ms", "≤ 400")
    yield first
    yield Figure("  of it imports", imports, "ms")
    yield Figure("  memory of the process then", memory, "MB", "≤ 100")
    yield from _later(first)


def _first() -> tuple[float, ...]:
    done = subprocess.run([sys.executable, "-c", FIRST], check=True, capture_output=True, text=True)
    return tuple(map(float, done.stdout.split()))


def _later(first: Figure) -> Iterator[Figure]:
    from fakecluster import FakeCluster
    from reference_impl.api.crds import definitions

    def prepare() -> FakeCluster:
        cluster = FakeCluster().start()
        cluster.apply(definitions("v0.19"))
        return cluster

    def ready() -> None:
        clusters.append(FakeCluster(authorization="rbac").start())
        _ready(clusters[-1].url)

    base = prepare()
    clusters: list[FakeCluster] = []
    yield Figure(
        "next cluster with Kueue's kinds",
        measure(lambda: clusters.append(prepare()), TIMES),
        "ms",
        "≤ 100",
        first,
    )
    bare = [FakeCluster().start() for _ in range(TIMES)]
    yield Figure(
        "  of it Kueue's definitions served",
        measure_each(lambda number: bare[number].apply(definitions("v0.19")), range(TIMES)),
        "ms",
    )
    clusters.extend(bare)
    yield Figure("start in process until /readyz answers", measure(ready, TIMES), "ms", "≤ 60")
    yield Figure("fork", measure(lambda: clusters.append(base.fork()), TIMES), "ms", "≤ 5")
    yield Figure("stop", measure(lambda: clusters.pop().stop(), 4 * TIMES), "ms", "≤ 50")
    base.stop()


def _ready(url: str) -> None:
    """Wait for the first answer; a server in the own process needs no user for it."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with urlopen(f"{url}/readyz", context=context) as answer:
        answer.read()
