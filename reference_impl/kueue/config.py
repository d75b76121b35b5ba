"""The configuration of the control plane: API server, dialect, feature gates, times.

The file of `--config` is Kueue's own kind Configuration (config.kueue.x-k8s.io/v1beta2); fields of it that
have no meaning here are accepted and left alone, those that have one are read below (Q-480).
"""

from __future__ import annotations

import ipaddress
import math
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import yaml

from ..api.duration import seconds
from ..api.known_releases import DEFAULT, version_of
from ..api.resource import Json
from ..pods.selectors import matches
from ..runtime.election import Election
from ..runtime.kubeconfig import Connection
from .features import FeatureError, Features
from .managed_namespaces import NAME_LABEL, all_but
from .sharing import PREEMPTION_STRATEGIES, SAMPLING_INTERVAL, AdmissionFairSharing, FairSharing
from .workload.rules import MAX_TIMEOUT_SECONDS, PodsReady

API_VERSION = "config.kueue.x-k8s.io/v1beta2"
KIND = "Configuration"
PODS_READY_TIMEOUT_SECONDS = 1800.0
VISIBILITY_PORT = 8082
VISIBILITY_FOLDER = Path("/visibility")
SYSTEM_NAMESPACE = "kube-system"
WEBHOOK_SERVICE = "kueue-webhook-service"
WEBHOOK_SECRET = "kueue-webhook-server-cert"  # noqa: S105 a name
ADMISSION, JOBS, PROVISIONING_CHECK = "admission", "jobs", "provisioning-check"
PARTS = (ADMISSION, JOBS, PROVISIONING_CHECK)
"""The parts that may run: queues and Workloads with the scheduler, the integration of Jobs, the check that
asks for capacity.
"""


class ConfigError(ValueError):
    """A configuration that cannot be used; the text names the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a configuration file may say. `pods_ready` is None when pods are not waited for.

    `retention` is for how long finished Workloads are kept, in seconds; None keeps them (AC-320).
    `webhook_port` is None without webhooks, 0 for any free port; they are called at this machine, or through
    a Service. `webhook_secret` is where their certificate is shared with other replicas; without, it lives as
    long as the process. `fair_sharing` and `admission_fair_sharing` are None where shares, or what
    LocalQueues have used, decide nothing (Q-482). `visibility_address` is where the visibility server listens
    (`HOST:PORT`, port 0 for any free one); empty: nowhere (VIS-003).
    """

    features: Features = field(default_factory=Features)
    pods_ready: PodsReady | None = field(default_factory=PodsReady)
    retention: float | None = None
    manage_jobs_without_queue_name: bool = False
    managed_jobs_namespace_selector: Json | None = None
    """The namespaces whose Jobs are managed; None: all but `kube-system` and that of Kueue (AC-339)."""
    leader_election: bool = True
    election: Election = field(default_factory=Election)
    namespace: str = "kueue-system"
    metrics_address: str = ""
    health_address: str = ""
    webhook_port: int | None = None
    webhook_service: str = ""
    webhook_secret: str = ""
    visibility_address: str = ""
    visibility_cert_dir: Path | None = None
    """Where the certificate of the visibility server is; None: it has one of its own."""
    fair_sharing: FairSharing | None = None
    admission_fair_sharing: AdmissionFairSharing | None = None


DEACTIVATED, FINISHED = REJECT_MODES = ("deactivated", "finished")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config(Settings):
    """Everything that a manager needs to know."""

    connection: Connection
    dialect: str = DEFAULT
    defects: bool = True
    visibility_apf: bool = False
    """Whether `--install` brings along what limits the requests for pending Workloads."""
    alpha_apis: bool = False
    """Whether `--install` brings the kinds of v1alpha1 along (KV-63)."""
    book_capacity: bool = False
    """Preempt as soon as quota is reserved, whatever the checks' policies: the KEP's BookCapacity (AC-463).
    """
    reject_mode: str = DEACTIVATED
    """What a Workload is that a check has rejected under KEP-993, one of `REJECT_MODES` (AC-483)."""
    parts: frozenset[str] = frozenset(PARTS)
    requests_of: str = "ca"
    """The vendor of the ProvisioningRequest definition that is
    installed where there is none; empty: none is installed.
    """
    log_level: str = "warning"
    seed: int = 0

    def __post_init__(self) -> None:
        self.gates.check()

    @property
    def gates(self) -> Features:
        """The feature gates, with the defaults of the dialect."""
        return replace(self.features, version=version_of(self.dialect))

    @property
    def namespace_selector(self) -> Json:
        """The selector of the namespaces in which Jobs are managed."""
        selector = self.managed_jobs_namespace_selector
        return all_but(SYSTEM_NAMESPACE, self.namespace) if selector is None else selector

    @classmethod
    def of(cls, settings: Settings, **chosen: Any) -> Config:
        """Return the settings of a file with chosen values, which win over those of the file."""
        values = {field.name: getattr(settings, field.name) for field in fields(settings)}
        return cls(**{**values, **chosen})


