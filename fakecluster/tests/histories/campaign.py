"""Plays schedules, each on a server or namespace of its own, and judges them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fakecluster import FakeCluster
from fakecluster.histories import Violation, check

from .clients import Client, Notes
from .schedule import Schedule
from .servers import NAMESPACE, OurServer, RealServer


@dataclass(frozen=True)
class Outcome:
    """What one schedule has shown."""

    seed: int
    violations: Sequence[Violation]
    counts: Mapping[str, int]


@cache
def base() -> FakeCluster:
    """The cluster of this process from which every schedule has a fork."""
    cluster = FakeCluster(tls=False, controllers="none").start()
    cluster.request("POST", "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
    return cluster


def judge(schedule: Schedule, seed: int) -> Outcome:
    """Play a schedule and judge its history."""
    history = schedule.play()
    violations = check(history)
    events = sum(len(watch.events) for watch in history.watches)
    counts = {
        "writes": len(history.writes),
        "lists": len(history.lists),
        "gets": len(history.gets),
        "events": events,
        "violations": len(violations),
        **schedule.counts,
    }
    return Outcome(seed, violations, counts)


def judge_one(seed: int, steps: int) -> Outcome:
    """Judge one schedule on our server."""
    schedule = Schedule(OurServer(base().fork(on_call=True)), seed, Notes(), steps)
    try:
        return judge(schedule, seed)
    finally:
        schedule.server.stop()


def judge_ours(chunk: tuple[Sequence[int], int]) -> list[Outcome]:
    """Judge schedules on our server."""
    # A process of its own: what clients cut is no news.
    logging.disable(logging.CRITICAL)
    seeds, steps = chunk
    return [judge_one(seed, steps) for seed in seeds]


def judge_real(kubeconfig: Path, seeds: Sequence[int], steps: int) -> Iterator[Outcome]:
    """Judge schedules on a server that runs, each in a namespace of its own."""
    server = RealServer(kubeconfig)
    for seed in seeds:
        notes = Notes(f"histories-{seed}")
        creator = Client("the creator of the namespace", notes, None)
        creator.send(server, "POST", "/api/v1/namespaces", body={"metadata": {"name": notes.namespace}})
        creator.receive(server)
        yield judge(Schedule(server, seed, notes, steps), seed)
