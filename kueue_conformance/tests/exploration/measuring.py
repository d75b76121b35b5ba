"""What the programs that measure `explore` do: choose wrong programs of a zoo, explore each until the first
breach or until its time is over, and say of which kinds those are that were missed.
"""

import argparse
import sys
import time
from collections import Counter
from contextlib import closing
from functools import partial
from typing import NamedTuple

import click

from kueue_conformance.exploration.exploration import Exploration
from kueue_conformance.run import Run

from .bounded_process import run_bounded

_LONGEST_RUN_SECONDS = 20
"""How much longer than its time an exploration may go on in its last run."""


class Outcome(NamedTuple):
    """Whether a breach came, after how many runs, its text, and why none came, where that was looked for."""

    is_found: bool
    runs: int
    text: str
    seconds: float = 0.0
    reason: str = ""


NEVER_ENDED = Outcome(False, 0, "NOT FOUND: a run did not end")


def options(description):
    """Return the options that choose wrong programs and limit the time."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", help="wrong programs; default: all")
    parser.add_argument("--every", type=int, default=1, help="one of so many, in the order of the zoo")
    parser.add_argument("--first", type=int, default=0, help="the index of the first one")
    parser.add_argument("--seed", type=int, default=1, help="of the first story")
    parser.add_argument("--seconds", type=float, default=120.0, help="processor time for each")
    parser.add_argument("--must", action="store_true", help="those that the suites catch at must, alone")
    parser.add_argument("--family", default="", help="those of one module of the zoo, alone")
    parser.add_argument("-n", "--workers", type=int, default=1, help="how many processes explore")
    return parser


def choose(wrong_programs, args):
    """Return the wrong programs that the options name."""
    chosen = [wrong for wrong in wrong_programs if not args.names or wrong.name in args.names]
    chosen = [wrong for wrong in chosen if not args.family or wrong.family == args.family]
    chosen = [wrong for wrong in chosen if args.names or not args.must or wrong.level == "must"]
    return chosen[args.first :: args.every]


def processor_limit(seconds):
    """Return a function that tells whether so many seconds of the processor are used."""
    began = time.process_time()
    return lambda runs: time.process_time() - began > seconds


def _first_breach(exploration):
    """Explore until the first breach, or the end."""
    began = time.process_time()
    finding = next(exploration.findings(), None)
    text = f"{finding.cause}  {finding.perturbation or ''}  seed {finding.seed}" if finding else "NOT FOUND"
    seconds = time.process_time() - began
    return Outcome(finding is not None, exploration.coverage.runs, text, seconds)


def explore_program(settings, program_of, seed, is_over):
    """Explore the subject of a run until the first breach, or until `is_over(runs)`; nothing is made
    shorter.
    """
    run = Run(settings, announce=lambda _: None)
    run.begin()
    with closing(run):
        exploration = Exploration(
            program=program_of(run),
            seed=seed,
            is_over=lambda: is_over(exploration.coverage.runs),
            tries=0,
        )
        return _first_breach(exploration)


def measure_subjects(description, wrong_subjects, explore):
    """Measure `explore(wrong, seed, is_over)` on wrong subjects that the command line names, or on the right
    one, which is None.
    """
    parser = options(description)
    parser.add_argument("--right", action="store_true", help="explore the right one; nothing may be found")
    args = parser.parse_args()

    def explore_for_a_time(wrong):
        return explore(wrong, args.seed, processor_limit(args.seconds))

    if args.right:
        exit_with(explore_for_a_time(None))
    measure(choose(wrong_subjects, args), explore_for_a_time, args)


def exit_with(outcome):
    """End with what was found of a right program; nothing is success."""
    if outcome.is_found:
        sys.exit(f"found: {outcome.text}")
    click.echo(f"nothing found in {outcome.runs} runs")
    sys.exit()


def measure(wrong_programs, explore, args, times=1):
    """Explore each wrong program, print a line for each, how many were found, and the kinds of the others;
    `explore` may take its time so many times.
    """
    by_name = {f"{wrong.family}.{wrong.name}": wrong for wrong in wrong_programs}
    functions = {name: partial(explore, wrong) for name, wrong in by_name.items()}
    found, missed = 0, []
    seconds = args.seconds * times + _LONGEST_RUN_SECONDS
    for name, result in run_bounded(functions, seconds, args.workers):
        wrong, outcome = by_name[name], result or NEVER_ENDED
        found += outcome.is_found
        missed += [] if outcome.is_found else [(wrong, outcome.reason)]
        taken = f"{outcome.seconds:4.0f} s  {outcome.runs:4} runs"
        reason = f"  ({outcome.reason})" if outcome.reason else ""
        click.echo(f"{taken}  {name} ({wrong.row}, {wrong.named}, {wrong.level}): {outcome.text}{reason}")
    click.echo(f"{found} of {len(by_name)} found within {args.seconds:g} s of the processor")
    _print_missed(missed)


def _print_missed(missed):
    """Print how many were missed in each module of the zoo, and for each reason."""
    for title, counts in (
        ("module", Counter(wrong.family for wrong, _ in missed)),
        ("reason", Counter(reason for _, reason in missed if reason)),
    ):
        for name, number in counts.most_common():
            click.echo(f"  missed, by {title}: {number:3}  {name}")
