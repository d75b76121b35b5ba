"""`make mutation`: change the reference's decisions one place at a time, and see whether a case of ADMISSION fails.

A mutant is judged by the cases that execute its line: those at must first, then the weaker ones, then the unit tests of its package.
The first failure ends it. The session is kept in .mutation/: a run that is ended with Ctrl-C is gone on with by the next one, and
after a change of the reference only the mutants of the definitions that have changed are judged again, after a change of
the scenarios those that were not caught at must. Where all of them are known, docs/mutation.md is written with --page.

  make mutation                                             everything, an hour or more on two idle cores
  make mutation ARGS="--module reference_impl.checks.entries"   one module, or a package
  make mutation ARGS="--sample 200 --seed 7"                    some, drawn by lot
  make mutation ARGS="--page"                                   write the page from what is known, and run nothing
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from kueue_conformance.tests.checkout import ROOT

from .executing import Executed
from .made import FOLDER, found
from .mutants import Mutant, path_of
from .page import PAGE, page, scores, survivors
from .pool import judged, workers
from .recording import record
from .running import LEVELS
from .session import Result, Work, digest

SCENARIOS = ("suites", "kueue_conformance", "fakecluster")
PROGRESS_SECONDS = 10


def main() -> None:
    """Do what is asked for; exit code 1 when a mutant survives for which nothing is argued, 130 after Ctrl-C."""
    given = _options()
    FOLDER.mkdir(exist_ok=True)
    # What survived fewer cases may not survive more.
    judged_by = f"{digest(SCENARIOS)}, dialect {given.dialect}, {given.cases} cases"
    work = Work(FOLDER / "session.sqlite", found(given.jobs), judged_by)
    if given.page:
        PAGE.write_text(page(work))
        click.echo(f"{PAGE.relative_to(ROOT)} is written")
        return
    chosen = choose(work, given)
    try:
        run(work, chosen, given)
    except KeyboardInterrupt:
        click.echo("ended; the next run goes on with it", err=True)
        sys.exit(130)
    click.echo(scores(work))
    sys.exit(any(one in survivors(work) for one in chosen))


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
    options.add_argument("--sample", type=int, help="so many mutants, drawn by lot")
    options.add_argument("--seed", type=int, default=7, help="what decides the lot (7)")
    options.add_argument(
        "--cases",
        type=int,
        default=40,
        help="at most so many cases of a level for a mutant, one of each scenario first (40)",
    )
    options.add_argument("--dialect", default="all", help="the cases of one dialect, such as v0.19 (all)")
    options.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (one for each core)")
    options.add_argument("--again", action="store_true", help="judge what is known as well; default: go on")
    options.add_argument(
        "--page", action="store_true", help="write docs/mutation.md from the session, and run nothing"
    )
    return options.parse_args(arguments)


def choose(work: Work, given: argparse.Namespace) -> list[Mutant]:
    """Return the mutants that are asked for and of which something is still to be found out."""
    wanted = [one for one in work.mutants.values() if _is_asked_for(one, given)]
    if given.sample:
        wanted = random.Random(given.seed).sample(wanted, min(given.sample, len(wanted)))
    if given.again:
        return wanted
    pending = {one.id for one in work.pending()}
    return [one for one in wanted if one.id in pending]


def _is_asked_for(mutant: Mutant, given: argparse.Namespace) -> bool:
    in_module = [one for one in given.module if f"{mutant.module}.".startswith(f"{one}.")]
    return bool((in_module or not given.module) and (mutant.operator in given.operator or not given.operator))


def run(work: Work, chosen: Sequence[Mutant], given: argparse.Namespace) -> None:
    """Judge mutants and write down what comes of each at once."""
    executed = _executed(given)
    if not chosen:
        return
    progress = Progress(len(chosen))
    with workers(min(given.jobs, len(chosen)), FOLDER, given.dialect) as lent:
        for answer in judged(
            lent, (_job(one, executed, given.cases) for one in chosen), progress.tick, FOLDER
        ):
            mutant = work.mutants[answer.pop("id")]
            result = Result(scenarios=work.scenarios, **answer)
            if result.verdict == "error":
                click.echo(f"not judged: {mutant.module} {mutant.change}: {result.by}")
                continue
            work.keep(mutant, result)
            progress.note(mutant, result)
    progress.tell()


def _executed(given: argparse.Namespace) -> Executed:
    """Return what executes which line, after a run with coverage where something has changed since the last one."""
    known, now = FOLDER / "recorded", f"{given.dialect} {digest((*SCENARIOS, 'reference_impl'))}"
    if not known.exists() or known.read_text() != now:
        click.echo("ADMISSION is run under coverage.py: which case executes which line")
        record(FOLDER, given.jobs, given.dialect)
        known.write_text(now)
    return Executed(FOLDER)


def _job(mutant: Mutant, executed: Executed, most: int) -> dict[str, Any]:
    cases = executed.executing(mutant)
    by_level = [[one for one in cases if one.level == level][:most] for level in LEVELS]
    return {
        "id": mutant.id, "module": mutant.module, "source": mutant.source,
        "cases": [(one.node, one.level) for each in by_level for one in each],
        "units": [place for place in (units_of(mutant.module),) if (ROOT / place).is_dir()],
    }  # fmt: skip


def units_of(module: str) -> str:
    """Return the folder of the unit tests of a module's package."""
    return f"reference_impl/tests/{module.split('.')[1]}"


class Progress:
    """Tells each ten seconds how far it is, and what survives at once."""

    def __init__(self, whole: int) -> None:
        self._whole, self._began, self._told = whole, time.monotonic(), time.monotonic()
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
        left = passed / done * (self._whole - done) if done else 0
        counts = ", ".join(f"{verdict} {number}" for verdict, number in self._verdicts.most_common())
        click.echo(f"{done} of {self._whole} in {passed:.0f} s, {left:.0f} s to go: {counts}")


if __name__ == "__main__":
    main()
