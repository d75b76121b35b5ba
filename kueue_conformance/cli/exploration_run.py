"""An exploration at the terminal: its limit, its progress, its findings, and what was run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.files.saving import make_folder
from ..exploration.exploration import Exploration, repeat
from ..exploration.findings import Finding, read_finding, write_finding

if TYPE_CHECKING:
    from ..exploration.perturbation import PerturbationKind
    from ..exploration.story import RunStory

_EVERY_SECONDS = 10.0


class Limit:
    """The end of an exploration: a time, or a number of runs."""

    def __init__(self, seconds: float, runs: int | None) -> None:
        self._began = time.monotonic()
        self._seconds = seconds
        self._runs = runs

    @property
    def passed_seconds(self) -> float:
        """The seconds since the beginning."""
        return time.monotonic() - self._began

    def is_over(self, runs: int) -> bool:
        """Tell whether the time or the runs are used up."""
        return runs >= self._runs if self._runs else self.passed_seconds >= self._seconds


class _Progress:
    """A line on the terminal every ten seconds."""

    def __init__(self) -> None:
        self._reported_seconds = 0.0

    def report(self, exploration: Exploration, found: int, passed_seconds: float) -> None:
        """Print what was done so far, when the last line is old enough."""
        if passed_seconds - self._reported_seconds < _EVERY_SECONDS:
            return
        self._reported_seconds = passed_seconds
        coverage = exploration.coverage
        click.echo(
            f"{coverage.stories} stories  {coverage.runs} runs  {found} findings  {passed_seconds:.0f} s",
            err=True,
        )


def explore_until(
    make: Callable[[Callable[[], bool]], Exploration],
    limit: Limit,
    out: Path,
    kinds: Sequence[PerturbationKind],
) -> int:
    """Explore until the limit, print and write each finding, and return the exit code.

    `make` returns the exploration that ends when the function that it gets says so.
    """
    make_folder(out)
    found: list[Finding] = []
    progress = _Progress()

    def is_over() -> bool:
        progress.report(exploration, len(found), limit.passed_seconds)
        return limit.is_over(exploration.coverage.runs)

    exploration = make(is_over)
    interrupted = False
    try:
        for finding in exploration.findings():
            found.append(finding)
            # Printed first: a disk that is full loses the file, and not the finding.
            click.echo("\n".join(["", *finding.lines()]))
            click.echo(f"  file       {write_finding(finding, out)}")
    except KeyboardInterrupt:
        interrupted = True
    click.echo("\n".join(["", *exploration.coverage.lines(kinds)]))
    for (cause, kind), times in exploration.causes.items():
        click.echo(f"found {times} time(s): {cause}{f', {kind}' if kind else ''}")
    click.echo(f"{len(found)} finding(s); seed {exploration.seed}; {limit.passed_seconds:.1f} s")
    return 2 if interrupted else int(bool(found))


def replay(file: Path, run: RunStory) -> int:
    """Run a finding again, print what comes of it, and return the exit code."""
    before = read_finding(file)
    now = repeat(before, run)
    if not now.failed:
        click.echo(f"{before.cause}: not seen in {now.runs} runs (it was {before.rate})")
        return 0
    click.echo("\n".join(now.lines()))
    return 1
