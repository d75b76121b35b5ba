"""Explores a subject of any role: what is asked of it and of its run, and what can interrupt it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial

from ..base.errors import UsageError
from ..exploration.exploration import ExploredProgram
from ..exploration.findings import read_finding
from ..exploration.perturbation import PerturbationKind
from ..exploration.played_story import check_known_breaches
from ..options import Settings
from ..rules import SafetyRule
from ..run import Run
from ..scenarios.capability import Capability
from ..subject.declaration import Declaration
from .exploration_run import ExploreOptions, explore_or_replay
from .exploration_workers import Announce

Impossible = Mapping[PerturbationKind, str]
"""Perturbations that a subject cannot bear, with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectRole:
    """How the subjects of one role are explored."""

    noun: str
    """What a person calls one, such as `controller`."""
    kinds: Sequence[PerturbationKind]
    rules: Sequence[SafetyRule]
    """The safety rules by which one is judged."""
    program_of: Callable[[Run, Impossible], ExploredProgram]
    """Returns the subject of a run that has begun. Raises UsageError."""
    check_run: Callable[[Run], None]
    """Raises UsageError for a run that explore does not work with."""


def explore_subject(
    role: SubjectRole, settings: Settings, options: ExploreOptions, known: Sequence[str] = ()
) -> int:
    """Explore the subject, or run a finding again; return the exit code. Breaches of the safety rules that
    are known are no findings. Raises UsageError.
    """
    check_known_breaches(known, role.rules, "--known")
    if options.file is not None:
        # The exploration that found it left these out, and what they say comes before what it is about.
        known = [*known, *read_finding(options.file).identity.known_breaches]
        check_known_breaches(known, role.rules, f"{options.file}: known")
    settings = replace(settings, known_breaches=tuple(dict.fromkeys(known)))
    if subject_of(settings).connect.partition(":")[0] == "external":
        raise UsageError(
            f"explore kills and starts the {role.noun}, and one that is started by hand (external:) cannot be",
            hint=f'name its command: --subject "process:./my-{role.noun}"',
        )
    return explore_or_replay(partial(_running, role, settings), options, settings.seed)


def subject_of(settings: Settings) -> Declaration:
    """Return the subject that is explored."""
    assert settings.subject is not None, "the profile needs one, and its options were checked"
    return settings.subject


@contextmanager
def _running(role: SubjectRole, settings: Settings, announce: Announce) -> Iterator[ExploredProgram]:
    """Start the subject and return what is explored, and end it."""
    with closing(Run(settings, announce=announce)) as run:
        # Before it begins: a cluster that is started for nothing takes minutes on kind.
        role.check_run(run)
        run.begin()
        impossible: Impossible = {}
        if subject_of(settings).lacks([Capability.RESTART]):
            why = "the subject file does not declare capability Restart"
            announce(f"not killed: {why}")
            impossible = {kind: why for kind in role.kinds if kind.restarts}
        yield role.program_of(run, impossible)
