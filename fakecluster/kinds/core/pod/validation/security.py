"""What pods and containers may do to their host: users, privileges, profiles, sysctls (FK-504)."""

from __future__ import annotations

import re

from .....base.json_types import Json
from .....gotypes.golang import to_go_struct
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors
from . import operating_systems, paths

RANGE = f"must be between 0 and {basics.INT32_MAX}, inclusive"
SECCOMP = ("Localhost", "RuntimeDefault", "Unconfined")
LONGEST_PROFILE = 4095
OWN_USERS = "when `hostUsers` is false"
SYSCTL_PATTERN = r"^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"
SYSCTL = re.compile(SYSCTL_PATTERN)
SYSCTL_LIMIT = 253


def of_container(context: Json, path: str, spec: Json) -> Errors:
    """Judge the security context of a container of a pod with this spec."""
    if context is None:
        return
    for name in ("runAsUser", "runAsGroup"):
        yield from _number(context.get(name), f"{path}.{name}")
    mount = context.get("procMount")
    yield from basics.optional_choice(mount, f"{path}.procMount", ("Default", "Unmasked"))
    if mount == "Unmasked" and spec.get("hostUsers") is not False:
        yield fields.invalid(f"{path}.procMount", mount, "`hostUsers` must be false to use `Unmasked`")
    yield from _seccomp(context.get("seccompProfile"), f"{path}.seccompProfile")
    yield from _escalation(context, path)
    yield from operating_systems.options(context.get("windowsOptions"), f"{path}.windowsOptions")
    yield from _app_armor(context.get("appArmorProfile"), f"{path}.appArmorProfile")


def _escalation(context: Json, path: str) -> Errors:
    if context.get("allowPrivilegeEscalation") is not False:
        return
    go_struct = to_go_struct("core.v1.SecurityContext", context)
    if context.get("privileged"):
        why = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"
        yield fields.invalid(path, go_struct, why)
    if "CAP_SYS_ADMIN" in ((context.get("capabilities") or {}).get("add") or ()):
        why = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"
        yield fields.invalid(path, go_struct, why)


def of_pod(spec: Json, path: str) -> Errors:
    """Judge a pod's security context."""
    context = spec.get("securityContext") or {}
    for name in ("fsGroup", "runAsUser", "runAsGroup"):
        yield from _number(context.get(name), f"{path}.{name}")
    for number, supplemental_group in enumerate(context.get("supplementalGroups") or ()):
        yield from _number(supplemental_group, f"{path}.supplementalGroups[{number}]")
    if spec.get("shareProcessNamespace") and spec.get("hostPID"):
        why = "ShareProcessNamespace and HostPID cannot both be enabled"
        yield fields.invalid(f"{path}.shareProcessNamespace", True, why)
    yield from _sysctls(context.get("sysctls") or [], f"{path}.sysctls")
    yield from _policy(context, path, "fsGroupChangePolicy", ("Always", "OnRootMismatch"))
    yield from _seccomp(context.get("seccompProfile"), f"{path}.seccompProfile")
    yield from operating_systems.options(context.get("windowsOptions"), f"{path}.windowsOptions")
    yield from _app_armor(context.get("appArmorProfile"), f"{path}.appArmorProfile")
    yield from _policy(context, path, "supplementalGroupsPolicy", ("Merge", "Strict"))
    yield from _policy(context, path, "seLinuxChangePolicy", ("Recursive",))


def host_users(spec: Json, path: str) -> Errors:
    """Judge what a pod with users of its own may not have of its host."""
    if spec.get("hostUsers") is not False:
        return
    for name, field_name in (("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC")):
        if spec.get(name):
            yield fields.forbidden(f"{path}.{field_name}", OWN_USERS)
    for member in ("initContainers", "containers", "ephemeralContainers"):
        for number, container in enumerate(spec.get(member) or ()):
            if container.get("volumeDevices"):
                yield fields.forbidden(f"{path}.{member}[{number}].volumeDevices", OWN_USERS)


def _app_armor(profile: Json, path: str) -> Errors:
    if profile is None:
        return
    kind, local, where = profile.get("type", ""), profile.get("localhostProfile"), f"{path}.localhostProfile"
    if not kind:
        yield fields.required(f"{path}.type", "type is required when appArmorProfile is set")
    else:
        yield from basics.optional_choice(kind, f"{path}.type", SECCOMP)
    if kind in {"RuntimeDefault", "Unconfined"} and local is not None:
        yield fields.invalid(where, local, "can only be set when AppArmor type is Localhost")
    if kind != "Localhost":
        return
    if not local:
        yield fields.required(where, "must be set when AppArmor type is Localhost")
    elif local != local.strip():
        yield fields.invalid(where, local, "must not be padded with whitespace")
    if len(local or "") > LONGEST_PROFILE:
        yield fields.too_long(where, LONGEST_PROFILE)


def _policy(context: Json, path: str, name: str, allowed: tuple[str, ...]) -> Errors:
    yield from basics.optional_choice(context.get(name), f"{path}.{name}", allowed)


def _number(value: int | None, path: str) -> Errors:
    if value is not None and not 0 <= value <= basics.INT32_MAX:
        yield fields.invalid(path, value, RANGE)


def _seccomp(profile: Json, path: str) -> Errors:
    if profile is None:
        return
    if not profile.get("type"):
        yield fields.required(f"{path}.type", "type is required when seccompProfile is set")
    else:
        yield from basics.optional_choice(profile["type"], f"{path}.type", SECCOMP)
    local, where = profile.get("localhostProfile"), f"{path}.localhostProfile"
    if profile.get("type") != "Localhost":
        if local is not None:
            go_struct = to_go_struct("core.v1.SeccompProfile", profile)
            yield fields.invalid(where, go_struct, "can only be set when seccomp type is Localhost")
    elif local is None:
        yield fields.required(where, "must be set when seccomp type is Localhost")
    else:
        yield from paths.descending(local, where)


def _sysctls(sysctls: list[Json], path: str) -> Errors:
    names: set[str] = set()
    for number, sysctl in enumerate(sysctls):
        item_path, name = f"{path}[{number}].name", sysctl.get("name", "")
        if not name:
            yield fields.required(item_path)
        elif len(name) > SYSCTL_LIMIT or not SYSCTL.fullmatch(name):
            why = f"must have at most {SYSCTL_LIMIT} characters and match regex {SYSCTL_PATTERN}"
            yield fields.invalid(item_path, name, why)
        elif name in names:
            yield fields.duplicate(item_path, name)
        names.add(name)
