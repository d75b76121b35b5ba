"""The reference's integration of batch/v1 Jobs as a subject of its own, beside a control plane without one.

`python:kueue_conformance.control_planes.reference.job_integration:integrate_jobs` in a subject file.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...subject import SubjectContext
    from ...subject.clock import Clock, Timer

NAME = "job-integration"
"""The first word of its User-Agent: it is not the Kueue that it works with."""


async def integrate_jobs(context: SubjectContext) -> None:
    """Run the integration until it is cancelled."""
    from reference_impl.kueue.composition import program
    from reference_impl.kueue.config import JOBS, Config
    from reference_impl.runtime import kubeconfig
    from reference_impl.runtime.manager import Manager

    config = Config(
        connection=kubeconfig.load(context.kubeconfig), parts=frozenset({JOBS}), leader_election=False
    )
    manager = Manager(
        replace(program(config), user_agent=f"{NAME}/1 (reference)"), _ManagerClock(context.clock)
    )
    try:
        await manager.start()
        await manager.wait_for_death()
    finally:
        await manager.stop()


@dataclass(frozen=True, slots=True)
class _ManagerClock:
    """A subject's clock as a manager asks it; it is never set back."""

    clock: Clock

    def now(self) -> float:
        return self.clock.now()

    def elapsed(self) -> float:
        return self.clock.now()

    def call_at(self, when: float, action: Callable[[], Any]) -> Timer:
        return self.clock.call_at(when, action)

    def busy(self) -> AbstractContextManager[None]:
        return self.clock.busy()

    def saw(self, stream: str, revision: int) -> None:
        self.clock.saw(stream, revision)
