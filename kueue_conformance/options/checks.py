"""Which options go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..base.errors import UsageError
from ..scenarios import capability, dialect
from .settings import API_SERVER, UPGRADE, UPGRADE_OF_SUBJECT
from .values import is_real

_HINTS = {
    capability.CHECK_CONTROLLER: "leave --subject out, or use --profile CHECK-CONTROLLER",
    capability.JOB_INTEGRATION: "judge it with `run --profile JOB-INTEGRATION`; `explore` works with check controllers alone",
}
"""What to do with a subject of another role."""


def check_subject(role: str, profiles: tuple[str, ...]) -> None:
    """Check that a subject of this role (empty: none is named) is judged by every profile, and that a check
    controller is named where one is judged. Raises UsageError.
    """
    others = [name for name in profiles if not capability.PROFILES[name].takes(role)]
    if role and others:
        raise UsageError(
            f"--subject names {_with_article(role)}, but {', '.join(others)} judges {_with_article(capability.PROFILES[others[0]].judges)}",
            hint=_HINTS[role],
        )
    lacking = [name for name in profiles if capability.PROFILES[name].needs_subject and not role]
    if lacking:
        raise UsageError(
            f"profile {lacking[0]} judges a check controller, and no subject is given",
            hint='add --subject "process:./my-controller" --controller-name acme.io/budget',
        )


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "AEIOUa" else f"a {noun}"


def check_api_server(
    profiles: tuple[str, ...], raw: Mapping[str, str], dialects: Sequence[dialect.Dialect]
) -> None:
    """Check that the profile of API servers is alone, without a control plane and with one dialect.

    Raises UsageError.
    """
    if API_SERVER in profiles and len(profiles) > 1:
        raise UsageError(
            f"profile {API_SERVER} judges a cluster without Kueue, the other profiles one with it",
            hint=f"run it alone: --profile {API_SERVER}",
        )
    if profiles == (API_SERVER,) and raw["control-plane"] not in ("", "none"):
        raise UsageError(
            f"--control-plane {raw['control-plane']} is a control plane, and profile {API_SERVER} judges a cluster without it",
            hint="leave --control-plane out",
        )
    if profiles == (API_SERVER,) and len(dialects) > 1:
        raise UsageError(
            f"--dialect {raw['dialect']!r} names dialects of Kueue, and profile {API_SERVER} judges a cluster without it",
            hint="leave --dialect out",
        )


def check_upgrade(
    upgrade_from: dialect.Dialect | None,
    profiles: tuple[str, ...],
    dialects: Sequence[dialect.Dialect],
    raw: Mapping[str, str],
    *,
    named: bool,
) -> None:
    """Check that an upgrade has a profile that judges it, control planes that can be replaced, and two
    releases. Raises UsageError.
    """
    former, control_plane = raw["upgrade-from"], raw["control-plane"]
    real = [text for text in (former, control_plane) if is_real(text)]
    if upgrade_from is None and former not in real:
        return
    name = f"--upgrade-from {upgrade_from.version if upgrade_from else former}"
    if not any(capability.UPGRADES in capability.PROFILES[profile].needs for profile in profiles):
        profile = UPGRADE_OF_SUBJECT if named else UPGRADE
        raise UsageError(
            f"{name} is for profile {profile}, and {', '.join(profiles)} judges one release",
            hint=f"leave --profile out, or add {profile} to it",
        )
    _check_cluster_of_upgrade(name, raw["backend"], real)
    if control_plane not in ("", "reference", *real):
        raise UsageError(
            f"{name} replaces one release by another, of the reference or a real Kueue, and --control-plane is {control_plane}",
            hint="leave --control-plane out, or name a real Kueue: upstream:manifests=kueue.yaml,command=./kueue",
        )
    # A real Kueue says its release when it starts, and is compared then.
    if former == control_plane or (upgrade_from in dialects and not real):
        raise UsageError(
            f"{name} is the release of {'--control-plane' if real else '--dialect'}: nothing would change",
            hint="name two releases, such as --upgrade-from 0.19.2 --dialect 0.20.7",
        )


def _check_cluster_of_upgrade(name: str, backend: str, real: Sequence[str]) -> None:
    """Check that the run starts both control planes, on a cluster that is its own. Raises UsageError."""
    if backend not in (("envtest",) if real else ("fake", "envtest")):
        raise UsageError(
            f"{name} needs a cluster of the harness, and --backend {backend} is one that others may use, whose Kueue is not replaced"
            if backend != "fake"
            else f"{name} with a real Kueue needs a real API server, and --backend is fake",
            hint="use --backend envtest with -n 0" if real else "use --backend fake, or envtest with -n 0",
        )
    for text in real:
        if "manifests=" not in text or "command=" not in text:
            raise UsageError(
                f"{name}: {text} cannot take part in an upgrade: the run starts each manager itself, and replaces the definitions of its release",
                hint="name both: upstream:manifests=kueue.yaml,command=./kueue",
            )


def check_dialects(dialects: str, backend: str, selected: Sequence[dialect.Dialect]) -> None:
    """Check that a cluster that exists has one dialect of each family. Raises UsageError."""
    families = [selected_dialect.family for selected_dialect in selected]
    if backend != "fake" and len(families) > len(set(families)):
        raise UsageError(
            f"--dialect {dialects!r} names several dialects, but backend {backend!r} is one cluster with one of them",
            hint="name one dialect, such as --dialect v0.19",
        )


def check_upstream(control_plane: str, backend: str) -> None:
    """Check that a real Kueue has a cluster in real time. Raises UsageError."""
    if is_real(control_plane) and backend == "fake":
        raise UsageError(
            f"--control-plane {control_plane} works in real time, and backend 'fake' gives each case a cluster and a clock of its own",
            hint="use --backend envtest, kind or kubeconfig:PATH",
        )


def check_jobs(kind: str, control_plane: str) -> None:
    """Check that no Kueue follows the kind of jobs that the subject integrates: each would undo what the
    other does. Raises UsageError.
    """
    words = control_plane.partition(":")[2] if is_real(control_plane) else ""
    # A command has no key before it, and may have options such as --zap-log-level=2.
    is_command = bool(words) and not words.startswith(("manifests=", "images="))
    if kind != "Job.batch" or control_plane in ("", "reference") or is_command or "command=" in words:
        return
    raise UsageError(
        f"the subject integrates Jobs of batch/v1, and so does the Kueue of --control-plane {control_plane}: both would follow the same Jobs",
        hint="use a Kueue that the run starts, which leaves Jobs alone: --control-plane reference, or upstream:manifests=kueue.yaml,command=./kueue",
    )


def check_own_integration(beside: bool, raw: Mapping[str, str]) -> None:
    """Check that job integrations are judged beside other profiles only where each case has a Kueue of its
    own, which follows Jobs in the cases of the others alone. Raises UsageError.
    """
    words = {"backend": (raw["backend"], "fake"), "control-plane": (raw["control-plane"], "reference")}
    for option, (word, needed) in words.items():
        if beside and word not in ("", needed):
            raise UsageError(
                f"--{option} {word} is one Kueue for all cases, and profile JOB-INTEGRATION judges an integration of Jobs beside a Kueue that leaves Jobs alone, the other profiles a Kueue that follows them",
                hint="run it alone: --profile JOB-INTEGRATION",
            )
