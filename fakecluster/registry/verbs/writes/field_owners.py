"""Who owns which field after a write: the bridge from a request
to the managed fields of its object (FK-171, FK-200…FK-217).

Rows whose fields a subresource does not write are data of the kind; the algorithm is `patch.managed_fields`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from ....api import status
from ....api.converter import ConversionFailed, NeedsConversion
from ....api.kind import STATUS_LIKE, Kind
from ....base.json_types import Json
from ....gotypes import typed as builtin
from ....gotypes.types import message_name
from ....meta import metadata
from ....patch.managed_fields import ownership, problems
from ....patch.managed_fields.apply import ApplyConflict, InvalidApply, apply
from ....patch.managed_fields.ownership import Unconvertible, VersionView
from ....patch.managed_fields.typed import NodeType, whole
from ....store import encode
from ...action import Action

Paths = tuple[tuple[str, ...], ...]
UpdateOwners = Callable[[Action, Json | None, Json], Json]
"""(action, old, new) → the new object with its owners."""


def update_owners(action: Action, old: Json | None, new: Json) -> Json:
    """Return the object with the request's manager as the owner
    of what came or changed; `old` is None for a new one.
    """
    if action.kind.custom and (new.get("apiVersion"), new["kind"]) != (
        action.kind.api_version,
        action.kind.kind,
    ):
        # The fields of an object that claims to be another kind are unknown.
        return metadata.with_metadata(new, managedFields=None)
    try:
        return ownership.update(
            old, new, action.kind.schema.structural, empty=empty(action.kind), **_terms(action)
        )
    except Unconvertible:
        # The real server logs that and goes on without owners.
        return metadata.with_metadata(new, managedFields=None)


def as_applied(action: Action, old: Json | None, new: Json) -> Json:
    """Return the object unchanged: an apply has computed its owners already."""
    del action, old
    return new


def apply_body(action: Action, live: Json | None, body: Json) -> Json:
    """Return the object after an apply.

    Raises 409 with the conflicts, 500 for a body that does not fit its type.
    """
    try:
        return apply(
            live,
            body,
            action.kind.schema.structural,
            force=action.options.force,
            empty=empty(action.kind),
            **_terms(action),
        )
    except ApplyConflict as conflict:
        raise status.failure(409, "Conflict", str(conflict), {"causes": conflict.causes}) from conflict
    except (InvalidApply, Unconvertible) as error:
        raise status.raw(str(error)) from error


def reset_fields(kind: Kind, subresource: str) -> Paths:
    """Return what an endpoint neither writes nor owns (FK-221, FK-222)."""
    if subresource in STATUS_LIKE:
        return kind.strategy.status_resets
    if subresource:
        return ()
    return (*kind.strategy.resets, *((("status",),) if "status" in kind.subresources else ()))


def empty(kind: Kind) -> Json:
    """Return an object of a kind without content: nothing,
    or the members that its Go type cannot leave out (FK-227).
    """
    return {} if kind.custom else _zero(kind.group, kind.version, kind.kind)


@cache
def _zero(group: str, version: str, kind: str) -> Json:
    return builtin.decode_message(message_name(group, version, kind), {}).object


def _view(action: Action, version: str) -> VersionView | None:
    """Return the kind in a version that an owner speaks of; None when no such built-in one is served.

    Raises Unconvertible.
    """
    kind = action.kind
    group, _, number = version.rpartition("/")
    if kind.custom:
        if version not in kind.schema.versions:
            raise Unconvertible(f"request to convert CR to an invalid group/version: {version}")
        typed = whole(kind.schema.versions[version])
        return VersionView(typed, partial(_in_version, action, version, typed))
    if "/" in group:
        raise Unconvertible(f"unexpected GroupVersion string: {version}")
    target = action.api.registry.find(group, number, kind.plural)
    if target is None or group != kind.group:
        return None  # of an Event of the other group Go cannot tell what its owners own
    return VersionView(whole(target.schema.structural), partial(_as_kind, action, target))


def _as_kind(action: Action, target: Kind, obj: Json) -> Json:
    """Return a built-in object in the version of another kind, without new defaults."""
    group, _, number = obj.get("apiVersion", target.api_version).rpartition("/")
    source = action.api.registry.find(group, number, target.plural)
    if source is None or source.version == target.version:
        return obj
    hub = source.schema.to_hub(obj) if source.schema.to_hub else obj
    return target.schema.from_stored(hub) if target.schema.from_stored else hub


def _in_version(action: Action, version: str, typed: NodeType, obj: Json) -> Json:
    """Return an object on its way in another version, which must know its fields.

    Raises NeedsConversion, Unconvertible.
    """
    if not obj or obj["apiVersion"] == version:
        return obj
    converted = _convert(action, version, obj)
    if why := problems.type_problems(converted, typed):
        raise Unconvertible(why)
    return converted


def _convert(action: Action, version: str, obj: Json) -> Json:
    converter = action.kind.schema.converter
    if converter is None:
        return {**obj, "apiVersion": version}
    plain = metadata.with_metadata(obj, managedFields=None)
    draft = action.trace.drafts.setdefault(encode(plain), action.draft(plain))
    try:
        return converter.convert(draft, plain, version)
    except ConversionFailed as error:
        raise Unconvertible(str(error)) from error
    except NeedsConversion as needed:
        raise NeedsConversion(converter, version, needed.inputs, survivable=True) from needed


def _terms(action: Action) -> dict[str, Any]:
    """Return the arguments that updates and applies share."""
    kind = action.kind

    return {
        "manager": action.options.manager,
        "api_version": kind.api_version,
        "subresource": action.info.subresource,
        "current_time": metadata.timestamp(action.api.clock.now()),
        "ignore": reset_fields(kind, action.info.subresource),
        "served": partial(_view, action),
    }
