"""What both programs that measure `explore` do: choose wrong programs of a zoo, and explore each until the
first breach or until its time is over.
"""

import argparse
import time
from typing import NamedTuple

import click


class Outcome(NamedTuple):
    """Whether a breach came, after how many runs, and its text."""

    is_found: bool
    runs: int
    text: str


def options(description):
    """Return the options that choose wrong programs and limit the time."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", help="wrong programs; default: all")
    parser.add_argument("--every", type=int, default=1, help="one of so many, in the order of the zoo")
    parser.add_argument("--first", type=int, default=0, help="the index of the first one")
    parser.add_argument("--seed", type=int, default=1, help="of the first story")
    parser.add_argument("--seconds", type=float, default=120.0, help="processor time for each")
    parser.add_argument("--must", action="store_true", help="those that the suites catch at must, alone")
    return parser


def choose(wrong_programs, args):
    """Return the wrong programs that the options name."""
    chosen = [wrong for wrong in wrong_programs if not args.names or wrong.name in args.names]
    chosen = [wrong for wrong in chosen if args.names or not args.must or wrong.level == "must"]
    return chosen[args.first :: args.every]


def processor_limit(seconds):
    """Return a function that tells whether so many seconds of the processor are used."""
    began = time.process_time()
    return lambda runs: time.process_time() - began > seconds


def first_breach(exploration):
    """Explore until the first breach, or the end."""
    finding = next(exploration.findings(), None)
    text = f"{finding.cause}  {finding.perturbation or ''}  seed {finding.seed}" if finding else "NOT FOUND"
    return Outcome(finding is not None, exploration.coverage.runs, text)


def measure(wrong_programs, explore, seconds):
    """Explore each wrong program, print a line for each, and how many were found."""
    number_found = 0
    for wrong in wrong_programs:
        began = time.process_time()
        is_found, runs, text = explore(wrong)
        number_found += is_found
        taken = f"{time.process_time() - began:4.0f} s  {runs:4} runs"
        click.echo(
            f"{taken}  {wrong.family}.{wrong.name} ({wrong.row}, {wrong.named}, {wrong.level}): {text}"
        )
    click.echo(f"{number_found} of {len(wrong_programs)} found within {seconds:g} s of the processor")
