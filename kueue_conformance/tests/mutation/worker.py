"""A process that has imported and collected everything once and forks a child for each mutant (`forks`).

The child puts the changed module in place, runs cases until one fails, and is ended.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Sequence
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

from kueue_conformance.tests.checkout import ROOT

from .forks import SILENCE_SECONDS, Tell, in_child, warm_up
from .planting import plant
from .pool import receive_job
from .running import UNIT_OPTIONS, Session, collect
from .swapping import Functions
from .worlds import in_both, world_of


def serve(connection: Connection, log: Path, dialect: str) -> None:
    """Judge the jobs that come until the other end is closed: `{id, module, source, at_import, cases: [[node,
    level], …], units: [node, …]}`.

    Each is answered by `{id, verdict, by, ran, seconds}`: the most binding level of what failed, or `unit`,
    `survived`, `incompetent`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that hands out the jobs
    with log.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)

    settings.register_profile("unshrunk", phases=(Phase.explicit, Phase.generate))
    settings.load_profile(
        "unshrunk"
    )  # that an example fails is enough: which one is the smallest takes a minute

    def loop(session: Session, items: dict[str, pytest.Item]) -> None:
        clusters, items = warm_up(session, items), in_both(items)
        functions = Functions("reference_impl.")
        gc.collect()
        gc.freeze()
        connection.send({"ready": len(items)})
        while (job := receive_job(connection)) is not None:
            connection.send(
                {
                    "id": job["id"],
                    **in_child(
                        partial(judge, job, session, items, (functions, clusters)),
                        job.get("silence", SILENCE_SECONDS),
                    ),
                }
            )

    collect(loop, dialect)


def judge(
    job: dict[str, Any],
    session: Session,
    items: dict[str, pytest.Item],
    warm: tuple[Functions, Any],
    tell: Tell,
) -> None:
    """Plant a mutant in this process, run its cases and its unit tests, and tell the verdict at last."""
    functions, clusters = warm
    try:
        reloaded_modules = plant(job["module"], job["source"], None if job["at_import"] else functions)
    except Exception as problem:  # noqa: BLE001 - whatever the import of a mutant raises
        tell(verdict="incompetent", by=repr(problem), ran=0)
        return
    if any(name.startswith("reference_impl.kueue.webhooks") for name in reloaded_modules):
        _drop_webhooks(clusters)
    ran, weak = 0, {}
    for node, level in job["cases"]:
        if weak and level != "must":
            break
        tell(at=node, level=level, ran=ran)
        ran += 1
        with world_of(node):
            failed = session.run(items[node])
        weak = weak or ({"verdict": failed, "by": node} if failed else {})
        if failed == "must":
            tell(verdict=failed, by=node, ran=ran)
            return
    if weak:
        tell(**weak, ran=ran)
        return
    failed = find_failing_unit(job["units"], partial(tell, level="unit", ran=ran)) if job["units"] else ""
    tell(verdict="unit" if failed else "survived", by=failed, ran=ran)


def _drop_webhooks(clusters: dict[tuple[Any, bool, Any], Any]) -> None:
    """Have clusters prepared anew whose webhooks are what was imported before."""
    for key in [key for key in clusters if key[1]]:
        del clusters[key]


def find_failing_unit(nodes: Sequence[str], tell: Tell = lambda **_: None) -> str:
    """Run unit tests in this process until one fails, and return its node id; empty when all pass."""
    first_failure = _FirstFailure(tell)
    code = pytest.main([*UNIT_OPTIONS, "-x", *(str(ROOT / node) for node in nodes)], plugins=[first_failure])
    return first_failure.node or ("" if code == pytest.ExitCode.OK else f"{nodes[0]} and others: {code!r}")


class _FirstFailure:
    def __init__(self, tell: Tell) -> None:
        self.node, self._tell = "", tell

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._tell(at=report.nodeid)
        self.node = self.node or (report.nodeid if report.failed else "")
