"""ValidatingAdmissionPolicies judge a write before validating webhooks are called (FK-320)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...api import status
from ...api.admission import NAMESPACES, Review
from ...api.context import Context
from ...api.kind import Kind
from ...api.steps import Steps, in_turn
from ...base.json_types import Json
from ...conversion import on_demand
from ...store import Store
from ..webhooks import authorizer_questions, matching, reviews
from ..webhooks.authorizer_questions import Decide
from ..webhooks.configurations import is_exempt
from ..webhooks.converted_objects import View, views
from ..webhooks.matching import Seen
from .bound import Bound, BoundPolicies, Validation

EXPRESSION_BYTES = 512
"""What an expression counts as that is evaluated while others wait."""
CODES = {"Invalid": 422, "Forbidden": 403, "Unauthorized": 401, "RequestEntityTooLarge": 413}


class Policies:
    """The policies of a cluster that are bound, and what they object to."""

    def __init__(self, store: Store, decide: Decide) -> None:
        self._bound = BoundPolicies(store)
        self._decide = decide

    def about(self, review: Review) -> tuple[Bound, ...]:
        """Return those that may be about a write: none is about policies and webhooks themselves (FK-304)."""
        found = self._bound.all()
        return () if found and is_exempt(review.kind.group, review.kind.plural) else found

    def validate(self, api: Context, review: Review, bound: tuple[Bound, ...]) -> Steps[None]:
        """Judge a write. Raises the first refusal."""
        seen = views(View(review.kind, review.new), View(review.kind, review.old))

        def judged() -> list[tuple[Bound, Validation, str]]:
            return [(one, *each) for one in bound for each in self._objections(api, one, review, seen)]

        size = EXPRESSION_BYTES * sum(one.expressions for one in bound)
        take = partial(in_turn, size)
        found = yield from on_demand.with_conversions(api.services, judged, status.internal, take)
        for one, validation, why in found:
            if "Warn" in one.actions:
                review.trace.warn(f"Validation failed for {_named(one)}: {why}")
            if "Deny" in one.actions:
                raise _denied(one, validation, why, review)

    def _objections(
        self, api: Context, one: Bound, review: Review, seen: Seen
    ) -> Iterator[tuple[Validation, str]]:
        kind = self._kind(api, one, review, seen)
        if kind is not None:
            yield from _objections(one, _values(api, review, kind, seen), self._decide)

    def _kind(self, api: Context, one: Bound, review: Review, seen: Seen) -> Kind | None:
        """Return the kind as which a policy sees a write; None where it is not about it."""
        kind = None
        for scope in one.scopes:
            hook = scope.for_write(review)
            call = hook and matching.invocation(api, hook, review, seen, self._decide)
            if not call:
                return None
            kind = kind or call.kind
        return kind


def _values(api: Context, review: Review, kind: Kind, seen: Seen) -> Json:
    """Return what expressions speak of."""
    new, old = seen(kind)
    asked = reviews.request(review, kind, new, old)
    inside = api.store.get(NAMESPACES, ("", review.place)) if review.place else None
    return {
        "object": new,
        "oldObject": old,
        "request": {name: value for name, value in asked.items() if name not in {"object", "oldObject"}},
        "namespaceObject": inside.object if inside is not None else None,
        "authorizer": authorizer_questions.authorizer(review.user),
        "authorizer.requestResource": authorizer_questions.authorizer(
            review.user,
            group=kind.group,
            resource=kind.plural,
            subresource=review.subresource,
            namespace=review.place,
            name=review.name,
        ),
    }


def _objections(one: Bound, values: Json, decide: Decide) -> Iterator[tuple[Validation, str]]:
    """Yield the validations that do not hold, each with its message."""
    from ...schema.cel.engine import CelError  # few clusters have policies
    from ...schema.cel.library import authorizer
    from ..webhooks.match_conditions import evaluated

    with authorizer.deciding(authorizer_questions.asking(decide)):
        variables: dict[str, Json] = {}
        values = {**values, "variables": variables}
        for name, expression in one.variables:
            value = evaluated(expression, values, "variables")
            if not isinstance(value, CelError):
                variables[name] = value
        for each in one.validations:
            found = evaluated(each.expression, values, "variables")
            if found is True or (isinstance(found, CelError) and one.ignores_failure):
                continue
            if isinstance(found, CelError):
                yield each, f"expression '{each.expression}' resulted in error: {found.text}"
                continue
            told = evaluated(each.told, values, "variables") if each.told else ""
            own = told.strip() if isinstance(told, str) and "\n" not in told.strip() else ""
            yield each, own or each.message or f"failed expression: {each.expression}"


def _named(one: Bound) -> str:
    return f"ValidatingAdmissionPolicy '{one.policy}' with binding '{one.binding}'"


def _denied(one: Bound, validation: Validation, why: str, review: Review) -> status.StatusError:
    """Return the refusal: a 403 in its words, with the code and the reason of the validation."""
    message = f"{_named(one)} denied request: {why}"
    found = status.forbidden(
        review.kind.group, review.kind.plural, review.display_name, message, causes=[{"message": message}]
    )
    code = CODES[validation.reason]
    return status.StatusError({**found.status, "reason": validation.reason, "code": code}, found.headers)
