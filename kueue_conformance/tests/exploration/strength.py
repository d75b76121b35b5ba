"""`python -m kueue_conformance.tests.exploration.strength`: which wrong check controllers `explore` finds.

Each is explored until the first breach, or until the time is over.
"""

import argparse
import sys
import time
from contextlib import closing

import click

from kueue_conformance.exploration.check_controllers.drawing import draw_story
from kueue_conformance.exploration.check_controllers.perturbations import plan
from kueue_conformance.exploration.check_controllers.repertoire import Repertoire
from kueue_conformance.exploration.check_controllers.story_run import StoryRunner
from kueue_conformance.exploration.exploration import Exploration
from kueue_conformance.exploration.findings import Identity
from kueue_conformance.options import read
from kueue_conformance.run import Run

from ..killing.judging import CLASSES
from ..killing.mutants import NAME, ZOO
from ..killing.zoo import CHECK_CONTROLLERS


def main():
    """Print a line for each wrong controller, and how many were found."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", help="wrong controllers; default: all")
    options.add_argument("--every", type=int, default=1, help="one of so many, in the order of the zoo")
    options.add_argument("--first", type=int, default=0, help="the place of the first one")
    options.add_argument("--seed", type=int, default=1, help="of the first story")
    options.add_argument("--seconds", type=float, default=120.0, help="processor time for each")
    options.add_argument("--must", action="store_true", help="those that the suites catch at must, alone")
    options.add_argument(
        "--right", action="store_true", help="explore the right controller; nothing may be found"
    )
    args = options.parse_args()
    if args.right:
        found, runs, text = explore("right:CheckController", args.seed, _time_limit(args.seconds))
        sys.exit(f"found: {text}" if found else click.echo(f"nothing found in {runs} runs"))
    chosen = [wrong for wrong in CHECK_CONTROLLERS.wrong if is_chosen(wrong, args)]
    found = [_explore_wrong(wrong, args) for wrong in chosen[args.first :: args.every]]
    click.echo(f"{sum(found)} of {len(found)} found within {args.seconds:g} s")


def is_chosen(wrong, args):
    """Tell whether a wrong controller is one that was asked for."""
    return wrong.name in args.names if args.names else not args.must or wrong.level == "must"


def _explore_wrong(wrong, args):
    """Explore one, print what was found, and tell whether anything was."""
    began = time.process_time()
    is_found, runs, text = explore(f"{wrong.family}:{wrong.name}", args.seed, _time_limit(args.seconds))
    taken = f"{time.process_time() - began:4.0f} s  {runs:4} runs"
    click.echo(f"{taken}  {wrong.name} ({wrong.row}, {wrong.named}): {text}")
    return is_found


def _time_limit(seconds):
    """Return a function that tells whether so many seconds are over."""
    began = time.process_time()
    return lambda runs: time.process_time() - began > seconds


def settings_of(controller):
    """Return the settings of a run that judges a controller of the zoo."""
    return read(
        {
            "profile": "CHECK-CONTROLLER",
            "subject": f"{CLASSES}{controller}.serve",
            "subject-file": str(ZOO / "wrong.yaml"),
            "controller-name": NAME,
        },
        seed=1,
    )


def explore(controller, seed, is_over):
    """Explore a controller of the zoo until the first breach, or until `is_over(runs)`; return whether there
    was one, the number of runs, and what was found.
    """
    settings = settings_of(controller)
    run = Run(settings, announce=lambda _: None)
    run.begin()
    with closing(run):
        repertoire = Repertoire.of(settings.subject, waits_really=False)
        runner = StoryRunner(run, settings.dialects[0], settings.seed)
        exploration = Exploration(
            run=lambda *case, patient=True: runner.run(*case, patient=False),
            draw=lambda number: draw_story(number, repertoire),
            plan=lambda story, writes, number, most: plan(story.acts, writes, number, most),
            seed=seed,
            identity=Identity(dialect=settings.dialects[0].name),
            is_over=lambda: is_over(exploration.coverage.runs),
            tries=0,
        )
        finding = next(exploration.findings(), None)
    found = f"{finding.cause}  {finding.perturbation or ''}" if finding else "NOT FOUND"
    return finding is not None, exploration.coverage.runs, found


if __name__ == "__main__":
    main()
