"""The columns of accounts, bindings, flow control and what extends the API (FK-425)."""

from __future__ import annotations

from typing import Any

from ...api.kind import Column
from ...codec import ages
from ...codec.cells import AGE, NONE, UNSET, column, condition, member
from ...codec.tables import CREATED

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


def _requested(request: Json, now: float) -> str:
    del now
    seconds = member("spec", "expirationSeconds", default=None)(request)
    return NONE if seconds is None else ages.duration(seconds)


def _verdict(request: Json) -> str:
    types = {one["type"] for one in member("status", "conditions", default=())(request)}
    word = "Denied" if "Denied" in types else "Approved" if "Approved" in types else "Pending"
    failed = ",Failed" if "Failed" in types else ""
    return f"{word}{failed}{',Issued' if member('status', 'certificate')(request) else ''}"


def _health(part: Json) -> str:
    return {"True": "Healthy", "False": "Unhealthy"}.get(part["conditions"][0]["status"], "Unknown")


def _of_health(name: str) -> Column:
    return column(name.capitalize(), lambda part: part["conditions"][0].get(name, ""))


def _parameter_kind(policy: Json) -> str:
    found = member("spec", "paramKind", default=None)(policy)
    return f"{found.get('apiVersion', '')}/{found.get('kind', '')}" if found else UNSET


def _parameters(binding: Json) -> str:
    found = member("spec", "paramRef", default=None)(binding)
    if not found:
        return UNSET
    name = found.get("name") or "*"
    return f"{found['namespace']}/{name}" if found.get("namespace") else str(name)


def _policy(counted: str, shown: str) -> tuple[Column, ...]:
    return (
        column(shown, lambda obj: len(member("spec", counted, default=())(obj)), "integer"),
        column("ParamKind", _parameter_kind),
        AGE,
    )


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
SIGNING_REQUEST = (
    AGE,
    column("SignerName", member("spec", "signerName")),
    column("Requestor", member("spec", "username")),
    Column(name="RequestedDuration", cell=_requested),
    column("Condition", _verdict),
)
POLICY_BINDING = (column("PolicyName", member("spec", "policyName")), column("ParamRef", _parameters), AGE)
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
    (HOOKS, "mutatingadmissionpolicies"): _policy("mutations", "Mutations"),
    (HOOKS, "mutatingadmissionpolicybindings"): POLICY_BINDING,
    (HOOKS, "validatingadmissionpolicies"): _policy("validations", "Validations"),
    (HOOKS, "validatingadmissionpolicybindings"): POLICY_BINDING,
    ("certificates.k8s.io", "certificatesigningrequests"): SIGNING_REQUEST,
    ("", "componentstatuses"): (column("Status", _health), _of_health("message"), _of_health("error")),
    ("apiregistration.k8s.io", "apiservices"): (
        column("Service", _service),
        column("Available", _available),
        AGE,
    ),
}
