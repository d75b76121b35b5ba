"""A story that a test plays: read from the fields of a finding, and run once on the program of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ..backends.features import FAULTS
from ..base.errors import Nonconformance, UsageError
from ..control_planes import SCRIPTED
from ..rules import CHECK_CONTROLLER, JOB_INTEGRATION, SafetyRule
from ..run import Run
from ..scenarios.dialect import Dialect
from .check_controllers.story import Story as ControllerStory
from .check_controllers.story_run import StoryRunner as ControllerStoryRunner
from .control_planes.story_run import StoryRunner as PlaneStoryRunner
from .findings import story_of
from .job_integrations.story import Story as IntegrationStory
from .job_integrations.story_run import StoryRunner as IntegrationStoryRunner
from .perturbation import Perturbation
from .story import RunResult, RunStory

_ARGUMENTS = Path("play_story")
"""Stands for the file where a call is wrong."""
_KNOWN = f"{_ARGUMENTS}: known"


def play(
    run: Run, dialect: Dialect, fields: Mapping[str, Any], perturbation: str, known: Sequence[str] = ()
) -> RunResult:
    """Run the story of a finding's fields once; breaches of the safety rules `known` are left out. Raises
    UsageError, and Nonconformance where it shows what is not allowed.
    """
    story = story_of(fields, _ARGUMENTS)
    if unknown := sorted(fields.keys() - story.as_fields().keys()):
        raise UsageError(
            f"{_ARGUMENTS} knows no {', '.join(unknown)} of a story of a {story.program}",
            hint="take the fields that `explore` wrote",
        )
    disturbance = Perturbation.of(perturbation, story.kinds) if perturbation else None
    if disturbance is not None and disturbance.act > len(story.acts):
        raise UsageError(
            f"{disturbance} is behind the last act, {len(story.acts)}", hint="name an act of the story"
        )
    result = _runner(run, dialect, story, tuple(known))(story, disturbance)
    if result.breach is not None:
        raise Nonconformance(f"{result.breach.cause}\n{result.breach.text}", code=result.breach.cause)
    return result


def _runner(run: Run, dialect: Dialect, story: object, known: tuple[str, ...]) -> RunStory:
    """Return what runs the story on the program of the run."""
    seed = run.settings.seed
    if isinstance(story, ControllerStory):
        check_controller_run(run)
        check_known_breaches(known, CHECK_CONTROLLER, _KNOWN)
        return ControllerStoryRunner(run, dialect, seed, known).run
    if isinstance(story, IntegrationStory):
        check_integration_run(run)
        check_known_breaches(known, JOB_INTEGRATION, _KNOWN)
        return IntegrationStoryRunner(run, dialect, seed, known_breaches=known).run
    check_plane_run(run)
    # Of control planes every rule is judged.
    check_known_breaches(known, (), _KNOWN)
    return cast("RunStory", PlaneStoryRunner(run, dialect).run)


def check_known_breaches(known: Sequence[str], rules: Sequence[SafetyRule], source: str) -> None:
    """Raise UsageError for a known breach that is of none of the safety rules; `source` says where it was
    read.
    """
    ids = {rule.id for rule in rules}
    if unknown := [rule for rule in known if rule not in ids]:
        raise UsageError(
            f"{source} is {unknown[0]!r}, which is no safety rule by which this program is judged",
            hint="name the rule of a finding, such as CC-035" if ids else "leave it out",
        )


def check_controller_run(run: Run) -> None:
    """Raise UsageError for a run in which no story of a check controller can be played."""
    _check_subject(run, is_integration=False)
    if SCRIPTED not in run.control_plane.features:
        raise UsageError(
            f"explore plays Kueue itself, and --control-plane is {run.settings.control_plane}",
            hint="leave --control-plane out",
        )


def check_integration_run(run: Run) -> None:
    """Raise UsageError for a run in which no story of a job integration can be played."""
    _check_subject(run, is_integration=True)
    if SCRIPTED in run.control_plane.features:
        raise UsageError(
            "an integration is explored beside a Kueue that works, and --control-plane is scripted",
            hint="leave --control-plane out",
        )


def check_plane_run(run: Run) -> None:
    """Raise UsageError for a run in which no story of a control plane can be played."""
    settings = run.settings
    if settings.control_plane != "reference" or settings.backend != "fake":
        raise UsageError(
            "explore runs a control plane in this process on virtual time, and not"
            f" {settings.control_plane} on backend {settings.backend}",
            hint="use --control-plane reference and --backend fake",
        )


def _check_subject(run: Run, *, is_integration: bool) -> None:
    subject, role = run.settings.subject, "job integration" if is_integration else "check controller"
    if subject is None or (subject.job_kind is not None) != is_integration:
        raise UsageError(f"the story is one of a {role}, and none is named", hint="name its subject file")
    if FAULTS not in run.backend.features:
        raise UsageError(
            f"backend {run.settings.backend} cannot disturb requests",
            hint="use --backend fake, envtest or kind",
        )
