"""Questions about access, answered and not stored: may I, may they, what may I (FK-402, FK-403)."""

from __future__ import annotations

from collections.abc import Callable

import orjson

from ...api import status
from ...api.attributes import Attributes
from ...api.outcome import Outcome, User
from ...api.steps import Steps
from ...base.json_types import Json
from ...registry.action import Action, Verb, with_options
from ...registry.verbs.writes import decoding
from ...registry.verbs.writes.field_owners import update_owners
from ...registry.verbs.writes.written_metadata import set_namespace
from ...schema import fields
from ...schema.fields import FieldError
from ...store import encode
from ..authorization.rbac import Authorizer, Decision, join_errors
from ..authorization.rules import Rule
from . import review_selectors

GROUP = "authorization.k8s.io"
ONE_OF = "exactly one of nonResourceAttributes or resourceAttributes must be specified"
NOT_BOTH = "cannot be specified in combination with resourceAttributes"
RESOURCE_RULE = ("verbs", "apiGroups", "resources", "resourceNames")
OBJECT_META = (
    "name",
    "generateName",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    "managedFields",
)
PATH_RULE = ("verbs", "nonResourceURLs")
Judge = Callable[[Action, Json], list[FieldError]]
"""Returns the errors in what a review asks."""


def verbs(authorizer: Authorizer) -> dict[tuple[str, str, str], Verb]:
    """Return the verbs of the review kinds."""

    def reviewing(judge: Judge, *, own: bool) -> Verb:
        return lambda action: _review(action, authorizer, judge, own=own)

    return {
        (GROUP, "selfsubjectaccessreviews", ""): reviewing(_attribute_errors, own=True),
        (GROUP, "subjectaccessreviews", ""): reviewing(_subject_errors, own=False),
        (GROUP, "localsubjectaccessreviews", ""): reviewing(_local_errors, own=False),
        (GROUP, "selfsubjectrulesreviews", ""): lambda action: _rules(action, authorizer),
    }


def receive(action: Action) -> Steps[Json]:
    """Return the object in the body of a review, with its sender as the owner of its fields."""
    return (yield from action.compute(_with_owners, action))


def _with_owners(action: Action) -> Json:
    # Owners are tracked though nothing is stored: the answer shows them.
    return update_owners(action, None, set_namespace(action, decoding.decode_body(action)))


def respond(action: Action, review: Json, answer: Json) -> Steps[Outcome]:
    """Answer with the review and its status."""
    return (yield from action.compute(action.answer, {**review, "status": answer}, 201))


def subject_of(spec: Json) -> User:
    """Return whom a review asks about."""
    extra = {key: tuple(values) for key, values in (spec.get("extra") or {}).items()}
    groups = tuple(spec.get("groups") or ())
    return User(name=spec.get("user", ""), groups=groups, uid=spec.get("uid", ""), extra=extra)


@with_options("CreateOptions")
def _review(action: Action, authorizer: Authorizer, judge: Judge, *, own: bool) -> Steps[Outcome]:
    review = yield from receive(action)
    yield from action.compute(_check, action, review, judge)
    spec = review.get("spec") or {}
    # The review of oneself takes the user of the request, whatever its spec says.
    user = action.request.user if own else subject_of(spec)
    verdict = _verdict(authorizer.decide(_wish(user, spec)))
    # A selector that cannot be read is ignored, and the answer says so.
    unread = yield from action.compute(review_selectors.describe_ignored, spec.get("resourceAttributes"))
    answer = {**verdict, **({"evaluationError": unread} if unread else {})}
    return (yield from respond(action, review, answer))


def _check(action: Action, review: Json, judge: Judge) -> None:
    """Raise 422 for a review that asks nothing, or too much."""
    errors = [*_metadata_errors(action, review["metadata"]), *judge(action, review.get("spec") or {})]
    if errors:
        raise status.invalid("", GROUP, "", errors)


def _metadata_errors(action: Action, metadata: Json) -> list[FieldError]:
    # managedFields are those that were added above.
    extra = set(metadata) - {"namespace", "managedFields"}
    why = "must be empty except for namespace" if action.namespace else "must be empty"
    return [fields.invalid("metadata", _print_metadata(metadata), why)] if extra else []


