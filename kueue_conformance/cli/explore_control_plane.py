"""Explores a control plane: alone in this process, or beside another one, which may be a real Kueue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial

from ..base.errors import UsageError
from ..control_planes import is_upstream
from ..exploration.control_planes.acts import Verb
from ..exploration.control_planes.differential import DifferentialRunner
from ..exploration.control_planes.drawing.drawn_story import draw_story
from ..exploration.control_planes.end_states import Timing
from ..exploration.control_planes.perturbation_choice import choose
from ..exploration.control_planes.real_time import adapt_to_real_time
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

FAKE = "fake"
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
    if options.file is not None and not against:
        against = read_finding(options.file).identity.against
    _check(settings, against)
    return explore_or_replay(partial(_running, settings, against), options, settings.seed)


@contextmanager
def _running(settings: Settings, against: str, announce: Announce) -> Iterator[ExploredProgram]:
    """Start the control planes, and explore the first one."""
    with ExitStack() as stack:
        run: RunStory
        if against:
            differential = _differential_runner(settings, against, stack, announce)
            run, dialect = differential.run, differential.judged.dialect
        else:
            judged = _story_runner(settings, stack, announce)
            run, dialect = judged.run, judged.dialect
        yield ExploredProgram(
            run=run,
            draw=_draw_in_real_time if _is_beside_real(settings, against) else draw_story,
            plan=_no_plan if against else choose,
            identity=Identity(dialect=dialect.name, control_plane=settings.control_plane, against=against),
            perturbations=PERTURBATIONS,
            vocabulary=replace(_VOCABULARY, kinds=() if against else KINDS),
        )


def _differential_runner(
    settings: Settings, against: str, stack: ExitStack, announce: Announce
) -> DifferentialRunner:
    if not _is_beside_real(settings, against):
        judged = _story_runner(settings, stack, announce)
        return DifferentialRunner(
            judged=judged, other=_story_runner(_other(settings, against), stack, announce), name=against
        )
    is_judged = is_upstream(settings.control_plane)
    real_one = settings.control_plane if is_judged else against
    real = _story_runner(replace(settings, control_plane=real_one), stack, announce)
    # The release is known when the real one runs: the reference speaks its dialect.
    ours = replace(settings, control_plane=IN_PROCESS, backend=FAKE, dialects=(real.dialect,))
    reference = _story_runner(ours, stack, announce)
    judged, other = (real, reference) if is_judged else (reference, real)
    return DifferentialRunner(judged=judged, other=other, name=against, timing=Timing.REAL)


def _draw_in_real_time(seed: int) -> Story:
    return adapt_to_real_time(draw_story(seed))


def _story_runner(settings: Settings, stack: ExitStack, announce: Announce) -> StoryRunner:
    run = stack.enter_context(closing(Run(settings, announce=announce)))
    run.begin()
    return StoryRunner(run, run.settings.dialects[0])


def _no_plan(story: Story, writes: Sequence[int], seed: int, number: int) -> Sequence[Perturbation]:
    """Return none: two control planes send different requests, so that an interruption meets other ones."""
    del story, writes, seed, number
    return ()


def _is_beside_real(settings: Settings, against: str) -> bool:
    """Tell whether one of the two control planes is a real Kueue."""
    return is_upstream(settings.control_plane) or is_upstream(against)


def _check(settings: Settings, against: str) -> None:
    """Raise UsageError for what cannot be explored."""
    if not _is_beside_real(settings, against):
        if settings.control_plane != IN_PROCESS or settings.backend != FAKE:
            raise UsageError(
                f"explore runs a control plane in this process on virtual time, and not"
                f" {settings.control_plane} on backend {settings.backend}",
                hint="use --control-plane reference and --backend fake; a real Kueue runs beside the reference:"
                " --control-plane reference --against upstream:COMMAND --backend envtest",
            )
        return
    if IN_PROCESS not in (settings.control_plane, against):
        raise UsageError(
            f"a real Kueue is compared with the reference, and not {settings.control_plane}"
            f" with {against or 'nothing'}",
            hint="name the reference on one side: --control-plane reference --against upstream:COMMAND, or the"
            " other way round",
        )
    if settings.backend == FAKE:
        raise UsageError(
            "a real Kueue needs a real API server, and --backend is fake",
            hint="add --backend envtest; the reference runs on a fake one anyway",
        )


def _other(settings: Settings, text: str) -> Settings:
    """Return the settings of the control plane beside it, such as `reference@v0.18`. Raises UsageError."""
    name, _, dialect = text.partition("@")
    if name != IN_PROCESS:
        raise UsageError(
            f"--against is {text!r}, expected the reference or a real Kueue",
            hint="for example --against reference@v0.18, or --against upstream:COMMAND --backend envtest",
        )
    spoken = next(iter(select(dialect))) if dialect else settings.dialects[0]
    if spoken == settings.dialects[0]:
        raise UsageError(
            f"--against {text} is the control plane that is explored",
            hint="name another dialect of it, for example --against reference@v0.18",
        )
    return replace(settings, dialects=(spoken,))
