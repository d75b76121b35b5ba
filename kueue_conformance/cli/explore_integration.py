"""Explores a job integration beside a working Kueue: what is asked of it and of the run before, and its
stories.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import click

from ..backends.features import FAULTS
from ..base.errors import UsageError
from ..control_planes import SCRIPTED
from ..exploration.exploration import Exploration
from ..exploration.findings import Identity
from ..exploration.interruptions import KINDS, plan
from ..exploration.job_integrations.drawing import draw_story, is_excluded
from ..exploration.job_integrations.story import Story
from ..exploration.job_integrations.story_run import StoryRunner
from ..exploration.perturbation import Perturbation, PerturbationKind
from ..options import Settings
from ..run import Run
from ..scenarios.capability import Capability
from .exploration_run import Limit, explore_until, replay
from .exploration_workers import Announce, MakeExploration

PERTURBATIONS = 3
"""The most perturbations of a story."""


def explore_integration(
    settings: Settings, limit: Limit, out: Path, tries: int, file: Path | None, workers: int
) -> int:
    """Explore the subject, or run a finding again; return the exit code."""
    _check(settings)
    if file is not None:
        with _running(settings, _announce) as runner:
            return replay(file, runner.run)
    return explore_until(
        partial(_exploring, settings, tries), limit, out, KINDS, seed=settings.seed, number=workers
    )


def _announce(text: str) -> None:
    click.echo(text, err=True)


@contextmanager
def _running(settings: Settings, announce: Announce) -> Iterator[StoryRunner]:
    """Run the subject, and return what runs stories on it."""
    with closing(Run(settings, announce=announce)) as run:
        _check_run(run)
        run.begin()
        yield StoryRunner(run, settings.dialects[0], settings.seed)


@contextmanager
def _exploring(settings: Settings, tries: int, announce: Announce) -> Iterator[MakeExploration]:
    with _running(settings, announce) as runner:
        kinds = _kinds(settings, announce)

        def make(is_over: Callable[[], bool]) -> Exploration:
            return Exploration(
                run=runner.run,
                draw=draw_story,
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
    def is_left_out(perturbation: Perturbation) -> bool:
        return perturbation.kind not in kinds or is_excluded(story, perturbation)

    return plan(story.acts, writes, seed, number, is_left_out)


def _check(settings: Settings) -> None:
    """Raise UsageError for what cannot be explored."""
    assert settings.subject is not None, "the profile needs one, and its options were checked"
    if settings.subject.connect.partition(":")[0] == "external":
        raise UsageError(
            "explore kills and starts the integration, and one that is started by hand (external:) cannot be",
            hint='name its command: --subject "process:./my-integration"',
        )


def _check_run(run: Run) -> None:
    """Raise UsageError for a backend or control plane that explore does not work with."""
    if FAULTS not in run.backend.features:
        raise UsageError(
            f"backend {run.settings.backend} cannot disturb requests",
            hint="use --backend fake, envtest or kind",
        )
    if SCRIPTED in run.control_plane.features:
        raise UsageError(
            "an integration is explored beside a Kueue that works, and --control-plane is scripted",
            hint="leave --control-plane out",
        )


def _kinds(settings: Settings, announce: Announce) -> Sequence[PerturbationKind]:
    """Return the perturbations that the subject can bear."""
    assert settings.subject is not None, "checked before"
    if settings.subject.lacks([Capability.RESTART]):
        announce("not killed: the subject file does not declare capability Restart")
        return [kind for kind in KINDS if not kind.restarts]
    return KINDS
