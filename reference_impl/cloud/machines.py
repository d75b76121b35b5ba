"""A machine: when it runs, has a Node, is ready, fails or ends.

Its state is a function of time (PR-312, PR-355…359).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from reference_impl.autoscaler.cloud import Instance, InstanceErrorInfo, InstanceState

from .groups import NodeGroupSpec

NEVER: Final = float("inf")
SCHEME: Final = "sim:///"
MachineEvent = Literal["running", "registered", "ready", "failed", "ended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Times are seconds since the epoch, NEVER for what does not happen."""

    id: str
    """`<group>-<number>`, never given twice; its Node has this name."""
    group: str
    created: float
    runs_at: float
    registers_at: float
    """When its Node is made."""
    ready_at: float
    fails_at: float = NEVER
    ends_at: float = NEVER
    """When it is no longer there, its Node neither."""
    error: InstanceErrorInfo | None = None
    deleting: bool = False
    listed: bool = True
    """The cloud may count a machine and not list it (finding N7)."""
    # Whether the size of its group is the same after its end: the cloud has lost it and
    # does not know.
    remains_counted: bool = False
    adopted: bool = False
    """Whether its Node was there before the cloud began."""
    revokes: str = ""
    """The request, namespace/name, that is told of its end."""

    @property
    def provider_id(self) -> str:
        """Return what its Node has as `spec.providerID`."""
        return f"{SCHEME}{self.group}/{self.id}"

    def has_node(self, current_time: float) -> bool:
        """Tell whether there is to be a Node of it."""
        return self.registers_at <= current_time < self.ends_at

    def instance(self, current_time: float) -> Instance:
        """Return how the cloud lists it."""
        state: InstanceState = (
            "deleting" if self.deleting else "running" if self.runs_at <= current_time else "creating"
        )
        return Instance(self.provider_id, state, self.error if self.fails_at <= current_time else None)

    def events(self) -> Iterator[tuple[float, MachineEvent]]:
        """Return what happens to it, and when."""
        yield self.runs_at, "running"
        yield self.registers_at, "registered"
        yield self.ready_at, "ready"
        yield self.fails_at, "failed"
        yield self.ends_at, "ended"

    def failing(self, error: InstanceErrorInfo, at: float) -> Machine:
        """Return it as one that never runs, and is listed with an error from a time on."""
        return replace(self, runs_at=NEVER, registers_at=NEVER, ready_at=NEVER, fails_at=at, error=error)

    def mark_deleted(self, at: float) -> Machine:
        """Return it as one that is being deleted, and gone at a time."""
        return replace(self, deleting=True, ends_at=min(at, self.ends_at))

    def lost(self) -> Machine:
        """Return it as one that has ended and still counts: it has no Node, and is not listed."""
        return replace(
            self, registers_at=NEVER, ready_at=NEVER, ends_at=NEVER, remains_counted=False, listed=False
        )


def booting(spec: NodeGroupSpec, number: int, current_time: float) -> Machine:
    """Return a machine that was asked for now."""
    runs = current_time + spec.boot_seconds
    return Machine(
        id=f"{spec.id}-{number}",
        group=spec.id,
        created=current_time,
        runs_at=runs,
        registers_at=runs,
        ready_at=runs + spec.ready_seconds,
    )


def present(spec: NodeGroupSpec, name: str, current_time: float, *, adopted: bool = False) -> Machine:
    """Return a machine that is there now, and did not have to boot."""
    return Machine(
        id=name,
        group=spec.id,
        created=current_time,
        runs_at=current_time,
        registers_at=current_time,
        ready_at=current_time,
        adopted=adopted,
    )
