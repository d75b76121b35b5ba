"""`make kill-matrix`: run every scenario against every
wrong implementation of a zoo, and write down what failed.
"""

import argparse
import os
import random
import sys
from collections import Counter
from contextlib import contextmanager
from multiprocessing import get_context

import click

from .matrix import Matrix
from .page import PAGE, page
from .zoo import SEEDS, ZOOS, by_everything, by_its_scenario


def main():
    """Run them in parallel, keep results as they come, and write the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("only", nargs="*", help="names or families of wrong ones; default all")
    options.add_argument("--zoo", choices=ZOOS, action="append", help="default: every zoo")
    options.add_argument(
        "--seeds", action="store_true", help="run each against its scenario in 20 seeds, and nothing else"
    )
    options.add_argument("--sample", type=int, help="so many of them alone, drawn by lot; with --seeds")
    options.add_argument(
        "--named", action="store_true", help="run those not known to be caught against their scenario alone"
    )
    options.add_argument(
        "--page", action="store_true", help="write the page from what is known, and run nothing"
    )
    args = options.parse_args()
    zoo = [_judge(ZOOS[name], args) for name in args.zoo or ZOOS]
    PAGE.write_text(page([Matrix(zoo) for zoo in ZOOS.values()]))
    sys.exit(any(zoo))


def _judge(zoo, options):
    """Run what is asked for, and tell what escapes; return whether something does."""
    matrix, only = Matrix(zoo), set(options.only)
    chosen = [
        named_item
        for named_item in in_turn(zoo, matrix)
        if not only or {named_item.name, named_item.family} & only
    ]
    if options.seeds:
        lot = random.Random(options.sample)
        run_seeds(zoo, matrix, lot.sample(chosen, min(options.sample or len(chosen), len(chosen))))
    elif options.named:
        run_named(zoo, matrix, chosen)
    elif not options.page:
        run(zoo, matrix, chosen)
    matrix.forget_others()
    matrix.keep()
    if options.seeds:
        return any(times < len(SEEDS) for times in matrix.seeds.values())
    escaped = [mutant for mutant in zoo.wrong if mutant.named not in matrix.killed.get(mutant.name, ())]
    idle = [scenario for scenario in matrix.scenarios if not matrix.killers()[scenario]]
    for mutant in escaped:
        click.echo(f"{mutant.name} is not caught by {mutant.named}")
    click.echo(f"{zoo.title}: scenarios that catch nothing: {', '.join(idle) or 'none'}")
    return bool(escaped or idle)


def in_turn(zoo, matrix):
    """Return those first of which least is known, and of these one for each scenario: a run that was ended
    early is gone on with.
    """
    position = Counter()
    known_names = {
        mutant.name: (mutant.name in matrix.killed) * (2 - (mutant.name in matrix.sampled))
        for mutant in zoo.wrong
    }
    return sorted(
        zoo.wrong,
        key=lambda item: (known_names[item.name], position.update([item.named]) or position[item.named]),
    )


def run(zoo, matrix, chosen):
    """Judge the right one, the wrong ones of which nothing is
    known by the scenario named for them, then all by everything.
    """
    matrix.scenarios = sorted({*require_right_to_pass(zoo), *(mutant.named for mutant in zoo.wrong)})
    run_named(zoo, matrix, chosen)
    with workers() as pool:
        jobs = [(zoo.name, mutant.name) for mutant in chosen]
        for number, (name, failed, seconds) in enumerate(pool.imap_unordered(by_everything, jobs), 1):
            matrix.learn(name, failed)
            matrix.keep()
            click.echo(f"{number}/{len(chosen)} {name}: {len(failed)} failed, {seconds:.0f} s")


def run_named(zoo, matrix, chosen):
    """Judge those that are not known to be caught by the scenario named for them by that one."""
    matrix.scenarios = sorted({*matrix.scenarios, *(mutant.named for mutant in zoo.wrong)})
    unknown = [mutant for mutant in chosen if mutant.named not in matrix.killed.get(mutant.name, ())]
    with workers() as pool:
        jobs = [(zoo.name, named_item.name, 7) for named_item in unknown]
        for number, (name, _, failed) in enumerate(pool.imap_unordered(by_its_scenario, jobs), 1):
            matrix.sample(zoo.one(name), failed)
            if number % 50 == 0:
                matrix.keep()
                click.echo(f"{number} of {len(jobs)}")


def require_right_to_pass(zoo):
    """Return the scenarios that ran; ends the program when the right one fails one of them."""
    failed, ran = zoo.judge(None, exclude=zoo.expensive)
    if failed:
        sys.exit(f"the right {zoo.right} fails {', '.join(failed)}")
    return ran


def run_seeds(zoo, matrix, chosen):
    """Judge the wrong ones by the scenario named for them in every seed;
    a run that was ended early is gone on with.
    """
    chosen = [mutant for mutant in chosen if mutant.name not in matrix.seeds] or chosen
    caught, judged, full = Counter(), Counter(), len(chosen) * len(SEEDS)
    for name, seed, is_caught in zoo.in_seeds([mutant.name for mutant in chosen], SEEDS):
        caught[name] += is_caught
        judged[name] += 1
        if not is_caught:
            click.echo(f"{name} is not caught by {zoo.one(name).named} in seed {seed}")
        if judged[name] == len(SEEDS):
            matrix.seeds[name] = caught[name]
        if judged.total() % 200 == 0:
            matrix.keep()
            click.echo(f"{judged.total()} of {full}")


@contextmanager
def workers():
    """Lend processes, which are made anew now and then: what a run of pytest leaves in one adds up."""
    with get_context("spawn").Pool(os.cpu_count(), maxtasksperchild=100) as pool:
        yield pool


if __name__ == "__main__":
    main()
