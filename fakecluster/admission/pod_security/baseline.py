"""The checks of level baseline: no known way from a pod to its node (FK-317)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from ...base.json_types import Json
from ...schema.fields import go_quote
from .violations import Violation, containers, context, plural, quote_all, setters, uses, with_noun

Annotations: TypeAlias = Mapping[str, str]
CheckPod: TypeAlias = Callable[[Annotations, Json], Violation | None]
"""(annotations of the pod, its spec) → what the check has against it."""

APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/"
SECCOMP_POD, SECCOMP_CONTAINER = (
    "seccomp.security.alpha.kubernetes.io/pod",
    "container.seccomp.security.alpha.kubernetes.io/",
)
SECCOMP_PROFILES = ("RuntimeDefault", "Localhost")
CAPABILITIES = frozenset(
    [
        "AUDIT_WRITE",
        "CHOWN",
        "DAC_OVERRIDE",
        "FOWNER",
        "FSETID",
        "KILL",
        "MKNOD",
        "NET_BIND_SERVICE",
        "SETFCAP",
        "SETGID",
        "SETPCAP",
        "SETUID",
        "SYS_CHROOT",
    ]
)
HOST_NAMESPACES = ("hostNetwork", "hostPID", "hostIPC")
PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
LIFECYCLE_HOOKS = ("postStart", "preStop")


def app_armor_profile(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that no AppArmor profile is switched off."""
    names, values, pod = _profile_setters(spec, "appArmorProfile")
    texts = sorted(
        f"{key}={go_quote(value)}"
        for key, value in annotations.items()
        if key.startswith(APP_ARMOR)
        and value not in {"", "runtime/default"}
        and not value.startswith("localhost/")
    )
    subject = " and ".join(
        filter(None, [setters(names, pod=pod), plural("annotation", texts) if texts else ""])
    )
    if not subject:
        return None
    bad = [*sorted(values), *texts]
    return Violation(
        plural("forbidden AppArmor profile", bad),
        f"{subject} must not set AppArmor profile type to {quote_all(bad)}",
    )


def _profile_setters(spec: Json, member: str) -> tuple[list[str], set[str], bool]:
    """Return the containers with a bad profile, all bad types, and whether the pod has one."""
    values: set[str] = set()

    def is_bad(scope: Json) -> bool:
        profile = context(scope).get(member)
        if profile is None or profile.get("type", "") in SECCOMP_PROFILES:
            return False
        values.add(profile.get("type", ""))
        return True

    pod = is_bad(spec)
    return [container["name"] for container in containers(spec) if is_bad(container)], values, pod


