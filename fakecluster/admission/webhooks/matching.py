"""Whether a webhook is called for a write,
and in which version of the resource it wants to see it (FK-303).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from ...api import status
from ...api.admission import NAMESPACES, Review
from ...api.context import Context
from ...api.kind import Kind
from ...base.json_types import Json
from . import authorizer_questions, reviews, selectors
from .authorizer_questions import Decide
from .hooks import Hook

ViewOf = Callable[[Kind], tuple[Json, Json]]
"""The new and the old object of a write as a version of the resource shows them."""


MATCHED_BYTES = 256
"""What a webhook, and each of its conditions, counts as that is matched while others wait."""


def size_of_matching(hooks: Sequence[Hook]) -> int:
    """Return as how many bytes the matching of webhooks counts."""
    return MATCHED_BYTES * sum(1 + len(hook.conditions) for hook in hooks)


class Invocation(Struct, frozen=True):
    """A webhook that is called, and the kind as which it sees the write."""

    hook: Hook
    kind: Kind


def invocation(
    api: Context, hook: Hook, review: Review, view_of: ViewOf, decide: Decide
) -> Invocation | None:
    """Return how a webhook is called, None when it is not. Raises 403 or 404."""
    kind = _matching_kind(api, hook, review)
    if kind is None or not _selects_object(hook, review) or not _selects_namespace(api, hook, review):
        return None
    if hook.conditions and not _conditions_hold(hook, review, kind, view_of, decide):
        return None
    return Invocation(hook, kind)


def _matching_kind(api: Context, hook: Hook, review: Review) -> Kind | None:
    """Return the version of the resource that a rule names:
    the written one, else one that serves the same objects.
    """
    if any(rule.matches(review, review.kind) for rule in hook.rules):
        return review.kind
    if hook.exact:
        return None
    other_kinds = [kind for kind in api.registry.of_stored(review.kind.stored_as) if kind is not review.kind]
    return next((kind for rule in hook.rules for kind in other_kinds if rule.matches(review, kind)), None)


def _selects_object(hook: Hook, review: Review) -> bool:
    if not hook.objects:
        return True
    return selectors.selects(hook.objects, review.new) or selectors.selects(hook.objects, review.old)


def _selects_namespace(api: Context, hook: Hook, review: Review) -> bool:
    if not hook.namespaces or not review.place:
        return True
    # A Namespace is selected by the labels of the write itself: it need not be stored yet.
    if review.kind.stored_as == NAMESPACES and not review.subresource and review.new is not None:
        return selectors.selects(hook.namespaces, review.new)
    namespace = api.store.get(NAMESPACES, ("", review.place))
    if namespace is None:
        raise status.namespace_not_found(review.place)
    return selectors.selects(hook.namespaces, namespace.object)


def _conditions_hold(hook: Hook, review: Review, kind: Kind, view_of: ViewOf, decide: Decide) -> bool:
    from .match_conditions import ConditionsFailed, hold  # few webhooks have conditions

    new, old = view_of(kind)
    request = {
        name: value
        for name, value in reviews.request(review, kind, new, old).items()
        if name not in {"object", "oldObject"}
    }
    about = {
        "group": kind.group,
        "resource": kind.plural,
        "subresource": review.subresource,
        "namespace": review.place,
        "name": review.name,
    }
    values = {
        "object": new,
        "oldObject": old,
        "request": request,
        "namespaceObject": None,
        "authorizer": authorizer_questions.authorizer(review.user),
        "authorizer.requestResource": authorizer_questions.authorizer(review.user, **about),
    }
    try:
        return hold(hook.conditions, values, decide)
    except ConditionsFailed as failure:
        if hook.ignores_failure:
            return False
        raise status.forbidden(review.kind.group, review.kind.plural, review.name, str(failure)) from failure
