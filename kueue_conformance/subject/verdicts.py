"""The outside system that a subject asks for its verdicts, hosted by the harness on loopback
(verdict_server.py, harness/H-11).

`GET <url>?namespace=&workload=&check=` answers `{"state": "Pending|Ready|Retry|Rejected", "message": …}` and,
where a scenario says so, `requeueAfterSeconds` and `podSetUpdates`. While the answer is Pending a subject is
expected to ask again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..history.story import Question

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """An answer, and what happens in the cluster between the question and it."""

    answer: Answer
    meanwhile: Callable[[], object] | None = None
    exact: bool = False
    """The scenario looks for the message."""
    code: int = 200
    """The HTTP status of the answer: anything else is the trouble of a system that cannot answer."""

    @property
    def is_outage(self) -> bool:
        """Whether the system cannot answer, which can be brought about without the endpoint."""
        return self.code >= 500

    @property
    def is_plain(self) -> bool:
        """Whether it is a decision and nothing else."""
        return self.meanwhile is None and self.code == 200 and "state" in self.answer


UNDECIDED = PlannedAnswer({"state": "Pending", "message": "no verdict yet"})


class Verdicts:
    """Answers by namespace and, where they are named, by Workload and check; remembers every question."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: dict[tuple[str, str, str], list[PlannedAnswer]] = {}
        self._questions: list[Question] = []

    def set(
        self, answers: Sequence[PlannedAnswer], namespace: str, workload: str = "", check: str = ""
    ) -> None:
        """Answer so from now on, one after another; the last one stays."""
        # The subject may ask from a thread of its own while the scenario sets an answer.
        with self._lock:
            self._answers[namespace, workload, check] = list(answers)

    def ask(self, at: float, namespace: str, workload: str, check: str) -> PlannedAnswer:
        """Return the verdict on a Workload and remember when it was asked for, and what was answered."""
        with self._lock:
            # The narrowest answer goes first.
            keys = ((namespace, workload, check), (namespace, workload, ""), (namespace, "", ""))
            answers = next((self._answers[key] for key in keys if self._answers.get(key)), [UNDECIDED])
            # The last answer is repeated for ever: how often a subject asks is its own affair.
            planned = answers.pop(0) if len(answers) > 1 else answers[0]
            self._questions.append(
                Question(
                    at=at,
                    namespace=namespace,
                    workload=workload,
                    check=check,
                    code=planned.code,
                    answer=planned.answer,
                )
            )
            return planned

    def questions(self, namespace: str = "", workload: str = "") -> list[Question]:
        """Return the questions so far: all of them, those about a namespace, or about a Workload."""
        with self._lock:
            return [
                question
                for question in self._questions
                if namespace in ("", question.namespace) and workload in ("", question.workload)
            ]
