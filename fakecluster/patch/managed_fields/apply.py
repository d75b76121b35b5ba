"""Server-side apply: the object and its owners after a manager
declared some fields (FK-200…217, FK-221…224).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import reduce

from msgspec.structs import replace

from ...base.json_types import Json
from ..json.equality import is_same
from . import last_applied
from .combine import combine
from .fieldset import Fields, claimed_fields, difference, paths, union, without_below
from .managers import (
    ManagedFieldsEntry,
    Manager,
    Managers,
    UndecodableEntry,
    decode,
    entries_of,
    with_managers,
)
from .ownership import (
    FieldNames,
    ObjectChange,
    Unconvertible,
    VersionLookup,
    check_versions,
    ignored_fields,
    move,
    strip_unowned,
    track,
)
from .paths import text
from .problems import InvalidApply, check
from .prune import prune, prune_across
from .typed import NodeType, whole

BEFORE_FIRST_APPLY = "before-first-apply"
__all__ = ["ApplyConflict", "InvalidApply", "apply"]


def apply(
    live: Json | None,
    config: Json,
    typed: NodeType,
    *,
    manager: str,
    api_version: str,
    subresource: str = "",
    force: bool = False,
    current_time: str,
    ignore: Collection[FieldNames] = (),
    served: VersionLookup | None = None,
    empty: Json | None = None,
) -> Json:
    """Return the object after an apply, managedFields included. Raises ApplyConflict or InvalidApply.

    Reset fields of the body are in the result, unowned: the endpoint wipes them as it does for any write
    (FK-222). `live` is None when there is no object yet: then the result starts from `empty`. The other
    arguments are those of `managed.update`.
    """
    check(config, typed)
    start = live if live is not None else empty or {}
    step = ObjectChange(start, config, api_version, whole(typed), ignored_fields(ignore), served)
    owner = Manager.of(manager, "Apply", api_version, subresource)
    managers = _current_managers(
        step,
        live,
        empty or {},
        Manager.of(BEFORE_FIRST_APPLY, "Update", api_version, subresource),
        current_time,
    )
    # Before the merge: the real server converts the live object for every owner first, and fails even where
    # nothing changes.
    check_versions(step, managers)
    try:
        merged, after = _merge_and_move(step, managers, owner, force=force)
    except ApplyConflict as conflict:
        # kubectl moves from client-side to server-side apply: what its annotation says it set is its own,
        # though the entry in managedFields is that of an update.
        if manager != last_applied.KUBECTL:
            raise
        _check_foreign(conflict, last_applied.owned_fields(start, api_version, step.typed))
        merged, after = _merge_and_move(step, managers, owner, force=True)
    if owner in after:
        before = managers[owner].time if owner in managers else None
        # An apply that changes nothing keeps its time: otherwise each one would be a write.
        after[owner] = replace(after[owner], time=before if is_same(merged, start) else current_time)
    if manager == last_applied.KUBECTL:
        merged = last_applied.sync_annotation(merged, config)
    return with_managers(merged, after)


def _check_foreign(conflict: ApplyConflict, ours: Fields) -> None:
    """Raise ApplyConflict for the fields that client-side apply by the same tool did not set (FK-210)."""
    not_ours = {manager: difference(fields, ours) for manager, fields in conflict.conflicts.items()}
    foreign = {manager: fields for manager, fields in not_ours.items() if fields}
    if foreign:
        raise ApplyConflict(foreign)


def _current_managers(
    step: ObjectChange, live: Json | None, empty: Json, stand_in: Manager, current_time: str
) -> Managers:
    """Return the owners so far; an object without managers gets a stand-in first (FK-208)."""
    try:
        managers = decode(entries_of(live or {}))
    except UndecodableEntry as error:
        raise InvalidApply(f"failed to decode managed fields: {error}") from error
    # An object from before managed fields: what it holds belongs to `before-first-apply`, or the first
    # applier would take all of it without a conflict.
    if managers or live is None:
        return managers
    return track(replace(step, old=empty, new=live), {}, stand_in, current_time)


def _merge_and_move(
    step: ObjectChange, managers: Managers, owner: Manager, *, force: bool
) -> tuple[Json, dict[Manager, ManagedFieldsEntry]]:
    live, config = step.old, step.new
    fields = without_below(claimed_fields(config, step.typed), step.ignored)
    claimants = {**managers, owner: ManagedFieldsEntry(step.api_version, fields)}
    merged = combine(live, config, step.typed)
    last = managers.get(owner)
    if last is not None:
        merged = _prune_unclaimed(step, merged, last, claimants)
    moved = move(replace(step, new=merged), claimants, owner)
    # Conflicts are judged on the pruned object: a field that the applier gives up cannot conflict.
    if moved.conflicts and not force:
        raise ApplyConflict(moved.conflicts)
    return merged, strip_unowned(moved.managers, owner)


def _prune_unclaimed(step: ObjectChange, merged: Json, last: ManagedFieldsEntry, claimants: Managers) -> Json:
    """Return the merged object without what the applier no longer mentions, judged in the versions that
    owners speak of.
    """
    # One version is the common case, and then nothing has to be converted.
    if step.served is None or {entry.version for entry in claimants.values()} == {last.version}:
        return prune(merged, last.fields, _union_of_fields(claimants), step.typed)
    try:
        return prune_across(step, merged, last, claimants)
    except Unconvertible as error:
        raise error.during("failed to prune fields") from error


def _union_of_fields(managers: Managers) -> Fields:
    return reduce(union, (entry.fields for entry in managers.values()), {})


class ApplyConflict(Exception):
    """Fields of others that the apply would change; the text is the Status message, `causes` its details."""

    def __init__(self, conflicts: Mapping[Manager, Fields]) -> None:
        self.conflicts = conflicts
        self.manager_fields = [
            (manager, text(path))
            for manager in sorted(conflicts, key=lambda manager: manager.key)
            for path in paths(conflicts[manager])
        ]
        super().__init__(self._message())

    @property
    def causes(self) -> list[dict[str, str]]:
        """The entries of `details.causes`."""
        return [
            {"reason": "FieldManagerConflict", "message": f"conflict with {manager}", "field": field}
            for manager, field in self.manager_fields
        ]

    def _message(self) -> str:
        if len(self.manager_fields) == 1:
            manager, field = self.manager_fields[0]
            return f"Apply failed with 1 conflict: conflict with {manager}: {field}"
        lines = []
        for index, (manager, field) in enumerate(self.manager_fields):
            # The paths are sorted by manager, and each manager has one heading.
            if index == 0 or self.manager_fields[index - 1][0] != manager:
                lines.append(f"conflicts with {manager}:")
            lines.append(f"- {field}")
        return f"Apply failed with {len(self.manager_fields)} conflicts: " + "\n".join(lines)
