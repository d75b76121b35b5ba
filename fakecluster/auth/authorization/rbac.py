"""Roles and bindings: who may do what (FK-393…395, FK-399)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from msgspec import Struct

from ...api.attributes import Attributes
from ...api.outcome import User
from ...base.json_types import Json
from ...store import Store, Stored
from .rules import Rule, of_objects, rules_of
from .subjects import subjects_of

GROUP = "rbac.authorization.k8s.io"
MASTERS = "system:masters"
CLUSTER_ADMIN_RULES = of_objects(
    (
        {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]},
        {"verbs": ["*"], "nonResourceURLs": ["*"]},
    )
)


class Decision(Struct, frozen=True):
    """An answer, and why."""

    allowed: bool
    reason: str = ""


class ResolvedRules(Struct, frozen=True):
    """Every rule that holds for a user, and the roles that its bindings miss."""

    rules: tuple[Rule, ...]
    missing: tuple[str, ...] = ()

    def about(self, verb: str, group: str) -> ResolvedRules:
        """Return those that are about a verb and an API group."""
        rules = (rule for rule in self.rules if rule.has_verb(verb) and rule.has_group(group))
        return ResolvedRules(tuple(rules), self.missing)

    def first_refused(self, attributes: Attributes, names: Iterable[str]) -> str | None:
        """Return the first of some names for which the attributes are refused, None when there is none."""
        for rule in self.rules:
            # A rule without names allows all of them.
            if rule.allows_some(attributes):
                names = [name for name in names if name not in rule.names] if rule.names else ()
        return next(iter(names), None)

    @property
    def reason(self) -> str:
        """Why the rights may be fewer than they should be."""
        return _errors(self.missing)


class Authorizer(Protocol):
    """Decides about the attributes of one request."""

    def decide(self, attributes: Attributes) -> Decision:
        """Return whether it is allowed."""

    def rights_by_bindings(self, user: User, namespace: str) -> ResolvedRules:
        """Return what a user has in a namespace by bindings."""

    def rights(self, user: User, namespace: str) -> ResolvedRules:
        """Return what a user has in a namespace by any means."""


class AlwaysAllow:
    """Allows every request."""

    def decide(self, attributes: Attributes) -> Decision:
        """Allow."""
        del attributes
        return Decision(allowed=True)

    def rights_by_bindings(self, user: User, namespace: str) -> ResolvedRules:
        """Return the rules that allow everything."""
        del user, namespace
        return ResolvedRules(CLUSTER_ADMIN_RULES)

    rights = rights_by_bindings


class MatchedBinding(Struct, frozen=True):
    """A binding that reaches a user by one of its subjects,
    and the rules of its role; None where that is missing.
    """

    binding: Stored
    subject: Json
    rules: tuple[Rule, ...] | None

    @property
    def reason(self) -> str:
        """What allowed a request, as clients read it."""
        namespace, name = self.binding.name
        kind, shown = ("RoleBinding", f"{name}/{namespace}") if namespace else ("ClusterRoleBinding", name)
        role, subject = self.binding.object["roleRef"], self.subject
        whom = subject["name"]
        if subject["kind"] == "ServiceAccount":
            whom = f"{whom}/{subject.get('namespace') or namespace}"
        return f'RBAC: allowed by {kind} "{shown}" of {role["kind"]} "{role["name"]}" to {subject["kind"]} "{whom}"'

    @property
    def missing(self) -> str:
        """The role that is missing, as clients read it."""
        role = self.binding.object["roleRef"]
        plural = "clusterrole" if role["kind"] == "ClusterRole" else "role"
        return f'{plural}.{GROUP} "{role["name"]}" not found'


class Rbac:
    """Role based access control over the stored roles and bindings."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def decide(self, attributes: Attributes) -> Decision:
        """Return whether a rule of any binding allows the request, with the binding as the reason."""
        # Members of system:masters are allowed before any rule is looked at.
        if MASTERS in attributes.user.groups:
            return Decision(allowed=True)
        missing = []
        for grant in self._grants(attributes.user, attributes.namespace):
            # A missing role does not refuse: another binding may allow.
            if grant.rules is None:
                missing.append(grant.missing)
            elif any(rule.allows(attributes) for rule in grant.rules):
                return Decision(allowed=True, reason=grant.reason)
        return Decision(allowed=False, reason=_errors(missing))

    def rights_by_bindings(self, user: User, namespace: str) -> ResolvedRules:
        """Return what bindings give a user in a namespace;
        membership of system:masters counts by its binding only.
        """
        grants = list(self._grants(user, namespace))
        return ResolvedRules(
            tuple(rule for grant in grants for rule in grant.rules or ()),
            tuple(grant.missing for grant in grants if grant.rules is None),
        )

    def rights(self, user: User, namespace: str) -> ResolvedRules:
        """Return what a user has in a namespace, everything for members of system:masters."""
        return (
            ResolvedRules(CLUSTER_ADMIN_RULES)
            if MASTERS in user.groups
            else self.rights_by_bindings(user, namespace)
        )

    def _grants(self, user: User, namespace: str) -> Iterator[MatchedBinding]:
        groups = frozenset(user.groups)
        for binding in self._bindings(namespace):
            subject = subjects_of(binding).reaching(user, groups)
            if subject is not None:
                role = binding.object["roleRef"]
                yield MatchedBinding(
                    binding, subject, self.rules_of(role["kind"], role["name"], binding.name[0])
                )

    def _bindings(self, namespace: str) -> Iterator[Stored]:
        # Bindings of the cluster before those of the namespace; the first that allows gives the reason.
        yield from self._store.list((GROUP, "clusterrolebindings"))
        if namespace:
            yield from self._store.list((GROUP, "rolebindings"), namespace=namespace)

    def rules_of(self, kind: str, name: str, namespace: str) -> tuple[Rule, ...] | None:
        """Return the rules of a role, None when it does not exist."""
        # A RoleBinding may name a ClusterRole, whose rules it grants in its namespace.
        plural, where = ("clusterroles", "") if kind == "ClusterRole" else ("roles", namespace)
        role = self._store.get((GROUP, plural), (where, name))
        return None if role is None else rules_of(role)


def join_errors(errors: Iterable[str]) -> str:
    """Return errors as Go joins them: each once, in brackets when there are several."""
    unique = list(dict.fromkeys(errors))
    return f"[{', '.join(unique)}]" if len(unique) > 1 else "".join(unique)


def _errors(missing: Iterable[str]) -> str:
    text = join_errors(missing)
    return f"RBAC: {text}" if text else ""
