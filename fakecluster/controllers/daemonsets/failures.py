"""Pods of DaemonSets that have ended: each is deleted,
and on a node where they fail one after another later each time.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ...api.steps import Steps
from ...base.json_types import Json
from ..backoff import exponential
from ..pod_state import phase
from ..recorder import Recorder

FIRST_SECONDS, LAST_SECONDS = 1.0, 900.0
MAX_BACKOFFS = 10_000
"""Waits that are remembered."""


class NodeBackoff(Struct, frozen=True):
    """How often pods have failed in a row on a node, and when the last of them was deleted."""

    times: int
    since: float

    @property
    def seconds(self) -> float:
        """How long the next failed pod stays."""
        return exponential(FIRST_SECONDS, self.times - 1, LAST_SECONDS)


class FailedPodsBackoff:
    """Remembers on which nodes pods fail."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._waits: dict[tuple[str, int, str], NodeBackoff] = {}

    def due(
        self, daemon_set: Json, ended: Iterable[tuple[str, Json]], current_time: float
    ) -> Steps[tuple[tuple[Json, ...], float | None]]:
        """Return the pods to delete now, which Events name, and in how many seconds more are due."""
        due, retry = [], None
        for node, pod in ended:
            name = f"{pod['metadata']['namespace']}/{pod['metadata']['name']} on node {node}"
            if phase(pod) == "Succeeded":
                yield from self._recorder.record(
                    daemon_set,
                    "SucceededDaemonPod",
                    f"Found succeeded daemon pod {name}, will try to delete it",
                )
            elif (seconds := self._seconds_left(daemon_set, node, current_time)) > 0:
                retry = seconds if retry is None else min(retry, seconds)
                continue
            else:
                self._remember(daemon_set, node, current_time)
                yield from self._recorder.record(
                    daemon_set,
                    "FailedDaemonPod",
                    f"Found failed daemon pod {name}, will try to kill it",
                    "Warning",
                )
            due.append(pod)
        return tuple(due), retry

    def _seconds_left(self, daemon_set: Json, node: str, current_time: float) -> float:
        wait = self._waits.get(_key(daemon_set, node))
        return 0.0 if wait is None else wait.since + wait.seconds - current_time

    def _remember(self, daemon_set: Json, node: str, current_time: float) -> None:
        key = _key(daemon_set, node)
        before = self._waits.pop(key, None)
        is_forgotten = before is None or current_time - before.since > 2 * LAST_SECONDS
        self._waits[key] = NodeBackoff(
            1 if is_forgotten or before is None else before.times + 1, current_time
        )
        if len(self._waits) > MAX_BACKOFFS:
            del self._waits[next(iter(self._waits))]


def _key(daemon_set: Json, node: str) -> tuple[str, int, str]:
    observed = daemon_set.get("status", {}).get("observedGeneration", 0)
    return daemon_set["metadata"]["uid"], observed, node
