"""PodDisruptionBudget, the kind of `policy`: row, rules, columns (FK-504)."""

from __future__ import annotations

from ...api.kind import Kind
from ...base.json_types import Json
from ...codec.cells import AGE, column, member
from ...gotypes.golang import to_go_struct
from ...schema import fields
from ..row import STATUS, row
from ..validation import basics, conditions, percentages
from ..validation.basics import Errors

STATUS_COUNTS = ("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")


def disruption_budget(obj: Json) -> list[fields.FieldError]:
    """Judge a PodDisruptionBudget."""
    spec = obj.get("spec", {})
    both = spec.get("minAvailable") is not None and spec.get("maxUnavailable") is not None
    why = "minAvailable and maxUnavailable cannot be both set"
    amounts = (
        [fields.invalid("spec", to_go_struct("policy.v1.PodDisruptionBudgetSpec", spec), why)] if both else []
    )
    return [
        *amounts,
        *(
            error
            for name in ("minAvailable", "maxUnavailable")
            for error in _amount(spec.get(name), f"spec.{name}")
        ),
        *basics.label_selector(spec.get("selector"), "spec.selector"),
        *basics.optional_choice(
            spec.get("unhealthyPodEvictionPolicy"),
            "spec.unhealthyPodEvictionPolicy",
            ("AlwaysAllow", "IfHealthyBudget"),
        ),
    ]


def _amount(value: Json, path: str) -> Errors:
    if value is not None:
        yield from percentages.count_or_percent(value, path)
        yield from percentages.at_most_all(value, path)


def disruption_status(new: Json, old: Json) -> list[fields.FieldError]:
    """Judge a PodDisruptionBudget's status."""
    del old
    status = new.get("status", {})
    return [
        *(
            error
            for name in STATUS_COUNTS
            for error in basics.not_negative(status.get(name), f"status.{name}")
        ),
        *conditions.full(status.get("conditions") or [], "status.conditions"),
    ]


DISRUPTION_BUDGET = (
    column("Min Available", lambda obj: str(member("spec", "minAvailable", default="N/A")(obj))),
    column("Max Unavailable", lambda obj: str(member("spec", "maxUnavailable", default="N/A")(obj))),
    column("Allowed Disruptions", member("status", "disruptionsAllowed", default=0), "integer"),
    AGE,
)
KINDS: tuple[Kind, ...] = (
    row(
        "policy.v1.PodDisruptionBudget",
        "poddisruptionbudgets",
        short="pdb",
        subresources=STATUS,
        name_rule="path",
        unconditional_update=False,
        generation="spec",
        validate=disruption_budget,
        validate_status=disruption_status,
        columns=DISRUPTION_BUDGET,
    ),
)
