"""FlowSchemas: whose requests they match, and how they tell flows apart (FK-520)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

from msgspec import Struct

from ..api.outcome import User
from ..api.routes import RequestInfo
from ..base.json_types import Json

EVERY = "*"


class Requester(Struct, frozen=True):
    """Who asks, with its groups as a set: a user and a schema may name ten thousands of them."""

    name: str
    groups: frozenset[str]

    @classmethod
    def of(cls, user: User) -> Self:
        """Return the requester that a user is."""
        # A set, since a schema and a user may both name thousands of groups.
        return cls(user.name, frozenset(user.groups))


class Schema(Struct, frozen=True, kw_only=True):
    """A FlowSchema; the one with the lowest precedence that matches a request decides."""

    name: str
    uid: str
    precedence: int
    level: str
    distinguishes: str
    """`ByUser`, `ByNamespace`, or empty when all of its requests are one flow."""
    rules: tuple[Json, ...]

    @classmethod
    def of(cls, obj: Json) -> Self:
        """Return the value of a stored FlowSchema."""
        spec = obj["spec"]
        return cls(
            name=obj["metadata"]["name"],
            uid=obj["metadata"]["uid"],
            precedence=spec.get("matchingPrecedence", 1000),
            level=spec["priorityLevelConfiguration"]["name"],
            rules=tuple(spec.get("rules") or ()),
            distinguishes=(spec.get("distinguisherMethod") or {}).get("type", ""),
        )

    @property
    def order(self) -> tuple[int, str]:
        """What schemas are sorted by."""
        return self.precedence, self.name

    def matches(self, requester: Requester, info: RequestInfo) -> bool:
        """Tell whether a request is one of this schema."""
        rules, judge = ("resourceRules", _resource) if info.is_resource else ("nonResourceRules", _path)
        return any(
            any(_subject(subject, requester) for subject in rule.get("subjects") or ())
            and any(judge(rule_part, info) for rule_part in rule.get(rules) or ())
            for rule in self.rules
        )

    def distinguisher(self, user: User, info: RequestInfo) -> str:
        """Return what tells a request's flow from the others of this schema."""
        return {"ByUser": user.name, "ByNamespace": info.namespace}.get(self.distinguishes, "")


def _subject(subject: Json, requester: Requester) -> bool:
    judge = _SUBJECTS.get(subject.get("kind", ""))
    return judge is not None and judge(subject, requester)


def _user(subject: Json, requester: Requester) -> bool:
    return (subject.get("user") or {}).get("name") in {EVERY, requester.name}


def _group(subject: Json, requester: Requester) -> bool:
    name = (subject.get("group") or {}).get("name")
    return name == EVERY or name in requester.groups


def _account(subject: Json, requester: Requester) -> bool:
    account = subject.get("serviceAccount") or {}
    namespace = f"system:serviceaccount:{account.get('namespace', '')}:"
    if account.get("name") == EVERY:
        return requester.name.startswith(namespace)
    return requester.name == f"{namespace}{account.get('name', '')}"


_SUBJECTS: Mapping[str, Callable[[Json, Requester], bool]] = {
    "User": _user,
    "Group": _group,
    "ServiceAccount": _account,
}


def _resource(rule: Json, info: RequestInfo) -> bool:
    joined = f"{info.resource}/{info.subresource}" if info.subresource else info.resource
    if not (
        _is_listed(info.verb, rule["verbs"])
        and _is_listed(joined, rule["resources"])
        and _is_listed(info.group, rule["apiGroups"])
    ):
        return False
    if not info.namespace:
        return bool(rule.get("clusterScope"))
    return _is_listed(info.namespace, rule.get("namespaces") or ())


def _path(rule: Json, info: RequestInfo) -> bool:
    return _is_listed(info.verb, rule["verbs"]) and any(
        _covers(url, info.path) for url in rule["nonResourceURLs"]
    )


def _covers(url: str, path: str) -> bool:
    return url in {EVERY, path} or path.startswith(f"{url.removesuffix(EVERY).removesuffix(chr(47))}/")


def _is_listed(value: str, listed: Any) -> bool:
    # `*` means all only when it stands alone; beside others it is a name.
    return value in listed or list(listed) == [EVERY]
