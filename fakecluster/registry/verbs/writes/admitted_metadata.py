"""What a webhook may have broken in an object's metadata is put right, with a Warning (FK-070, FK-172,
FK-308).
"""

from __future__ import annotations

from typing import Any

from ....meta import metadata as meta
from ....meta import ownerrefs
from ....patch.managed_fields import managed
from ....patch.managed_fields.managers import Undecodable, decode
from ...action import Action

Json = Any
INVALID = (
    ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating"
    " admission controller; please fix your requests: {}"
)


def metadata(action: Action, new: Json, before: Json) -> Json:
    """Return an object that admission has changed with each owner once and field owners that can be read."""
    return ownerrefs.deduplicated(_owned(action, new, before), action.warn, ownerrefs.ADMITTED)


def _owned(action: Action, new: Json, before: Json) -> Json:
    entries = managed.of_object(new)
    if entries is managed.of_object(before):
        return new
    try:
        decode(entries, trusted=False)
    except Undecodable as error:
        action.warn(INVALID.format(str(error).partition(": entry")[0]))
        return meta.changed(new, managedFields=managed.of_object(before) or None)
    return new
