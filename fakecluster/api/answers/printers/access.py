"""The columns of accounts, bindings, flow control and what extends the API (FK-425)."""

from __future__ import annotations

from typing import Any

from ...kinds import Column
from .cells import AGE, CREATED, NONE, column, condition, member

Json = Any


def _subjects(kind: str) -> Column:
    def cell(binding: Json) -> str:
        found = [one for one in binding.get("subjects") or () if one["kind"] == kind]
        names = (
            f"{one['namespace']}/{one['name']}" if one.get("namespace") else one["name"] for one in found
        )
        return ", ".join(names)

    return column(f"{kind}s", cell, wide=True)


def _service(obj: Json) -> str:
    found = member("spec", "service", default=None)(obj)
    return f"{found['namespace']}/{found['name']}" if found else "Local"


def _available(obj: Json) -> str:
    found = condition(obj, "Available")
    if not found:
        return "Unknown"
    return "True" if found["status"] == "True" else f"{found['status']} ({found.get('reason', '')})"


def _queuing(name: str) -> Column:
    read = member("spec", "limited", "limitResponse", "queuing", name, default=NONE)
    return column(name[:1].upper() + name[1:], read)


BINDING = (
    column("Role", lambda obj: f"{obj['roleRef']['kind']}/{obj['roleRef']['name']}"),
    AGE,
    _subjects("User"),
    _subjects("Group"),
    _subjects("ServiceAccount"),
)
WEBHOOKS = (column("Webhooks", lambda obj: len(obj.get("webhooks") or ()), "integer"), AGE)
FLOW_SCHEMA = (
    column("PriorityLevel", member("spec", "priorityLevelConfiguration", "name")),
    column("MatchingPrecedence", member("spec", "matchingPrecedence")),
    column("DistinguisherMethod", member("spec", "distinguisherMethod", "type", default=NONE)),
    AGE,
    column("MissingPL", lambda obj: condition(obj, "Dangling").get("status", "?")),
)
PRIORITY_LEVEL = (
    column("Type", member("spec", "type")),
    column("NominalConcurrencyShares", member("spec", "limited", "nominalConcurrencyShares", default=NONE)),
    _queuing("queues"),
    _queuing("handSize"),
    _queuing("queueLengthLimit"),
    AGE,
)
FLOW, RBAC, HOOKS = (
    "flowcontrol.apiserver.k8s.io",
    "rbac.authorization.k8s.io",
    "admissionregistration.k8s.io",
)
TABLES: dict[tuple[str, str], tuple[Column, ...]] = {
    ("", "serviceaccounts"): (AGE,),
    (RBAC, "clusterrolebindings"): BINDING,
    (RBAC, "rolebindings"): BINDING,
    (RBAC, "clusterroles"): (CREATED,),
    (FLOW, "flowschemas"): FLOW_SCHEMA,
    (FLOW, "prioritylevelconfigurations"): PRIORITY_LEVEL,
    (HOOKS, "mutatingwebhookconfigurations"): WEBHOOKS,
    (HOOKS, "validatingwebhookconfigurations"): WEBHOOKS,
    ("apiregistration.k8s.io", "apiservices"): (
        column("Service", _service),
        column("Available", _available),
        AGE,
    ),
}
