"""`python -m kueue_conformance.tests.exploration.strength`: which wrong check controllers `explore` finds.

Each is explored until the first breach, or until the time is over. The explorer knows nothing of them.
"""

from contextlib import closing

from kueue_conformance.exploration.check_controllers.drawing import draw_story
from kueue_conformance.exploration.check_controllers.drawing_limits import DrawingLimits
from kueue_conformance.exploration.check_controllers.perturbations import PERTURBATIONS, plan
from kueue_conformance.exploration.check_controllers.story_run import StoryRunner
from kueue_conformance.exploration.exploration import Exploration
from kueue_conformance.exploration.findings import Identity
from kueue_conformance.options import read
from kueue_conformance.run import Run

from ..killing.judging import CLASSES
from ..killing.mutants import NAME, ZOO
from ..killing.zoo import CHECK_CONTROLLERS
from .measuring import choose, exit_with, first_breach, measure, options, processor_limit

RIGHT = "right:CheckController"


def main():
    """Print a line for each wrong controller, and how many were found."""
    parser = options(__doc__)
    parser.add_argument(
        "--right", action="store_true", help="explore the right controller; nothing may be found"
    )
    args = parser.parse_args()
    if args.right:
        exit_with(explore(RIGHT, args.seed, processor_limit(args.seconds)))

    def explore_wrong(wrong):
        return explore(f"{wrong.family}:{wrong.name}", args.seed, processor_limit(args.seconds))

    measure(choose(CHECK_CONTROLLERS.wrong, args), explore_wrong, args)


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
    """Explore a controller of the zoo until the first breach, or until `is_over(runs)`."""
    settings = settings_of(controller)
    run = Run(settings, announce=lambda _: None)
    run.begin()
    with closing(run):
        limits = DrawingLimits.of(settings.subject, waits_really=False)
        runner = StoryRunner(run, settings.dialects[0], settings.seed)
        exploration = Exploration(
            run=lambda *case, patient=True: runner.run(*case, patient=False),
            draw=lambda number: draw_story(number, limits),
            plan=lambda story, writes, number, most: plan(story.acts, writes, number, most),
            seed=seed,
            identity=Identity(dialect=settings.dialects[0].name),
            is_over=lambda: is_over(exploration.coverage.runs),
            tries=0,
            perturbations=PERTURBATIONS,
        )
        return first_breach(exploration)


if __name__ == "__main__":
    main()
