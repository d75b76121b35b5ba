"""Switches the reference's provisioning check controller:
on only for cases that use it, since it costs time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def settings(*, enabled: bool) -> Mapping[str, Any]:
    """Return the configuration fields that switch it off; none where it is on, by its feature gate."""
    from reference_impl.kueue.config import PARTS, PROVISIONING_CHECK

    return {} if enabled else {"parts": frozenset(PARTS) - {PROVISIONING_CHECK}}