def read(path: Path) -> Settings:
    """Read a configuration file; raises ConfigError."""
    try:
        raw = yaml.safe_load(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"cannot read configuration {path}: {error.strerror}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"configuration {path} is not YAML: {' '.join(str(error).split())}") from None
    try:
        return settings_of(raw)
    except (ConfigError, FeatureError) as error:
        raise ConfigError(f"configuration {path}: {error}") from None


def settings_of(raw: Json) -> Settings:
    """Read a Configuration object."""
    if not isinstance(raw, dict):
        raise ConfigError(f"expected an object of kind {KIND}")
    if (raw.get("apiVersion"), raw.get("kind")) != (API_VERSION, KIND):
        raise ConfigError(
            f"expected apiVersion {API_VERSION} and kind {KIND}, "
            f"found {raw.get('apiVersion')!r} and {raw.get('kind')!r}"
        )
    manager = raw.get("manager") or raw
    leader = _section(manager, "leaderElection")
    return Settings(
        features=Features(_section(raw, "featureGates")),
        pods_ready=_pods_ready(raw),
        retention=_duration(_section(_section(raw, "objectRetentionPolicies"), "workloads"), "afterFinished"),
        manage_jobs_without_queue_name=_of(raw, "manageJobsWithoutQueueName", bool, default=False),
        managed_jobs_namespace_selector=_namespace_selector(raw),
        leader_election=_of(leader, "leaderElect", bool, default=True),
        election=_election(leader),
        namespace=_of(raw, "namespace", str, default="kueue-system"),
        metrics_address=_of(_section(manager, "metrics"), "bindAddress", str, default=""),
        health_address=_of(_section(manager, "health"), "healthProbeBindAddress", str, default=""),
        visibility_address=_visibility(raw),
        visibility_cert_dir=_visibility_cert_dir(raw),
        fair_sharing=_fair_sharing(raw),
        admission_fair_sharing=_admission_fair_sharing(raw),
        **_webhooks(raw, _section(manager, "webhook")),
    )


def _namespace_selector(raw: Json) -> Json | None:
    """Read the selector of managed namespaces, which must leave those of the system alone (AC-339)."""
    name = "managedJobsNamespaceSelector"
    if raw.get(name) is None:
        return None
    selector = _section(raw, name)
    labels, expressions = (
        _section(selector, "matchLabels"),
        _of(selector, "matchExpressions", list, default=()),
    )
    if not all(isinstance(value, str) for value in labels.values()):
        raise ConfigError(f"{name}.matchLabels: expected texts, found {labels!r}")
    if not all(isinstance(item, dict) and isinstance(item.get("key"), str) for item in expressions):
        raise ConfigError(f"{name}.matchExpressions: expected objects with a key, found {expressions!r}")
    for namespace in SYSTEM_NAMESPACE, _of(raw, "namespace", str, default="kueue-system"):
        try:
            selects = matches(selector, {NAME_LABEL: namespace})
        except ValueError as error:
            raise ConfigError(f"{name}.matchExpressions: {error}") from None
        if selects:
            raise ConfigError(f"{name}: should not match the {namespace!r} namespace")
    return selector


def _visibility(raw: Json) -> str:
    """Read where the visibility server listens (VIS-003)."""
    if raw.get("visibilityServer") is None:
        return ""
    section = _section(raw, "visibilityServer")
    address = _of(section, "bindAddress", str, default="0.0.0.0")  # noqa: S104 the release's default
    port = _of(section, "bindPort", int, default=VISIBILITY_PORT)
    try:
        ipaddress.ip_address(address)
    except ValueError:
        raise ConfigError(
            f"visibilityServer.bindAddress: must be a valid IP address, found {address!r}"
        ) from None
    if not 0 < port < 65536:
        raise ConfigError(f"visibilityServer.bindPort: must be a valid port number (1-65535), found {port}")
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _visibility_cert_dir(raw: Json) -> Path | None:
    """Return where the certificate is when the cluster's administrator keeps it, as in the release."""
    is_internal = _of(_section(raw, "internalCertManagement"), "enable", bool, default=True)
    return None if is_internal or raw.get("visibilityServer") is None else VISIBILITY_FOLDER


def _fair_sharing(raw: Json) -> FairSharing | None:
    """Read how quota is shared; a section of its own switches fair sharing on, unless it says otherwise."""
    section = _section(raw, "fairSharing")
    if raw.get("fairSharing") is None or not _of(section, "enable", bool, default=True):
        return None
    strategies = _of(section, "preemptionStrategies", list, default=None)
    if not strategies:
        return FairSharing()
    if tuple(strategies) not in PREEMPTION_STRATEGIES:
        allowed = " or ".join(f"[{', '.join(strategy)}]" for strategy in PREEMPTION_STRATEGIES)
        raise ConfigError(f"fairSharing.preemptionStrategies: expected {allowed}, found {strategies!r}")
    return FairSharing(preemption_strategies=tuple(strategies))


def _admission_fair_sharing(raw: Json) -> AdmissionFairSharing | None:
    """Read how usage is remembered; an interval of nothing is the default one."""
    if raw.get("admissionFairSharing") is None:
        return None
    section = _section(raw, "admissionFairSharing")
    weights = _section(section, "resourceWeights")
    for name, weight in weights.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < math.inf:
            raise ConfigError(
                f"admissionFairSharing.resourceWeights.{name}: expected a number of at least 0, found {weight!r}"
            )
    return AdmissionFairSharing(
        half_life=_duration(section, "usageHalfLifeTime") or 0.0,
        sampling_interval=_duration(section, "usageSamplingInterval") or SAMPLING_INTERVAL,
        resource_weights={name: float(weight) for name, weight in weights.items()},
    )


def _webhooks(raw: Json, webhook: Json) -> Json:
    """Read how the webhooks are served: only where the certificate is kept by Kueue itself."""
    certificates = _section(raw, "internalCertManagement")
    port = _of(webhook, "port", int, default=None)
    if port is None or not _of(certificates, "enable", bool, default=False):
        return {}
    return {
        "webhook_port": port,
        "webhook_service": _of(certificates, "webhookServiceName", str, default=WEBHOOK_SERVICE),
        "webhook_secret": _of(certificates, "webhookSecretName", str, default=WEBHOOK_SECRET),
    }


def _election(leader: Json) -> Election:
    names = (
        ("lease_duration", "leaseDuration"),
        ("renew_deadline", "renewDeadline"),
        ("retry_period", "retryPeriod"),
    )
    settings = {ours: _duration(leader, name) for ours, name in names}
    try:
        return Election(**{name: seconds for name, seconds in settings.items() if seconds is not None})
    except ValueError as error:
        raise ConfigError(f"leaderElection: {error}") from None


def _pods_ready(raw: Json) -> PodsReady | None:
    section = _section(raw, "waitForPodsReady")
    if section.get("enable") is False:
        return None
    requeuing = _section(section, "requeuingStrategy")
    timeout = _duration(section, "timeout")
    timeout = PODS_READY_TIMEOUT_SECONDS if timeout is None else timeout
    recovery = _duration(section, "recoveryTimeout")
    longest = _duration(section, "maxTimeoutOnWorkload")
    return PodsReady(
        timeout=timeout,
        recovery_timeout=timeout if recovery is None else recovery,
        block_admission=_of(section, "blockAdmission", bool, default=False),
        by_creation=_of(requeuing, "timestamp", str, default="Eviction") == "Creation",
        backoff_limit=_of(requeuing, "backoffLimitCount", int, default=None),
        backoff_base=float(_of(requeuing, "backoffBaseSeconds", int, default=60)),
        backoff_max=float(_of(requeuing, "backoffMaxSeconds", int, default=3600)),
        max_on_workload=MAX_TIMEOUT_SECONDS if longest is None else longest,
    )


def _section(raw: Json, name: str) -> Json:
    return _of(raw, name, dict, default=None) or {}


def _of(raw: Json, name: str, kind: type, *, default: Json) -> Json:
    value = raw.get(name)
    if value is None:
        return default
    if type(value) is not kind:
        raise ConfigError(f"{name}: expected {kind.__name__}, found {value!r}")
    return value


def _duration(raw: Json, name: str) -> float | None:
    """Read a Go duration such as 30m or 1h30m, None when there is none."""
    text = _of(raw, name, str, default=None)
    if text is None:
        return None
    try:
        return seconds(text)
    except ValueError as error:
        raise ConfigError(f"{name}: {error}") from None
