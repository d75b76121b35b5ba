"""Wrong where there are several checks, controllers or Workloads (CC-003, CC-065, CC-082, CC-083, CC-087)."""

from .objects import listed
from .right import CheckController


class WaitsForTheOthers(CheckController):
    """Breaks CC-087: says Ready only when everybody else has; CHK-000 must catch it."""

    def entry(self, workload, old, verdict):
        open_elsewhere = any(
            one["state"] != "Ready" and not self.serves(one["name"]) for one in listed(workload)
        )
        if verdict["state"] == "Ready" and open_elsewhere:
            return super().entry(workload, old, {"state": "Pending", "message": "the others are not ready"})
        return super().entry(workload, old, verdict)


class StopsAtForeignEntries(CheckController):
    """Breaks CC-003: reads the list up to the first entry that is not its own; CHK-000 must catch it."""

    async def entries(self, workload):
        entries, stopped = [], False
        for one in listed(workload):
            stopped = stopped or not self.serves(one["name"])
            entries.append(one if stopped else await self.judged_entry(workload, one))
        return entries


class GivesUpWithOneOfThem(CheckController):
    """Breaks CC-082: gives no verdict at all while the outside system fails for one of its checks; CHK-000 must catch it."""

    async def entries(self, workload):
        return [
            await self.judged_entry(workload, one) if self.serves(one["name"]) else one
            for one in listed(workload)
        ]


class SharesParameters(CheckController):
    """Breaks CC-003: takes the parameters of one of its checks for all of them; CHK-000 must catch it."""

    def reference(self, check):
        said = [
            one["spec"].get("parameters")
            for (_, name), one in sorted(self.checks.known.items())
            if self.owns(name)
        ]
        return next(filter(None, said), None) or {}


class GivesUpWithOneBadCheck(CheckController):
    """Breaks CC-082: works for nobody while one of its checks has bad parameters; CHK-000 must catch it."""

    def may_act(self, workload):
        fine = not any(self.problem(one) for (_, name), one in self.checks.known.items() if self.owns(name))
        return fine and super().may_act(workload)


class KeepsEntriesThatKueueDropped(CheckController):
    """Breaks CC-065: puts an entry back that is no longer listed; CHK-000 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.once = {}

    async def entries(self, workload):
        ours = self.once.setdefault(workload["metadata"]["uid"], {})
        entries = await super().entries(workload)
        ours.update({one["name"]: one for one in entries if self.serves(one["name"])})
        names = {one["name"] for one in entries}
        return entries + [one for name, one in ours.items() if name not in names]


class NeedsFlavors(CheckController):
    """Breaks CC-083: cannot read an admission without flavors; CHK-000 must catch it."""

    async def ask(self, workload, check):
        for one in workload["status"]["admission"]["podSetAssignments"]:
            if not one.get("flavors"):
                raise ValueError("no flavors")
        return await super().ask(workload, check)


class NeedsItsOwnConditions(CheckController):
    """Breaks CC-083: cannot read a Workload with a condition that it does not know; CHK-000 must catch it."""

    KNOWN = (
        "QuotaReserved",
        "Admitted",
        "Evicted",
        "Preempted",
        "Requeued",
        "Finished",
        "PodsReady",
        "DeactivationTarget",
    )

    async def ask(self, workload, check):
        strange = [one["type"] for one in workload["status"]["conditions"] if one["type"] not in self.KNOWN]
        if strange:
            raise ValueError(strange)
        return await super().ask(workload, check)
