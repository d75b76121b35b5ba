"""The columns of webhook configurations, admission policies and their bindings (FK-425)."""

from __future__ import annotations

from ...api.kind import Column
from ...base.json_types import Json
from ...codec.cells import AGE, UNSET, column, member


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


POLICY_BINDING = (column("PolicyName", member("spec", "policyName")), column("ParamRef", _parameters), AGE)
WEBHOOKS = (column("Webhooks", lambda obj: len(obj.get("webhooks") or ()), "integer"), AGE)
MUTATING_POLICY = _policy("mutations", "Mutations")
VALIDATING_POLICY = _policy("validations", "Validations")
