"""`python -m kueue_conformance.tests.exploration.integration_strength`: which wrong job integrations
`explore` finds.

Each is explored until the first breach, or until the time is over. The explorer knows nothing of them.
"""

from contextlib import closing, nullcontext
from functools import partial

from kueue_conformance.cli.explore_integration import PERTURBATIONS
from kueue_conformance.exploration.exploration import Exploration
from kueue_conformance.exploration.findings import Identity
from kueue_conformance.exploration.interruptions import plan
from kueue_conformance.exploration.job_integrations.drawing import draw_story, is_excluded
from kueue_conformance.exploration.job_integrations.story_run import StoryRunner
from kueue_conformance.options import read
from kueue_conformance.run import Run

from ..killing.planes import integrations
from .measuring import choose, exit_with, first_breach, measure, options, processor_limit


def main():
    """Print a line for each wrong integration, and how many were found."""
    parser = options(__doc__)
    parser.add_argument(
        "--right", action="store_true", help="explore the right integration; nothing may be found"
    )
    args = parser.parse_args()
    if args.right:
        exit_with(explore(None, args.seed, processor_limit(args.seconds)))

    def explore_wrong(wrong):
        return explore(wrong, args.seed, processor_limit(args.seconds))

    measure(choose(integrations(), args), explore_wrong, args)


def explore(wrong, seed, is_over):
    """Explore an integration, the right one for None, until the first breach, or until `is_over(runs)`."""
    settings = read({"profile": "JOB-INTEGRATION"}, seed=1)
    run = Run(settings, announce=lambda _: None)
    run.begin()
    with closing(run):
        runner = StoryRunner(
            run, settings.dialects[0], settings.seed, wrong.install if wrong else nullcontext
        )
        exploration = Exploration(
            run=runner.run,
            draw=draw_story,
            plan=lambda story, writes, number, most: plan(
                story.acts, writes, number, most, partial(is_excluded, story)
            ),
            seed=seed,
            identity=Identity(dialect=settings.dialects[0].name),
            is_over=lambda: is_over(exploration.coverage.runs),
            tries=0,
            perturbations=PERTURBATIONS,
        )
        return first_breach(exploration)


if __name__ == "__main__":
    main()
