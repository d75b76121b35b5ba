"""What flow control measures, by the names of every API server (VIS-610)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from ....runtime.metrics import Metric, Registry

PREFIX: Final = "apiserver_flowcontrol"
LEVEL, FLOW = ("priority_level",), ("priority_level", "flow_schema")
SEATS: Final = Metric(
    f"{PREFIX}_nominal_limit_seats", "gauge", LEVEL, help="Seats that a priority level has by its share"
)
EXECUTING: Final = Metric(
    f"{PREFIX}_current_executing_requests", "gauge", FLOW, help="Requests that are being answered"
)
DISPATCHED: Final = Metric(
    f"{PREFIX}_dispatched_requests_total", "counter", FLOW, help="Requests that got a seat"
)
REJECTED: Final = Metric(
    f"{PREFIX}_rejected_requests_total", "counter", (*FLOW, "reason"), help="Requests that got no seat"
)
Reason = Literal["queue-full", "concurrency-limit", "time-out"]


class FlowControlMetrics:
    """Counts in a registry."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        registry.add((SEATS, EXECUTING, DISPATCHED, REJECTED))

    def seats(self, seats: Mapping[str, int]) -> None:
        """Note the seats of every level; levels that are gone are forgotten."""
        self._registry.remove(SEATS.name)
        for level, count in seats.items():
            self._registry.set(SEATS.name, level, value=count)

    def began(self, level: str, schema: str) -> None:
        """Count a request that got its seat."""
        self._registry.increment(DISPATCHED.name, level, schema)
        self._registry.increment(EXECUTING.name, level, schema)

    def note_end(self, level: str, schema: str) -> None:
        """Count a request that left its seat."""
        self._registry.increment(EXECUTING.name, level, schema, by=-1)

    def note_rejection(self, level: str, schema: str, reason: Reason) -> None:
        """Count a request that got no seat."""
        self._registry.increment(REJECTED.name, level, schema, reason)
