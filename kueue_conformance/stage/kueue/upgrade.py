"""An upgrade of Kueue, or a downgrade, in the middle of a scenario."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ...case.context import CaseContext


@dataclass(frozen=True, slots=True)
class KueueUpgrade:
    """A Kueue of another release takes the place of the one with which the case began."""

    context: CaseContext

    def carry_out(self) -> None:
        """Stop the old Kueue, start the new one, and wait until the cluster is at rest."""
        with self.delay_start():
            pass

    @contextmanager
    def delay_start(self) -> Iterator[None]:
        """Stop the old Kueue, carry out a block while none works, and start the new one."""
        context = self.context
        context.acts()
        assert context.former_dialect is not None, "the fixture has refused a case without one"
        versions = f"{context.former_dialect.version} to {context.dialect.version}"
        context.upgrades.append(f"{versions}, after rv {context.cluster.recorder.newest_revision()}")
        with context.upgrade():
            yield
        context.rest()
        context.acts()
