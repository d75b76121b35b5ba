"""What is known of a run while it goes on: its counts, what did not pass, and the case of each worker."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..scenarios.outcome import BAD, Outcome

_MOST_FAILURES = 100
_CAUSE_LINES = 6


class RunState:
    """Takes what the workers send and what the leading process hears; called by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._version = 0
        self._title = ""
        self._total = 0
        self._outcomes: Counter[str] = Counter()
        self._failures: list[Mapping[str, Any]] = []
        self._cases: dict[str, Mapping[str, Any]] = {}
        self._is_over = False

    def describe(self, title: str) -> None:
        """Take the line that says what is judged."""
        with self._change():
            self._title = title

    def expect(self, amount: int) -> None:
        """Take the number of cases; each worker reports the same ones."""
        with self._change():
            self._total = max(self._total, amount)

    def show_case(self, worker: str, case: Mapping[str, Any]) -> None:
        """Take what the case of a worker looks like now."""
        with self._change():
            self._cases[worker] = case

    def count_case(self, note: Mapping[str, Any]) -> None:
        """Count a case that has ended, by the note of its report."""
        outcome = str(note["outcome"])
        with self._change():
            self._outcomes[outcome] += 1
            if Outcome(outcome) in BAD and len(self._failures) < _MOST_FAILURES:
                lines = str(note.get("text", "")).strip().splitlines()[:_CAUSE_LINES]
                self._failures.append(
                    {"scenario": note["id"], "test": note["test"], "outcome": outcome, "lines": lines}
                )

    def end(self) -> None:
        """Remember that the run is over: no case runs any more."""
        with self._change():
            self._is_over = True

    @contextmanager
    def _change(self) -> Iterator[None]:
        """Hold the lock during a change, and wake up who waits for one."""
        with self._lock:
            yield
            self._version += 1
            self._lock.notify_all()

    def wait(self, shown_version: int, seconds: float) -> None:
        """Wait until there is another version than the one that is shown, for so many seconds at most."""
        with self._lock:
            self._lock.wait_for(lambda: self._version != shown_version, seconds)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as JSON, workers in order."""
        with self._lock:
            return {
                "version": self._version,
                "title": self._title,
                "total": self._total,
                "outcomes": dict(sorted(self._outcomes.items())),
                "failures": [*self._failures],
                "cases": {worker: self._cases[worker] for worker in sorted(self._cases)},
                "over": self._is_over,
            }
