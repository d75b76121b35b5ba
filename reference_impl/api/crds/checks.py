"""AdmissionCheck (AC-010…021), with the fields that only the KEP has (AC-442, AC-451, AC-460)."""

from __future__ import annotations

from typing import Annotated, Literal

from .common import Conditions
from .vocabulary import LABEL, SUBDOMAIN, CelRule, Int64, Shape, at_least, length, only, pattern


class ParametersReference(Shape):
    """The object with the parameters of the check."""

    api_group: Annotated[str, length(1, 253), SUBDOMAIN, "Its API group."]
    kind: Annotated[str, length(1, 63), pattern("^(?i)[a-z]([-a-z0-9]*[a-z0-9])?$"), "Its kind."]
    name: Annotated[str, length(1, 63), LABEL, "Its name."]


class AdmissionCheckSpec(Shape):
    """The controller and the parameters of a check."""

    controller_name: Annotated[
        str, length(1, 253), CelRule("self == oldSelf", "field is immutable"), "The controller that answers."
    ]
    parameters: ParametersReference | None = None
    preemption_policy: Annotated[
        Literal["Anytime", "AfterCheckPassedOrOnDemand"],
        only("kep993"),
        "Anytime, or AfterCheckPassedOrOnDemand: preemptions wait until the check has passed or some check asks for them.",
    ] = "Anytime"
    retry_delay_minutes: Annotated[
        Int64 | None, at_least(0), only("kep993"), "How long a Workload stays suspended after Retry."
    ] = None


class AdmissionCheckStatus(Shape):
    """Whether the check can be answered."""

    conditions: Conditions = ()


class AdmissionCheck(Shape):
    """A second opinion that a Workload needs before it runs."""

    spec: AdmissionCheckSpec | None = None
    status: AdmissionCheckStatus | None = None
