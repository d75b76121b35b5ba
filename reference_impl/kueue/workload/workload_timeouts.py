"""The times that a Workload gives its own pods to be ready (KV-61)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import msgspec

from .rules import PodsReady
from .view import Workload

ANNOTATION: Final = "kueue.x-k8s.io/wait-for-pods-ready"


class WorkloadTimeouts(msgspec.Struct, frozen=True, rename="camel"):
    """What the annotation says, in seconds."""

    timeout_seconds: int | None = None
    recovery_timeout_seconds: int | None = None


def parse_timeouts(text: str) -> WorkloadTimeouts:
    """Read the annotation; raises ValueError."""
    return msgspec.json.decode(text, type=WorkloadTimeouts)


def prefer_workload(workload: Workload, configured: PodsReady | None) -> PodsReady | None:
    """Return the times of the Workload in the place of those of the configuration."""
    timeouts = _timeouts(workload)
    if timeouts is None or timeouts.timeout_seconds is None:
        return configured
    recovery = timeouts.recovery_timeout_seconds
    return replace(
        configured or PodsReady(),
        timeout=float(timeouts.timeout_seconds),
        # Without a time of its own a recovery may take as long as a start.
        recovery_timeout=float(timeouts.timeout_seconds if recovery is None else recovery),
    )


def _timeouts(workload: Workload) -> WorkloadTimeouts | None:
    text = (workload.metadata.get("annotations") or {}).get(ANNOTATION)
    try:
        return parse_timeouts(text) if text else None
    except ValueError:
        # Only a Workload that the webhook of Jobs has not seen can have such a text.
        return None
