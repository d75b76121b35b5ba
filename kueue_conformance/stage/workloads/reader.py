"""Reads a Workload: the object, its story, and facts about both."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact
from ...history.story import History
from .view import WorkloadView, view_of


class WorkloadReader:
    """A Workload by its name, or by the Job that it is made for."""

    def __init__(
        self,
        context: CaseContext,
        namespace: str,
        name: str = "",
        *,
        job: str = "",
        job_kind: str = "Job",
        job_uid: str = "",
    ) -> None:
        self._context = context
        self.namespace = namespace
        self.job = job
        self._job_kind = job_kind
        self._job_uid = job_uid
        """Of the only Job that is meant; empty for any of its name."""
        self._name = name

    @property
    def name(self) -> str:
        """The Workload's name; that of a Job's Workload is known once Kueue has made it."""
        if not self._name:
            owned = [
                workload
                for workload in self._context.client.list("Workload", self.namespace)
                if self._is_ours(workload)
            ]
            self._name = owned[0]["metadata"]["name"] if owned else ""
        return self._name

    def _is_ours(self, workload: Json) -> bool:
        owners = workload["metadata"].get("ownerReferences", [])
        return any(
            (owner["kind"], owner["name"]) == (self._job_kind, self.job)
            and self._job_uid in ("", owner["uid"])
            for owner in owners
        )

    @property
    def object(self) -> Json:
        """The current Workload; empty when it does not exist."""
        return (self._context.client.find("Workload", self.name, self.namespace) if self.name else None) or {}

    @property
    def history(self) -> History:
        """The Workload's story."""
        return self._context.history.of("Workload", self.name, self.namespace)

    def _read(self) -> WorkloadView:
        return WorkloadView(self.object)

    def _views(self) -> Iterator[tuple[WorkloadView, WorkloadView]]:
        return ((view_of(change.before), view_of(change.after)) for change in self.history)

    def _fact(self, view: WorkloadView, holds: bool, expected: str, observed: str = "") -> Fact:
        return Fact(holds, f"{self}: {expected}", observed or str(view))

    def _past(self, holds: bool, expected: str) -> Fact:
        return Fact(holds, f"{self}: {expected}", f"now {self._read()}" if not holds else "it was so")

    def __str__(self) -> str:
        return f"Workload {self.name}" if self.name else f"the Workload of {self._job_kind} {self.job}"
