"""The table of checks: level, and from which version of Kubernetes each is made in which way (FK-317)."""

from __future__ import annotations

from msgspec import Struct

from . import baseline, restricted
from .baseline import CheckPod
from .restricted import not_in_user_namespaces, not_on_windows


class Check(Struct, frozen=True):
    """One check; `overrides` is the check of baseline that it stands in for."""

    name: str
    versions: tuple[tuple[int, CheckPod], ...]
    """From which minor version on, and how."""
    overrides: str = ""

    def at(self, minor: int) -> CheckPod | None:
        """Return how the check is made at a version, None before there was one."""
        revisions = [check for since, check in self.versions if since <= minor]
        return revisions[-1] if revisions else None


BASELINE = (
    Check("appArmorProfile", ((0, baseline.app_armor_profile),)),
    Check("capabilities_baseline", ((0, baseline.capabilities),)),
    Check("hostNamespaces", ((0, baseline.host_namespaces),)),
    Check("hostPathVolumes", ((0, baseline.host_path_volumes),)),
    Check("hostPorts", ((0, baseline.host_ports),)),
    Check("hostProbesAndHostLifecycle", ((34, baseline.probe_hosts),)),
    Check("privileged", ((0, baseline.privilege),)),
    Check("procMount", ((0, baseline.proc_mount), (35, not_in_user_namespaces(baseline.proc_mount)))),
    Check(
        "seLinuxOptions",
        (
            (0, baseline.selinux_options(baseline.SELINUX_TYPES)),
            (31, baseline.selinux_options(baseline.SELINUX_TYPES_1_31)),
        ),
    ),
    Check("seccompProfile_baseline", ((0, baseline.seccomp_annotations), (19, baseline.seccomp_profile))),
    Check(
        "sysctls",
        (
            (0, baseline.sysctls(baseline.SYSCTLS)),
            (27, baseline.sysctls(baseline.SYSCTLS_1_27)),
            (29, baseline.sysctls(baseline.SYSCTLS_1_29)),
            (32, baseline.sysctls(baseline.SYSCTLS_1_32)),
        ),
    ),
    Check("windowsHostProcess", ((0, baseline.windows_host_process),)),
)
RESTRICTED = (
    Check(
        "allowPrivilegeEscalation",
        ((8, restricted.privilege_escalation), (25, not_on_windows(restricted.privilege_escalation))),
    ),
    Check(
        "capabilities_restricted",
        ((22, restricted.capability_drops), (25, not_on_windows(restricted.capability_drops))),
        overrides="capabilities_baseline",
    ),
    Check("procMount_restricted", ((35, baseline.proc_mount),), overrides="procMount"),
    Check("restrictedVolumes", ((0, restricted.volume_types),), overrides="hostPathVolumes"),
    Check("runAsNonRoot", ((0, restricted.non_root), (35, not_in_user_namespaces(restricted.non_root)))),
    Check("runAsUser", ((23, restricted.user_zero), (35, not_in_user_namespaces(restricted.user_zero)))),
    Check(
        "seccompProfile_restricted",
        ((19, restricted.chosen_seccomp_profile), (25, not_on_windows(restricted.chosen_seccomp_profile))),
        overrides="seccompProfile_baseline",
    ),
)
NEWEST_VERSION = max(since for check in (*BASELINE, *RESTRICTED) for since, _ in check.versions)
"""The last version that brought a change; later ones and `latest` mean the same."""
