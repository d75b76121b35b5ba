"""Explores a check controller: what is asked of it and of the run before, and its stories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import click

from ..backends.features import FAULTS, SERVER_RESTART
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
from ..exploration.exploration import Exploration
from ..exploration.findings import Identity
from ..exploration.perturbation import Perturbation, PerturbationKind
from ..options import Settings
from ..run import Run
from ..scenarios.capability import Capability
from ..wire.resource import RESOURCES
from .exploration_run import Limit, explore_until, replay
from .exploration_workers import Announce, MakeExploration


def explore_controller(
    settings: Settings, limit: Limit, out: Path, tries: int, file: Path | None, workers: int
) -> int:
    """Explore the subject, or run a finding again; return the exit code."""
    _check(settings)
    if file is not None:
        with _running(settings, _announce) as (run, runner):
            del run
            return replay(file, runner.run)
    return explore_until(
        partial(_exploring, settings, tries), limit, out, KINDS, seed=settings.seed, number=workers
    )


def _announce(text: str) -> None:
    click.echo(text, err=True)


@contextmanager
def _running(settings: Settings, announce: Announce) -> Iterator[tuple[Run, StoryRunner]]:
    """Run the subject, and what runs stories on it."""
    with closing(Run(settings, announce=announce)) as run:
        _check_run(run)
        run.begin()
        yield run, StoryRunner(run, settings.dialects[0], settings.seed)


@contextmanager
def _exploring(settings: Settings, tries: int, announce: Announce) -> Iterator[MakeExploration]:
    with _running(settings, announce) as (run, runner):
        limits, kinds = _limits(settings, run), _kinds(settings, run, announce)

        def make(is_over: Callable[[], bool]) -> Exploration:
            return Exploration(
                run=runner.run,
                draw=partial(draw_story, limits=limits),
                plan=partial(_plan, kinds=kinds),
                seed=settings.seed,
                identity=Identity(dialect=settings.dialects[0].name),
                is_over=is_over,
                tries=tries,
                perturbations=PERTURBATIONS,
            )

        yield make


def _plan(
    story: Story, writes: Sequence[int], seed: int, number: int, *, kinds: Sequence[PerturbationKind]
) -> Sequence[Perturbation]:
    return plan(story.acts, writes, seed, number, kinds)


def _check(settings: Settings) -> None:
    """Raise UsageError for what cannot be explored."""
    subject = settings.subject
    assert subject is not None, "the profile needs one, and its options were checked"
    if subject.connect.partition(":")[0] == "external":
        raise UsageError(
            "explore kills and starts the controller, and one that is started by hand (external:) cannot be",
            hint='name its command: --subject "process:./my-controller"',
        )
    if subject.drivers.are_shared:
        raise UsageError(
            "explore decides about each Workload by itself, and a driver of the subject file decides about all",
            hint="let the drivers use ${namespace} and ${workload}; `run` judges a controller with one switch",
        )


def _check_run(run: Run) -> None:
    """Raise UsageError for a backend or control plane that explore does not work with."""
    if FAULTS not in run.backend.features:
        raise UsageError(
            f"backend {run.settings.backend} cannot disturb requests",
            hint="use --backend fake, envtest or kind",
        )
    if SCRIPTED not in run.control_plane.features:
        raise UsageError(
            f"explore plays Kueue itself, and --control-plane is {run.settings.control_plane}",
            hint="leave --control-plane out",
        )


def _limits(settings: Settings, run: Run) -> DrawingLimits:
    """Return what can be drawn for the subject."""
    subject = settings.subject
    assert subject is not None, "checked before"
    limits = DrawingLimits.of(subject, waits_really=not run.in_virtual_time)
    if not limits.states:
        raise UsageError(
            "the subject file declares no verdict", hint="declare ready, retry or rejected in drivers"
        )
    return limits


def _kinds(settings: Settings, run: Run, announce: Announce) -> Sequence[PerturbationKind]:
    """Return the perturbations that the subject and the backend can bear."""
    subject = settings.subject
    assert subject is not None, "checked before"
    left_out: set[PerturbationKind] = set()
    if subject.lacks([Capability.RESTART]):
        announce("not killed: the subject file does not declare capability Restart")
        left_out |= {kind for kind in KINDS if kind.restarts}
    work = subject.outside_work.manifest if subject.outside_work else None
    if work is None or work["kind"] not in RESOURCES:
        left_out |= set(OF_WORK)
    if SERVER_RESTART not in run.backend.features:
        left_out.add(SERVER_RESTARTED)
    return [kind for kind in KINDS if kind not in left_out]
