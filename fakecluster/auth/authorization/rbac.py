"""Roles and bindings: who may do what (FK-393…395, FK-399)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from msgspec import Struct

from ...api.attributes import Attributes
from ...api.outcome import User
from ...store import Store

Json = Any
GROUP = "rbac.authorization.k8s.io"
MASTERS = "system:masters"
SERVICE_ACCOUNT = "system:serviceaccount:"
EVERYTHING: tuple[Json, ...] = (
    {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]},
    {"verbs": ["*"], "nonResourceURLs": ["*"]},
)


class Decision(Struct, frozen=True):
    """An answer, and why."""

    allowed: bool
    reason: str = ""


class Authorizer(Protocol):
    """Decides about one wish."""

    def decide(self, wish: Attributes) -> Decision:
        """Return whether it is allowed."""

    def held(self, user: User, namespace: str) -> Held:
        """Return what a user has in a namespace."""


class AlwaysAllow:
    """Allows every request."""

    def decide(self, wish: Attributes) -> Decision:
        """Allow."""
        del wish
        return Decision(allowed=True)

    def held(self, user: User, namespace: str) -> Held:
        """Return the rules that allow everything."""
        del user, namespace
        return Held(EVERYTHING, ())


class Grant(Struct, frozen=True):
    """A binding that reaches the user: its rules, or the role that it misses."""

    rules: tuple[Json, ...]
    reason: str
    missing: str = ""


class Held(Struct, frozen=True):
    """Every rule that holds for a user, and the roles that its bindings miss."""

    rules: tuple[Json, ...]
    missing: tuple[str, ...]


class Rbac:
    """Role based access control over the stored roles and bindings."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def decide(self, wish: Attributes) -> Decision:
        """Return whether a rule of any binding allows the wish, with the binding as the reason."""
        if MASTERS in wish.user.groups:
            return Decision(allowed=True)
        missing = []
        for grant in self._grants(wish):
            if any(allows(rule, wish) for rule in grant.rules):
                return Decision(allowed=True, reason=grant.reason)
            if grant.missing:
                missing.append(grant.missing)
        return Decision(allowed=False, reason=_errors(missing))

    def held(self, user: User, namespace: str) -> Held:
        """Return what bindings give a user in a namespace; membership of system:masters counts by its binding
        only.
        """
        grants = list(self._grants(Attributes(user=user, verb="", namespace=namespace)))
        return Held(
            tuple(rule for grant in grants for rule in grant.rules),
            tuple(grant.missing for grant in grants if grant.missing),
        )

    def _grants(self, wish: Attributes) -> Iterator[Grant]:
        for binding in self._store.list((GROUP, "clusterrolebindings")):
            yield from self._reaching(binding.object, wish, "")
        if wish.namespace:
            for binding in self._store.list((GROUP, "rolebindings"), namespace=wish.namespace):
                yield from self._reaching(binding.object, wish, wish.namespace)

    def _reaching(self, binding: Json, wish: Attributes, namespace: str) -> Iterator[Grant]:
        subject = next((one for one in binding.get("subjects") or () if _is(one, wish, namespace)), None)
        if subject is None:
            return
        role = binding["roleRef"]
        rules = self.rules_of(role["kind"], role["name"], namespace)
        if rules is None:
            plural = "clusterrole" if role["kind"] == "ClusterRole" else "role"
            yield Grant((), "", f'{plural}.{GROUP} "{role["name"]}" not found')
        else:
            yield Grant(rules, _reason(binding, role, subject, namespace))

    def rules_of(self, kind: str, name: str, namespace: str) -> tuple[Json, ...] | None:
        """Return the rules of a role, None when it does not exist."""
        plural, where = ("clusterroles", "") if kind == "ClusterRole" else ("roles", namespace)
        found = self._store.get((GROUP, plural), (where, name))
        return None if found is None else tuple(found.object.get("rules") or ())


def allows(rule: Json, wish: Attributes) -> bool:
    """Return whether one rule allows a wish."""
    if not _has(rule.get("verbs"), wish.verb):
        return False
    if wish.path:
        return any(_covers_path(pattern, wish.path) for pattern in rule.get("nonResourceURLs") or ())
    names = rule.get("resourceNames") or ()
    return (
        _has(rule.get("apiGroups"), wish.group)
        and _has_resource(rule.get("resources") or (), wish)
        and (not names or wish.name in names)
    )


def _has(words: Json, word: str) -> bool:
    return bool(words) and ("*" in words or word in words)


def _has_resource(resources: Json, wish: Attributes) -> bool:
    if "*" in resources or wish.full_resource in resources:
        return True
    return bool(wish.subresource) and f"*/{wish.subresource}" in resources


def _covers_path(pattern: str, path: str) -> bool:
    return pattern in {"*", path} or (pattern.endswith("*") and path.startswith(pattern[:-1]))


def _is(subject: Json, wish: Attributes, namespace: str) -> bool:
    kind, name = subject["kind"], subject["name"]
    if kind == "User":
        return bool(name == wish.user.name)
    if kind == "Group":
        return name in wish.user.groups
    where = subject.get("namespace") or namespace
    return kind == "ServiceAccount" and wish.user.name == f"{SERVICE_ACCOUNT}{where}:{name}"


def _reason(binding: Json, role: Json, subject: Json, namespace: str) -> str:
    name = binding["metadata"]["name"]
    kind, shown = ("RoleBinding", f"{name}/{namespace}") if namespace else ("ClusterRoleBinding", name)
    whom = subject["name"]
    if subject["kind"] == "ServiceAccount":
        whom = f"{whom}/{subject.get('namespace') or namespace}"
    return (
        f'RBAC: allowed by {kind} "{shown}" of {role["kind"]} "{role["name"]}" to {subject["kind"]} "{whom}"'
    )


def aggregated(errors: Iterable[str]) -> str:
    """Return errors as Go joins them: each once, in brackets when there are several."""
    unique = list(dict.fromkeys(errors))
    return f"[{', '.join(unique)}]" if len(unique) > 1 else "".join(unique)


def _errors(missing: list[str]) -> str:
    return f"RBAC: {aggregated(missing)}" if missing else ""
