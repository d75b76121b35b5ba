"""An admission policy shows its parameters to those who write it:
they need the right to read these (FK-304, FK-397).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ...api.admission import Review
from ...api.attributes import Attributes
from ...api.outcome import User
from ...api.registry import Registry
from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import FieldError
from ...store import Store
from .rbac import MASTERS, Authorizer

GROUP = "admissionregistration.k8s.io"
POLICIES = frozenset({"validatingadmissionpolicies", "mutatingadmissionpolicies"})
POLICIES_OF: Mapping[str, str] = {
    "validatingadmissionpolicybindings": "validatingadmissionpolicies",
    "mutatingadmissionpolicybindings": "mutatingadmissionpolicies",
}
"""The resource of the policies that bindings of a resource name."""
ALL = "*"
EVERYTHING_MESSAGE = "for all groups, versions and resources"
THE_OBJECT = "on the object referenced by paramRef"


class ParamResource(Struct, frozen=True):
    """The group and resource of a policy's parameters, and why they cannot be told where they cannot."""

    group: str = ALL
    resource: str = ALL
    unknown: str = ""


class PolicyParameters:
    """The errors of a well-formed policy, or binding, whose parameters its writer may not read."""

    def __init__(self, authorizer: Authorizer, store: Store, registry: Registry) -> None:
        self._authorizer = authorizer
        self._store = store
        self._registry = registry

    def errors(self, review: Review, new: Json, errors: list[FieldError]) -> list[FieldError]:
        """Return the errors of validation, and whether the parameters may not be read where there is none."""
        # Only of a valid policy: otherwise its errors are told first.
        if errors or review.kind.group != GROUP or MASTERS in review.user.groups:
            return errors
        if review.kind.plural in POLICIES:
            return self._errors_of_policy(review, new)
        if review.kind.plural in POLICIES_OF:
            return self._errors_of_binding(review, new)
        return errors

    def _errors_of_policy(self, review: Review, new: Json) -> list[FieldError]:
        kind = new["spec"].get("paramKind")
        # A kind that stays was allowed when it was written.
        if kind is None or (review.old and review.old["spec"].get("paramKind") == kind):
            return []
        parameters = self._parameters(kind)
        if self._may(review.user, "get", parameters, ALL, ALL):
            return []
        shown = f"(kind={kind.get('kind', '')}, apiVersion={kind.get('apiVersion', '')})"
        why = f'must have "get" permission on all objects of the referenced paramKind {shown}'
        return [fields.forbidden("spec.paramKind", f"user {_print_user(review.user)} {why}")]

    def _errors_of_binding(self, review: Review, new: Json) -> list[FieldError]:
        reference = new["spec"].get("paramRef")
        if reference is None:
            return []
        name = reference.get("name", "")
        # Without a name parameters are selected, which is a list.
        verb = "get" if name else "list"
        parameters = self._parameters_of(POLICIES_OF[review.kind.plural], new["spec"]["policyName"])
        if self._may(review.user, verb, parameters, reference.get("namespace", ""), name):
            return []
        user, subject = _print_user(review.user), EVERYTHING_MESSAGE
        if not parameters.unknown:
            subject = THE_OBJECT
            if review.kind.plural.startswith(
                "mutating"
            ):  # the real server fills in its text the wrong way round
                user, verb = verb, user
        why = f'user {user} does not have "{verb}" permission {subject}'
        return [fields.forbidden("spec.paramRef", f"{parameters.unknown}{why}")]

    def _parameters_of(self, policies: str, name: str) -> ParamResource:
        """Return the parameters of the policy that a binding names."""
        policy = self._store.get((GROUP, policies), ("", name))
        if policy is None:
            return ParamResource(
                unknown=f"unable to get policy {name} to determine minimum required permissions and "
            )
        kind = policy.object["spec"].get("paramKind")
        return ParamResource() if kind is None else self._parameters(kind)

    def _parameters(self, kind: Json) -> ParamResource:
        group, version, noun = _group_of(kind["apiVersion"]), kind["apiVersion"], kind["kind"]
        row = self._registry.of_kind(version, noun)
        if row is not None:
            return ParamResource(group, row.plural)
        shown = f"&{{{version} {noun}}}"
        unknown = f"unable to resolve paramKind {shown} to determine minimum required permissions and "
        return ParamResource(group, ALL, unknown)

    def _may(self, user: User, verb: str, parameters: ParamResource, namespace: str, name: str) -> bool:
        attributes = Attributes(
            user=user,
            verb=verb,
            group=parameters.group,
            resource=parameters.resource,
            namespace=namespace,
            name=name,
        )
        return self._authorizer.decide(attributes).allowed


def _group_of(api_version: str) -> str:
    return api_version.rpartition("/")[0]


def _print_user(user: User) -> str:
    """Return a user as Go prints one."""
    extra = " ".join(f"{key}:[{' '.join(values)}]" for key, values in sorted(user.extra.items()))
    return f"&{{{user.name} {user.uid} [{' '.join(user.groups)}] map[{extra}]}}"
