"""What a write has changed on the server behind, from the object before it and from the answer (F-01).

A change of an object that is gone has the revision 0: no answer tells the one of its removal.
"""

from __future__ import annotations

from typing import Any

from ..journal import Change
from .behind import revision_of

Json = Any


def between(before: Json | None, after: Json | None) -> tuple[Change, ...]:
    """Return what became of one object; a write that changed nothing keeps the revision."""
    if after is not None and (gone(after) or (before is not None and uid(before) != uid(after))):
        after = None
    if before is None and after is None:
        return ()
    revision = revision_of(after)
    if after is not None and revision == revision_of(before):
        return ()
    return (Change(revision=revision, before=before, after=after),)


def of_collection(answer: Json) -> tuple[Change, ...]:
    """Return what a deletion of many has changed: those of its items that are gone, or going."""
    items = answer.get("items") or ()
    return tuple(
        Change(revision=0, before=one, after=None)
        if not lingers(one)
        else Change(revision=revision_of(one), before=None, after=one)
        for one in items
    )


def tells(before: Json | None, answer: Json) -> bool:
    """Whether the answer to a write is the object itself as it is afterwards."""
    if not isinstance(answer, dict) or answer.get("kind") == "Status" or not uid(answer):
        return False
    return before is None or (answer.get("kind"), uid(answer)) == (before.get("kind"), uid(before))


def lingers(thing: Json) -> bool:
    """Whether an object that is deleted waits for somebody."""
    metadata = thing["metadata"]
    waits = metadata.get("finalizers") or metadata.get("deletionGracePeriodSeconds")
    return bool(metadata.get("deletionTimestamp") and waits)


def gone(thing: Json) -> bool:
    """Whether the last one for whom a deleted object waited has let it go."""
    return bool(thing["metadata"].get("deletionTimestamp")) and not lingers(thing)


def uid(thing: Json) -> str:
    """Return the uid of an object."""
    return str((thing.get("metadata") or {}).get("uid", ""))