def capabilities(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that containers add no capabilities beyond the common ones."""
    del annotations
    added = {
        container["name"]: frozenset((context(container).get("capabilities") or {}).get("add") or ())
        - CAPABILITIES
        for container in containers(spec)
    }
    names = [name for name, extra in added.items() if extra]
    if not names:
        return None
    extra = quote_all(sorted(frozenset().union(*added.values())))
    return Violation(
        "non-default capabilities",
        f"{with_noun(names)} must not include {extra} in securityContext.capabilities.add",
    )


def host_namespaces(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that the pod does not share namespaces of its node."""
    del annotations
    shared = [f"{name}=true" for name in HOST_NAMESPACES if spec.get(name)]
    return Violation("host namespaces", ", ".join(shared)) if shared else None


def host_path_volumes(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that no volume is a folder of the node."""
    del annotations
    names = [volume["name"] for volume in spec.get("volumes") or () if volume.get("hostPath") is not None]
    return Violation("hostPath volumes", with_noun(names, "volume")) if names else None


def host_ports(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that no port of the node is taken."""
    del annotations
    taken = {
        container["name"]: {
            str(port["hostPort"]) for port in container.get("ports") or () if port.get("hostPort")
        }
        for container in containers(spec)
    }
    names = [name for name, ports in taken.items() if ports]
    if not names:
        return None
    ports = sorted(set().union(*taken.values()))
    return Violation(
        "hostPort", f"{with_noun(names)} {uses(names)} {plural('hostPort', ports)} {', '.join(ports)}"
    )


def probe_hosts(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that probes and hooks ask the pod itself."""
    del annotations
    hosts_of = {container["name"]: set(_hosts(container)) for container in containers(spec)}
    names = sorted(name for name, hosts in hosts_of.items() if hosts)
    if not names:
        return None
    hosts = sorted(set().union(*hosts_of.values()))
    noun = plural("probe or lifecycle host", hosts)
    return Violation("probe or lifecycle host", f"{with_noun(names)} {uses(names)} {noun} {quote_all(hosts)}")


def _hosts(container: Json) -> Iterator[str]:
    lifecycle = container.get("lifecycle") or {}
    handlers = [*(container.get(name) for name in PROBES), *(lifecycle.get(name) for name in LIFECYCLE_HOOKS)]
    for handler in filter(None, handlers):
        for member in ("httpGet", "tcpSocket"):
            if host := (handler.get(member) or {}).get("host"):
                yield host


def privilege(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that no container is privileged."""
    del annotations
    names = [container["name"] for container in containers(spec) if context(container).get("privileged")]
    return (
        Violation("privileged", f"{with_noun(names)} must not set securityContext.privileged=true")
        if names
        else None
    )


def proc_mount(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that /proc is masked."""
    del annotations
    mounts = {
        container["name"]: context(container).get("procMount") or "Default" for container in containers(spec)
    }
    names = [name for name, kind in mounts.items() if kind != "Default"]
    if not names:
        return None
    kinds = quote_all(sorted(set(mounts.values()) - {"Default"}))
    return Violation("procMount", f"{with_noun(names)} must not set securityContext.procMount to {kinds}")


def selinux_options(types: frozenset[str]) -> CheckPod:
    """Return the check that SELinux options have one of some types, and neither user nor role."""

    def check(annotations: Annotations, spec: Json) -> Violation | None:
        del annotations
        bad: dict[str, set[str]] = {"type": set(), "user": set(), "role": set()}

        def is_bad(scope: Json) -> bool:
            options = context(scope).get("seLinuxOptions") or {}
            wrong = {member: options.get(member) for member in ("user", "role")}
            wrong["type"] = None if (options.get("type") or "") in types else options["type"]
            for member, value in wrong.items():
                if value:
                    bad[member].add(value)
            return any(wrong.values())

        pod = is_bad(spec)
        names = [container["name"] for container in containers(spec) if is_bad(container)]
        if not (subject := setters(names, pod=pod)):
            return None
        kinds = sorted(bad["type"])
        problems = [f"{plural('type', kinds)} {quote_all(kinds)}"] if kinds else []
        problems += [f"{member} may not be set" for member in ("user", "role") if bad[member]]
        return Violation(
            "seLinuxOptions", f"{subject} set forbidden securityContext.seLinuxOptions: {'; '.join(problems)}"
        )

    return check


SELINUX_TYPES = frozenset({"", "container_t", "container_init_t", "container_kvm_t"})
SELINUX_TYPES_1_31 = SELINUX_TYPES | {"container_engine_t"}


def seccomp_annotations(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that no annotation switches seccomp off, as was done before v1.19."""
    keys = [SECCOMP_POD, *(f"{SECCOMP_CONTAINER}{container['name']}" for container in containers(spec))]
    bad = sorted(
        {
            f"{key}={go_quote(annotations[key])}"
            for key in keys
            if key in annotations
            and annotations[key] not in {"runtime/default", "docker/default"}
            and not annotations[key].startswith("localhost/")
        }
    )
    return (
        Violation("seccompProfile", f"forbidden {plural('annotation', bad)} {', '.join(bad)}")
        if bad
        else None
    )


def seccomp_profile(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that no seccomp profile is switched off."""
    del annotations
    names, values, pod = _profile_setters(spec, "seccompProfile")
    if not (subject := setters(names, pod=pod)):
        return None
    bad = quote_all(sorted(values))
    return Violation("seccompProfile", f"{subject} must not set securityContext.seccompProfile.type to {bad}")


SYSCTLS = frozenset(
    {
        "kernel.shm_rmid_forced",
        "net.ipv4.ip_local_port_range",
        "net.ipv4.tcp_syncookies",
        "net.ipv4.ping_group_range",
        "net.ipv4.ip_unprivileged_port_start",
    }
)
SYSCTLS_1_27 = SYSCTLS | {"net.ipv4.ip_local_reserved_ports"}
SYSCTLS_1_29 = SYSCTLS_1_27 | {
    "net.ipv4.tcp_keepalive_time",
    "net.ipv4.tcp_fin_timeout",
    "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
}
SYSCTLS_1_32 = SYSCTLS_1_29 | {"net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"}


def sysctls(safe: frozenset[str]) -> CheckPod:
    """Return the check that no kernel parameter but safe ones is set."""

    def check(annotations: Annotations, spec: Json) -> Violation | None:
        del annotations
        names = [
            sysctl["name"] for sysctl in context(spec).get("sysctls") or () if sysctl["name"] not in safe
        ]
        return Violation("forbidden sysctls", ", ".join(names)) if names else None

    return check


def windows_host_process(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that nothing runs as a process of a Windows node."""
    del annotations

    def is_bad(scope: Json) -> bool:
        return bool((context(scope).get("windowsOptions") or {}).get("hostProcess"))

    names = [container["name"] for container in containers(spec) if is_bad(container)]
    subject = setters(names, pod=is_bad(spec))
    detail = f"{subject} must not set securityContext.windowsOptions.hostProcess=true"
    return Violation("hostProcess", detail) if subject else None
