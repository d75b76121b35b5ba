"""Explores a control plane in this process: alone, or beside another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial

from ..base.errors import UsageError
from ..exploration.control_planes.acts import Verb
from ..exploration.control_planes.differential import DifferentialRunner
from ..exploration.control_planes.drawing.drawn_story import draw_story
from ..exploration.control_planes.perturbation_choice import choose
from ..exploration.control_planes.story import Story
from ..exploration.control_planes.story_run import StoryRunner
from ..exploration.coverage import Vocabulary
from ..exploration.exploration import ExploredProgram
from ..exploration.findings import Identity, read_finding
from ..exploration.interruptions import KINDS, STILL
from ..exploration.perturbation import Perturbation
from ..exploration.story import RunStory
from ..options import Settings
from ..run import Run
from ..scenarios.dialect import select
from ..states import ENTRY, WORKLOAD
from .exploration_run import ExploreOptions, explore_or_replay
from .exploration_workers import Announce

IN_PROCESS = "reference"
"""The control plane that runs in this process, on virtual time."""
PERTURBATIONS = 1
"""The most perturbations of a story: another story shows more than one more interruption of the same."""
_VOCABULARY = Vocabulary(
    acts=[*map(str, Verb)],
    waits=STILL,
    machines=(WORKLOAD, ENTRY),
    causes={
        **{(ENTRY.name, state): [Verb.ANSWER] for state in ("Retry", "Rejected")},
        (ENTRY.name, "Ready"): [Verb.ANSWER, Verb.APPROVE],
        (WORKLOAD.name, "Finished"): [Verb.FINISH],
        (WORKLOAD.name, "Rejected"): [Verb.DEACTIVATE],
    },
)


def explore_control_plane(settings: Settings, against: str, options: ExploreOptions) -> int:
    """Explore the control plane of the settings, or run a finding again; return the exit code."""
    _check(settings)
    if options.file is not None and not against:
        against = read_finding(options.file).identity.against
    return explore_or_replay(partial(_running, settings, against), options, settings.seed)


@contextmanager
def _running(settings: Settings, against: str, announce: Announce) -> Iterator[ExploredProgram]:
    """Start the control planes, and explore the first one."""
    with ExitStack() as stack:
        judged = _story_runner(settings, stack, announce)
        run: RunStory = judged.run
        if against:
            other = _story_runner(_other(settings, against), stack, announce)
            run = DifferentialRunner(judged, other, against).run
        yield ExploredProgram(
            run=run,
            draw=draw_story,
            plan=_no_plan if against else choose,
            identity=Identity(
                dialect=settings.dialects[0].name, control_plane=settings.control_plane, against=against
            ),
            perturbations=PERTURBATIONS,
            vocabulary=replace(_VOCABULARY, kinds=() if against else KINDS),
        )


def _story_runner(settings: Settings, stack: ExitStack, announce: Announce) -> StoryRunner:
    run = stack.enter_context(closing(Run(settings, announce=announce)))
    run.begin()
    return StoryRunner(run, settings.dialects[0])


def _no_plan(story: Story, writes: Sequence[int], seed: int, number: int) -> Sequence[Perturbation]:
    """Return none: two control planes send different requests, so that an interruption meets other ones."""
    del story, writes, seed, number
    return ()


def _check(settings: Settings) -> None:
    """Raise UsageError for what cannot be explored."""
    if settings.control_plane != IN_PROCESS or settings.backend != "fake":
        raise UsageError(
            f"explore runs a control plane in this process on virtual time, and not"
            f" {settings.control_plane} on backend {settings.backend}",
            hint="use --control-plane reference and --backend fake",
        )


def _other(settings: Settings, text: str) -> Settings:
    """Return the settings of the control plane beside it, such as `reference@v0.18`. Raises UsageError."""
    name, _, dialect = text.partition("@")
    if name != IN_PROCESS:
        raise UsageError(
            f"--against is {text!r}, and only the reference runs beside another one",
            hint="for example --against reference@v0.18",
        )
    spoken = next(iter(select(dialect))) if dialect else settings.dialects[0]
    if spoken == settings.dialects[0]:
        raise UsageError(
            f"--against {text} is the control plane that is explored",
            hint="name another dialect of it, for example --against reference@v0.18",
        )
    return replace(settings, dialects=(spoken,))
