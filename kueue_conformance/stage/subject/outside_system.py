"""The outside system of one case, which decides the subject's verdicts (harness/H-11).

`VerdictEndpoint` is that of the harness, which can answer anything, one thing after another;
`driven_system.DrivenSystem` is one that we only reach through the drivers of the subject file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn, Protocol

from ...history.fact import Fact
from ...history.story import Question
from ...subject.verdicts import PlannedAnswer, Verdicts

ACTOR = "outside-system"
Key = tuple[str, str]
"""Namespace and name of a Workload; an empty name stands for all, an empty namespace too."""


def skip_unsupported(driver: str) -> NoReturn:
    """End the case as unsupported: no driver of the subject can do it."""
    import pytest

    pytest.skip(f"unsupported: driver {driver}")


class OutsideSystem(Protocol):
    """Decides about Workloads."""

    asks: bool
    """Whether the subject asks the verdict endpoint, so that questions can be counted and answered in turn.
    """
    through_requests: bool
    """It decides in the status of ProvisioningRequests,
    whose messages the subject puts into texts of its own.
    """

    @property
    def common_state(self) -> str:
        """The state that is decided for every Workload, where nothing can be decided about one."""

    def set_answers(
        self, plan: Sequence[PlannedAnswer], namespace: str, workload: str = "", check: str = ""
    ) -> bool:
        """Answer so from now on, about a Workload or every one of a namespace, and one check of it; return
        whether that took a decision back, of which the subject may learn late.

        Skips what it cannot do.
        """

    @property
    def is_out_of_order(self) -> bool:
        """Whether it fails for every Workload, so that none gets a verdict."""

    def has_failed_for(self, namespace: str, workload: str) -> Fact:
        """The subject has met the outage that goes on: it asked about the Workload, or had the time to ask
        where that is not seen.
        """

    def open_all(self, namespace: str) -> None:
        """Have nothing decided yet, also where an earlier case or the user has decided for all Workloads."""

    def questions(self, namespace: str, workload: str) -> Sequence[Question]:
        """Return what was asked about a Workload."""

    def reset(self) -> None:
        """Undo the decisions of this case."""


class VerdictEndpoint:
    """The verdict endpoint."""

    asks = True
    common_state = ""
    through_requests = False
    is_out_of_order = False
    """It answers for each Workload by itself, also where it fails for others."""

    def __init__(self, verdicts: Verdicts) -> None:
        self._verdicts = verdicts

    def set_answers(
        self, plan: Sequence[PlannedAnswer], namespace: str, workload: str = "", check: str = ""
    ) -> bool:
        """Answer the next questions with these verdicts, in order."""
        self._verdicts.set(plan, namespace, workload, check)
        return False

    def has_failed_for(self, namespace: str, workload: str) -> Fact:
        """The subject has asked about the Workload."""
        question_count = len(self.questions(namespace, workload))
        text = f"a verdict on Workload {workload} is asked for"
        return Fact(bool(question_count), text, f"asked {question_count} time(s)")

    def open_all(self, namespace: str) -> None:
        """Do nothing: it answers Pending until a scenario says otherwise."""

    def questions(self, namespace: str, workload: str) -> Sequence[Question]:
        """Return the questions about a Workload."""
        return self._verdicts.questions(namespace, workload)

    def reset(self) -> None:
        """Do nothing: answers belong to the case's namespace."""
