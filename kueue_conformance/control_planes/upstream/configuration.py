"""The Configuration of a manager that runs as a process:
that of its manifests, with ports and folders of this machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from ...base.json_types import Json
from ...scenarios.feature_gates import NO_GATES
from ...wire.ports import free_ports
from .. import (
    ADMISSION_FAIR_SHARING,
    ADMITTED_WORKLOADS,
    ALPHA_APIS,
    BLOCKED_ADMISSION,
    FAIR_SHARING,
    LIMITED_REQUEUING,
    MANAGED_NAMESPACES,
    OBJECT_RETENTION,
    SHORT_RECOVERY,
    UNMANAGED,
    WORKLOAD_TIMEOUTS,
)

KIND = "Configuration"
GROUP = "config.kueue.x-k8s.io"
_ALPHA_DEFINITION = "capacityproviders.kueue.x-k8s.io"
_BOTH_STRATEGIES = ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]
_JOBS = "batch/job"
_WITHOUT_MANIFESTS: Mapping[str, Json] = {
    "apiVersion": f"{GROUP}/v1beta1",
    "kind": KIND,
    # By lower limits the client of the manager would hold its writes back, and a case
    # would wait for them.
    "clientConnection": {"qps": 300, "burst": 500},
    "integrations": {"frameworks": [_JOBS]},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The ports of a manager on this machine."""

    webhook: int
    health: int
    metrics: int
    visibility: int

    @classmethod
    def fresh(cls) -> Ports:
        """Return free ports."""
        webhook, health, metrics, visibility = free_ports(4)
        return cls(webhook=webhook, health=health, metrics=metrics, visibility=visibility)


def configuration(
    manifests: Iterable[Json],
    ports: Ports,
    certificates: Path,
    address: str,
    *,
    visibility: bool = False,
    jobs: bool = True,
    gates: Mapping[str, bool] = NO_GATES,
) -> Mapping[str, Json]:
    """Return the Configuration of a manager, with the feature gates of the run.

    It makes its certificates itself, as in a cluster, and the API server reaches it at `address` alone.
    `visibility` has it serve pending Workloads there, at a port that releases since v0.17 can be told.
    Without `jobs` it leaves Jobs to the integration that is judged.
    """
    configuration_of_manifests = configuration_in(manifests) or _WITHOUT_MANIFESTS
    shown = {"visibilityServer": {"bindAddress": address, "bindPort": ports.visibility}}
    return {
        **configuration_of_manifests,
        **(shown if visibility else {}),
        **({} if jobs else {"integrations": _without_jobs(configuration_of_manifests)}),
        "health": {"healthProbeBindAddress": f"127.0.0.1:{ports.health}"},
        "metrics": {
            **(configuration_of_manifests.get("metrics") or {}),
            "bindAddress": f"127.0.0.1:{ports.metrics}",
        },
        "webhook": {"host": address, "port": ports.webhook, "certDir": str(certificates)},
        # The only replica: an election would delay each start.
        "leaderElection": {"leaderElect": False},
        "internalCertManagement": {"enable": True},
        "featureGates": {
            **(configuration_of_manifests.get("featureGates") or {}),
            **gates,
            "VisibilityOnDemand": visibility,
        },
    }


def _without_jobs(configuration_of_manifests: Mapping[str, Json]) -> Json:
    integrations = configuration_of_manifests.get("integrations") or {}
    # Empty and not absent: a manager without the field integrates Jobs.
    frameworks = [name for name in integrations.get("frameworks") or () if name != _JOBS]
    return {**integrations, "frameworks": frameworks}


def features_of(manifests: Iterable[Json]) -> frozenset[str]:
    """Return the members of `CONFIGURABLE` that these manifests switch on."""
    objects = list(manifests)
    configuration_of_manifests = configuration_in(objects) or _WITHOUT_MANIFESTS
    fair, pods = (
        configuration_of_manifests.get("fairSharing"),
        configuration_of_manifests.get("waitForPodsReady") or {},
    )
    waits, requeuing = pods.get("enable", True), pods.get("requeuingStrategy") or {}
    retention = (configuration_of_manifests.get("objectRetentionPolicies") or {}).get("workloads") or {}
    gates = configuration_of_manifests.get("featureGates") or {}
    namespaces = configuration_of_manifests.get("managedJobsNamespaceSelector") or {}
    is_fair = (
        fair is not None
        and fair.get("enable", True)
        # With one strategy alone other Workloads are preempted than the scenarios expect.
        and (fair.get("preemptionStrategies") or _BOTH_STRATEGIES) == _BOTH_STRATEGIES
    )
    switched = {
        FAIR_SHARING: is_fair,
        ADMISSION_FAIR_SHARING: bool(configuration_of_manifests.get("admissionFairSharing")),
        BLOCKED_ADMISSION: bool(waits and pods.get("blockAdmission")),
        LIMITED_REQUEUING: bool(waits and requeuing.get("backoffLimitCount") == 1),
        SHORT_RECOVERY: bool(waits and pods.get("recoveryTimeout") == "1m"),
        OBJECT_RETENTION: retention.get("afterFinished") == "1h",
        MANAGED_NAMESPACES: any(
            expression == {"key": UNMANAGED, "operator": "DoesNotExist"}
            for expression in namespaces.get("matchExpressions") or ()
        ),
        ADMITTED_WORKLOADS: bool(gates.get("VisibilityAdmittedWorkloads")),
        ALPHA_APIS: any(manifest["metadata"]["name"] == _ALPHA_DEFINITION for manifest in objects),
        WORKLOAD_TIMEOUTS: bool(gates.get("WorkloadLevelWaitForPodsReady")),
    }
    return frozenset(name for name, on in switched.items() if on)


def configuration_in(manifests: Iterable[Json]) -> Mapping[str, Json]:
    """Return the Configuration in a ConfigMap of manifests, empty where there is none."""
    for manifest in manifests:
        for text in (manifest.get("data") or {}).values() if manifest["kind"] == "ConfigMap" else ():
            document = _document(text)
            if (
                isinstance(document, dict)
                and document.get("kind") == KIND
                and str(document.get("apiVersion")).startswith(GROUP)
            ):
                return document
    return {}


def _document(text: str) -> Json:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        # Other keys of a ConfigMap are no business of Kueue's, such as a certificate.
        return None
