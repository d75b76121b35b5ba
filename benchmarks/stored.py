"""Whether a request costs the same beside a thousand stored
objects and beside a hundred thousand (goal: ± 20 %).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time

from fakecluster import FakeCluster

from .figure import Figure

SIZES = (1_000, 10_000, 100_000)
TIMES, ROUNDS = 100, 7
PATH = "/api/v1/namespaces/default/configmaps"


def figures() -> Iterator[Figure]:
    """Yield the CPU milliseconds of each verb at each size, beside those at the first."""
    with FakeCluster(controllers="none") as cluster:
        there, first = 0, dict[str, Figure]()
        for size in SIZES:
            for number in range(there, size):
                cluster.request("POST", PATH, _object(f"stored-{number}"))
            there = size
            for verb, act in _verbs(cluster).items():
                spent = tuple(_spent(act, str(round_)) for round_ in range(ROUNDS))
                figure = Figure(
                    f"{verb} beside {size} objects", spent, "ms", "1 ± 0.2 x" if verb in first else ""
                )
                yield Figure(figure.name, spent, "ms", figure.goal, first.get(verb))
                first.setdefault(verb, figure)


def _verbs(cluster: FakeCluster) -> dict[str, Callable[[str], object]]:
    merge = {"content-type": "application/merge-patch+json"}
    return {
        "POST": lambda name: cluster.request("POST", PATH, _object(name)),
        "GET": lambda name: cluster.request("GET", f"{PATH}/{name}"),
        "PUT": lambda name: cluster.request("PUT", f"{PATH}/{name}", _object(name, "1")),
        "merge PATCH": lambda name: cluster.request(
            "PATCH", f"{PATH}/{name}", {"data": {"n": "2"}}, headers=merge
        ),
        "DELETE": lambda name: cluster.request("DELETE", f"{PATH}/{name}"),
    }


def _spent(act: Callable[[str], object], prefix: str) -> float:
    began = process_time()
    for number in range(TIMES):
        act(f"timed-{prefix}-{number}")
    return (process_time() - began) * 1000 / TIMES


def _object(name: str, number: str = "0") -> dict[str, object]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"n": number}}
