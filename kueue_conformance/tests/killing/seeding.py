"""Wrong control planes, judged cheaply: a process collects every case once, and forks for each wrong one,
which changes nobody else.
"""

from __future__ import annotations

import gc
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from kueue_conformance.run import run_uid
from kueue_conformance.run.parametrization import dialect_of
from kueue_conformance.session.fixtures import RUN, scenario_of

from ..mutation import running
from ..mutation.pool import judge, receive_job, workers
from ..mutation.running import LEVELS, Session, collect
from .planes import WrongPlane, planes

_PROFILES = {**running.PROFILES, "PROVISIONING-CHECK": "provisioning_check"}
_SILENCE_SECONDS = 120
"""A wrong control plane that is not judged after so long hangs; the slowest scenario takes two seconds of CPU
in a seed.
"""


def in_seeds(names: Sequence[str], seeds: Sequence[int], most: int = 0) -> Iterator[tuple[str, int, bool]]:
    """Yield for each wrong control plane and seed whether the
    scenario named for it caught it, as binding as it says.

    Raises RuntimeError when one cannot be judged.
    """
    number = min(most or os.cpu_count() or 1, len(names))
    with TemporaryDirectory() as folder, workers(number, Path(folder), serve) as lent:
        yield from caught(lent, names, seeds, Path(folder))


def caught(
    lent: list[Connection], names: Iterable[str], seeds: Sequence[int], folder: Path
) -> Iterator[tuple[str, int, bool]]:
    """Do the same with workers that run already; `folder` has their logs."""
    jobs = ({"name": name, "seeds": seeds} for name in names)
    for answer in judge(lent, jobs, lambda: None, folder):
        if "caught" not in answer:
            raise RuntimeError(f"{answer['name']} cannot be judged: {answer['problem']}")
        yield from ((answer["name"], seed, seed in answer["caught"]) for seed in seeds)


def serve(connection: Connection, log: Path) -> None:
    """Judge the wrong control planes that are asked for, `{name, seeds}`, until the other end is closed.

    Each is answered by `{name, caught}`, the seeds in which it was caught, or by `{name, problem}`.
    """
    with log.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    wrong = {plane.name: plane for plane in planes()}

    def loop(session: Session, items: dict[str, pytest.Item]) -> None:
        cases = defaultdict[tuple[str, str], list[pytest.Item]](list)
        for item in items.values():
            cases[scenario_of(item).id, dialect_of(item)].append(item)
        _prepare_clusters(items.values(), session)
        gc.freeze()
        connection.send({"ready": len(items)})
        while (job := receive_job(connection)) is not None:
            plane = wrong.get(job["name"])
            case = cases[plane.named, plane.dialect] if plane else []
            if plane and case:
                answer = _in_a_child(plane, case, job["seeds"], session)
            else:
                answer = {"problem": f"{plane.named} has no case in {plane.dialect}" if plane else "unknown"}
            connection.send({"name": job["name"], **answer})

    collect(loop, "all", cases="all", profiles=_PROFILES)
    connection.close()


def _prepare_clusters(items: Iterable[pytest.Item], session: Session) -> None:
    """Run a case of each profile and dialect, so that all is imported, then stop their clusters: a forked
    process has no threads.

    Recorded stories are left out: what one has shown is kept, and would be compared again.
    """
    first = dict[tuple[str, str], pytest.Item]()
    for item in items:
        profile = scenario_of(item).profile.name
        if profile != "KUEUE-RECORDED":
            first.setdefault((profile, dialect_of(item)), item)
    for item in first.values():
        session.run(item)
        for cluster in _bases(item.config).values():
            cluster.stop()


def _in_a_child(
    plane: WrongPlane, cases: Sequence[pytest.Item], seeds: Sequence[int], session: Session
) -> dict[str, object]:
    """Judge a wrong control plane in a fork of this process,
    in which no cluster and so no thread runs yet.
    """
    context = get_context("fork")
    own_end, there = context.Pipe(duplex=False)
    child = context.Process(target=_judge, args=(there, plane, cases, seeds, session))
    child.start()
    there.close()
    try:
        if not own_end.poll(_SILENCE_SECONDS * len(seeds)):
            return {"problem": f"no verdict after {_SILENCE_SECONDS * len(seeds)} s"}
        return {"caught": own_end.recv()}
    except EOFError:
        return {"problem": "its process has ended before the verdict: see the log of the worker"}
    finally:
        child.kill()
        child.join()


def _judge(
    verdict: Connection,
    plane: WrongPlane,
    cases: Sequence[pytest.Item],
    seeds: Sequence[int],
    session: Session,
) -> None:
    """Run the cases in each seed until one fails, and send the seeds in which one does.

    Clusters are prepared anew: what the right reference has put into one, such as its webhooks, may be what
    is wrong here. That takes a quarter of a second.
    """
    binding, config = LEVELS[: LEVELS.index(plane.level) + 1], cases[0].config
    result = []
    _bases(config).clear()
    with plane.install():
        for seed in seeds:
            _sown(config, seed)
            if any(session.run(case) in binding for case in cases):
                result.append(seed)
    verdict.send(result)


def _bases(config: pytest.Config) -> dict[Any, Any]:
    clusters: dict[Any, Any] = config.stash[RUN].backend._bases
    return clusters


def _sown(config: pytest.Config, seed: int) -> None:
    """Have the cases that are run next draw their names with a seed."""
    run = config.stash[RUN]
    run.settings = replace(run.settings, seed=seed)
    run.uid = run_uid(run.settings)
