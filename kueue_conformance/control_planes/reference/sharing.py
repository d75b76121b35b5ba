"""How the reference shares quota where a scenario asks for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from .. import ADMISSION_FAIR_SHARING, FAIR_SHARING

HALF_LIFE_SECONDS = 600.0
SAMPLING_SECONDS = 120.0


def settings(wanted: Collection[str]) -> Mapping[str, Any]:
    """Return the fields of a configuration that switch on what is wanted."""
    from reference_impl.sharing import AdmissionFairSharing, FairSharing

    memory = AdmissionFairSharing(half_life=HALF_LIFE_SECONDS, sampling_interval=SAMPLING_SECONDS)
    known = {
        FAIR_SHARING: ("fair_sharing", FairSharing()),
        ADMISSION_FAIR_SHARING: ("admission_fair_sharing", memory),
    }
    return dict(known[name] for name in sorted(wanted))
