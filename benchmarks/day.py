"""A day at 50 requests per second in virtual time:
what the process weighs, hour by hour, beside its first full history.
"""

from __future__ import annotations

from collections.abc import Iterator

from fakecluster import FakeCluster

from .figure import Figure
from .processes import memory

HOURS, RATE, STEP = 24, 50, 60
"""Hours of the day, requests per second of it, and seconds between two moves of the clock."""
OBJECTS = 1000
PATH = "/api/v1/namespaces/default/configmaps"


def figures() -> Iterator[Figure]:
    """Yield the memory after the first hour, when every window is full, and after the day."""
    with FakeCluster(controllers="all") as cluster:
        for number in range(OBJECTS):
            cluster.request("POST", PATH, _object(number, 0))
        weights = tuple(_hour(cluster, hour) for hour in range(HOURS))
    full = Figure("memory after an hour", weights[:1], "MB")
    yield full
    yield Figure("memory after a day at 50 requests/s", weights[-1:], "MB", "1 x", full)


def _hour(cluster: FakeCluster, hour: int) -> float:
    for minute in range(3600 // STEP):
        for number in range(RATE * STEP // 3):
            name = number % OBJECTS
            cluster.request("GET", f"{PATH}/object-{name}")
            cluster.request("PUT", f"{PATH}/object-{name}", _object(name, hour * 3600 + minute))
            cluster.request("GET", f"{PATH}/object-{name}")
        cluster.advance(STEP)
    return memory()


def _object(number: int, revision: int) -> dict[str, object]:
    data = {"p": "x" * 900, "seen": str(revision)}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"object-{number}"}, "data": data}
