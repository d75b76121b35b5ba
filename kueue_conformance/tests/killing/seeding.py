"""Wrong control planes in every seed, cheaply: everything is imported and collected once, and each wrong one lives in a child of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from kueue_conformance.parametrization import dialect_of
from kueue_conformance.public_fixtures import RUN, scenario_of
from kueue_conformance.run import run_uid

from ..mutation.forks import Tell, in_child, start, warmed
from ..mutation.running import LEVELS, Session, collected
from .planes import WrongPlane, planes

_BASES = ("reference_impl.api.", "reference_impl.webhooks.", "reference_impl.install")
"""What is made of these is kept in the prepared clusters, which are then prepared anew."""


def in_seeds(names: Sequence[str], seeds: Sequence[int], most: int = 0) -> Iterator[tuple[str, int, bool]]:
    """Yield for each wrong control plane and seed whether the scenario named for it caught it, as binding as it says.

    Raises RuntimeError when one cannot be judged.
    """
    context, number = get_context("spawn"), min(most or os.cpu_count() or 1, len(names))
    with TemporaryDirectory() as folder:
        lent, processes = [], []
        for place in range(number):
            here, there = context.Pipe(duplex=False)
            given = (there, Path(folder) / f"{place}.log", names[place::number], seeds)
            processes.append(context.Process(target=_serve, args=given))
            processes[-1].start()
            there.close()
            lent.append(here)
        missing = set(names)
        while lent:
            for connection in wait(lent):
                try:
                    name, told = connection.recv()  # type: ignore[union-attr]
                except EOFError:
                    lent.remove(connection)  # type: ignore[arg-type]
                    continue
                if told["verdict"] != "judged":
                    raise RuntimeError(f"{name} cannot be judged: {told}")
                missing.discard(name)
                yield from ((name, seed, seed in told["caught"]) for seed in seeds)
        for one in processes:
            one.join()
    if missing:
        raise RuntimeError(f"a process has ended before it judged {', '.join(sorted(missing))}")


def _serve(connection: Connection, log: Path, names: Sequence[str], seeds: Sequence[int]) -> None:
    with log.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    wrong = {one.name: one for one in planes()}

    def loop(session: Session, items: dict[str, pytest.Item]) -> None:
        clusters = warmed(session, items)
        for name in names:
            plane = wrong[name]
            cases = [
                one
                for one in items.values()
                if scenario_of(one).id == plane.named and dialect_of(one) == plane.dialect
            ]
            connection.send((name, in_child(partial(_judge, plane, cases, seeds, session, clusters))))

    collected(loop, "all", cases="all")
    connection.close()


def _judge(
    plane: WrongPlane,
    cases: Sequence[pytest.Item],
    seeds: Sequence[int],
    session: Session,
    clusters: Any,
    tell: Tell,
) -> None:
    """Run the cases in each seed until one fails; a plane that hangs is caught in the seed in which it does."""
    if not cases:
        tell(verdict="error", by=f"{plane.named} has no case in {plane.dialect}")
        return
    binding = LEVELS[: LEVELS.index(plane.level) + 1]
    caught = []
    with plane.installed():
        if any(_named(one.owner).startswith(_BASES) for one in plane.overrides):
            clusters.clear()
        start(clusters, webhooks=True)
        for seed in seeds:
            tell(at=seed, level="hangs")
            _sown(cases[0].config, seed)
            if any(session.run(one) in binding for one in cases):
                caught.append(seed)
    tell(verdict="judged", caught=caught)


def _named(owner: Any) -> str:
    return f"{getattr(owner, '__module__', None) or owner.__name__}."


def _sown(config: pytest.Config, seed: int) -> None:
    """Have the cases that are run next draw their names with a seed."""
    run = config.stash[RUN]
    run.settings = replace(run.settings, seed=seed)
    run.uid = run_uid(run.settings)
