"""The checks of level restricted: what is good practice beyond baseline (FK-317)."""

from __future__ import annotations

from ...base.json_types import Json
from .baseline import SECCOMP_PROFILES, Annotations, CheckPod, seccomp_profile
from .violations import Violation, containers, context, plural, quote_all, setters, uses, with_noun

VOLUMES = frozenset(
    [
        "configMap",
        "csi",
        "downwardAPI",
        "emptyDir",
        "ephemeral",
        "image",
        "persistentVolumeClaim",
        "projected",
        "secret",
    ]
)
DROP_ALL = 'must set securityContext.capabilities.drop=["ALL"]'


def not_on_windows(check: CheckPod) -> CheckPod:
    """Return a check that pods for Windows need not pass, which cannot set what it asks for."""

    def skipping(annotations: Annotations, spec: Json) -> Violation | None:
        is_windows = (spec.get("os") or {}).get("name") == "windows"
        return None if is_windows else check(annotations, spec)

    return skipping


def not_in_user_namespaces(check: CheckPod) -> CheckPod:
    """Return a check that pods need not pass whose users are none of the node."""

    def skipping(annotations: Annotations, spec: Json) -> Violation | None:
        return None if spec.get("hostUsers") is False else check(annotations, spec)

    return skipping


def privilege_escalation(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that no process may get more rights than its parent."""
    del annotations
    names = [
        container["name"]
        for container in containers(spec)
        if context(container).get("allowPrivilegeEscalation") is not False
    ]
    detail = f"{with_noun(names)} must set securityContext.allowPrivilegeEscalation=false"
    return Violation("allowPrivilegeEscalation != false", detail) if names else None


def capability_drops(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that containers drop all capabilities and add none but that of low ports."""
    del annotations
    keeping: list[str] = []
    adding: list[str] = []
    extra: set[str] = set()
    for container in containers(spec):
        capabilities = context(container).get("capabilities") or {}
        if "ALL" not in (capabilities.get("drop") or ()):
            keeping.append(container["name"])
        if added := {name for name in capabilities.get("add") or () if name != "NET_BIND_SERVICE"}:
            adding.append(container["name"])
            extra |= added
    details = [f"{with_noun(keeping)} {DROP_ALL}"] if keeping else []
    if adding:
        details.append(
            f"{with_noun(adding)} must not include {quote_all(sorted(extra))} in securityContext.capabilities.add"
        )
    return Violation("unrestricted capabilities", "; ".join(details)) if details else None


def volume_types(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that volumes come from the API or from storage that it describes."""
    del annotations
    bad = {
        volume["name"]: next((member for member in volume if member != "name"), "unknown")
        for volume in spec.get("volumes") or ()
        if not VOLUMES & volume.keys()
    }
    if not bad:
        return None
    names, types = [*bad], sorted(set(bad.values()))
    noun = plural("restricted volume type", types)
    return Violation(
        "restricted volume types", f"{with_noun(names, 'volume')} {uses(names)} {noun} {quote_all(types)}"
    )


def non_root(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that containers say that they do not run as root."""
    del annotations
    reason, own = "runAsNonRoot != true", context(spec).get("runAsNonRoot")
    refusing = [
        container["name"] for container in containers(spec) if context(container).get("runAsNonRoot") is False
    ]
    if subject := setters(refusing, pod=own is False):
        return Violation(reason, f"{subject} must not set securityContext.runAsNonRoot=false")
    silent = [
        container["name"] for container in containers(spec) if context(container).get("runAsNonRoot") is None
    ]
    if own or not silent:
        return None
    return Violation(reason, f"pod or {with_noun(silent)} must set securityContext.runAsNonRoot=true")


def user_zero(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that nothing runs as the user 0."""
    del annotations
    names = [container["name"] for container in containers(spec) if context(container).get("runAsUser") == 0]
    subject = setters(names, pod=context(spec).get("runAsUser") == 0)
    return Violation("runAsUser=0", f"{subject} must not set runAsUser=0") if subject else None


def chosen_seccomp_profile(annotations: Annotations, spec: Json) -> Violation | None:
    """Check that containers say which seccomp profile they have, and that it is on."""
    if violation := seccomp_profile(annotations, spec):
        return violation
    silent = [
        container["name"]
        for container in containers(spec)
        if context(container).get("seccompProfile") is None
    ]
    if context(spec).get("seccompProfile") is not None or not silent:
        return None
    choice = " or ".join(quote_all([profile]) for profile in SECCOMP_PROFILES)
    return Violation(
        "seccompProfile",
        f"pod or {with_noun(silent)} must set securityContext.seccompProfile.type to {choice}",
    )
