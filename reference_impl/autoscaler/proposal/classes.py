"""What a ProvisioningClass makes of a request:
who serves it and with which parameters, or why it is not accepted (PR-260…274).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from reference_impl.api.resource import Json
from reference_impl.pods.selectors import matches

from ..requests.conditions import RequestCondition
from ..requests.request import ACCEPTED, ProvisioningRequest
from .conditions import ACCEPTED_NOW, invalid
from .deadline import VALID_UNTIL
from .requests import ATOMIC_SCALE_UP, CHECK_CAPACITY, FIELDS

PROVISIONER: Final = "provisioner"
# What was settled stands in the status, so that a later change of the class does not
# matter (PR-270, PR-273).
PARAMETER: Final = "effectiveParameters/"
MOST_DETAILS: Final = 64
BUILT_IN: Final[Mapping[str, str]] = {"check-capacity": CHECK_CAPACITY, "atomic-scale-up": ATOMIC_SCALE_UP}


@dataclass(frozen=True, eq=False)
class SettledRequest(ProvisioningRequest):
    """A request as its class settled it."""

    @property
    def class_name(self) -> str:
        """Return the class by which it is served: that of the provisioner, once there is one."""
        provisioner = self._details.get(PROVISIONER)
        own = str(self.object["spec"][self.fields.class_name])
        return own if provisioner is None else BUILT_IN.get(provisioner, provisioner)

    @property
    def parameters(self) -> Mapping[str, str]:
        """Return its parameters, those of its class among them."""
        if PROVISIONER not in self._details:
            return self.object["spec"].get(self.fields.parameters) or {}
        return {
            name.removeprefix(PARAMETER): value
            for name, value in self._details.items()
            if name.startswith(PARAMETER)
        }

    @property
    def _details(self) -> Mapping[str, str]:
        return (self.object.get("status") or {}).get(self.fields.details) or {}


def read(obj: Json) -> ProvisioningRequest:
    """Read a request of the proposal."""
    return SettledRequest(obj, FIELDS)


@dataclass(frozen=True, slots=True)
class ClassDecision:
    """A condition to write, and its details."""

    condition: RequestCondition
    details: Mapping[str, str] | None = None


def judge(
    request: ProvisioningRequest,
    provisioning_class: Json | None,
    namespace: Mapping[str, str],
    pending: int,
    *,
    enforced: bool,
) -> ClassDecision | None:
    """Return the condition to write for a request without an answer, None where nothing is new.

    `found` is its class, `namespace` the labels of its namespace, and `pending` how many other requests of
    the class wait there. Where classes are `enforced`, none is no class that may be used.
    """
    if provisioning_class is None:
        return _refuse(request, "ProvisioningClassNotFound", "There is no such class") if enforced else None
    if request.is_true(ACCEPTED):
        return None
    selector = provisioning_class.get("allowedNamespaces")
    if selector and not matches(selector, namespace):
        return _refuse(request, "ProvisioningClassForbidden", "The class may not be used in this namespace")
    if 0 < provisioning_class.get("maxPending", 0) <= pending:
        return _refuse(request, "TooManyPending", f"{pending} requests of the class wait in this namespace")
    parameters = {**_defaults(provisioning_class), **_own(request)}
    problem = _objection(provisioning_class, _own(request), parameters)
    if problem is not None:
        return ClassDecision(problem)
    details = {
        PROVISIONER: provisioning_class["provisioner"],
        **{PARAMETER + key: parameter for key, parameter in parameters.items()},
    }
    return ClassDecision(ACCEPTED_NOW, details)


def _own(request: ProvisioningRequest) -> Mapping[str, str]:
    return request.object["spec"].get(request.fields.parameters) or {}


def _defaults(provisioning_class: Json) -> Mapping[str, str]:
    """Return the parameters that the class gives; its time for retries is one of them (PR-268)."""
    until = provisioning_class.get("retryUntilSeconds")
    limit = {} if until is None else {VALID_UNTIL: str(until)}
    return {**limit, **(provisioning_class.get("additionalParameters") or {})}


def _objection(
    provisioning_class: Json, own: Mapping[str, str], parameters: Mapping[str, str]
) -> RequestCondition | None:
    """Say which parameter breaks the policy of the class (PR-264, PR-265)."""
    defaults, policy = (
        _defaults(provisioning_class),
        provisioning_class.get("parameterPolicy") or "Overridable",
    )
    for key, value in own.items():
        if policy == "Fixed" and defaults.get(key, value) != value:
            return invalid(key, value, f"what the class fixes, {defaults[key]!r}")
        if policy == "Exclusive" and key not in defaults:
            return invalid(key, value, "a parameter of the class")
    missing = [key for key in provisioning_class.get("requiredParameters") or () if key not in parameters]
    if missing:
        return invalid(missing[0], "", "given, and the class requires it")
    if len(parameters) >= MOST_DETAILS:
        return invalid("", str(len(parameters)), f"a number of parameters below {MOST_DETAILS}")
    return None


def _refuse(request: ProvisioningRequest, reason: str, message: str) -> ClassDecision | None:
    """Refuse a request for now, unless that was said already."""
    before = request.condition(ACCEPTED)
    if before is not None and (before["status"], before["reason"]) == ("False", reason):
        return None
    return ClassDecision(RequestCondition(ACCEPTED, False, reason, message))
