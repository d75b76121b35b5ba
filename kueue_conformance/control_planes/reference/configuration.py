"""The reference's configuration for scenarios that need features."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from .. import (
    ADMISSION_FAIR_SHARING,
    ADMITTED_WORKLOADS,
    BLOCKED_ADMISSION,
    FAIR_SHARING,
    LIMITED_REQUEUING,
    OBJECT_RETENTION,
    SHORT_RECOVERY,
)

HALF_LIFE_SECONDS = 600.0
SAMPLING_SECONDS = 120.0
RETENTION_SECONDS = 3600.0
RECOVERY_SECONDS = 60.0


def settings(features: Collection[str]) -> Mapping[str, Any]:
    """Return the configuration fields that switch on the given features."""
    from reference_impl.kueue.features import Features
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
        ADMITTED_WORKLOADS: ("features", Features({"VisibilityAdmittedWorkloads": True})),
    }
    # Sorted, since several features share the field pods_ready: the last one wins in each run.
    return dict(fields_of_features[name] for name in sorted(features))
