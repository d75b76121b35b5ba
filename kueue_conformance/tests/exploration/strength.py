"""`python -m kueue_conformance.tests.exploration.strength`: which wrong check controllers `explore` finds.

Each is explored until the first breach, or until the time is over. The explorer knows nothing of them.
"""

from dataclasses import replace

from kueue_conformance.cli.subject_roles import controller_program
from kueue_conformance.options import read

from ..killing.judging import CLASSES
from ..killing.mutants import NAME, ZOO
from ..killing.zoo import CHECK_CONTROLLERS
from .measuring import explore_program, measure_subjects

RIGHT = "right:CheckController"


def main():
    """Print a line for each wrong controller, and how many were found."""
    measure_subjects(__doc__, CHECK_CONTROLLERS.wrong, explore_wrong)


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


def explore_wrong(wrong, seed, is_over):
    """Explore a wrong controller of the zoo, the right one for None."""
    return explore(f"{wrong.family}:{wrong.name}" if wrong else RIGHT, seed, is_over)


def explore(controller, seed, is_over):
    """Explore a controller of the zoo until the first breach, or until `is_over(runs)`."""
    return explore_program(settings_of(controller), _hasty_program, seed, is_over)


def _hasty_program(run):
    """Return the controller, whose breaches come at once: everything is in this process."""
    program = controller_program(run, {})
    return replace(program, run=lambda *case, patient=True: program.run(*case, patient=False))


if __name__ == "__main__":
    main()
