"""The smoke test: the checks of a subject's role, one by one, before anything is judged (harness/H-03)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

from ...base.errors import ConformanceError, EnvironmentProblem
from ...options import Settings
from ...wire.client import ApiError
from .check_controller import CheckControllerWiring
from .checks import WiringChecks
from .integration import IntegrationWiring


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """One check: its subject, and its problem (None: passed)."""

    number: int
    of: int
    text: str
    problem: ConformanceError | None = None


def smoke(
    settings: Settings, announce: Callable[[str], None], keep: Callable[[str], None] | None = None
) -> Iterator[CheckResult]:
    """Make the checks one after another, until one fails.

    `keep` is called with the command of the subject while the cluster is there, and returns when it may go.
    """
    with ExitStack() as stack:
        wiring = _wiring_of(settings)(settings, stack, announce)
        steps = wiring.steps()
        for number, (text, step) in enumerate(steps, 1):
            problem = _problem(step)
            yield CheckResult(number=number, of=len(steps), text=text, problem=problem)
            if problem is not None:
                break
        if keep is not None and (command := wiring.prepare_for_hand()):
            keep(command)


def _wiring_of(settings: Settings) -> type[WiringChecks]:
    """Return the checks of the subject's role."""
    subject = settings.subject
    is_integration = subject is not None and subject.job_kind is not None
    return IntegrationWiring if is_integration else CheckControllerWiring


def _problem(step: Callable[[], object]) -> ConformanceError | None:
    try:
        step()
    except ApiError as error:
        return EnvironmentProblem(
            f"the API server refuses what the harness needs: {error}", hint="does this user have the rights?"
        )
    except ConformanceError as problem:
        return problem
    return None
