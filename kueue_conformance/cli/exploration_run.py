"""An exploration at the terminal: its limit, its progress, its findings, and what was run."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import EnvironmentProblem
from ..base.files.saving import make_folder, save
from ..exploration.coverage import Coverage, Vocabulary, reasons_unseen, sections
from ..exploration.exploration import SeedsByCause, repeat
from ..exploration.findings import Finding, read_finding, write_finding
from ..report.page.coverage import render_coverage
from ..report.story.finding_test import finding_test
from ..report.story.kubectl_script import kubectl_script
from .exploration_workers import StartProgram, Workers

if TYPE_CHECKING:
    from ..exploration.story import RunStory

_EVERY_SECONDS = 10.0
_PAGE = "coverage.html"
_MOST_SEEDS = 8


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

    def report(self, runs: int, findings: int, passed_seconds: float) -> None:
        """Print what was done so far, when the last line is old enough."""
        if passed_seconds - self._reported_seconds < _EVERY_SECONDS:
            return
        self._reported_seconds = passed_seconds
        click.echo(f"{runs} runs  {findings} findings  {passed_seconds:.0f} s", err=True)


class _Findings:
    """Prints and writes each finding of a cause that is new."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._causes: set[tuple[str, str]] = set()
        self.problems: list[str] = []
        """Why findings could not be written."""

    def __len__(self) -> int:
        return len(self._causes)

    def add_all(self, findings: Iterable[Finding]) -> None:
        """Print and write findings as they come."""
        for finding in findings:
            self._add(finding)

    def _add(self, finding: Finding) -> None:
        """Print and write a finding, unless another process has found its cause before. One that cannot be
        written is said so, and the exploration goes on.
        """
        cause = finding.cause, finding.perturbation.kind.name if finding.perturbation else ""
        if cause in self._causes:
            return
        self._causes.add(cause)
        # Printed first: a disk that is full loses the file, and not the finding.
        click.echo("\n".join(["", *finding.lines()]))
        try:
            file = write_finding(finding, self._out)
            click.echo(f"  file       {file}")
            # Without a perturbation a person can do by hand what the story does.
            if finding.changes and finding.perturbation is None:
                script = file.with_suffix(".sh")
                save(script, kubectl_script(finding.changes))
                click.echo(f"  by hand    sh {script}")
            # A test has one program: what differs from another one is no finding of it.
            if not finding.identity.against:
                test = file.with_name(f"{file.stem}_test.py")
                save(test, finding_test(finding, str(test)))
                click.echo(f"  test       python -m pytest {test}")
        except EnvironmentProblem as problem:
            self.problems.append(f"a finding is not in a file: {problem}")
            click.echo(f"  file       none: {problem}; its acts are those above")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExploreOptions:
    """What the command line says of an exploration of any program."""

    limit: Limit
    out: Path
    """The folder for findings."""
    tries: int
    """How many shorter stories are tried for a finding."""
    workers: int = 1
    file: Path | None = None
    """A finding that is run again, in place of an exploration."""


def explore_or_replay(start: StartProgram, options: ExploreOptions, seed: int) -> int:
    """Explore the program, or run a finding on it again; return the exit code."""
    if options.file is None:
        return explore_until(start, options, seed)
    with start(_announce) as program:
        return replay(options.file, program.run)


def explore_until(start: StartProgram, options: ExploreOptions, seed: int) -> int:
    """Explore in so many processes, print and write each finding, and return the exit code."""
    make_folder(options.out)
    limit, findings, progress = options.limit, _Findings(options.out), _Progress()
    workers = Workers(options.workers, limit.is_over, seed, options.tries)

    def meanwhile() -> None:
        progress.report(workers.runs, len(findings), limit.passed_seconds)
        findings.add_all(workers.findings())

    coverage, vocabulary = Coverage(), Vocabulary()
    causes: SeedsByCause = {}
    interrupted = False
    try:
        with workers.beside(start), start(_announce) as program:
            # Remembered here: an interruption ends the block, and the table comes behind it.
            vocabulary = program.vocabulary
            exploration = workers.share(0, program, meanwhile)
            coverage, causes = exploration.coverage, exploration.causes
            findings.add_all(exploration.findings())
    except KeyboardInterrupt:
        interrupted = True
    findings.add_all(workers.findings())
    for report in workers.reports:
        coverage.add(report.coverage)
        for key, seeds in report.causes.items():
            causes.setdefault(key, []).extend(seeds)
    click.echo("\n".join(["", *coverage.lines(vocabulary.kinds)]))
    findings.problems += _report_coverage(coverage, vocabulary, options.out)
    for (cause, kind), seeds in causes.items():
        click.echo(f"found {len(seeds)} time(s): {cause}{f', {kind}' if kind else ''} (seed {_list(seeds)})")
    click.echo(f"{len(findings)} finding(s); seed {seed}; {limit.passed_seconds:.1f} s")
    return _exit_code(workers, findings, interrupted=interrupted)


def _list(seeds: Sequence[int]) -> str:
    """Return the seeds of a cause, so that those whose finding was another story can be played as well."""
    different = sorted({*seeds})
    listed = ", ".join(map(str, different[:_MOST_SEEDS]))
    more = len(different) - _MOST_SEEDS
    return f"{listed} and {more} more" if more > 0 else listed


def _report_coverage(coverage: Coverage, vocabulary: Vocabulary, folder: Path) -> list[str]:
    """Print the table, and write the page; return why it could not be written, if so."""
    click.echo(f"{'coverage':<34} {'seen':>5} {'of':>5} {'times':>7}")
    for section in sections(coverage, vocabulary):
        click.echo(f"  {section.name:<32} {section.covered:>5} {section.total or '':>5} {section.times:>7}")
    unseen = [f"{number} {reason}" for reason, number in sorted(reasons_unseen(coverage, vocabulary).items())]
    click.echo(f"  never seen: {', '.join(unseen) or 'nothing'}")
    file = folder / _PAGE
    try:
        save(file, render_coverage(coverage, vocabulary))
    except EnvironmentProblem as problem:
        return [f"the page of coverage is not in a file: {problem}"]
    click.echo(f"  page       {file}")
    return []


def _exit_code(workers: Workers, findings: _Findings, *, interrupted: bool) -> int:
    """Return the exit code, and say why a worker could not go on, or a finding could not be written."""
    problems = [
        *(f"a worker could not go on: {report.problem}" for report in workers.reports if report.problem),
        *findings.problems,
    ]
    for problem in problems:
        click.echo(problem, err=True)
    if interrupted:
        return 2
    return 3 if problems else int(bool(len(findings)))


def _announce(text: str) -> None:
    click.echo(text, err=True)


def identity_words(file: Path) -> Mapping[str, str]:
    """Return the options that say what a finding is about: its dialect, and its control plane, if any.

    Raises UsageError.
    """
    identity = read_finding(file).identity
    plane = {"control-plane": identity.control_plane} if identity.control_plane else {}
    return {"dialect": identity.dialect, **plane}


def replay(file: Path, run: RunStory) -> int:
    """Run a finding again, print what comes of it, and return the exit code."""
    before = read_finding(file)
    now = repeat(before, run)
    if not now.failed:
        click.echo(f"{before.cause}: not seen in {now.runs} runs (it was {before.rate})")
        return 0
    click.echo("\n".join(now.lines()))
    return 1
