"""The Job of a Workload, as its owner sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ..bench import Bench
from ..fact import Fact
from .check import timestamp
from .endings import JOB_CONTROLLER

Json: TypeAlias = Any


class Job:
    """Reads one Job anew each time."""

    def __init__(self, bench: Bench, namespace: str, name: str) -> None:
        self._bench = bench
        self.namespace = namespace
        self.name = name

    @property
    def object(self) -> Json:
        """The Job as it is now; empty when it does not exist."""
        return self._bench.client.find("Job", self.name, self.namespace) or {}

    def is_suspended(self) -> Fact:
        """spec.suspend is true."""
        return self._fact(self.object["spec"].get("suspend") is True, "suspended")

    def is_started(self) -> Fact:
        """spec.suspend is false."""
        return self._fact(self.object["spec"].get("suspend") is False, "started")

    def has_pods(self, number: int) -> None:
        """Say that so many of its pods are there, as a Job controller does; where there is one, it says otherwise."""
        client, now = self._bench.client.acting_as(JOB_CONTROLLER), timestamp(self._bench.cluster.now())
        status = {"active": number, "ready": number, "startTime": now if number else None}
        client.merge("Job", self.name, {"status": status}, namespace=self.namespace, sub="status")

    def has_in_template(self, field: str, wanted: Mapping[str, str]) -> Fact:
        """The pod template has these labels, annotations or nodeSelector entries."""
        seen = self._template(field)
        return Fact(
            wanted.items() <= seen.items(), f"the template's {field} contains {dict(wanted)}", f"{dict(seen)}"
        )

    def lacks_in_template(self, field: str, *keys: str) -> Fact:
        """The pod template has none of these labels, annotations or nodeSelector entries."""
        seen = self._template(field)
        return Fact(
            not seen.keys() & set(keys), f"the template's {field} lacks {sorted(keys)}", f"{dict(seen)}"
        )

    def tolerates(self, toleration: Mapping[str, str], times: int = 1) -> Fact:
        """The pod template has the toleration exactly so many times."""
        seen = self.object["spec"]["template"]["spec"].get("tolerations", [])
        return Fact(
            seen.count(dict(toleration)) == times,
            f"toleration {dict(toleration)} occurs {times} time(s)",
            f"{seen}",
        )

    def _template(self, field: str) -> Mapping[str, str]:
        template = self.object["spec"]["template"]
        found: Mapping[str, str] = (
            template["spec"] if field == "nodeSelector" else template.get("metadata", {})
        ).get(field) or {}
        return found

    def _fact(self, holds: bool, expected: str) -> Fact:
        seen = "suspended" if self.object["spec"].get("suspend") else "not suspended"
        return Fact(holds, f"Job {self.name} is {expected}", seen)
