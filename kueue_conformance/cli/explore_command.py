"""`explore`: looks for faults of a check controller by drawn stories and what interrupts it in them."""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..backends.features import FAULTS
from ..base.errors import UsageError
from ..base.files.saving import make_folder
from ..control_planes import SCRIPTED
from ..scenarios.capability import Capability
from .durations import seconds_of
from .preflight import preflight
from .shared_options import subject_options

if TYPE_CHECKING:
    from ..exploration.exploration import Exploration
    from ..exploration.findings import Finding
    from ..exploration.perturbations import Kind
    from ..exploration.playing import StoryRunner
    from ..options import Settings
    from ..run import Run

_EVERY_SECONDS = 10.0
DEFAULT_TIME = "2m"
_CAPABILITIES = {"Ready": Capability.READY, "Retry": Capability.RETRY, "Rejected": Capability.REJECTED}


@click.command(short_help="look for faults of a check controller that no scenario names")
@subject_options
@click.option(
    "--for", "duration", default="", help=f"how long, such as 90s, 10m or 1h [default: {DEFAULT_TIME}]"
)
@click.option("--runs", type=click.IntRange(min=1), default=None, help="how many plays, in place of a time")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="of the first story")
@click.option(
    "--shrink",
    "tries",
    type=click.IntRange(min=0),
    default=30,
    show_default=True,
    help="how many shorter stories are tried for a finding",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("explored"),
    show_default=True,
    help="the folder for findings",
)
@click.option(
    "--replay",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="play a finding again, three times",
)
def explore(
    duration: str, runs: int | None, seed: int, tries: int, out: Path, file: Path | None, **of_subject: Any
) -> int:
    """Play drawn stories of queues, Workloads and verdicts to a check controller, and interrupt it in them.

    Each story is played once as it is; then the controller is killed between two of its writes, or its
    writes, answers and watches are disturbed where it used them. After each step a model of the documents
    says which verdicts may stand there; the safety rules are judged too. What breaks is made shorter,
    repeated, and written into the folder of findings.

    Exit code: 0 nothing found, 1 findings, 2 interrupted, 3 the cluster or the machine is in the way, 4
    usage, 7 the controller cannot be started.
    """
    words = {key.replace("_", "-"): value for key, value in of_subject.items() if value not in (None, False)}
    settings = preflight({"profile": "CHECK-CONTROLLER", "seed": seed, **words})
    _check(settings)
    from ..exploration.playing import StoryRunner
    from ..run import Run

    with closing(Run(settings, announce=lambda text: click.echo(text, err=True))) as run:
        _check_run(run)
        run.begin()
        runner = StoryRunner(run, settings.dialects[0], settings.seed)
        if file is not None:
            return _replay(file, runner)
        make_folder(out)
        limit = _Limit(seconds_of(duration or ("0" if runs else DEFAULT_TIME)), runs)
        return _explore(settings, runner, limit, out, tries)


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


class _Limit:
    """The end of an exploration: a time, or a number of plays."""

    def __init__(self, seconds: float, runs: int | None) -> None:
        self._began = time.monotonic()
        self._seconds = seconds
        self._runs = runs

    @property
    def passed_seconds(self) -> float:
        return time.monotonic() - self._began

    def is_over(self, plays: int) -> bool:
        """Tell whether the time or the plays are used up."""
        return plays >= self._runs if self._runs else self.passed_seconds >= self._seconds


class _Progress:
    """A line on the terminal every ten seconds."""

    def __init__(self) -> None:
        self._reported_seconds = 0.0

    def report(self, exploration: Exploration, found: int, passed_seconds: float) -> None:
        """Print what was done so far, when the last line is old enough."""
        if passed_seconds - self._reported_seconds < _EVERY_SECONDS:
            return
        self._reported_seconds = passed_seconds
        coverage = exploration.coverage
        click.echo(
            f"{coverage.stories} stories  {coverage.plays} plays  {found} findings  {passed_seconds:.0f} s",
            err=True,
        )


def _explore(settings: Settings, runner: StoryRunner, limit: _Limit, out: Path, tries: int) -> int:
    from ..exploration.exploration import Exploration
    from ..exploration.findings import write_finding

    found: list[Finding] = []
    progress = _Progress()

    def is_over() -> bool:
        progress.report(exploration, len(found), limit.passed_seconds)
        return limit.is_over(exploration.coverage.plays)

    exploration = Exploration(
        play=runner.play,
        seed=settings.seed,
        dialect=settings.dialects[0].name,
        states=_states(settings),
        kinds=_kinds(settings),
        is_over=is_over,
        tries=tries,
    )
    interrupted = False
    try:
        for finding in exploration.findings():
            found.append(finding)
            # Printed first: a disk that is full loses the file, and not the finding.
            click.echo("\n".join(["", *finding.lines()]))
            click.echo(f"  file       {write_finding(finding, out)}")
    except KeyboardInterrupt:
        interrupted = True
    click.echo("\n".join(["", *exploration.coverage.lines()]))
    for (cause, kind), times in exploration.causes.items():
        click.echo(f"found {times} time(s): {cause}{f', {kind}' if kind else ''}")
    click.echo(f"{len(found)} finding(s); seed {settings.seed}")
    return 2 if interrupted else int(bool(found))


def _states(settings: Settings) -> list[str]:
    """Return the verdicts that the subject can be brought to."""
    subject = settings.subject
    assert subject is not None, "checked before"
    states = [
        state
        for state, capability in _CAPABILITIES.items()
        if not subject.drivers.lacks([state.lower()]) and not subject.lacks([capability])
    ]
    if not states:
        raise UsageError(
            "the subject file declares no verdict", hint="declare ready, retry or rejected in drivers"
        )
    return states


def _kinds(settings: Settings) -> Collection[Kind]:
    """Return the perturbations that the subject says it can bear."""
    from ..exploration.perturbations import RESTARTS, Kind

    assert settings.subject is not None, "checked before"
    if not settings.subject.lacks([Capability.RESTART]):
        return frozenset(Kind)
    click.echo("not killed: the subject file does not declare capability Restart", err=True)
    return frozenset(Kind) - RESTARTS


def _replay(file: Path, runner: StoryRunner) -> int:
    from ..exploration.exploration import repeat
    from ..exploration.findings import read_finding

    before = read_finding(file)
    now = repeat(before, runner.play)
    if not now.failed:
        click.echo(f"{before.cause}: not seen in {now.plays} plays (it was {before.rate})")
        return 0
    click.echo("\n".join(now.lines()))
    return 1
