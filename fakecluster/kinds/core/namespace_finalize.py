"""PUT namespaces/<name>/finalize: the only way to the finalizers in a namespace's spec (FK-345)."""

from __future__ import annotations

from collections.abc import Mapping

from ...api import status
from ...api.outcome import Outcome
from ...api.steps import Steps
from ...base.json_types import Json
from ...meta import metadata
from ...registry.action import Action, Verb, with_options
from ...registry.verbs.writes import decoding, updating, written_metadata
from ...store import Stored
from . import namespaces
from .namespaces import NAME_LABEL

MAPS = ("labels", "annotations", "finalizers")


@with_options("UpdateOptions")
def finalize(action: Action) -> Steps[Outcome]:
    """Replace the finalizers; a namespace that is going and has none left is removed."""
    body = yield from action.compute(decoding.decode_body, action)
    new = written_metadata.set_namespace(action, body)
    written_metadata.check_name(action, new)
    current = action.existing()
    review = updating.review_of(action, new, current.object)
    return _write(action, current, (yield from action.admit(review)))


def _write(action: Action, current: Stored, new: Json) -> Outcome:
    resource_version = new["metadata"].get("resourceVersion")
    # Without a resourceVersion the write is unconditional.
    if resource_version and resource_version != str(current.revision):
        raise status.conflict(action.kind, action.name)
    errors = namespaces.judge_remaining_finalizers(new)
    if errors:
        raise status.invalid_object(action.kind, action.name, errors)
    final = _amend(current.object, new)
    # What changes nothing is not stored.
    if action.options.dry_run or final == current.object:
        return action.answer(final)
    going = "deletionTimestamp" in final["metadata"]
    # Both kinds of finalizers keep a namespace.
    gone = going and not final["spec"].get("finalizers") and not final["metadata"].get("finalizers")
    store = action.api.store
    event = (
        store.remove(current, final)
        if gone
        else store.commit(action.kind.stored_as, current.name, final, expected=current)
    )
    action.trace.events.append(event)
    return action.answer(event.after.object)


def _amend(old: Json, new: Json) -> Json:
    maps = {name: new["metadata"].get(name) or None for name in MAPS}
    # The label with its name cannot be taken off.
    maps["labels"] = {**(maps["labels"] or {}), NAME_LABEL: old["metadata"]["name"]}
    return {**metadata.with_metadata(old, **maps), "spec": new.get("spec", {})}


VERBS: Mapping[tuple[str, str, str], Verb] = {("", "namespaces", "finalize"): finalize}