def _print_metadata(metadata: Json) -> Json:
    """Return metadata as Go prints it: members as the type has them, and maps in order."""
    owners = metadata.get("managedFields") or ()
    ordered = [{**owner, "fieldsV1": orjson.loads(encode(owner["fieldsV1"]))} for owner in owners]
    new_metadata = {**metadata, **({"managedFields": ordered} if ordered else {})}
    return {name: new_metadata[name] for name in OBJECT_META if name in new_metadata}


def _verdict(decision: Decision) -> Json:
    return {"allowed": decision.allowed, **({"reason": decision.reason} if decision.reason else {})}


def _wish(user: User, spec: Json) -> Attributes:
    path = spec.get("nonResourceAttributes")
    if path is not None:
        return Attributes(user=user, verb=path.get("verb", ""), path=path.get("path", ""))
    attributes = spec["resourceAttributes"]
    names = ("verb", "group", "resource", "subresource", "namespace", "name")
    return Attributes(user=user, **{name: attributes.get(name, "") for name in names})


def _attribute_errors(action: Action, spec: Json) -> list[FieldError]:
    del action
    return [*_choice_errors(spec), *review_selectors.problems(spec.get("resourceAttributes"))]


def _choice_errors(spec: Json) -> list[FieldError]:
    resource, path = spec.get("resourceAttributes"), spec.get("nonResourceAttributes")
    if resource is not None and path is not None:
        shown = {"Path": path.get("path", ""), "Verb": path.get("verb", "")}
        return [fields.invalid("spec.nonResourceAttributes", shown, NOT_BOTH)]
    if resource is None and path is None:
        return [fields.invalid("spec.resourceAttributes", None, ONE_OF)]
    return []


def _subject_errors(action: Action, spec: Json) -> list[FieldError]:
    unnamed = not spec.get("user") and not spec.get("groups")
    missing = fields.invalid(
        "spec.user", spec.get("user", ""), "at least one of user or group must be specified"
    )
    del action
    unread = review_selectors.problems(spec.get("resourceAttributes"))
    return [*_choice_errors(spec), *([missing] if unnamed else []), *unread]


def _local_errors(action: Action, spec: Json) -> list[FieldError]:
    errors = _subject_errors(action, spec)
    resource, path = spec.get("resourceAttributes"), spec.get("nonResourceAttributes")
    elsewhere = (resource or {}).get("namespace", "")
    if resource is not None and elsewhere != action.namespace:
        field = "spec.resourceAttributes.namespace"
        errors.append(fields.invalid(field, elsewhere, "must match metadata.namespace"))
    if path is not None:
        shown = {"Path": path.get("path", ""), "Verb": path.get("verb", "")}
        errors.append(
            fields.invalid("spec.nonResourceAttributes", shown, "disallowed on this kind of request")
        )
    return errors


@with_options("CreateOptions")
def _rules(action: Action, authorizer: Authorizer) -> Steps[Outcome]:
    review = yield from receive(action)
    namespace = (review.get("spec") or {}).get("namespace", "")
    if not namespace:
        raise status.bad_request("no namespace on request")
    # By bindings only: a member of system:masters sees the rules of cluster-admin by its binding.
    user_rules = authorizer.rights_by_bindings(action.request.user, namespace)
    answer = {
        "resourceRules": [_rule(rule, RESOURCE_RULE) for rule in user_rules.rules if rule.resources],
        "nonResourceRules": [_rule(rule, PATH_RULE) for rule in user_rules.rules if rule.paths],
        "incomplete": False,
        **({"evaluationError": join_errors(user_rules.missing)} if user_rules.missing else {}),
    }
    # The answer has neither metadata nor spec, unlike those of the other reviews.
    return (yield from respond(action, {**review, "metadata": {}, "spec": {}}, answer))


def _rule(rule: Rule, names: tuple[str, ...]) -> Json:
    return {name: rule.source[name] for name in names if rule.source.get(name)}
