"""`python -m kueue_conformance.tests.exploration.plane_strength`: which wrong control planes `explore` finds.

Each is explored until the first breach, or until the time is over: alone, or with `--against` beside the
right reference. The explorer knows nothing of them.
"""

from contextlib import closing, nullcontext
from dataclasses import replace

import click

from kueue_conformance.cli.explore_control_plane import PERTURBATIONS
from kueue_conformance.exploration.control_planes.differential import DifferentialRunner
from kueue_conformance.exploration.control_planes.drawing.drawn_story import draw_story
from kueue_conformance.exploration.control_planes.perturbation_choice import choose as choose_perturbations
from kueue_conformance.exploration.control_planes.story_run import StoryRunner
from kueue_conformance.exploration.exploration import ExploredProgram
from kueue_conformance.exploration.findings import Identity
from kueue_conformance.options import read
from kueue_conformance.run import Run

from ..killing.planes import ZOO, planes
from .measuring import choose, exit_with, explore_program, measure, options, processor_limit
from .missed_planes import reason_of

CARELESS = {file.stem for file in (ZOO / "honest_mistakes").glob("[a-z]*.py")}
"""The modules with those of careless implementers."""


def main():
    """Print a line for each wrong control plane, and how many were found."""
    parser = options(__doc__)
    parser.add_argument("--careless", action="store_true", help="those of careless implementers alone")
    parser.add_argument("--against", action="store_true", help="compare with the right reference")
    parser.add_argument("--why", action="store_true", help="say why one is missed, in as much time again")
    parser.add_argument("--right", default="", help="explore the reference in this dialect instead")
    args = parser.parse_args()
    if args.right:
        exit_with(explore(None, args.seed, processor_limit(args.seconds), args.right))

    def explore_wrong(wrong):
        limit = processor_limit(args.seconds)
        outcome = explore(wrong, args.seed, limit, wrong.dialect, is_compared=args.against)
        if outcome.is_found or not args.why:
            return outcome
        return outcome._replace(reason=reason_of(wrong, compare))

    def compare(wrong):
        limit = processor_limit(args.seconds)
        return explore(wrong, args.seed, limit, wrong.dialect, is_compared=True)

    wrong_planes = [plane for plane in planes() if not args.careless or plane.family in CARELESS]
    measure(choose(wrong_planes, args), explore_wrong, args, times=1 + args.why)


_ENDS = {}
"""What the right reference shows, by dialect, story and perturbation: the same beside each wrong one."""


class _RightRunner(StoryRunner):
    """Runs each story once."""

    def run_once(self, story, perturbation, number=0):
        key = self.dialect.name, story, perturbation
        if key not in _ENDS:
            _ENDS[key] = super().run_once(story, perturbation, number)
        return _ENDS[key]


def explore(wrong, seed, is_over, dialect, *, is_compared=False):
    """Explore a control plane, the right reference for None, until the first breach, or until
    `is_over(runs)`.
    """
    settings = read({"profile": "ADMISSION", "dialect": dialect}, seed=1)
    install = wrong.install if wrong else nullcontext
    # What is wrong may stay in the clusters of a run: the right reference has others.
    right_run = Run(settings, announce=lambda _: None)
    right_run.begin()
    with closing(right_run):
        right = _RightRunner(right_run, settings.dialects[0])
        return explore_program(
            settings, lambda run: _program(run, install, right, is_compared=is_compared), seed, is_over
        )


def _program(run, install, right, *, is_compared):
    dialect = run.settings.dialects[0]
    runner = StoryRunner(run, dialect, install)
    compared = DifferentialRunner(judged=runner, other=right, name="the reference")
    judged = compared if is_compared else runner

    def run_wrong(story, perturbation=None, **options):
        """Run a story; what the right reference is told of as well shows nothing of the wrong one."""
        result = judged.run(story, perturbation, **options)
        if result.breach is None or is_compared or install is nullcontext:
            return result
        of_right = right.run(story, perturbation).breach
        if of_right is None or of_right.cause != result.breach.cause:
            return result
        click.echo(f"  of the right one too: {result.breach.cause}  {perturbation or ''}")
        return replace(result, breach=None)

    return ExploredProgram(
        run=run_wrong,
        draw=draw_story,
        plan=lambda *drawn: [] if is_compared else choose_perturbations(*drawn),
        identity=Identity(dialect=dialect.name, control_plane="reference"),
        perturbations=PERTURBATIONS,
    )


if __name__ == "__main__":
    main()
