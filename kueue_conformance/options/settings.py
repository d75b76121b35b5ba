"""The settings of a run, and how the report shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..base.cluster_options import ClusterOptions
from ..expectations import Expectations
from ..scenarios import capability, dialect
from ..scenarios.feature_gates import NO_GATES, gates_text
from ..scenarios.outcome import Level
from ..subject.declaration import Declaration
from .shard import Shard

API_SERVER = "API-SERVER"
UPGRADE, UPGRADE_OF_SUBJECT = "UPGRADE", "UPGRADE-CHECK-CONTROLLER"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a run, from command line, environment and defaults."""

    backend: str
    control_plane: str
    autoscaler: str
    subject: Declaration | None
    profiles: tuple[str, ...]
    dialects: tuple[dialect.Dialect, ...]
    select: tuple[str, ...]
    exclude: tuple[str, ...]
    strict: bool
    timeout_scale: float
    seed: int
    report_dir: Path | None
    own_integration: Declaration | None = None
    """The job integration that cases of its profile have as their subject, beside profiles without one."""
    levels: frozenset[Level] = frozenset(Level)
    """The levels of the scenarios that are judged."""
    repeat: int = 1
    shard: Shard | None = None
    """The part of the selected cases that is run; None for all of them."""
    watch_delay_seed: int | None = None
    """Delays what the harness's watches deliver."""
    upgrade_from: dialect.Dialect | None = None
    """The release with which cases of an upgrade begin; None for the line before that of the case, and of a
    real Kueue until it has said its version.
    """
    former_control_plane: str = ""
    """The control plane of that release; empty where `control_plane` plays it too."""
    cases: str = "shared"
    allow_fake_assets: bool = False
    allow_neighbours: bool = False
    at_rest: bool = False
    evidence: str = "none"
    stories: str = "failed"
    cluster_options: ClusterOptions = field(default_factory=ClusterOptions)
    """Options of the cluster that the backend makes."""
    expectations: Expectations = field(default_factory=Expectations)
    metrics_address: str = ""
    """The address of the control plane's metrics; empty where this process reads them directly, or cannot."""
    known_breaches: tuple[str, ...] = ()
    """The safety rules that `explore` does not judge: what lies behind their breaches is looked for."""
    changed_options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The options that differ from their defaults, as given."""

    @property
    def gates(self) -> Mapping[str, bool]:
        """The feature gates of Kueue that were set, or read from the one that is judged."""
        return next((spoken.gates for spoken in self.dialects if spoken.family == "Kueue"), NO_GATES)

    @property
    def with_own_integration(self) -> Settings:
        """The settings of the cases that judge a job integration."""
        return replace(self, subject=self.subject or self.own_integration, own_integration=None)

    @property
    def judges_server(self) -> bool:
        """Whether the API server itself is judged, without a control plane."""
        return self.profiles == (API_SERVER,)

    @property
    def starts_autoscalers(self) -> bool:
        """Only autoscalers are judged, and each case starts its own."""
        judged = all(capability.PROFILES[profile].judges_autoscaler for profile in self.profiles)
        return judged and self.autoscaler not in ("found", "none")


def describe(settings: Settings) -> dict[str, Any]:
    """Return the effective options as the report shows them."""
    return {
        **dict(settings.changed_options),
        **({"feature-gates": gates_text(settings.gates)} if settings.gates else {}),
        "dialect": ",".join(dialect_.name for dialect_ in settings.dialects),
        "seed": settings.seed,
    }


def header_line(settings: Settings) -> str:
    """Return the header line about the options of a run."""
    return f"kueue-conformance: {', '.join(f'{key}={value}' for key, value in describe(settings).items())}"
