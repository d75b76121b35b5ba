"""`make mutation`: change the reference's decisions one place at a time, and see whether a case fails.

A mutant is judged by the cases of ADMISSION, QUEUEING, VISIBILITY and KUEUE-RECORDED that
execute its line: those at must first, then the weaker ones, then the unit tests that execute
it. The case that caught a neighbour is tried before others. The first failure ends it. The
session is kept in .mutation/: a run that is ended with Ctrl-C is gone on with by the next
one, and after a change of the reference only the mutants of the definitions that have
changed are judged again, after a change of the scenarios those that were not caught at must.

  make mutation
      a sample of 600, always the same: at most 40 minutes of two cores
  make mutation ARGS="--all"
      every mutant: hours
  make mutation ARGS="--module reference_impl.kueue.checks.entries"
      all of one module, or of a package
  make mutation ARGS="--sample 250 --seed 8"
      another sample, some of every module, drawn by lot
  make mutation ARGS="--argued"
      those that are argued to be equivalent: fails where a scenario catches one
  make mutation ARGS="--page"
      write the page from what is known of the sample, and run nothing
  make mutation ARGS="--page --all"
      the same of all mutants
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import click

from kueue_conformance.tests.checkout import ROOT

from .arguing import Arguments
from .executing import Case, Executed
from .killers import Killers
from .made import FOLDER, list_mutants
from .mutants import Mutant, path_of
from .page import PAGE, page, scores, survivors
from .pool import judge, workers
from .recording import CASES, UNITS, record
from .running import LEVELS
from .sampling import sample
from .session import Result, Work, digest
from .worker import serve

SCENARIOS = ("suites", "kueue_conformance", "fakecluster")
PROGRESS_SECONDS = 10
SAMPLE = 600
"""So many are judged where nothing else is asked for: half an hour of two cores, with the run under
coverage.py before it.
"""
UNITS_MOST = 120
"""At most so many unit tests for a mutant: a hundredth of a second each."""


def main() -> None:
    """Do what is asked for; exit code 1 when a mutant
    survives for which nothing is argued, 130 after Ctrl-C.
    """
    options = _options()
    FOLDER.mkdir(exist_ok=True)
    # What survived fewer cases may not survive more.
    judged_by = f"{digest(SCENARIOS)}, dialect {options.dialect}, {options.cases} cases"
    work = Work(FOLDER / "session.sqlite", list_mutants(options.jobs), judged_by)
    drawn = select_mutants(work, options)
    if options.page:
        PAGE.write_text(page(work.of(drawn)))
        click.echo(f"{PAGE.relative_to(ROOT)} is written")
        return
    try:
        run(work, still_open(work, drawn, options), options)
    except KeyboardInterrupt:
        click.echo("ended; the next run goes on with it", err=True)
        sys.exit(130)
    click.echo(scores(work.of(drawn)))
    if options.argued:
        sys.exit(_has_contradictions(work, drawn))
    sys.exit(bool(survivors(work.of(drawn))))


def _has_contradictions(work: Work, argued: Sequence[Mutant]) -> bool:
    """Tell which of those that nothing tells apart a scenario does, and whether there are any."""
    caught = [
        mutant for mutant in argued if mutant.id in work.results and work.results[mutant.id].verdict in LEVELS
    ]
    for mutant in caught:
        click.echo(
            f"not equivalent: {mutant.module} {mutant.function} {mutant.change}: {work.results[mutant.id].by}"
        )
    return bool(caught)


def _options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    options = argparse.ArgumentParser(
        prog="make mutation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument(
        "--module",
        action="append",
        default=[],
        help="a module or a package of the reference; default: all that decide",
    )
    options.add_argument(
        "--operator", action="append", default=[], help="an operator, such as RemoveElement; default: all"
    )
    chosen = options.add_mutually_exclusive_group()
    chosen.add_argument(
        "--sample",
        type=int,
        help=f"so many mutants, drawn by lot, of each module its share ({SAMPLE}; all of a --module or an --operator)",
    )
    chosen.add_argument("--all", action="store_true", help="every mutant there is")
    chosen.add_argument("--argued", action="store_true", help="those that are argued to be equivalent")
    options.add_argument("--seed", type=int, default=7, help="what decides the lot (7)")
    options.add_argument(
        "--cases",
        type=int,
        default=30,
        help="at most so many cases of a level for a mutant, those that know most first (30)",
    )
    options.add_argument("--dialect", default="all", help="the cases of one dialect, such as v0.19 (all)")
    options.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (one for each core)")
    options.add_argument("--again", action="store_true", help="judge what is known as well; default: go on")
    options.add_argument(
        "--page", action="store_true", help="write docs/mutation.md from the session, and run nothing"
    )
    return options.parse_args(arguments)


def select_mutants(work: Work, options: argparse.Namespace) -> list[Mutant]:
    """Return the mutants that are asked for, a sample of them where one is."""
    mutants = [mutant for mutant in work.mutants.values() if _is_asked_for(mutant, options)]
    if options.argued:
        arguments = Arguments()
        return [mutant for mutant in mutants if arguments.equivalent(mutant)]
    size = options.sample or (len(mutants) if options.all or options.module or options.operator else SAMPLE)
    return sample(mutants, size, options.seed)


def still_open(work: Work, requested_mutants: Sequence[Mutant], options: argparse.Namespace) -> list[Mutant]:
    """Return those of which something is still to be found out, by lot: what is known when a run is ended is
    a sample as well.

    Nothing is to be found out of those that are argued to be equivalent, but for the argument.
    """
    pending, arguments = {mutant.id for mutant in work.pending()}, Arguments()
    chosen = [mutant for mutant in requested_mutants if options.again or mutant.id in pending]
    open_mutants = (
        chosen if options.argued else [mutant for mutant in chosen if not arguments.equivalent(mutant)]
    )
    return Random(options.seed).sample(open_mutants, len(open_mutants))


def _is_asked_for(mutant: Mutant, options: argparse.Namespace) -> bool:
    in_module = [item for item in options.module if f"{mutant.module}.".startswith(f"{item}.")]
    return bool(
        (in_module or not options.module) and (mutant.operator in options.operator or not options.operator)
    )


def run(work: Work, chosen: Sequence[Mutant], options: argparse.Namespace) -> None:
    """Judge mutants and write down what comes of each at once."""
    if not chosen:
        return
    asking = Asking(*_measure_execution(options), Killers(work.mutants, work.results), options.cases)
    progress = Progress(len(chosen))
    with workers(min(options.jobs, len(chosen)), FOLDER, serve, options.dialect) as lent:
        for answer in judge(lent, (asking.job(mutant) for mutant in chosen), progress.tick, FOLDER):
            mutant = work.mutants[answer.pop("id")]
            result = Result(scenarios=work.scenarios, **answer)
            if result.verdict == "error":
                click.echo(f"not judged: {mutant.module} {mutant.change}: {result.by}")
                continue
            work.keep(mutant, result)
            asking.killers.note(mutant, result)
            progress.note(mutant, result)
    progress.tell()


def _measure_execution(options: argparse.Namespace) -> tuple[Executed, Executed]:
    """Return which cases and which unit tests execute which line, after a run with coverage where something
    has changed since the last one.
    """
    known_names, current_time = (
        FOLDER / "recorded",
        f"{options.dialect} {digest((*SCENARIOS, 'reference_impl'))}",
    )
    if not known_names.exists() or known_names.read_text() != current_time:
        click.echo("scenarios and unit tests are run under coverage.py: which executes which line")
        record(FOLDER, options.jobs, options.dialect)
        known_names.write_text(current_time)
    return Executed(FOLDER, CASES), Executed(FOLDER, UNITS)


@dataclass(frozen=True, slots=True)
class Asking:
    """What a mutant is judged by, and in which order."""

    cases: Executed
    units: Executed
    killers: Killers
    most: int
    """At most so many cases of a level."""

    def job(self, mutant: Mutant) -> dict[str, Any]:
        """Return what a worker is sent."""
        executing = self.cases.executing(mutant)
        by_level = [
            self._chosen(mutant, [case for case in executing if case.level == level]) for level in LEVELS
        ]
        units = self.killers.first(mutant, self.units.testing(mutant))[:UNITS_MOST]
        return {
            "id": mutant.id,
            "module": mutant.module,
            "source": mutant.source,
            "at_import": self.cases.at_import(mutant),
            "cases": [(case_.node, case_.level) for item in by_level for case_ in item],
            "units": [unit.node for unit in units],
        }

    def _chosen(self, mutant: Mutant, cases: Sequence[Case]) -> list[Case]:
        """Return one half for what is known of them, the other by the ways that they go through the module:
        what has caught others goes few.
        """
        first = self.killers.first(mutant, cases)[: self.most // 2]
        return [*first, *(case for case in cases if case not in first)][: self.most]


class Progress:
    """Tells each ten seconds how far it is, and what survives at once."""

    def __init__(self, total: int) -> None:
        self._whole, self._began, self._told = total, time.monotonic(), time.monotonic()
        self._verdicts: Counter[str] = Counter()

    def note(self, mutant: Mutant, result: Result) -> None:
        """Count a result."""
        self._verdicts[result.verdict] += 1
        if result.verdict not in {"must", "incompetent"}:
            line = f"{path_of(mutant.module).relative_to(ROOT)}:{mutant.start[0]}"
            click.echo(
                f"{result.verdict}: {line} {mutant.operator}: {mutant.change} ({result.by or f'{result.ran} cases'})"
            )

    def tick(self) -> None:
        """Tell it when it is time."""
        if time.monotonic() - self._told >= PROGRESS_SECONDS:
            self.tell()

    def tell(self) -> None:
        """Tell it now."""
        self._told = time.monotonic()
        done, passed = sum(self._verdicts.values()), self._told - self._began
        remaining = passed / done * (self._whole - done) if done else 0
        counts = ", ".join(f"{verdict} {number}" for verdict, number in self._verdicts.most_common())
        click.echo(f"{done} of {self._whole} in {passed:.0f} s, {remaining:.0f} s to go: {counts}")


if __name__ == "__main__":
    main()
