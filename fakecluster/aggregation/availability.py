"""Whether an extension server can be reached, as its APIService reports it (FK-436, FK-458).

`judge` looks at what is stored; when nothing speaks against it the server itself is asked, and `concluded`
reads its answer.
"""

from __future__ import annotations

from msgspec import Struct

from ..api.outcome import CallResult
from ..api.service_address import ServiceResolver, ServiceUnreachableError
from ..base.json_types import Json
from .extension import Extension

PASSED = ("True", "Passed", "all checks passed")
LOCAL = ("True", "Local", "Local APIServices are always available")
FAILED = "FailedDiscoveryCheck"


class AvailableCondition(Struct, frozen=True):
    """The condition `Available`: its status, reason and message."""

    status: str
    reason: str
    message: str


def judge(extension: Extension, services: ServiceResolver) -> AvailableCondition | None:
    """Return what speaks against asking an extension; None when it is to be asked."""
    if extension.inside or extension.service_key in services.static:
        return None
    service_name = f'service/{extension.service} in "{extension.namespace}"'
    service = services.store.get(("", "services"), (extension.namespace, extension.service))
    if service is None:
        return AvailableCondition("False", "ServiceNotFound", f"{service_name} is not present")
    against = _judge_endpoints(extension, service.object["spec"], service_name, services)
    return against or _routable(extension, services)


def conclude(url: str, result: CallResult) -> AvailableCondition:
    """Return the availability that an answer of the extension server shows."""
    if result.error:
        why = f'Get "{url}": {result.error}'
    elif 200 <= result.code < 300:
        return AvailableCondition(*PASSED)
    else:
        why = f"bad status from {url}: {result.code}"
    return AvailableCondition("False", FAILED, f"failing or missing response from {url}: {why}")


def with_condition(obj: Json, verdict: AvailableCondition, timestamp: str) -> Json:
    """Return an APIService with its condition; the time changes only with the status."""
    conditions = list((obj.get("status") or {}).get("conditions") or ())
    old = next((condition for condition in conditions if condition["type"] == "Available"), None)
    # The time is that of the last change of the status, not of the message.
    since = old["lastTransitionTime"] if old and old["status"] == verdict.status else timestamp
    new = {
        "type": "Available",
        "status": verdict.status,
        "lastTransitionTime": since,
        "reason": verdict.reason,
        "message": verdict.message,
    }
    other_conditions = [condition for condition in conditions if condition["type"] != "Available"]
    return {**obj, "status": {"conditions": [*other_conditions, new]}}


def _judge_endpoints(
    extension: Extension, spec: Json, where: str, services: ServiceResolver
) -> AvailableCondition | None:
    """Judge port and endpoints of a Service with an address of its own; others have none to judge."""
    # ExternalName and others have no endpoints of their own, so only a request shows whether they answer.
    if spec.get("type") != "ClusterIP":
        return None
    port = next(
        (service_port for service_port in spec.get("ports") or () if service_port["port"] == extension.port),
        None,
    )
    if port is None:
        return AvailableCondition(
            "False", "ServicePortError", f"{where} is not listening on port {extension.port}"
        )
    slices = list(services.slices(extension.namespace, extension.service))
    if not slices:
        return AvailableCondition("False", "EndpointsNotFound", f"cannot find endpointslices for {where}")
    name = port.get("name", "")
    if not any(services.ready(extension.namespace, extension.service, name)):
        text = f'endpointslices for {where} have no addresses with port name "{name}"'
        return AvailableCondition("False", "MissingEndpoints", text)
    return None


def _routable(extension: Extension, services: ServiceResolver) -> AvailableCondition | None:
    try:
        services.address(extension.namespace, extension.service, extension.port)
    except ServiceUnreachableError as error:
        return AvailableCondition("False", FAILED, str(error))
    return None
