"""What pods and containers may do to their host: users, privileges, profiles, sysctls (FK-504)."""

from __future__ import annotations

import re

from .....gotypes.golang import shown
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors, Json
from . import paths

RANGE = f"must be between 0 and {basics.INT32_MAX}, inclusive"
SECCOMP = ("Localhost", "RuntimeDefault", "Unconfined")
SYSCTL_PATTERN = r"^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"
SYSCTL = re.compile(SYSCTL_PATTERN)
SYSCTL_LIMIT = 253


def of_container(context: Json, path: str) -> Errors:
    """Judge a container's security context."""
    if context is None:
        return
    for name in ("runAsUser", "runAsGroup"):
        yield from _number(context.get(name), f"{path}.{name}")
    yield from basics.optional_choice(context.get("procMount"), f"{path}.procMount", ("Default", "Unmasked"))
    yield from _seccomp(context.get("seccompProfile"), f"{path}.seccompProfile")
    if context.get("allowPrivilegeEscalation") is not False:
        return
    told = shown("core.v1.SecurityContext", context)
    if context.get("privileged"):
        yield fields.invalid(
            path, told, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"
        )
    if "CAP_SYS_ADMIN" in ((context.get("capabilities") or {}).get("add") or ()):
        why = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"
        yield fields.invalid(path, told, why)


def of_pod(spec: Json, path: str) -> Errors:
    """Judge a pod's security context."""
    context = spec.get("securityContext") or {}
    for name in ("fsGroup", "runAsUser", "runAsGroup"):
        yield from _number(context.get(name), f"{path}.{name}")
    for number, one in enumerate(context.get("supplementalGroups") or ()):
        yield from _number(one, f"{path}.supplementalGroups[{number}]")
    if spec.get("shareProcessNamespace") and spec.get("hostPID"):
        why = "ShareProcessNamespace and HostPID cannot both be enabled"
        yield fields.invalid(f"{path}.shareProcessNamespace", True, why)
    yield from _sysctls(context.get("sysctls") or [], f"{path}.sysctls")
    yield from _policy(context, path, "fsGroupChangePolicy", ("Always", "OnRootMismatch"))
    yield from _seccomp(context.get("seccompProfile"), f"{path}.seccompProfile")
    yield from _policy(context, path, "supplementalGroupsPolicy", ("Merge", "Strict"))


def _policy(context: Json, path: str, name: str, allowed: tuple[str, ...]) -> Errors:
    yield from basics.optional_choice(context.get(name), f"{path}.{name}", allowed)


def _number(value: int | None, path: str) -> Errors:
    if value is not None and not 0 <= value <= basics.INT32_MAX:
        yield fields.invalid(path, value, RANGE)


def _seccomp(profile: Json, path: str) -> Errors:
    if profile is None:
        return
    yield from basics.choice(profile.get("type"), f"{path}.type", SECCOMP)
    local, where = profile.get("localhostProfile"), f"{path}.localhostProfile"
    if profile.get("type") != "Localhost":
        if local is not None:
            told = shown("core.v1.SeccompProfile", profile)
            yield fields.invalid(where, told, "can only be set when seccomp type is Localhost")
    elif local is None:
        yield fields.required(where, "must be set when seccomp type is Localhost")
    else:
        yield from paths.descending(local, where)


def _sysctls(found: list[Json], path: str) -> Errors:
    seen: set[str] = set()
    for number, one in enumerate(found):
        here, name = f"{path}[{number}].name", one.get("name", "")
        if not name:
            yield fields.required(here)
        elif len(name) > SYSCTL_LIMIT or not SYSCTL.fullmatch(name):
            why = f"must have at most {SYSCTL_LIMIT} characters and match regex {SYSCTL_PATTERN}"
            yield fields.invalid(here, name, why)
        elif name in seen:
            yield fields.duplicate(here, name)
        seen.add(name)
