"""A process that has imported and collected everything once and forks a child for each mutant.

The child puts the changed module in place, runs cases until one fails, and is ended. No thread lives at the fork: the clusters that the
first cases have prepared are stopped, and a child starts them on a loop of its own.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import threading
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

import pytest

from kueue_conformance.collected import dialect_of
from kueue_conformance.public_fixtures import RUN, case_of, scenario_of
from kueue_conformance.tests.checkout import ROOT

from .planting import plant
from .running import Session, collected

Tell = Callable[..., None]
SILENCE_SECONDS = 40.0
"""A child that says nothing for so long hangs; the slowest case takes a second."""


def serve(connection: Connection, log: Path, dialect: str) -> None:
    """Judge the jobs that come until the other end is closed: `{id, module, source, cases: [[node, level], …], unit}`.

    Each is answered by `{id, verdict, by, ran, seconds}`: the most binding level of what failed, or `unit`, `survived`, `incompetent`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that hands out the jobs
    with log.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)

    def loop(session: Session, items: dict[str, pytest.Item]) -> None:
        clusters = _warmed(session, items)
        gc.collect()
        gc.freeze()
        connection.send({"ready": len(items)})
        while (job := _received(connection)) is not None:
            connection.send(
                {
                    "id": job["id"],
                    **in_child(
                        partial(judge, job, session, items, clusters), job.get("silence", SILENCE_SECONDS)
                    ),
                }
            )

    collected(loop, dialect)


def _received(connection: Connection) -> Any:
    try:
        return connection.recv()
    except EOFError:
        return None


def _warmed(session: Session, items: dict[str, pytest.Item]) -> Any:
    """Run a case of each dialect, with webhooks and without, and return the prepared clusters, stopped."""
    first: dict[Any, pytest.Item] = {}
    for item in items.values():
        first.setdefault((dialect_of(item), "webhooks" in scenario_of(item).needs_of(case_of(item))), item)
    for item in first.values():
        session.run(item)
    clusters = next(iter(items.values())).config.stash[RUN].backend._bases
    for cluster in clusters.values():
        cluster._halt()
    if threading.active_count() > 1:
        raise RuntimeError(f"a fork needs a process of one thread: {threading.enumerate()}")
    return clusters


def in_child(work: Callable[[Tell], None], silence: float = SILENCE_SECONDS) -> dict[str, Any]:
    """Do the work in a child and return its last word and its seconds of CPU; one that hangs or dies is caught by what it was at."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _tell(writing, work)
    os.close(writing)
    told = _followed(reading, child, silence)
    used = os.wait4(child, 0)[2]
    return {**told, "seconds": round(used.ru_utime + used.ru_stime, 3)}


def _tell(writing: int, work: Callable[[Tell], None]) -> NoReturn:
    def tell(**word: Any) -> None:
        os.write(writing, json.dumps(word).encode() + b"\n")

    try:
        work(tell)
    except BaseException as problem:  # noqa: BLE001 - the parent's stack is not the child's
        tell(verdict="error", by=repr(problem))
    finally:
        os._exit(0)


def _followed(reading: int, child: int, silence: float) -> dict[str, Any]:
    """Read what a child says until it ends, and end it where it says nothing any more."""
    last: dict[str, Any] = {}
    text = b""
    with open(reading, "rb", buffering=0) as pipe:
        while True:
            if not select.select([pipe], [], [], silence)[0]:
                os.kill(child, signal.SIGKILL)
                return {
                    "verdict": last.get("level", "error"),
                    "by": f"{last.get('at')} hangs",
                    "ran": last.get("ran", 0),
                }
            data = pipe.read(1 << 16)
            text += data
            *lines, text = text.split(b"\n")
            last = json.loads(lines[-1]) if lines else last
            if "verdict" in last:
                return last
            if not data:
                return {
                    "verdict": last.get("level", "error"),
                    "by": f"{last.get('at')} ends the process",
                    "ran": last.get("ran", 0),
                }


def judge(
    job: dict[str, Any], session: Session, items: dict[str, pytest.Item], clusters: Any, tell: Tell
) -> None:
    """Plant a mutant in this process, run its cases and its unit tests, and tell the verdict at last."""
    try:
        again = plant(job["module"], job["source"])
    except Exception as problem:  # noqa: BLE001 - whatever the import of a mutant raises
        tell(verdict="incompetent", by=repr(problem), ran=0)
        return
    _start(clusters, webhooks=not any(name.startswith("reference_impl.webhooks") for name in again))
    ran, weak = 0, {}
    for node, level in job["cases"]:
        if weak and level != "must":
            break
        tell(at=node, level=level, ran=ran)
        ran += 1
        failed = session.run(items[node])
        weak = weak or ({"verdict": failed, "by": node} if failed else {})
        if failed == "must":
            tell(verdict=failed, by=node, ran=ran)
            return
    if weak:
        tell(**weak, ran=ran)
        return
    failed = next(
        (
            found
            for place in job["units"]
            if (found := failed_unit(place, partial(tell, level="unit", ran=ran)))
        ),
        "",
    )
    tell(verdict="unit" if failed else "survived", by=failed, ran=ran)


def _start(clusters: Any, *, webhooks: bool) -> None:
    """Start the prepared clusters on this process's loop; one whose webhooks are what was imported before is prepared anew when it is asked for."""
    for key, cluster in [*clusters.items()]:
        if key[1] and not webhooks:
            del clusters[key]
        else:
            cluster.start()


def failed_unit(place: str, tell: Tell = lambda **_: None) -> str:
    """Run unit tests in this process until one fails, and return its node id; empty when all pass."""
    seen = _FirstFailure(tell)
    arguments = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), str(ROOT / place), "-x", "-q", "-n", "0", "--timeout=0", "-p", "no:cacheprovider", "-W", "default"]  # fmt: skip
    code = pytest.main(arguments, plugins=[seen])
    return seen.node or (
        "" if code in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED} else f"{place}: {code!r}"
    )


class _FirstFailure:
    def __init__(self, tell: Tell) -> None:
        self.node, self._tell = "", tell

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._tell(at=report.nodeid)
        self.node = self.node or (report.nodeid if report.failed else "")
