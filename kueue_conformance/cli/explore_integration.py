"""Explores a job integration beside a working Kueue: what is asked of its run, and its stories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial

from ..base.errors import UsageError
from ..control_planes import SCRIPTED
from ..exploration.exploration import ExploredProgram
from ..exploration.findings import Identity
from ..exploration.interruptions import KINDS, plan
from ..exploration.job_integrations.drawing import draw_story, is_excluded
from ..exploration.job_integrations.story import Story
from ..exploration.job_integrations.story_run import StoryRunner
from ..exploration.job_integrations.vocabulary import vocabulary_of
from ..exploration.perturbation import Perturbation
from ..run import Run
from .explore_subject import Impossible, SubjectRole

PERTURBATIONS = 3
"""The most perturbations of a story."""


def integration_program(
    run: Run,
    impossible: Impossible,
    installed: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> ExploredProgram:
    """Return the integration of a run; `installed` surrounds each run of a story, and can change it."""
    dialect = run.settings.dialects[0]
    return ExploredProgram(
        run=StoryRunner(run, dialect, run.settings.seed, installed).run,
        draw=draw_story,
        plan=partial(_plan, impossible=impossible),
        identity=Identity(dialect=dialect.name),
        perturbations=PERTURBATIONS,
        vocabulary=vocabulary_of(impossible),
    )


def _plan(
    story: Story, writes: Sequence[int], seed: int, number: int, *, impossible: Impossible
) -> Sequence[Perturbation]:
    def is_left_out(perturbation: Perturbation) -> bool:
        return perturbation.kind in impossible or is_excluded(story, perturbation)

    return plan(story.acts, writes, seed, number, is_left_out)


def _check_run(run: Run) -> None:
    if SCRIPTED in run.control_plane.features:
        raise UsageError(
            "an integration is explored beside a Kueue that works, and --control-plane is scripted",
            hint="leave --control-plane out",
        )


JOB_INTEGRATION = SubjectRole(
    noun="integration", kinds=KINDS, program_of=integration_program, check_run=_check_run
)
