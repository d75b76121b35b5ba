"""Wrong about what a verdict rests on: old answers, no answers,
the time that has passed (CC-050, CC-052, CC-053, CC-085).
"""

from .api import TROUBLE
from .objects import condition, is_true
from .right import CheckController


class RemembersByFlavors(CheckController):
    """Breaks CC-050: takes what held for a reservation for what holds for the next one on the same flavors;
    CHK-035 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.heard = {}

    async def ask(self, workload, check):
        assigned = workload["status"].get("admission", {}).get("podSetAssignments", ())
        about = workload["metadata"]["uid"], check, str([element.get("flavors") for element in assigned])
        if about not in self.heard:
            verdict = await super().ask(workload, check)
            if verdict["state"] != "Ready":
                return verdict
            self.heard[about] = verdict
        return self.heard[about]


class KeepsAnswersForAWhile(CheckController):
    """Breaks CC-050: asks about a Workload every ten seconds,
    whatever happens to it meanwhile; CHK-035 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.heard = {}

    async def ask(self, workload, check):
        about, current_time = (workload["metadata"]["uid"], check), self.clock.now()
        verdict, at = self.heard.get(about, ({"state": "Pending"}, current_time))
        if verdict["state"] == "Ready" and current_time - at < 10:
            return verdict
        verdict = await super().ask(workload, check)
        self.heard[about] = verdict, current_time
        return verdict


class WritesWhatItDecidedEarlier(CheckController):
    """Breaks CC-085: keeps a verdict until it is written, also when the Workload has another reservation by
    then; CHK-116 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.owed = {}

    async def ask(self, workload, check):
        about = workload["metadata"]["uid"], check
        verdict = self.owed.pop(about, None) or await super().ask(workload, check)
        if verdict["state"] == "Ready":
            self.owed[about] = verdict
        return verdict

    async def write(self, path, desired, read):
        await super().write(path, desired, read)
        self.owed = {
            about: member for about, member in self.owed.items() if about[0] != read["metadata"]["uid"]
        }


class IsReadyWhenNobodyAnswers(CheckController):
    """Breaks CC-050: takes trouble of the outside system for a yes; CHK-057 must catch it."""

    async def ask(self, workload, check):
        try:
            return await super().ask(workload, check)
        except TROUBLE:
            return {"state": "Ready", "message": "nobody objected"}


class RejectsAfterALongOutage(CheckController):
    """Breaks CC-053: takes the seventh error in a row for a final no; CHK-117 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.errors = {}

    async def ask(self, workload, check):
        about = workload["metadata"]["uid"], check
        try:
            verdict = await super().ask(workload, check)
        except TROUBLE as problem:
            self.errors[about] = self.errors.get(about, 0) + 1
            if self.errors[about] > 6:
                return {"state": "Rejected", "message": str(problem)}
            raise
        self.errors[about] = 0
        return verdict


class RejectsWhatWaitsLong(CheckController):
    """Breaks CC-053: takes half a minute without a decision for a final no; CHK-140 must catch it."""

    async def ask(self, workload, check):
        verdict, current_time = await super().ask(workload, check), self.clock.now()
        first = self.waits.setdefault((workload["metadata"]["uid"], check), current_time)
        waits = verdict["state"] == "Pending" and current_time - first > 30
        return {"state": "Rejected", "message": "time is up"} if waits else verdict

    def __init__(self, *about):
        super().__init__(*about)
        self.waits = {}


class WithdrawsAfterAWhile(CheckController):
    """Breaks CC-052: says Retry half a minute after Ready because the Workload is not admitted yet; CHK-140
    must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.said = {}

    async def ask(self, workload, check):
        verdict, current_time = await super().ask(workload, check), self.clock.now()
        if verdict["state"] != "Ready" or is_true(workload, "Admitted"):
            return verdict
        about = workload["metadata"]["uid"], check, condition(workload, "QuotaReserved")["lastTransitionTime"]
        late = current_time - self.said.setdefault(about, current_time) > 30
        return {"state": "Retry", "message": "it took too long"} if late else verdict


class WithdrawsWhenTheSpecChanges(CheckController):
    """Breaks CC-052: says Retry to a Workload whose spec has changed, without an objection of the outside
    system; CHK-181 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.generations = {}

    async def ask(self, workload, check):
        verdict, current_time = await super().ask(workload, check), workload["metadata"]["generation"]
        changed = self.generations.setdefault(workload["metadata"]["uid"], current_time) != current_time
        return (
            {"state": "Retry", "message": "the Workload has changed"}
            if changed and verdict["state"] == "Ready"
            else verdict
        )
