"""What the reference is configured with where a scenario asks for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from .. import ADMISSION_FAIR_SHARING, BLOCKED_ADMISSION, FAIR_SHARING

HALF_LIFE_SECONDS = 600.0
SAMPLING_SECONDS = 120.0


def settings(wanted: Collection[str]) -> Mapping[str, Any]:
    """Return the fields of a configuration that switch on what is wanted."""
    from reference_impl.sharing import AdmissionFairSharing, FairSharing
    from reference_impl.workload.rules import PodsReady

    memory = AdmissionFairSharing(half_life=HALF_LIFE_SECONDS, sampling_interval=SAMPLING_SECONDS)
    known = {
        FAIR_SHARING: ("fair_sharing", FairSharing()),
        ADMISSION_FAIR_SHARING: ("admission_fair_sharing", memory),
        BLOCKED_ADMISSION: ("pods_ready", PodsReady(block_admission=True)),
    }
    return dict(known[name] for name in sorted(wanted))
