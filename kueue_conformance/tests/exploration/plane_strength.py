"""`python -m kueue_conformance.tests.exploration.plane_strength`: which wrong control planes `explore` finds.

Each is explored until the first breach, or until the time is over: alone, or with `--against` beside the
right reference. The explorer knows nothing of them.
"""

import argparse
import sys
import time
from contextlib import closing, nullcontext

import click

from kueue_conformance.exploration.control_planes.differential import DifferentialRunner
from kueue_conformance.exploration.control_planes.drawing import draw_story
from kueue_conformance.exploration.control_planes.perturbations import plan
from kueue_conformance.exploration.control_planes.story_run import StoryRunner
from kueue_conformance.exploration.exploration import Exploration
from kueue_conformance.exploration.findings import Identity
from kueue_conformance.options import read
from kueue_conformance.run import Run

from ..killing.planes import ZOO, planes

CARELESS = {file.stem for file in (ZOO / "honest_mistakes").glob("[a-z]*.py")}
"""The modules with those of careless implementers."""


def main():
    """Print a line for each wrong control plane, and how many were found."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", help="wrong control planes; default: all")
    options.add_argument("--every", type=int, default=1, help="one of so many, in the order of the zoo")
    options.add_argument("--first", type=int, default=0, help="the place of the first one")
    options.add_argument("--seed", type=int, default=1, help="of the first story")
    options.add_argument("--seconds", type=float, default=120.0, help="of the processor for each")
    options.add_argument("--careless", action="store_true", help="those of careless implementers alone")
    options.add_argument("--must", action="store_true", help="those that a must catches alone")
    options.add_argument("--against", action="store_true", help="compare with the right reference")
    options.add_argument("--right", default="", help="explore the reference in this dialect instead")
    args = options.parse_args()
    if args.right:
        found, runs, text = explore(None, args.seed, processor_limit(args.seconds), args.right)
        sys.exit(f"found: {text}" if found else click.echo(f"nothing found in {runs} runs"))
    chosen = [wrong for wrong in planes() if not args.names or wrong.name in args.names]
    chosen = [wrong for wrong in chosen if not args.careless or wrong.family in CARELESS]
    chosen = [wrong for wrong in chosen if not args.must or wrong.level == "must"]
    found = [_explore_wrong(wrong, args) for wrong in chosen[args.first :: args.every]]
    click.echo(f"{sum(found)} of {len(found)} found within {args.seconds:g} s of the processor")


def _explore_wrong(wrong, args):
    """Explore one, print what was found, and tell whether anything was."""
    began = time.process_time()
    limit = processor_limit(args.seconds)
    is_found, runs, text = explore(wrong, args.seed, limit, wrong.dialect, is_compared=args.against)
    taken = f"{time.process_time() - began:4.0f} s  {runs:4} runs"
    click.echo(f"{taken}  {wrong.family}.{wrong.name} ({wrong.row}, {wrong.named}, {wrong.level}): {text}")
    return is_found


def processor_limit(seconds):
    """Return a function that tells whether so many seconds of the processor are used."""
    began = time.process_time()
    return lambda runs: time.process_time() - began > seconds


_ENDS = {}
"""What the right reference shows, by dialect and story: it is the same beside each wrong one."""


class _RightRunner(StoryRunner):
    """Runs each story once."""

    def run_once(self, story, perturbation):
        key = self._dialect.name, story
        if key not in _ENDS:
            _ENDS[key] = super().run_once(story, perturbation)
        return _ENDS[key]


def explore(wrong, seed, is_over, dialect, *, is_compared=False):
    """Explore a control plane, the right reference for None, until the first breach, or until
    `is_over(runs)`; return whether there was one, the number of runs, and what was found.
    """
    settings = read({"profile": "ADMISSION", "dialect": dialect}, seed=1)
    run = Run(settings, announce=lambda _: None)
    run.begin()
    with closing(run):
        runner = StoryRunner(run, settings.dialects[0], wrong.install if wrong else nullcontext)
        right = _RightRunner(run, settings.dialects[0])
        run_story = DifferentialRunner(runner, right, "the reference").run if is_compared else runner.run
        exploration = Exploration(
            run=run_story,
            draw=draw_story,
            plan=lambda story, writes, number, most: (
                [] if is_compared else plan(story.acts, writes, number, most)
            ),
            seed=seed,
            identity=Identity(dialect=dialect, control_plane="reference"),
            is_over=lambda: is_over(exploration.coverage.runs),
            tries=0,
        )
        finding = next(exploration.findings(), None)
    found = f"{finding.cause}  {finding.perturbation or ''}  seed {finding.seed}" if finding else "NOT FOUND"
    return finding is not None, exploration.coverage.runs, found


if __name__ == "__main__":
    main()
