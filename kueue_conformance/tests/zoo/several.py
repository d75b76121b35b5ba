"""Wrong where there are several checks, controllers or Workloads (CC-003, CC-065, CC-082, CC-083, CC-087)."""

import json

from .follow import Follower
from .objects import check_entries
from .right import CheckController

TLS_RECORD_BYTES = 16_384


class WaitsForTheOthers(CheckController):
    """Breaks CC-087: says Ready only when everybody else has; CHK-061 must catch it."""

    def entry(self, workload, old, verdict):
        open_elsewhere = any(
            entry["state"] != "Ready" and not self.serves(entry["name"]) for entry in check_entries(workload)
        )
        if verdict["state"] == "Ready" and open_elsewhere:
            return super().entry(workload, old, {"state": "Pending", "message": "the others are not ready"})
        return super().entry(workload, old, verdict)


class AnswersItsFirstEntry(CheckController):
    """Breaks CC-027: looks for its entry, and answers no second one of the same Workload; CHK-067 must catch
    it.
    """

    async def entries(self, workload):
        listed = check_entries(workload)
        first = next((entry["name"] for entry in listed if self.serves(entry["name"])), None)
        judged = {entry["name"]: entry for entry in await super().entries(workload)}
        return [judged[entry["name"]] if entry["name"] == first else entry for entry in listed]


class GivesUpWithOneBadCheck(CheckController):
    """Breaks CC-082: serves no Workload while one of its checks has bad parameters; CHK-055 must catch it."""

    def may_act(self, workload):
        fine = not any(
            self.problem(document) for (_, name), document in self.checks.known.items() if self.owns(name)
        )
        return fine and super().may_act(workload)


class KeepsEntriesThatKueueDropped(CheckController):
    """Breaks CC-065: puts an entry back that is no longer listed; CHK-064 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.once = {}

    async def entries(self, workload):
        ours = self.once.setdefault(workload["metadata"]["uid"], {})
        entries = await super().entries(workload)
        ours.update({entry["name"]: entry for entry in entries if self.serves(entry["name"])})
        names = {entry["name"] for entry in entries}
        return entries + [our for name, our in ours.items() if name not in names]


class NeedsFlavors(CheckController):
    """Breaks CC-083: cannot read an admission without flavors; CHK-072 must catch it."""

    async def ask(self, workload, check):
        for pod_set_assignment in workload["status"]["admission"]["podSetAssignments"]:
            if not pod_set_assignment.get("flavors"):
                raise ValueError("no flavors")
        return await super().ask(workload, check)


class NeedsItsOwnConditions(CheckController):
    """Breaks CC-083: cannot read a Workload with a condition that it does not know; CHK-072 must catch it."""

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
        strange = [
            condition["type"]
            for condition in workload["status"]["conditions"]
            if condition["type"] not in self.KNOWN
        ]
        if strange:
            raise ValueError(strange)
        return await super().ask(workload, check)


class AsksOnceForAllQueues(CheckController):
    """Breaks CC-003: gives the first good verdict to the
    Workloads of all its checks; CHK-068 must catch it.
    """

    heard = None

    async def ask(self, workload, check):
        verdict = self.heard or await super().ask(workload, check)
        self.heard = verdict if verdict["state"] == "Ready" and verdict is not self.heard else self.heard
        return verdict


class NeedsAStatus(CheckController):
    """Breaks CC-083: looks at all Workloads in turn,
    and cannot read one without a status; CHK-072 must catch it.
    """

    async def judge_workload(self, key):
        for document in self.workloads.known.values():
            if not document.get("status"):
                raise ValueError("no status")
        return await super().judge_workload(key)


class DropsTornEvents(CheckController):
    """Breaks CC-083: takes what one read of a watch gives for whole events, and drops those that come in
    several pieces; CHK-072 must catch it.
    """

    class Follower(Follower):
        def set(self, key, new):
            if new is None or len(json.dumps(new)) < TLS_RECORD_BYTES or key not in self.known:
                super().set(key, new)
