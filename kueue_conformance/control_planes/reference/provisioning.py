"""Switches the reference's provisioning check controller:
on only for cases that use it, since it costs time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def settings(*, enabled: bool) -> Mapping[str, Any]:
    """Return the configuration fields that switch it on, also in releases where it was off by default, or
    switch it off.
    """
    from reference_impl.kueue.composition import PROVISIONING_GATE
    from reference_impl.kueue.config import PARTS, PROVISIONING_CHECK
    from reference_impl.kueue.features import Features

    if enabled:
        return {"features": Features({PROVISIONING_GATE: True})}
    return {"parts": frozenset(PARTS) - {PROVISIONING_CHECK}}
