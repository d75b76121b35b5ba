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
from ..webhooks.converted_objects import ConvertedObject, views
from ..webhooks.matching import ViewOf
from .bindings import BoundPolicies, BoundPolicy, Validation

EXPRESSION_BYTES = 512
"""What an expression counts as that is evaluated while others wait."""
CODE_BY_REASON = {"Invalid": 422, "Forbidden": 403, "Unauthorized": 401, "RequestEntityTooLarge": 413}


class Policies:
    """The policies of a cluster that are bound, and what they object to."""

    def __init__(self, store: Store, decide: Decide) -> None:
        self._bound = BoundPolicies(store)
        self._decide = decide

    def about(self, review: Review) -> tuple[BoundPolicy, ...]:
        """Return those that may be about a write: none is about policies and webhooks themselves (FK-304)."""
        bound_policies = self._bound.all()
        return () if bound_policies and is_exempt(review.kind.group, review.kind.plural) else bound_policies

    def validate(self, api: Context, review: Review, bound: tuple[BoundPolicy, ...]) -> Steps[None]:
        """Judge a write. Raises the first refusal."""
        view_of = views(ConvertedObject(review.kind, review.new), ConvertedObject(review.kind, review.old))

        def judge() -> list[tuple[BoundPolicy, Validation, str]]:
            return [
                (policy, *objection)
                for policy in bound
                for objection in self._objections(api, policy, review, view_of)
            ]

        size = EXPRESSION_BYTES * sum(policy.expressions for policy in bound)
        take = partial(in_turn, size)
        objections = yield from on_demand.with_conversions(api.services, judge, status.internal, take)
        for policy, validation, why in objections:
            if "Warn" in policy.actions:
                review.trace.warn(f"Validation failed for {_title(policy)}: {why}")
            if "Deny" in policy.actions:
                raise _denial(policy, validation, why, review)

    def _objections(
        self, api: Context, policy: BoundPolicy, review: Review, view_of: ViewOf
    ) -> Iterator[tuple[Validation, str]]:
        kind = self._kind(api, policy, review, view_of)
        if kind is not None:
            yield from _objections(policy, _values(api, review, kind, view_of), self._decide)

    def _kind(self, api: Context, policy: BoundPolicy, review: Review, view_of: ViewOf) -> Kind | None:
        """Return the kind as which a policy sees a write; None where it is not about it."""
        kind = None
        for scope in policy.scopes:
            hook = scope.for_write(review)
            call = hook and matching.invocation(api, hook, review, view_of, self._decide)
            if not call:
                return None
            kind = kind or call.kind
        return kind


def _values(api: Context, review: Review, kind: Kind, view_of: ViewOf) -> Json:
    """Return what expressions speak of."""
    new, old = view_of(kind)
    request = reviews.request(review, kind, new, old)
    inside = api.store.get(NAMESPACES, ("", review.place)) if review.place else None
    return {
        "object": new,
        "oldObject": old,
        "request": {name: value for name, value in request.items() if name not in {"object", "oldObject"}},
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


def _objections(policy: BoundPolicy, values: Json, decide: Decide) -> Iterator[tuple[Validation, str]]:
    """Yield the validations that do not hold, each with its message."""
    from ...schema.cel.engine import CelError  # few clusters have policies
    from ...schema.cel.library import authorizer
    from ..webhooks.match_conditions import evaluate

    with authorizer.deciding(authorizer_questions.asking(decide)):
        variables: dict[str, Json] = {}
        values = {**values, "variables": variables}
        for name, expression in policy.variables:
            value = evaluate(expression, values, "variables")
            if not isinstance(value, CelError):
                variables[name] = value
        for validation in policy.validations:
            outcome = evaluate(validation.expression, values, "variables")
            if outcome is True or (isinstance(outcome, CelError) and policy.ignores_failure):
                continue
            if isinstance(outcome, CelError):
                yield validation, f"expression '{validation.expression}' resulted in error: {outcome.text}"
                continue
            message = (
                evaluate(validation.message_expression, values, "variables")
                if validation.message_expression
                else ""
            )
            own = message.strip() if isinstance(message, str) and "\n" not in message.strip() else ""
            yield validation, own or validation.message or f"failed expression: {validation.expression}"


def _title(policy: BoundPolicy) -> str:
    return f"ValidatingAdmissionPolicy '{policy.policy}' with binding '{policy.binding}'"


def _denial(policy: BoundPolicy, validation: Validation, why: str, review: Review) -> status.StatusError:
    """Return the refusal: a 403 in its words, with the code and the reason of the validation."""
    message = f"{_title(policy)} denied request: {why}"
    refusal = status.forbidden(
        review.kind.group, review.kind.plural, review.display_name, message, causes=[{"message": message}]
    )
    code = CODE_BY_REASON[validation.reason]
    return status.StatusError({**refusal.status, "reason": validation.reason, "code": code}, refusal.headers)
