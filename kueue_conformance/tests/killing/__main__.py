"""`make kill-matrix`: run every scenario against every wrong controller, and write down who failed what."""

import argparse
import os
import sys
from collections import Counter
from multiprocessing import get_context

import click

from .judging import EXPENSIVE, RIGHT, judge, judged, judged_by_its_scenario
from .matrix import Matrix
from .mutants import mutants
from .page import PAGE, page


def main():
    """Run them in parallel, keep what is found as it comes, and write the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("only", nargs="*", help="names or families of wrong controllers; default all")
    options.add_argument(
        "--page", action="store_true", help="write the page from what is known, and run nothing"
    )
    given = options.parse_args()
    everybody, matrix = mutants(), Matrix.read()
    if not given.page:
        only = set(given.only)
        run(matrix, [one for one in in_turn(everybody, matrix) if not only or {one.name, one.family} & only])
    matrix.forget_all_but(everybody)
    matrix.keep()
    PAGE.write_text(page(matrix, everybody))
    escaped = [one for one in everybody if one.named not in matrix.killed.get(one.name, ())]
    idle = [one for one in matrix.scenarios if not matrix.killers()[one]]
    for one in escaped:
        click.echo(f"{one.name} is not caught by {one.named}")
    click.echo(f"scenarios that catch nobody: {', '.join(idle) or 'none'}")
    sys.exit(bool(escaped or idle))


def in_turn(everybody, matrix):
    """Return those first of whom least is known, and of these one for each scenario: a run that was ended early is gone on with."""
    place = Counter()
    known = {one.name: (one.name in matrix.killed) * (2 - (one.name in matrix.sampled)) for one in everybody}
    return sorted(everybody, key=lambda one: (known[one.name], place.update([one.named]) or place[one.named]))


def run(matrix, chosen):
    """Judge the right controller, the wrong ones of whom nothing is known by the scenario named for them, then all by everything."""
    failed, ran = judge(RIGHT, exclude=EXPENSIVE)
    if failed:
        sys.exit(f"the right controller fails {', '.join(failed)}")
    matrix.scenarios = sorted({*ran, *(one.named for one in mutants())})
    with get_context("spawn").Pool(os.cpu_count(), maxtasksperchild=25) as pool:
        unknown = [one for one in chosen if one.named not in matrix.killed.get(one.name, ())]
        for mutant, failed in pool.imap_unordered(judged_by_its_scenario, unknown):
            matrix.sample(mutant, failed)
            matrix.keep()
        for number, (mutant, failed, seconds) in enumerate(pool.imap_unordered(judged, chosen), 1):
            matrix.learn(mutant, failed)
            matrix.keep()
            click.echo(f"{number}/{len(chosen)} {mutant.name}: {len(failed)} failed, {seconds:.0f} s")


if __name__ == "__main__":
    main()
