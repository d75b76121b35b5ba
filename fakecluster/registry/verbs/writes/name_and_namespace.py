"""Where an object belongs: the namespace and name of body and URL must agree (FK-044…FK-046, FK-063, FK-072)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ....api import status
from ....meta import metadata, names
from ...action import Action

Json = Any
NAMESPACE_MISMATCH = "the namespace of the provided object does not match the namespace sent on the request"
NO_NAME = "the name of the object ({} based on URL) was undeterminable: name must be provided"


def placed(action: Action, obj: Json, *, without: Iterable[str] = ()) -> Json:
    """Return the object in the namespace of the URL, without some members of its metadata. Raises 400 when it says another namespace."""
    said = obj["metadata"].get("namespace") or ""
    if action.kind.namespaced and said and said != action.namespace:
        raise status.bad_request(NAMESPACE_MISMATCH)
    return metadata.changed(obj, **dict.fromkeys(without), namespace=action.namespace or None)


def check_name(action: Action, obj: Json) -> None:
    """Check that the object is the one on the URL. Raises 400."""
    said = obj["metadata"].get("name") or ""
    if not said:
        raise status.bad_request(NO_NAME.format(action.name))
    if said != action.name:
        raise status.bad_request(
            f"the name of the object ({said}) does not match the name on the URL ({action.name})"
        )


def named(action: Action, obj: Json) -> Json:
    """Return the object with a generated name when it has none but a base for one."""
    base = obj["metadata"].get("generateName")
    if obj["metadata"].get("name") or not base:
        return obj
    return metadata.changed(obj, name=_free_name(action, base))


def _free_name(action: Action, base: str) -> str:
    for _ in range(names.ATTEMPTS):
        name = names.generated(base, action.api.random)
        if action.api.store.get(action.kind.stored_as, (action.namespace, name)) is None:
            return name
    raise status.not_generated(action.kind, name)
