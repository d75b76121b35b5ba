"""The usage in the statuses of a ClusterQueue and its LocalQueue (AC-049, AC-074, AC-075)."""

from __future__ import annotations

from ...base.json_types import Json
from ...base.numbers import amount
from ...history.fact import Fact
from .reading import QueueReading


class Usage(QueueReading):
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
        told = fair.get("admissionFairSharingStatus") or {}
        seen = float(amount((told.get("consumedResources") or {}).get("cpu", "0")))
        expected = f"LocalQueue {self.name} has used {least} to {most} cpu"
        return Fact("lastUpdate" in told and least <= seen <= most, expected, f"{told or 'nothing is told'}")

    def shows_usage(self, field: str, **flavors: Json) -> Fact:
        """`flavorsReservation` or `flavorsUsage` of the ClusterQueue lists exactly these resources by flavor."""
        told = (self._object("ClusterQueue").get("status") or {}).get(field, [])
        seen = {one["name"]: one["resources"] for one in told}
        return Fact(seen == flavors, f"{field} of ClusterQueue {self.name} is {flavors}", f"{seen}")

    def shows_borrowed(self, field: str, cpu: str) -> Fact:
        """The sum of borrowed CPU over all flavors, in `flavorsReservation` or `flavorsUsage`."""
        flavors = (self._object("ClusterQueue").get("status") or {}).get(field, [])
        told = [str(one.get("borrowed")) for flavor in flavors for one in flavor["resources"]]
        # An empty list is no proof that nothing is borrowed.
        held = bool(told) and sum(map(_milli, told)) == _milli(cpu)
        return Fact(held, f"{field} of ClusterQueue {self.name} says that {cpu} are borrowed", f"{told}")

    def _counts(self, kind: str, pending: int | None, reserving: int | None, admitted: int | None) -> Fact:
        wanted = {"pendingWorkloads": pending, "reservingWorkloads": reserving, "admittedWorkloads": admitted}
        status = self._object(kind).get("status") or {}
        # A counter that is missing is 0.
        seen = {name: status.get(name, 0) for name, amount in wanted.items() if amount is not None}
        named = {name: amount for name, amount in wanted.items() if amount is not None}
        return Fact(seen == named, f"{kind} {self.name} counts {named}", f"{seen}")

    def _usage(self, field: str, cpu: str, kind: str = "ClusterQueue") -> Fact:
        flavors = (self._object(kind).get("status") or {}).get(field, [])
        totals = [
            str(one["total"]) for flavor in flavors for one in flavor["resources"] if one["name"] == "cpu"
        ]
        spent = sum(_milli(total) for total in totals)
        return Fact(spent == _milli(cpu), f"{field} of cpu sums up to {cpu}", f"{totals}")


def _totals(found: Json, field: str) -> Json:
    lines = (found.get("status") or {}).get(field, [])
    return {one["name"]: {each["name"]: str(each["total"]) for each in one["resources"]} for one in lines}


def _milli(amount: str) -> int:
    return int(amount[:-1]) if amount.endswith("m") else round(float(amount) * 1000)
