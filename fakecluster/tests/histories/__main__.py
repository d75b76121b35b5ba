"""`python -m fakecluster.tests.histories`: judge the histories of many seeded schedules; exit code 1 where
one has no order.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import sys
import time
from collections import Counter
from pathlib import Path

import click

from .campaign import judge_ours, judge_real


@click.command()
@click.option("--schedules", default=10_000, show_default=True, help="how many")
@click.option("--seed", default=0, show_default=True, help="of the first; the next has the next number")
@click.option("--steps", default=120, show_default=True, help="steps of clients in each")
@click.option(
    "--kubeconfig", type=click.Path(path_type=Path, exists=True), help="judge that server, without faults"
)
@click.option("-n", "processes", default=os.cpu_count(), show_default=True, help="processes")
def main(schedules: int, seed: int, steps: int, kubeconfig: Path | None, processes: int) -> None:
    """Play seeded schedules of writers, readers and watchers, and look for what no order of revisions
    explains.
    """
    logging.disable(logging.CRITICAL)
    started = time.monotonic()
    total: Counter[str] = Counter()
    seeds = range(seed, seed + schedules)
    if kubeconfig:
        outcomes = judge_real(kubeconfig, seeds, steps)
        total = _report(outcomes, started, schedules)
    else:
        chunks = [(seeds[index : index + 50], steps) for index in range(0, schedules, 50)]
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            outcomes = (outcome for chunk in pool.imap_unordered(judge_ours, chunks) for outcome in chunk)
            total = _report(outcomes, started, schedules)
    click.echo(", ".join(f"{number} {name}" for name, number in sorted(total.items())))
    sys.exit(1 if total["violations"] else 0)


def _report(outcomes, started: float, schedules: int) -> Counter[str]:
    total: Counter[str] = Counter()
    for number, outcome in enumerate(outcomes, 1):
        total.update(outcome.counts)
        for violation in outcome.violations:
            click.echo(f"seed {outcome.seed}: {violation}")
        if number % 500 == 0 or number == schedules:
            click.echo(
                f"{number} of {schedules} schedules, {time.monotonic() - started:.0f} s, {total['violations']} violations"
            )
    return total


if __name__ == "__main__":
    main()
