"""Whether the reference answers provisioning checks: only where a case is about them, for all others it would be a burden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def settings(*, wanted: bool) -> Mapping[str, Any]:
    """Return the fields of a configuration that switch its provisioning check on, also in releases that had it off by default, or leave it out."""
    from reference_impl.composition import PROVISIONING_GATE
    from reference_impl.config import PARTS, PROVISIONING_CHECK
    from reference_impl.features import Features

    if wanted:
        return {"features": Features({PROVISIONING_GATE: True})}
    return {"parts": frozenset(PARTS) - {PROVISIONING_CHECK}}
