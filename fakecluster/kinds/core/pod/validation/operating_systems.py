"""What pods may ask for on Linux and on Windows (FK-504)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .....base.json_types import Json
from .....schema import fields
from ....validation import basics
from ....validation.basics import Errors

SYSTEMS = ("linux", "windows")
NOT_ON_WINDOWS = "cannot be set for a windows pod"
NOT_ON_LINUX = "windows options cannot be set for a linux pod"
POD_WIDE = (
    "securityContext.appArmorProfile",
    "securityContext.seLinuxOptions",
    "hostUsers",
    "hostPID",
    "hostIPC",
    "securityContext.seccompProfile",
    "securityContext.fsGroup",
    "securityContext.fsGroupChangePolicy",
    "securityContext.sysctls",
    "shareProcessNamespace",
    "securityContext.runAsUser",
    "securityContext.runAsGroup",
    "securityContext.supplementalGroups",
    "securityContext.supplementalGroupsPolicy",
    "securityContext.seLinuxChangePolicy",
)
SET_WHEN_TRUE = ("hostPID", "hostIPC")
IN_CONTAINERS = (
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
)
ALL_OR_NONE = "If pod contains any hostProcess containers then all containers must be HostProcess containers"
ON_HOST = "hostNetwork must be true if pod contains any hostProcess containers"
LARGEST_CREDENTIAL, LONGEST_DOMAIN, LONGEST_USER = 64 * 1024, 256, 104
CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f]")
NETBIOS = re.compile(r'[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}')
DOMAIN_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
DOMAIN = re.compile(rf"{DOMAIN_LABEL}(?:\.{DOMAIN_LABEL})*")
ONLY_DOTS = re.compile(r"[. ]+")
ILLEGAL_NETBIOS_CHARACTERS = re.compile(r'["/\\:;|=,+*?<>@\[\]]')
NO_STRANGE = "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]"


def judge(spec: Json, path: str) -> Errors:
    """Judge the fields that a pod may set under its operating system."""
    # Without an `os` the pod may be one of either system, and nothing is refused.
    if spec.get("os") is None:
        return
    name = spec["os"].get("name", "")
    if not name:
        yield fields.required(f"{path}.os.name")
    elif name not in SYSTEMS:
        yield fields.not_supported(f"{path}.os", name, list(SYSTEMS))
    elif name == "linux":
        yield from _linux(spec, path)
    else:
        yield from _windows(spec, path)


def _linux(spec: Json, path: str) -> Errors:
    if (spec.get("securityContext") or {}).get("windowsOptions") is not None:
        yield fields.forbidden(f"{path}.securityContext.windowsOptions", NOT_ON_LINUX)
    for context, context_path in _contexts(spec, path):
        if context.get("windowsOptions") is not None:
            yield fields.forbidden(f"{context_path}.windowsOptions", NOT_ON_LINUX)


def _windows(spec: Json, path: str) -> Errors:
    for member in POD_WIDE:
        name = member.rpartition(".")[2]
        holder = spec if name == member else spec.get("securityContext") or {}
        value = holder.get(name)
        # The two booleans are no pointers in Go, so `false` is the same as absent.
        if value if name in SET_WHEN_TRUE else value is not None:
            yield fields.forbidden(f"{path}.{member}", NOT_ON_WINDOWS)
    for context, context_path in _contexts(spec, path):
        for name in IN_CONTAINERS:
            if context.get(name) is not None:
                yield fields.forbidden(f"{context_path}.{name}", NOT_ON_WINDOWS)


def _contexts(spec: Json, path: str) -> Iterator[tuple[Json, str]]:
    """Yield the security context of each container and its path."""
    for member in ("initContainers", "containers", "ephemeralContainers"):
        for number, container in enumerate(spec.get(member) or ()):
            yield container.get("securityContext") or {}, f"{path}.{member}[{number}].securityContext"


def host_process(spec: Json, path: str) -> Errors:
    """Judge containers that are processes of a Windows host: all of a pod are, or none is."""
    host_process = ((spec.get("securityContext") or {}).get("windowsOptions") or {}).get("hostProcess")
    own = []
    for context, context_path in _contexts(spec, path):
        value = (context.get("windowsOptions") or {}).get("hostProcess")
        if host_process is not None and value is not None and value != host_process:
            why = f"pod hostProcess value must be identical if both are specified, was {str(host_process).lower()}"
            yield fields.invalid(f"{context_path}.windowsOptions.hostProcess", value, why)
        # A container's own value overrides that of the pod.
        own.append(host_process if value is None else value)
    if not any(own):
        return
    if not all(own):
        yield fields.invalid(path, "", ALL_OR_NONE)
    if not spec.get("hostNetwork"):
        yield fields.invalid(f"{path}.hostNetwork", False, ON_HOST)


def options(value: Json, path: str) -> Errors:
    """Judge the options of a pod or a container on Windows."""
    if value is None:
        return
    where, credential = f"{path}.gmsaCredentialSpecName", value.get("gmsaCredentialSpec")
    yield from basics.nonempty_name(value.get("gmsaCredentialSpecName"), where, basics.dns_subdomain)
    if credential == "":
        why = "gmsaCredentialSpec cannot be an empty string"
        yield fields.invalid(f"{path}.gmsaCredentialSpec", credential, why)
    elif credential is not None and len(credential.encode()) > LARGEST_CREDENTIAL:
        why = "gmsaCredentialSpec size must be under 64 KiB"
        yield fields.invalid(f"{path}.gmsaCredentialSpec", credential, why)
    user = value.get("runAsUserName")
    for problem in _user_problems(user) if user is not None else ():
        yield fields.invalid(f"{path}.runAsUserName", user, problem)


def _user_problems(text: str) -> Iterator[str]:
    # Split at the last backslash, so that a second one remains in the domain and is found there.
    domain, backslash, user = text.rpartition("\\")
    if not text:
        yield "runAsUserName cannot be an empty string"
        return
    if CONTROL_CHARACTERS.search(text):
        yield "runAsUserName cannot contain control characters"
        return
    if "\\" in domain:
        yield "runAsUserName cannot contain more than one backslash"
        return
    if len(domain) >= LONGEST_DOMAIN:
        yield f"runAsUserName's Domain length must be under {LONGEST_DOMAIN} characters"
    if backslash and not (NETBIOS.fullmatch(domain) or DOMAIN.fullmatch(domain)):
        yield "runAsUserName's Domain doesn't match the NetBios nor the DNS format"
    if not user:
        yield "runAsUserName's User cannot be empty"
    elif len(user) > LONGEST_USER:
        yield f"runAsUserName's User length must not be longer than {LONGEST_USER} characters"
    if ONLY_DOTS.fullmatch(user):
        yield "runAsUserName's User cannot contain only periods or spaces"
    if ILLEGAL_NETBIOS_CHARACTERS.search(user):
        yield NO_STRANGE
