"""`make kill-matrix`: run every scenario against every wrong controller, and write down who failed what."""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from .judging import EXPENSIVE, RIGHT, judge
from .matrix import Matrix
from .mutants import mutants
from .page import PAGE, page


def judged(mutant):
    """Return what a mutant failed."""
    began = time.monotonic()
    failed, _ = judge(mutant.subject, exclude=() if mutant.family == "scale" else EXPENSIVE)
    return mutant, failed, time.monotonic() - began


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
        run(matrix, [one for one in everybody if not given.only or {one.name, one.family} & set(given.only)])
    known = {one.name for one in everybody}
    matrix.killed = {name: failed for name, failed in matrix.killed.items() if name in known}
    matrix.keep()
    PAGE.write_text(page(matrix, everybody))
    escaped = [one for one in everybody if one.named not in matrix.killed.get(one.name, ())]
    for _one in escaped:
        pass
    idle = [one for one in matrix.scenarios if not matrix.killers()[one]]
    sys.exit(bool(escaped or idle))


def run(matrix, chosen):
    """Judge the right controller, then the wrong ones, as many at a time as there are cores."""
    failed, matrix.scenarios = judge(RIGHT)
    if failed:
        sys.exit(f"the right controller fails {', '.join(failed)}")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn"), max_tasks_per_child=25) as pool:
        for _number, one in enumerate(as_completed([pool.submit(judged, each) for each in chosen]), 1):
            mutant, failed, _, _seconds = one.result()
            matrix.killed[mutant.name] = failed
            matrix.keep()


if __name__ == "__main__":
    main()
