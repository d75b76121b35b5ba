"""The columns of webhook configurations, admission policies and their bindings (FK-425)."""

from __future__ import annotations

from ...api.kind import Column
from ...base.json_types import Json
from ...codec.cells import AGE, UNSET, column, member


def _parameter_kind(policy: Json) -> str:
    param_kind = member("spec", "paramKind", default=None)(policy)
    return f"{param_kind.get('apiVersion', '')}/{param_kind.get('kind', '')}" if param_kind else UNSET


def _parameters(binding: Json) -> str:
    param_ref = member("spec", "paramRef", default=None)(binding)
    if not param_ref:
        return UNSET
    name = param_ref.get("name") or "*"
    return f"{param_ref['namespace']}/{name}" if param_ref.get("namespace") else str(name)


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
