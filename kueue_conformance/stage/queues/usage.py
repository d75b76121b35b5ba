"""The usage in the statuses of a ClusterQueue and its LocalQueue (AC-049, AC-074, AC-075)."""

from __future__ import annotations

from ...base.bounds import Bound
from ...base.json_types import Json
from ...base.numbers import amount
from ...history.fact import Fact
from .reader import QueueReader


class Usage(QueueReader):
    """Facts about counters and quota; `users_…` is about those of the LocalQueue."""

    def shows_counts(
        self, *, pending: int | None = None, reserving: int | None = None, admitted: int | None = None
    ) -> Fact:
        """The ClusterQueue's counters are these; a counter that is not named may be anything."""
        return self._counts("ClusterQueue", pending, reserving, admitted)

    def shows_counts_locally(
        self, *, pending: int | None = None, reserving: int | None = None, admitted: int | None = None
    ) -> Fact:
        """The LocalQueue's counters are these."""
        return self._counts("LocalQueue", pending, reserving, admitted)

    def shows_reserved(self, cpu: str) -> Fact:
        """The sum of reserved CPU over all flavors, as the ClusterQueue's status tells it."""
        return self._usage("flavorsReservation", cpu)

    def shows_used(self, cpu: str) -> Fact:
        """The sum of CPU of admitted Workloads over all flavors."""
        return self._usage("flavorsUsage", cpu)

    def shows_reserved_locally(self, cpu: str) -> Fact:
        """The sum of CPU that the LocalQueue's Workloads hold, over all flavors."""
        return self._usage("flavorsReservation", cpu, "LocalQueue")

    def shows_used_locally(self, cpu: str) -> Fact:
        """The sum of CPU of the LocalQueue's admitted Workloads over all flavors."""
        return self._usage("flavorsUsage", cpu, "LocalQueue")

    def usage(self, field: str) -> Json:
        """Return what `flavorsReservation` or `flavorsUsage` of
        the ClusterQueue tells: flavor → resource → amount.
        """
        return _totals(self._object("ClusterQueue"), field)

    def local_usage(self, field: str) -> Json:
        """Return the same of the LocalQueue."""
        return _totals(self._object("LocalQueue"), field)

    def shows_recent_usage(self, least: float, most: float) -> Fact:
        """The LocalQueue's status reports this recent cpu usage; no entry counts as 0."""
        fair = (self._object("LocalQueue").get("status") or {}).get("fairSharing") or {}
        sharing_status = fair.get("admissionFairSharingStatus") or {}
        consumed_cpu = float(amount((sharing_status.get("consumedResources") or {}).get("cpu", "0")))
        bound = Bound("cpu", least, most)
        return Fact(
            "lastUpdate" in sharing_status and bound.holds(consumed_cpu),
            f"LocalQueue {self.name} has used {bound}",
            f"{bound.describe(consumed_cpu)}; {sharing_status or 'no status'}",
        )

    def shows_usage(self, field: str, **flavors: Json) -> Fact:
        """`flavorsReservation` or `flavorsUsage` of the
        ClusterQueue lists exactly these resources by flavor.
        """
        flavor_usages = (self._object("ClusterQueue").get("status") or {}).get(field, [])
        observed = {flavor_usage["name"]: flavor_usage["resources"] for flavor_usage in flavor_usages}
        return Fact(observed == flavors, f"{field} of ClusterQueue {self.name} is {flavors}", f"{observed}")

    def shows_borrowed(self, field: str, cpu: str) -> Fact:
        """The sum of borrowed CPU over all flavors, in `flavorsReservation` or `flavorsUsage`."""
        flavors = (self._object("ClusterQueue").get("status") or {}).get(field, [])
        borrowed = [str(resource.get("borrowed")) for flavor in flavors for resource in flavor["resources"]]
        # An empty list is no proof that nothing is borrowed.
        holds = bool(borrowed) and sum(map(_milli, borrowed)) == _milli(cpu)
        return Fact(holds, f"{field} of ClusterQueue {self.name} says that {cpu} are borrowed", f"{borrowed}")

    def _counts(self, kind: str, pending: int | None, reserving: int | None, admitted: int | None) -> Fact:
        counts = {"pendingWorkloads": pending, "reservingWorkloads": reserving, "admittedWorkloads": admitted}
        status = self._object(kind).get("status") or {}
        # A counter that is missing is 0.
        observed = {name: status.get(name, 0) for name, amount in counts.items() if amount is not None}
        named = {name: amount for name, amount in counts.items() if amount is not None}
        return Fact(observed == named, f"{kind} {self.name} counts {named}", f"{observed}")

    def _usage(self, field: str, cpu: str, kind: str = "ClusterQueue") -> Fact:
        flavors = (self._object(kind).get("status") or {}).get(field, [])
        totals = [
            str(resource["total"])
            for flavor in flavors
            for resource in flavor["resources"]
            if resource["name"] == "cpu"
        ]
        spent = sum(_milli(total) for total in totals)
        return Fact(spent == _milli(cpu), f"{field} of cpu sums up to {cpu}", f"{totals}")


def _totals(queue: Json, field: str) -> Json:
    lines = (queue.get("status") or {}).get(field, [])
    return {
        flavor["name"]: {resource["name"]: str(resource["total"]) for resource in flavor["resources"]}
        for flavor in lines
    }


def _milli(amount: str) -> int:
    return int(amount[:-1]) if amount.endswith("m") else round(float(amount) * 1000)
