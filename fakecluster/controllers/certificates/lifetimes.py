"""How long CertificateSigningRequests stay (FK-495)."""

from __future__ import annotations

from ...base.json_types import Json
from ...base.numbers.timestamps import since_epoch

HOUR_SECONDS, DAY_SECONDS = 3600.0, 24 * 3600.0


def deadline(request: Json) -> float:
    """Return when a request is deleted, in seconds since the epoch."""
    conditions = (request.get("status") or {}).get("conditions") or ()
    if not conditions:
        return since_epoch(request["metadata"]["creationTimestamp"]) + DAY_SECONDS
    issued = bool((request.get("status") or {}).get("certificate"))
    waits = {
        "Denied": HOUR_SECONDS,
        "Failed": HOUR_SECONDS,
        "Approved": HOUR_SECONDS if issued else DAY_SECONDS,
    }
    return min(
        (
            since_epoch(condition["lastUpdateTime"]) + waits[condition["type"]]
            for condition in conditions
            if condition["type"] in waits
        ),
        default=float("inf"),
    )
