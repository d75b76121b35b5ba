"""`python -m kueue_conformance.tests.exploration.integration_strength`: which wrong job integrations
`explore` finds.

Each is explored until the first breach, or until the time is over. The explorer knows nothing of them.
"""

from contextlib import nullcontext

from kueue_conformance.cli.subject_roles import integration_program
from kueue_conformance.options import read

from ..killing.planes import integrations
from .measuring import explore_program, measure_subjects


def main():
    """Print a line for each wrong integration, and how many were found."""
    measure_subjects(__doc__, integrations(), explore)


def explore(wrong, seed, is_over):
    """Explore an integration, the right one for None, until the first breach, or until `is_over(runs)`."""
    settings, install = read({"profile": "JOB-INTEGRATION"}, seed=1), wrong.install if wrong else nullcontext
    return explore_program(settings, lambda run: integration_program(run, {}, install), seed, is_over)


if __name__ == "__main__":
    main()
