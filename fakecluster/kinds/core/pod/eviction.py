"""Eviction: the deletion of a Pod that its disruption budget allows (FK-487)."""

from __future__ import annotations

from msgspec.structs import replace

from ....api import status
from ....api.kind import Kind
from ....api.outcome import Outcome
from ....api.steps import Steps
from ....base.json_types import Json
from ....meta import metadata
from ....registry.action import Action, with_options
from ....registry.verbs.deletions import delete_options, deleting
from ....registry.verbs.deletions.delete_options import DeleteOptions
from ....registry.verbs.writes import subresource_bodies
from ....schema import fields
from ....schema.fields import FieldError
from ....store import Stored
from ...policy import evictions
from ...row import row
from .conditions import with_condition

KIND: Kind = row(
    "policy.v1.Eviction", "evictions", verbs=("create",), accepted_versions=frozenset({"policy/v1beta1"})
)
CONDITION = {
    "type": "DisruptionTarget",
    "status": "True",
    "lastProbeTime": None,
    "reason": "EvictionByEvictionAPI",
    "message": "Eviction API: evicting",
}
STORE_OPTION = "ignoreStoreReadErrorWithClusterBreakingPotential"
NO_STORE_OPTION = "can not be set for pod eviction, try after removing the option"


@with_options("CreateOptions")
def evict(action: Action) -> Steps[Outcome]:
    """Delete a Pod for the reason of an eviction."""
    eviction = yield from subresource_bodies.receive(action, KIND)
    subresource_bodies.check_name(action, eviction, "Eviction")
    options = eviction.get("deleteOptions") or {}
    _check_store_option(action, options)
    if dry_run := _dry_run(action, options):
        options = {**options, "dryRun": dry_run}
    shown = {**eviction, "deleteOptions": options} if "deleteOptions" in eviction else eviction
    yield from subresource_bodies.validate(action, shown)
    _carry_out(action, action.existing(), options)
    return action.answer_status(status.success(code=201), 201)


def _check_store_option(action: Action, options: Json) -> None:
    """Refuse the option to delete what cannot be read. Raises 422."""
    if options.get(STORE_OPTION):
        error: FieldError = fields.invalid(f"deleteOptions.{STORE_OPTION}", True, NO_STORE_OPTION)
        raise status.invalid("Eviction", "policy", action.name, [error])


def _dry_run(action: Action, options: Json) -> list[str]:
    """Return whether an eviction is only tried, by its query or its body. Raises 500 where these differ."""
    in_query = [value for name, value in action.request.query if name == "dryRun"]
    in_body: list[str] = options.get("dryRun") or []
    if in_query and in_body and in_query != in_body:
        texts = (f"[{' '.join(values)}]" for values in (in_query, in_body))
        raise status.raw("Non-matching dry-run options in request and content: {} and {}".format(*texts))
    return in_body or in_query


def _carry_out(action: Action, pod: Stored, eviction: Json) -> None:
    """Delete a Pod at the cost of its budget, with options as the body says them.

    As in the real server the disruption is spent before preconditions are looked at, and these before the
    other options are judged. Raises 409, 422, 429, 500.
    """
    options = delete_options.of_object(action, eviction)
    budget = evictions.budget_of(action.api.store, pod)
    permission = evictions.permission(budget and budget.object, pod.object)
    if permission == "unhealthy":
        options = replace(options, revision=str(pod.revision))
    if budget is not None and permission == "spends":
        evictions.check(budget.object)
        if not options.dry_run:
            evictions.spend(action, budget, pod.name[1])
    if not options.dry_run:
        options = _mark(action, pod, options)
    delete_options.check(eviction)
    deleting.delete_evicted(action, options)


def _mark(action: Action, pod: Stored, options: DeleteOptions) -> DeleteOptions:
    """Give a Pod the condition of one that is evicted,
    and return options about its new revision. Raises 409.
    """
    options.check(action.kind, pod.object)
    time = metadata.timestamp(action.api.clock.now())
    marked = with_condition(pod.object, {**CONDITION, "lastTransitionTime": time})
    event = action.api.store.commit(action.kind.stored_as, pod.name, marked, expected=pod)
    action.trace.events.append(event)
    return options if options.revision is None else replace(options, revision=str(event.after.revision))
