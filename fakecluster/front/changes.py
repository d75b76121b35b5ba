"""What a write has changed on the server behind, from the object before it and from the answer (F-01).

A change of an object that is gone has the revision 0: no answer tells the one of its removal.
"""

from __future__ import annotations

from ..base.json_types import Json
from ..journal import Change
from .objects import revision_of, to_array, to_kubernetes_object, to_object


def between(before: Json | None, after: Json | None) -> tuple[Change, ...]:
    """Return what became of one `thing`; a write that changed nothing keeps the revision."""
    # The name was taken by another object meanwhile: what the answer shows is not what we asked about.
    if after is not None and (is_gone(after) or (before is not None and uid(before) != uid(after))):
        after = None
    if before is None and after is None:
        return ()
    revision = revision_of(after)
    # A write without a change keeps the revision, on the real server as well.
    if after is not None and revision == revision_of(before):
        return ()
    return (Change(revision=revision, before=before, after=after),)


def of_collection(answer: Json) -> tuple[Change, ...]:
    """Return what a deletion of many has changed: those of its items that are gone, or going."""
    items = (
        item
        for item in map(to_kubernetes_object, to_array(to_object(answer).get("items")))
        if item is not None
    )
    return tuple(
        Change(revision=0, before=one, after=None)
        if not lingers(one)
        else Change(revision=revision_of(one), before=None, after=one)
        for one in items
    )


def state_after(before: Json | None, answer: Json) -> Json | None:
    """Return the state of an object after a write, None when the answer does not hold it."""
    after = to_kubernetes_object(answer)
    if after is None or after.get("kind") == "Status":
        return None
    same = before is None or (after.get("kind"), uid(after)) == (before.get("kind"), uid(before))
    return after if same else None


def lingers(obj: Json) -> bool:
    """Whether an object that is deleted waits for a finalizer."""
    metadata = obj["metadata"]
    waits = metadata.get("finalizers") or metadata.get("deletionGracePeriodSeconds")
    return bool(metadata.get("deletionTimestamp") and waits)


def is_gone(obj: Json) -> bool:
    """Whether the last one for whom a deleted object waited has let it go."""
    return bool(obj["metadata"].get("deletionTimestamp")) and not lingers(obj)


def uid(obj: Json) -> str:
    """Return the uid of an object."""
    return str(obj["metadata"]["uid"])
