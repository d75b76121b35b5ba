"""`python -m benchmarks [NAME …]`: runs the questions named, or all of them, and prints their figures.

Nothing is asserted.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module

from .figure import HEAD, Figure, line

QUESTIONS: Mapping[str, str] = {
    "imports": "how long a program waits before it can begin",
    "clusters": "what a cluster costs: first, next, fork, stop, memory (B-01…B-04)",
    "requests": "what a request costs (B-05…B-07)",
    "stored": "whether a request costs the same beside a thousand and a hundred thousand objects",
    "wheel": "how large the wheel is (B-11)",
    "cases": "what a case of the conformance suite costs",
    "overhead": "what the harness adds to a scenario: an empty case, a negative assertion",
    "admissions": "how many Workloads are admitted in a second, over the wire, between processes",
    "cycles": "whether a scheduling cycle costs the same beside a thousand and a hundred thousand pending Workloads",
    "preemption": "what a search for victims among 10 000 admitted Workloads costs",
    "classes": "upstream's performance scenario: 15 000 Workloads of three classes, end to end (minutes; only when named)",
    "provisioning": "Workloads that each wait for a ProvisioningRequest: how soon, how much CPU, flat to 10 000",
    "autoscaler": "estimates, loops beside pending ProvisioningRequests, and 500 of them; beside CLUSTER_AUTOSCALER where it names one",
    "visibility": "pages of 100 000 pending Workloads, in process and over TLS (VIS-950…958)",
    "day": "a day at 50 requests per second in virtual time: does memory grow? (over an hour; only when named)",
}
LONG = frozenset({"classes", "day"})
"""Questions asked only by name."""


def main(names: list[str]) -> int:
    """Print the figures of each question."""
    unknown = [name for name in names if name not in QUESTIONS]
    if unknown:
        print(f"unknown benchmark {unknown[0]!r}; there are:", file=sys.stderr)
        print(*(f"  {name:<12} {about}" for name, about in QUESTIONS.items()), sep="\n", file=sys.stderr)
        return 4
    print(
        f"{time.strftime('%Y-%m-%d')}  {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    )
    load = os.getloadavg()[0]
    print(f"load before the run {load:.1f}{' (busy: read the best, not the median)' if load > 1 else ''}")
    print(HEAD)
    for name in names or [name for name in QUESTIONS if name not in LONG]:
        measure: Callable[[], Iterable[Figure]] = import_module(f"benchmarks.{name}").figures
        for figure in measure():
            print(line(figure), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
