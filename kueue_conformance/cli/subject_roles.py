"""The roles of subjects that are explored: check controllers, and job integrations beside a working Kueue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial

from ..backends.features import SERVER_RESTART
from ..base.errors import UsageError
from ..exploration.check_controllers.coverage_vocabulary import vocabulary_of
from ..exploration.check_controllers.drawing import draw_story
from ..exploration.check_controllers.drawing_limits import DrawingLimits
from ..exploration.check_controllers.perturbations import (
    KINDS,
    LATE_DECISION,
    OF_LEADERS,
    OF_WORK,
    PERTURBATIONS,
    SERVER_RESTARTED,
    plan,
)
from ..exploration.check_controllers.story import Story
from ..exploration.check_controllers.story_run import StoryRunner
from ..exploration.exploration import ExploredProgram
from ..exploration.findings import Identity
from ..exploration.interruptions import KINDS as INTERRUPTIONS
from ..exploration.interruptions import plan as plan_interruptions
from ..exploration.job_integrations.coverage_vocabulary import vocabulary_of as vocabulary_of_jobs
from ..exploration.job_integrations.drawing import draw_story as draw_story_of_jobs
from ..exploration.job_integrations.drawing import is_excluded
from ..exploration.job_integrations.story import Story as JobStory
from ..exploration.job_integrations.story_run import StoryRunner as JobStoryRunner
from ..exploration.perturbation import Perturbation, PerturbationKind
from ..exploration.played_story import check_controller_run, check_integration_run
from ..rules import CHECK_CONTROLLER as CONTROLLER_RULES
from ..rules import JOB_INTEGRATION as INTEGRATION_RULES
from ..run import Run
from ..scenarios.capability import Capability
from ..wire.resource import RESOURCES
from .explore_subject import Impossible, SubjectRole, subject_of

PERTURBATIONS_OF_JOBS = 3
"""The most perturbations of a story of jobs."""


def controller_program(run: Run, unbearable: Impossible) -> ExploredProgram:
    """Return the controller of a run, without perturbations that it cannot bear. Raises UsageError."""
    dialect, limits = run.settings.dialects[0], _limits(run)
    known = run.settings.known_breaches
    impossible = {**_impossible(run), **unbearable}
    return ExploredProgram(
        run=StoryRunner(run, dialect, run.settings.seed, known).run,
        draw=partial(draw_story, limits=limits),
        plan=partial(_plan, kinds=[kind for kind in KINDS if kind not in impossible]),
        identity=Identity(dialect=dialect.name, known_breaches=known),
        perturbations=PERTURBATIONS,
        vocabulary=vocabulary_of(limits, impossible),
    )


def _plan(
    story: Story, writes: Sequence[int], seed: int, number: int, *, kinds: Sequence[PerturbationKind]
) -> Sequence[Perturbation]:
    return plan(story.acts, writes, seed, number, kinds)


def _limits(run: Run) -> DrawingLimits:
    """Return what can be drawn for the subject. Raises UsageError."""
    limits = DrawingLimits.of(subject_of(run.settings), waits_really=not run.in_virtual_time)
    if not limits.states:
        raise UsageError(
            "the subject file declares no verdict", hint="declare ready, retry or rejected in drivers"
        )
    return limits


def _impossible(run: Run) -> Impossible:
    """Return the perturbations that the subject's outside work or the backend does not have."""
    outside_work = subject_of(run.settings).outside_work
    work = outside_work.manifest if outside_work else None
    has_work = work is not None and work["kind"] in RESOURCES
    without_work = "the subject file shows no outside work that is an object of the cluster"
    # Declared, and not only possible: two replicas without a lease are no fault that this is to show.
    has_lease = Capability.LEADER_ELECTION in (subject_of(run.settings).capabilities or ())
    without_lease = "the subject file does not declare capability LeaderElection"
    without_questions = "the subject does not ask the verdict URL, so that its questions are not seen"
    without_restart = f"backend {run.settings.backend} cannot restart its server"
    return {
        **({} if has_work else dict.fromkeys(OF_WORK, without_work)),
        **({} if subject_of(run.settings).drivers.asks else {LATE_DECISION: without_questions}),
        **({} if has_lease else dict.fromkeys(OF_LEADERS, without_lease)),
        **({} if SERVER_RESTART in run.backend.features else {SERVER_RESTARTED: without_restart}),
    }


CHECK_CONTROLLER = SubjectRole(
    noun="controller",
    kinds=KINDS,
    rules=CONTROLLER_RULES,
    program_of=controller_program,
    check_run=check_controller_run,
)


def integration_program(
    run: Run,
    impossible: Impossible,
    installed: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> ExploredProgram:
    """Return the integration of a run; `installed` surrounds each run of a story, and can change it."""
    dialect, known = run.settings.dialects[0], run.settings.known_breaches
    return ExploredProgram(
        run=JobStoryRunner(run, dialect, run.settings.seed, installed, known).run,
        draw=draw_story_of_jobs,
        plan=partial(_plan_of_jobs, impossible=impossible),
        identity=Identity(dialect=dialect.name, known_breaches=known),
        perturbations=PERTURBATIONS_OF_JOBS,
        vocabulary=vocabulary_of_jobs(impossible),
    )


def _plan_of_jobs(
    story: JobStory, writes: Sequence[int], seed: int, number: int, *, impossible: Impossible
) -> Sequence[Perturbation]:
    def is_left_out(perturbation: Perturbation) -> bool:
        return perturbation.kind in impossible or is_excluded(story, perturbation)

    return plan_interruptions(story.acts, writes, seed, number, is_left_out)


JOB_INTEGRATION = SubjectRole(
    noun="integration",
    kinds=INTERRUPTIONS,
    rules=INTEGRATION_RULES,
    program_of=integration_program,
    check_run=check_integration_run,
)
