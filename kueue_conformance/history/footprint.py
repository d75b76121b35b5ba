"""The rights that a subject needs and the load that it causes,
from its requests (harness/N-09, N-14; CC-078).

A `Need` is the right for one request. The least role grants exactly the needs; compared with the role that a
subject declares it shows what is missing there, and what nothing in the run has used.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..base.json_types import Json
from .story import Request

ROLE = "ClusterRole"
_FORBIDDEN = 403


class AccessRight(NamedTuple):
    """One right: a verb on a resource, with its subresource after a slash, of a group."""

    group: str
    resource: str
    verb: str

    def __str__(self) -> str:
        return f"{self.verb} {self.resource}{f'.{self.group}' if self.group else ''}"


def needs(requests: Iterable[Request]) -> frozenset[AccessRight]:
    """Return the rights for the requests; discovery and other non-resource paths need none."""
    return frozenset(
        AccessRight(request.group, request.target, request.verb) for request in requests if request.resource
    )


def forbidden(requests: Iterable[Request]) -> frozenset[AccessRight]:
    """Return the needs of requests that RBAC denied."""
    return needs(
        request
        for request in requests
        # Admission plugins and quotas answer 403 too; RBAC's message names the user.
        if request.code == _FORBIDDEN and "is forbidden: User" in request.message
    )


def least_role(needed: Iterable[AccessRight], name: str) -> Json:
    """Return the role that grants just these needs; resources with the same verbs share a rule."""
    verbs: dict[tuple[str, str], list[str]] = {}
    # Sorted, so that two runs print the same role.
    for need in sorted(needed):
        verbs.setdefault((need.group, need.resource), []).append(need.verb)
    rules: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (group, resource), words in verbs.items():
        rules.setdefault((group, tuple(words)), []).append(resource)
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": ROLE,
        "metadata": {"name": name},
        "rules": [
            {"apiGroups": [group], "resources": resources, "verbs": list(words)}
            for (group, words), resources in rules.items()
        ],
    }


def how_to_grant(missing: Iterable[AccessRight]) -> str:
    """Return the sentence that tells how to grant missing
    rights to a subject, with the rules as one line of YAML.
    """
    rules = [{key: _flow(words) for key, words in rule.items()} for rule in least_role(missing, "")["rules"]]
    role_rules = ", ".join(
        f"{{{', '.join(f'{key}: {words}' for key, words in rule.items())}}}" for rule in rules
    )
    return f"if it needs these rights, its role has to grant them; on backend fake add `rules: [{role_rules}]` to the subject file"


def _flow(words: Sequence[str]) -> str:
    return f"[{', '.join(word or json.dumps(word) for word in words)}]"


def is_granted(rules: Sequence[Json], need: AccessRight) -> bool:
    """Tell whether one of the rules of a role grants a need; names of objects are not looked at."""
    return any(
        _has(rule.get("apiGroups"), need.group)
        and (_has(rule.get("resources"), need.resource) or _has_subresource(rule, need.resource))
        and _has(rule.get("verbs"), need.verb)
        for rule in rules
    )


def unused_rights(rules: Sequence[Json], needed: Iterable[AccessRight]) -> list[AccessRight]:
    """Return the rights that the rules grant by name and no request has needed."""
    granted_by_name = [
        AccessRight(group, resource, verb)
        for rule in rules
        for group in rule.get("apiGroups") or ()
        for resource in rule.get("resources") or ()
        for verb in rule.get("verbs") or ()
    ]
    used = frozenset(needed)
    return sorted(right for right in set(granted_by_name) if not any(_covers(right, need) for need in used))


def cost(requests: Sequence[Request]) -> Mapping[str, int]:
    """Return the load of requests on the API server: their number by sort, and bytes."""
    return {
        "requests": len(requests),
        "lists": sum(request.verb == "list" for request in requests),
        "watches": sum(request.verb == "watch" for request in requests),
        "writes": sum(request.writes for request in requests),
        "changes": sum(request.changed for request in requests),
        "conflicts": sum(request.code == 409 for request in requests),
        "bytesSent": sum(len(request.body) for request in requests),
        "bytesRead": sum(request.answered for request in requests),
    }


def _covers(grant: AccessRight, need: AccessRight) -> bool:
    # A right by `*` is used by any need it covers.
    return all(has in ("*", needed) for has, needed in zip(grant, need, strict=True))


def _has(words: Iterable[str] | None, word_needed: str) -> bool:
    return any(word in ("*", word_needed) for word in words or ())


def _has_subresource(rule: Json, resource: str) -> bool:
    _, slash, sub = resource.partition("/")
    # RBAC knows `*/status` for the subresource of every resource, but no `pods/*`.
    return bool(slash) and f"*/{sub}" in (rule.get("resources") or ())
