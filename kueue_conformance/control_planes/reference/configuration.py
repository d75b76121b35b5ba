"""The reference's configuration for scenarios that need features."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from ...base.errors import UsageError
from ...scenarios.dialect import Dialect
from .. import (
    ADMISSION_FAIR_SHARING,
    ADMITTED_WORKLOADS,
    BLOCKED_ADMISSION,
    FAIR_SHARING,
    LIMITED_REQUEUING,
    MANAGED_NAMESPACES,
    OBJECT_RETENTION,
    SHORT_RECOVERY,
    UNMANAGED,
    WORKLOAD_TIMEOUTS,
)

if TYPE_CHECKING:
    from reference_impl.kueue.features import Features

HALF_LIFE_SECONDS = 600.0
SAMPLING_SECONDS = 120.0
RETENTION_SECONDS = 3600.0
RECOVERY_SECONDS = 60.0
MANAGED = {
    "matchExpressions": [
        {
            "key": "kubernetes.io/metadata.name",
            "operator": "NotIn",
            "values": ["kube-system", "kueue-system"],
        },
        {"key": UNMANAGED, "operator": "DoesNotExist"},
    ]
}
"""The namespaces whose Jobs are managed."""
ADMITTED_GATE = "VisibilityAdmittedWorkloads"


def settings(features: Collection[str]) -> Mapping[str, Any]:
    """Return the configuration fields that switch on the given features."""
    from reference_impl.kueue.sharing import AdmissionFairSharing, FairSharing
    from reference_impl.kueue.workload.rules import PodsReady

    memory = AdmissionFairSharing(half_life=HALF_LIFE_SECONDS, sampling_interval=SAMPLING_SECONDS)
    fields_of_features = {
        FAIR_SHARING: ("fair_sharing", FairSharing()),
        ADMISSION_FAIR_SHARING: ("admission_fair_sharing", memory),
        BLOCKED_ADMISSION: ("pods_ready", PodsReady(block_admission=True)),
        LIMITED_REQUEUING: ("pods_ready", PodsReady(backoff_limit=1)),
        SHORT_RECOVERY: ("pods_ready", PodsReady(recovery_timeout=RECOVERY_SECONDS)),
        OBJECT_RETENTION: ("retention", RETENTION_SECONDS),
        MANAGED_NAMESPACES: ("managed_jobs_namespace_selector", MANAGED),
    }
    # Sorted, since several features share the field pods_ready: the last one wins in each run.
    return dict(fields_of_features[name] for name in sorted(features) if name in fields_of_features)


def feature_gates(dialect: Dialect, features: Collection[str], *, provisioning: bool = False) -> Features:
    """Return the feature gates: those of the run, and those that a case needs on where the run says nothing.

    Raises UsageError for a gate that the reference cannot have so.
    """
    from reference_impl.api.known_releases import version_of
    from reference_impl.kueue.composition import PROVISIONING_GATE, TIMEOUTS_GATE
    from reference_impl.kueue.features import FeatureError, Features, gates_of

    needed = {
        PROVISIONING_GATE: provisioning,
        ADMITTED_GATE: ADMITTED_WORKLOADS in features,
        TIMEOUTS_GATE: WORKLOAD_TIMEOUTS in features,
    }
    version = version_of(dialect.name)
    # Gates of features belong to no release, or to those that know them.
    known = {PROVISIONING_GATE, ADMITTED_GATE, *gates_of(version)}
    added = {name: True for name, is_needed in needed.items() if is_needed and name in known}
    chosen = {**added, **dialect.gates}
    try:
        features_of_run = Features(chosen, version)
        features_of_run.check()
    except FeatureError as error:
        raise UsageError(
            f"--feature-gates: {error}", hint="name gates that the reference has as they are set"
        ) from error
    return features_of_run
