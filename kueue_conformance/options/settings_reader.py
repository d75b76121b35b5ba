"""The settings of a run from the command line, the environment and the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .. import expectations
from ..base import resources
from ..base.cluster_options import ClusterOptions, cluster_options
from ..base.errors import Problems
from ..expectations import Expectations
from ..scenarios import capability, dialect
from ..scenarios.outcome import Level
from ..subject.declaration import Declaration, declare
from . import checks, values
from . import shard as shards
from .settings import API_SERVER, UPGRADE, UPGRADE_OF_SUBJECT, Settings
from .table import BY_KEY, effective
from .values import CASES, EVIDENCE, STORIES, patterns_of, words_of

SHIPPED = resources.PACKAGE / "data" / "upstream.yaml"
"""The shipped expectations for real Kueues."""
OWN_INTEGRATION = resources.PACKAGE / "data" / "job_integration" / "subject.yaml"
"""The subject file of the integration that is judged where none is named: that of the reference."""
NO_EXPECTATIONS = "none"


def read(option_values: Mapping[str, str | None], *, seed: int) -> Settings:
    """Return the settings for the given options; `seed` is used when none is given.

    Raises UsageError with all problems.
    """
    raw, problems = effective(option_values), Problems()
    judged = _read_judged(raw, problems)
    subject, profiles = judged.subject, judged.profiles
    no_dialect: tuple[dialect.Dialect, ...] = ()
    dialects = problems.of(lambda: values.dialects(raw["dialect"], profiles), no_dialect)
    dialects = problems.of(lambda: values.with_gates(raw["feature-gates"], dialects), dialects)
    upgrade_from = problems.of(lambda: values.upgrade_from(raw["upgrade-from"]), None)
    _check_combinations(raw, judged, dialects, upgrade_from, problems)
    backend = problems.of(lambda: values.backend(raw["backend"]), "")
    shard = problems.of(lambda: shards.read_shard(raw["shard"], raw["shard-costs"]), None)
    seed = shards.SEED if shard is not None else seed
    folder = Path(raw["report-dir"]).absolute() if raw["report-dir"] else None
    settings = Settings(
        backend=backend,
        control_plane=raw["control-plane"] or _default_control_plane(raw["backend"], profiles),
        autoscaler=raw["autoscaler"],
        subject=subject,
        own_integration=judged.own_integration,
        profiles=profiles,
        dialects=dialects,
        select=patterns_of(raw["select"]),
        exclude=patterns_of(raw["exclude"]),
        strict=bool(raw["strict"]),
        levels=problems.of(lambda: values.levels(raw["level"]), frozenset(Level)),
        timeout_scale=problems.of(lambda: values.scale(raw["timeout-scale"]), 1.0),
        watch_delay_seed=problems.of(lambda: values.watch_delay_seed(raw["watch-delays"]), None),
        repeat=problems.of(lambda: values.repeat(raw["repeat"]), 1),
        shard=shard,
        upgrade_from=upgrade_from,
        former_control_plane=values.former_control_plane(raw["upgrade-from"], raw["control-plane"]),
        cases=problems.of(lambda: values.one_of("cases", raw["cases"], CASES), "shared"),
        seed=problems.of(lambda: values.seed(raw["seed"]), seed) if raw["seed"] else seed,
        report_dir=folder,
        evidence=problems.of(
            lambda: values.one_of("evidence", raw["evidence"] or ("all" if subject else "failed"), EVIDENCE),
            "",
        ),
        stories=problems.of(lambda: values.one_of("stories", raw["stories"], STORIES), ""),
        cluster_options=problems.of(lambda: cluster_options(raw, folder), ClusterOptions()),
        allow_fake_assets=bool(raw["allow-fake-assets"]),
        allow_neighbours=bool(raw["allow-neighbours"]),
        at_rest=bool(raw["at-rest"]),
        expectations=problems.of(lambda: expectations.read(_expectation_files(raw)), Expectations()),
        metrics_address=raw["metrics-address"],
        changed_options={key: value for key, value in raw.items() if value and value != BY_KEY[key].default},
    )
    problems.end()
    return settings


@dataclass(frozen=True, slots=True)
class _Judged:
    """What a run judges."""

    subject: Declaration | None
    role: str
    """What the subject is; empty where a control plane is judged."""
    named: bool
    """Whether the options name the subject."""
    profiles: tuple[str, ...]
    own_integration: Declaration | None = None
    """The job integration of one profile, beside others that judge no subject."""

    @property
    def job_kind(self) -> str:
        """The kind of jobs that the subject integrates, such as `Job.batch`; empty for a check controller."""
        kind = self.subject.job_kind if self.subject else None
        return f"{kind.kind}.{kind.group}" if kind else ""


def _read_judged(raw: Mapping[str, str], problems: Problems) -> _Judged:
    """Read which subject is judged, in which role, by which profiles."""
    subject = problems.of(lambda: declare(raw["subject"], raw["subject-file"], raw["controller-name"]), None)
    named = bool(raw["subject"] or raw["subject-file"])
    role = subject.role if subject is not None else capability.CHECK_CONTROLLER if named else ""
    none: tuple[str, ...] = ()
    profiles = problems.of(lambda: values.profiles(raw["profile"] or _default_profile(raw, role)), none)
    judges_integrations = [capability.PROFILES[name].takes(capability.JOB_INTEGRATION) for name in profiles]
    if named or not any(judges_integrations):
        return _Judged(subject, role, named, profiles)
    own_integration = problems.of(lambda: declare("", str(OWN_INTEGRATION), ""), None)
    if all(judges_integrations):
        return _Judged(own_integration, capability.JOB_INTEGRATION, named, profiles)
    return _Judged(subject, role, named, profiles, own_integration)


def _check_combinations(
    raw: Mapping[str, str],
    judged: _Judged,
    dialects: tuple[dialect.Dialect, ...],
    upgrade_from: dialect.Dialect | None,
    problems: Problems,
) -> None:
    """Check the options that depend on each other."""
    profiles = judged.profiles
    for check in (
        lambda: checks.check_upgrade(upgrade_from, profiles, dialects, raw, named=judged.named),
        lambda: checks.check_subject(judged.role, profiles),
        lambda: checks.check_api_server(profiles, raw, dialects),
        lambda: checks.check_dialects(raw["dialect"], raw["backend"], dialects),
        lambda: checks.check_upstream(raw["control-plane"], raw["backend"]),
        lambda: checks.check_jobs(judged.job_kind, raw["control-plane"]),
        lambda: checks.check_own_integration(judged.own_integration is not None, raw),
    ):
        problems.of(check, None)


def _default_profile(raw: Mapping[str, str], role: str) -> str:
    if raw["upgrade-from"]:
        return UPGRADE_OF_SUBJECT if role else UPGRADE
    if role == capability.JOB_INTEGRATION:
        return "JOB-INTEGRATION"
    return "CHECK-CONTROLLER" if role else "ADMISSION"


def _expectation_files(raw: Mapping[str, str]) -> list[Path]:
    """Return the named files, followed by the shipped expectations where a real Kueue is judged."""
    shipped_files = [SHIPPED] if values.is_real(raw["control-plane"]) else []
    words = words_of(raw["expectations"])
    return [*map(Path, words), *shipped_files] if words != (NO_EXPECTATIONS,) else []


def _default_control_plane(backend: str, profiles: tuple[str, ...]) -> str:
    if profiles == ("CHECK-CONTROLLER",):
        return "scripted"
    if profiles == (API_SERVER,) or all(
        capability.PROFILES[profile_name].judges_autoscaler for profile_name in profiles
    ):
        return "none"
    return "reference" if backend in ("fake", "envtest", "kind") else ""
