"""Explores a check controller: what is asked of its subject file and its run, and its stories."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..backends.features import SERVER_RESTART
from ..base.errors import UsageError
from ..control_planes import SCRIPTED
from ..exploration.check_controllers.drawing import draw_story
from ..exploration.check_controllers.drawing_limits import DrawingLimits
from ..exploration.check_controllers.perturbations import (
    KINDS,
    OF_WORK,
    PERTURBATIONS,
    SERVER_RESTARTED,
    plan,
)
from ..exploration.check_controllers.story import Story
from ..exploration.check_controllers.story_run import StoryRunner
from ..exploration.check_controllers.vocabulary import vocabulary_of
from ..exploration.exploration import ExploredProgram
from ..exploration.findings import Identity
from ..exploration.perturbation import Perturbation, PerturbationKind
from ..run import Run
from ..wire.resource import RESOURCES
from .explore_subject import Impossible, SubjectRole, subject_of


def controller_program(run: Run, unbearable: Impossible) -> ExploredProgram:
    """Return the controller of a run, without perturbations that it cannot bear. Raises UsageError."""
    dialect, limits = run.settings.dialects[0], _limits(run)
    impossible = {**_impossible(run), **unbearable}
    return ExploredProgram(
        run=StoryRunner(run, dialect, run.settings.seed).run,
        draw=partial(draw_story, limits=limits),
        plan=partial(_plan, kinds=[kind for kind in KINDS if kind not in impossible]),
        identity=Identity(dialect=dialect.name),
        perturbations=PERTURBATIONS,
        vocabulary=vocabulary_of(limits, impossible),
    )


def _plan(
    story: Story, writes: Sequence[int], seed: int, number: int, *, kinds: Sequence[PerturbationKind]
) -> Sequence[Perturbation]:
    return plan(story.acts, writes, seed, number, kinds)


def _check_run(run: Run) -> None:
    if subject_of(run.settings).drivers.are_shared:
        raise UsageError(
            "explore decides about each Workload by itself, and a driver of the subject file decides about all",
            hint="let the drivers use ${namespace} and ${workload}; `run` judges a controller with one switch",
        )
    if SCRIPTED not in run.control_plane.features:
        raise UsageError(
            f"explore plays Kueue itself, and --control-plane is {run.settings.control_plane}",
            hint="leave --control-plane out",
        )


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
    without_restart = f"backend {run.settings.backend} cannot restart its server"
    return {
        **({} if has_work else dict.fromkeys(OF_WORK, without_work)),
        **({} if SERVER_RESTART in run.backend.features else {SERVER_RESTARTED: without_restart}),
    }


CHECK_CONTROLLER = SubjectRole(
    noun="controller", kinds=KINDS, program_of=controller_program, check_run=_check_run
)
