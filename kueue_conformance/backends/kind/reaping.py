"""Deletes clusters of killed runs: their owners are on disk,
so that a later run finds them (harness/H-41, H-42).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...base.errors import UsageError, unknown
from . import state_file
from .kind_program import KindProgram
from .owner import NO_OWNER
from .state_file import ClusterRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterSelection:
    """Which clusters are deleted: those of ended runs,
    with `include_kept` also those kept on purpose, or the named ones.
    """

    names: Sequence[str] = ()
    include_kept: bool = False

    def has(self, record: ClusterRecord) -> bool:
        """Tell whether a cluster is to be deleted."""
        if self.names:
            return record.name in self.names
        # A cluster that was kept on purpose has no living owner either; it goes only when asked
        # for.
        return record.is_orphaned or (self.include_kept and bool(record.kept))


ORPHANS = ClusterSelection()
_LOOKS, _RETRY_SECONDS = 5, 0.5


def reap(kind: KindProgram, chosen: ClusterSelection = ORPHANS) -> Iterator[str]:
    """Delete the clusters; yield a line for each. Raises ConformanceError."""
    for record in going(chosen):
        # Asked before it is killed.
        in_the_making = record.maker.lives
        # The kind process outlives a killed run and would go on making what is being deleted.
        record.maker.end()
        kind.delete(record.name, state_file.kubeconfig(record.name))
        if in_the_making:
            delete_what_still_comes(kind, record.name)
        state_file.drop(record.name)
        yield f"deleted {record.name}: {_reason(record)}"


def delete_what_still_comes(kind: KindProgram, name: str) -> None:
    """Delete again until the cluster stays away: Docker completes a container that it was told to create,
    even when that is removed.
    """
    for _ in range(_LOOKS):
        # Docker has no event for a container that is not created.
        time.sleep(_RETRY_SECONDS)  # noqa: TID251 - bounded by _LOOKS
        if kind.nodes(name):
            kind.delete(name, state_file.kubeconfig(name))


def strays(kind: KindProgram) -> Sequence[str]:
    """Return clusters with our names but without a record here: it was lost, or belongs to another user."""
    names = {record.name for record in state_file.records()}
    return [name for name in kind.clusters() if name.startswith(state_file.PREFIX) and name not in names]


def adopt(names: Sequence[str]) -> None:
    """Write records for clusters that have none, so that they are deleted like those of killed runs."""
    for name in names:
        state_file.write_record(ClusterRecord(name=name, owner=NO_OWNER, image=""))


def going(chosen: ClusterSelection = ORPHANS) -> Sequence[ClusterRecord]:
    """Return the clusters to delete.

    Raises UsageError for an unknown name, or one that a running run uses.
    """
    records_by_name = {record.name: record for record in state_file.records()}
    for name in chosen.names:
        if name not in records_by_name:
            raise unknown("cluster", name, records_by_name)
        # The owner deletes it at its end and would fail over a cluster that is gone.
        if not records_by_name[name].kept and records_by_name[name].owner.lives:
            raise UsageError(
                f"cluster {name!r} is used by process {records_by_name[name].owner.pid}, which still runs",
                hint="wait for its end or stop it; it deletes the cluster",
            )
    return [record for record in records_by_name.values() if chosen.has(record)]


def staying(chosen: ClusterSelection = ORPHANS) -> Iterator[str]:
    """Yield a line for each cluster that stays."""
    for record in state_file.records():
        if not chosen.has(record):
            why = f"kept, {record.kept}" if record.kept else f"process {record.owner.pid} is at work with it"
            yield f"left {record.name}: {why}"


def _reason(record: ClusterRecord) -> str:
    if record.owner == NO_OWNER:
        return "its owner is not known"
    return (
        f"it was kept, {record.kept}" if record.kept else f"its run, process {record.owner.pid}, is no more"
    )
