"""What the harness adds to a scenario: an empty case, and a negative assertion, with and without a subject in
the process (issue 5 §4).

CPU of this process, in which server, control plane, subject and scenario all live.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time

from kueue_conformance import options
from kueue_conformance.case.context import never
from kueue_conformance.run import Run
from kueue_conformance.stage.subject.polling_interval import PollingInterval

from .figure import Figure
from .processes import memory

TIMES = 30
ZOO = Path(__file__).parents[1] / "kueue_conformance/tests/zoo"
SUBJECT = {
    "subject-file": str(ZOO / "right.yaml"),
    "controller-name": "example.com/budget",
    "subject": "python:kueue_conformance.tests.zoo.right:CheckController.serve",
}


def figures() -> Iterator[Figure]:
    """Yield the milliseconds of an empty case and of a negative assertion."""
    with _run({}) as run:
        yield Figure("an empty case with the reference", _cases(run), "ms CPU", "<= 50")
        yield _growth(run)
    with _run(SUBJECT) as run:
        yield Figure("an empty case with a subject of the process", _cases(run), "ms CPU", "<= 50")
        with run.case_context(run.settings.dialects[0], "benchmark") as context:
            interval = PollingInterval(context)

            def nothing_happens() -> None:
                never(lambda: bool(interval.wait()))

            yield Figure("  a negative assertion in it", _measure(nothing_happens), "ms CPU", "< 100")
        yield _growth(run)


@contextmanager
def _run(option_values: dict[str, str]) -> Iterator[Run]:
    run = Run(options.read({"backend": "fake", **option_values}, seed=7))
    gc.disable()  # as in a run of scenarios
    try:
        yield run
    finally:
        gc.enable()
        run.close()


def _cases(run: Run) -> tuple[float, ...]:
    _empty(run)
    return _measure(lambda: _empty(run))


def _empty(run: Run) -> None:
    with run.case_context(run.settings.dialects[0], "benchmark"):
        pass


def _growth(run: Run) -> Figure:
    """Return by how much memory grows over 1 000 cases,
    garbage looked for every 100 as in a run of scenarios.
    """
    before = memory()
    for number in range(1, 1001):
        _empty(run)
        if number % 100 == 0:
            gc.collect(0)
    grown = memory() - before
    return Figure(
        "  memory that 1 000 more of them take", (grown,), "MB", "0", note=f"{before + grown:.0f} MB then"
    )


def _measure(act: Callable[[], object]) -> tuple[float, ...]:
    return tuple(_once(act) for _ in range(TIMES))


def _once(act: Callable[[], object]) -> float:
    began = process_time()
    act()
    return (process_time() - began) * 1000
