"""The metadata of an object that is written: its namespace and name must agree with the URL; owners that a
webhook has broken are mended, with a Warning (FK-044…FK-046, FK-063, FK-070, FK-072, FK-172, FK-308).
"""

from __future__ import annotations

from collections.abc import Iterable

from ....api import status
from ....base.json_types import Json
from ....meta import metadata, names
from ....patch.managed_fields import managers
from ....patch.managed_fields.managers import UndecodableEntry, decode
from ...action import Action

NAMESPACE_MISMATCH = "the namespace of the provided object does not match the namespace sent on the request"
INVALID_OWNERS = (
    ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating"
    " admission controller; please fix your requests: {}"
)
NO_NAME = "the name of the object ({} based on URL) was undeterminable: name must be provided"


def set_namespace(action: Action, obj: Json, *, without: Iterable[str] = ()) -> Json:
    """Return the object in the namespace of the URL, without some members of its metadata.

    Raises 400 when it says another namespace.
    """
    namespace = obj["metadata"].get("namespace") or ""
    if action.kind.namespaced and namespace and namespace != action.namespace:
        raise status.bad_request(NAMESPACE_MISMATCH)
    return metadata.with_metadata(obj, **dict.fromkeys(without), namespace=action.namespace or None)


def tidy(action: Action, obj: Json, when: str = "", *, without: Iterable[str] = ()) -> Json:
    """Return the object in its place and with each owner once, warning of repetitions (FK-070).

    when: words for the warning, where it was not the client that repeated an owner.

    Raises 400 when it says another namespace.
    """
    obj = set_namespace(action, obj, without=without)
    return metadata.deduplicate_owners(obj, action.warn, when)


def check_name(action: Action, obj: Json) -> None:
    """Check that the object is the one on the URL. Raises 400."""
    name = obj["metadata"].get("name") or ""
    if not name:
        raise status.bad_request(NO_NAME.format(action.name))
    if name != action.name:
        raise status.bad_request(
            f"the name of the object ({name}) does not match the name on the URL ({action.name})"
        )


def tidy_admitted(action: Action, new: Json, before: Json) -> Json:
    """Return an object that admission may have changed: in its place, each owner once, with field owners that
    can be read.

    Raises 400 when it says another namespace.
    """
    if new is before:
        return new
    return tidy(action, _with_readable_owners(action, new, before), metadata.AFTER_ADMISSION)


def generate_name(action: Action, obj: Json) -> Json:
    """Return the object with a generated name when it has none but a base for one. Raises 409."""
    base = obj["metadata"].get("generateName")
    if obj["metadata"].get("name") or not base:
        return obj
    name = _free_name(action, base)
    return metadata.with_metadata(obj, name=name)


def _with_readable_owners(action: Action, new: Json, before: Json) -> Json:
    entries = managers.entries_of(new)
    if entries is managers.entries_of(before):
        return new
    try:
        decode(entries, trusted=False)
    except UndecodableEntry as error:
        action.warn(INVALID_OWNERS.format(str(error).partition(": entry")[0]))
        return metadata.with_metadata(new, managedFields=managers.entries_of(before) or None)
    return new


def _free_name(action: Action, base: str) -> str:
    for _ in range(names.NAME_ATTEMPTS):
        name = names.generate_name(base, action.api.random)
        if action.api.store.get(action.kind.stored_as, (action.namespace, name)) is None:
            return name
    raise status.not_generated(action.kind, name)
