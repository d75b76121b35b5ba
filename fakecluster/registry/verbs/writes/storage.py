"""The store behind the server: the commit of a new object, limits of its size, and keys in precondition
failures (FK-031, FK-034, FK-084).
"""

from __future__ import annotations

from collections.abc import Mapping

from ....api import status
from ....api.kind import Kind
from ....base.json_types import Json
from ....base.numbers import integers
from ....meta import metadata
from ....store import Conflict, Oversized, Stored
from ...action import Action

PREFIXES: Mapping[tuple[str, str], str] = {
    ("", "services"): "services/specs",
    ("", "endpoints"): "services/endpoints",
    ("", "nodes"): "minions",
    ("networking.k8s.io", "ingresses"): "ingress",
    ("apiextensions.k8s.io", "customresourcedefinitions"): "apiextensions.k8s.io/customresourcedefinitions",
    ("apiregistration.k8s.io", "apiservices"): "apiregistration.k8s.io/apiservices",
}


KEY_PREFIX = "/registry"
OBJECT_LIMIT = 1_572_864
MESSAGE_LIMIT = 2_097_152


def check_no_revision(new: Json, dry_run: bool) -> None:
    """Check that a new object claims no revision, which a dry run does not reach. Raises 500 (FK-047)."""
    revision = new["metadata"].get("resourceVersion", "")
    if revision and not dry_run and integers.short(revision):
        raise status.raw("resourceVersion should not be set on objects to be created")


def create(action: Action, draft: Stored) -> Stored:
    """Store an object whose name is free; a dry run returns the draft.
    Nothing waits between that check and the commit.

    Raises 409, or 500 where the object does not fit into the real store.
    """
    kind, store, name = action.kind, action.api.store, draft.name
    new = prepare(action, name, without_self_link(draft.object))
    try:
        if action.options.dry_run:
            store.check(kind.stored_as, name, None)
            return draft
        event = store.put(new, expected=None)
    except Conflict as conflict:
        if draft.object["metadata"].get("generateName"):
            raise status.not_generated(kind, name[1]) from conflict
        there = conflict.current
        terminating = there is not None and "deletionTimestamp" in there.object["metadata"]
        raise status.already_exists(kind, name[1], terminating=terminating) from conflict
    action.trace.events.append(event)
    return event.after


def without_self_link(final: Json) -> Json:
    """Return an object without selfLink, which is not stored."""
    return metadata.with_metadata(final, selfLink=None) if "selfLink" in final["metadata"] else final


def prepare(action: Action, name: tuple[str, str], final: Json) -> Stored:
    """Return an object at its next revision.

    Raises 500 where it does not fit into the real store; small patches can make large objects (FK-084).
    """
    try:
        return action.api.store.prepare(action.kind.stored_as, name, final, max_bytes=OBJECT_LIMIT)
    except Oversized as error:
        if error.size > MESSAGE_LIMIT:
            raise too_large(error.size) from error
        raise status.raw("etcdserver: request is too large") from error


def too_large(size: int) -> status.StatusError:
    """Return the 500 for an object of more bytes than one message to the store may have."""
    why = f"trying to send message larger than max ({size} vs. {MESSAGE_LIMIT})"
    return status.raw(f"rpc error: code = ResourceExhausted desc = {why}")


def uid_mismatch(action: Action, body_uid: str, stored_uid: str, *, tried: bool) -> str:
    """Word a PUT whose body names another object's uid;
    a dry run does not get as far as the root of all keys.
    """
    object_key = key(action.kind, action.namespace, action.name)
    return (
        f"StorageError: invalid object, Code: 4, Key: {object_key.removeprefix(KEY_PREFIX) if tried else object_key}, "
        f"ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: {body_uid}, "
        f"UID in object meta: {stored_uid}"
    )


def key(kind: Kind, namespace: str, name: str) -> str:
    """Return the key under which the real store keeps an object."""
    prefix = (
        f"{kind.group}/{kind.plural}" if kind.custom else PREFIXES.get((kind.group, kind.plural), kind.plural)
    )
    return "/".join(filter(None, (KEY_PREFIX, prefix, namespace, name)))
