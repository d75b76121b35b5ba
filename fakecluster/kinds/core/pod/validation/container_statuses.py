"""What the status of a Pod may say of its containers (FK-486, FK-504)."""

from __future__ import annotations

from .....base.json_types import Json
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors

STATUSES = {
    "containerStatuses": "containers",
    "initContainerStatuses": "initContainers",
    "ephemeralContainerStatuses": "ephemeralContainers",
}
"""Lists of statuses, and where their containers are."""
NOT_AGAIN = "may not be transitioned to non-terminated state"
OF_WINDOWS = "cannot be set for a windows pod"
HEALTH_STATUSES = ("Healthy", "Unhealthy", "Unknown")
NO_CLAIM = (
    "must match one of the container's resource claims in a format 'claim:<claimName>/<request>'"
    " or 'claim:<claimName>' if request is empty"
)
NO_REQUEST = "must match one of the container's resource requests"
MESSAGE_LIMIT = 1024


def transition_errors(status: Json, old: Json, spec: Json) -> Errors:
    """Judge that a container that has ended for good does not run again."""
    for member, where in STATUSES.items():
        containers = {container["name"]: container for container in spec.get(where) or ()}
        # Ephemeral containers never run again, whatever the rules of the others.
        if where != "ephemeralContainers" and _may_all_restart(spec):
            continue
        # From the end, so that the first of two statuses of one name counts.
        after = {entry.get("name"): entry for entry in reversed(status.get(member) or ())}
        for number, entry in enumerate(old.get(member) or ()):
            ended = (entry.get("state") or {}).get("terminated")
            current = after.get(entry.get("name"))
            if ended is None or current is None or (current.get("state") or {}).get("terminated") is not None:
                continue
            container = containers.get(entry.get("name"))
            # A container that the spec does not know is judged as one that may not restart.
            is_free = where != "ephemeralContainers" and container is not None
            if not (is_free and _may_restart(container, spec, ended.get("exitCode", 0))):
                yield fields.forbidden(f"status.{member}[{number}].state", NOT_AGAIN)


def _may_all_restart(spec: Json) -> bool:
    """Whether an end of one container restarts all."""
    return any(
        rule.get("action") == "RestartAllContainers"
        for where in ("initContainers", "containers")
        for container in spec.get(where) or ()
        for rule in container.get("restartPolicyRules") or ()
    )


def _may_restart(container: Json, spec: Json, exit_code: int) -> bool:
    own = container.get("restartPolicy")
    if own is not None and any(
        _matches(rule.get("exitCodes") or {}, exit_code) for rule in container.get("restartPolicyRules") or ()
    ):
        return True
    policy = own or spec.get("restartPolicy")
    # Without a restart policy of its own a container has that of its pod.
    return policy == "Always" or (policy == "OnFailure" and exit_code != 0)


def _matches(codes: Json, exit_code: int) -> bool:
    is_listed = exit_code in (codes.get("values") or ())
    return is_listed if codes.get("operator") == "In" else not is_listed


def user_errors(status: Json, spec: Json) -> Errors:
    """Judge as whom containers run."""
    # A pod that names no system is one of Linux.
    system = (spec.get("os") or {}).get("name", "linux")
    for member in STATUSES:
        for number, entry in enumerate(status.get(member) or ()):
            user, path = (entry.get("user") or {}).get("linux"), f"status.{member}[{number}].user.linux"
            if user is not None and system == "windows":
                yield fields.forbidden(path, OF_WINDOWS)
            elif user is not None and system == "linux":
                yield from _linux_user(user, path)


def _linux_user(user: Json, path: str) -> Errors:
    yield from _identity(user.get("uid", 0), f"{path}.uid")
    yield from _identity(user.get("gid", 0), f"{path}.gid")
    for number, group in enumerate(user.get("supplementalGroups") or ()):
        yield from _identity(group, f"{path}.supplementalGroups[{number}]")


def _identity(number: int, path: str) -> Errors:
    # On Linux a user id is a uint32, but Kubernetes allows the positive half only.
    if not 0 <= number <= basics.INT32_MAX:
        yield fields.invalid(path, number, f"must be between 0 and {basics.INT32_MAX}, inclusive")


def allocation_errors(status: Json, spec: Json) -> Errors:
    """Judge the health of what containers were allocated."""
    for member, where in STATUSES.items():
        containers = {container["name"]: container for container in spec.get(where) or ()}
        for number, entry in enumerate(status.get(member) or ()):
            allocated, path = entry.get("allocatedResourcesStatus") or [], f"status.{member}[{number}]"
            # The rest of such a status is not judged.
            if allocated and where == "ephemeralContainers":
                why = "must not be specified in container status"
                yield fields.forbidden(f"{path}.allocatedResourcesStatus", why)
                continue
            for index, resource in enumerate(allocated):
                location = f"{path}.allocatedResourcesStatus[{index}]"
                yield from _resource_name(
                    resource.get("name", ""), containers.get(entry.get("name")), location
                )
                yield from _health(resource.get("resources") or [], f"{location}.resources")


def _resource_name(name: str, container: Json | None, path: str) -> Errors:
    # No container of that name: another rule says so.
    if container is None:
        return
    resources = container.get("resources") or {}
    if name.startswith("claim:"):
        claims = {
            "/".join(filter(None, (f"claim:{claim['name']}", claim.get("request"))))
            for claim in resources.get("claims") or ()
        }
        if name not in claims:
            yield fields.invalid(f"{path}.name", name, NO_CLAIM)
    elif name not in (resources.get("requests") or {}):
        yield fields.invalid(f"{path}.name", name, NO_REQUEST)


def _health(resources: list[Json], path: str) -> Errors:
    identifiers: set[str] = set()
    for number, resource in enumerate(resources):
        location, identifier = f"{path}[{number}]", resource.get("resourceID", "")
        if resource.get("health", "") not in HEALTH_STATUSES:
            yield fields.not_supported(
                f"{location}.health", resource.get("health", ""), list(HEALTH_STATUSES)
            )
        message = resource.get("message")
        # A pointer in Go: an empty message is there, and is worse than none.
        if message == "":
            yield fields.required(f"{location}.message", "must be non-empty if specified")
        elif message is not None and len(message.encode()) > MESSAGE_LIMIT:
            yield fields.too_long(f"{location}.message", MESSAGE_LIMIT)
        if identifier in identifiers:
            yield fields.duplicate(f"{location}.resourceID", identifier)
        identifiers.add(identifier)
