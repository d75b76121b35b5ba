"""Wrong about when to act (CC-020…028, CC-058)."""

from .objects import condition, is_true, listed
from .right import CheckController


def is_reserved(workload):
    """Tell whether a Workload has quota, whatever else is said of it."""
    return is_true(workload, "QuotaReserved")


class AnswersBeforeReservation(CheckController):
    """Breaks CC-020: gives its verdict as soon as it is listed; CHK-010 must catch it."""

    def may_act(self, workload):
        return not self.is_ending(workload)


class BeginsWorkBeforeReservation(CheckController):
    """Breaks CC-020: begins outside work as soon as it is listed; CHK-000 must catch it."""

    def may_begin(self, workload, entry):
        return (
            self.serves(entry["name"])
            and not self.is_ending(workload)
            and entry["state"] in ("Pending", "Ready")
        )


class AsksBeforeReservation(CheckController):
    """Breaks CC-020: asks beforehand, so that the answer is there when quota is; CHK-010 must catch it."""

    async def judge_workload(self, key):
        workload = self.workloads.known.get(key)
        if workload and not is_reserved(workload):
            for one in listed(workload):
                if self.serves(one["name"]):
                    await self.ask(workload, one["name"])
        return await super().judge_workload(key)


class DeniesBeforeReservation(CheckController):
    """Breaks CC-058: says Retry and Rejected also without quota, to be quick; CHK-000 must catch it."""

    def may_act(self, workload):
        return not self.is_ending(workload)

    def entry(self, workload, old, verdict):
        early = not is_reserved(workload) and verdict["state"] not in ("Retry", "Rejected")
        return old if early else super().entry(workload, old, verdict)


class AnswersFinishedWorkloads(CheckController):
    """Breaks CC-021: goes on when the work is done; CHK-013 must catch it."""

    def may_act(self, workload):
        over = is_reserved(workload) and is_true(workload, "Finished") and not is_true(workload, "Evicted")
        return over or super().may_act(workload)


class AnswersWhileEvicted(CheckController):
    """Breaks CC-022: looks at the quota only, which an evicted Workload still holds; CHK-014 must catch it."""

    def may_act(self, workload):
        return (
            is_reserved(workload)
            and not is_true(workload, "Finished")
            and "deletionTimestamp" not in workload["metadata"]
        )


class AnswersWhatIsDeleted(CheckController):
    """Breaks CC-023: gives verdicts on a Workload that waits for its finalizers; CHK-000 must catch it."""

    def may_act(self, workload):
        leaving = (
            is_reserved(workload)
            and "deletionTimestamp" in workload["metadata"]
            and not is_true(workload, "Evicted")
        )
        return leaving or super().may_act(workload)


class AnswersWhatIsSwitchedOff(CheckController):
    """Breaks CC-024: does not look at spec.active; CHK-000 must catch it."""

    def may_act(self, workload):
        return is_reserved(workload) and not self.is_ending(workload)


class AnswersAfterTheQuotaIsLost(CheckController):
    """Breaks CC-062: remembers that there was quota once; CHK-015 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.had_quota = set()

    def may_act(self, workload):
        uid = workload["metadata"]["uid"]
        if is_reserved(workload):
            self.had_quota.add(uid)
        return uid in self.had_quota and not self.is_ending(workload)


class AddsItsEntry(CheckController):
    """Breaks CC-025: adds an entry where its check is not listed; CHK-012 must catch it."""

    async def entries(self, workload):
        entries = await super().entries(workload)
        names = {one["name"] for one in entries}
        time = condition(workload, "QuotaReserved")["lastTransitionTime"]
        return entries + [
            {"name": name, "state": "Pending", "message": "", "lastTransitionTime": time}
            for _, name in self.checks.known
            if self.serves(name) and name not in names
        ]


class WaitsForTheEntryOnly(CheckController):
    """Breaks CC-028: looks when its entry appears, and not when quota does; CHK-011 must catch it."""

    def workload_changed(self, old, new):
        if old is None or new is None or len(listed(old)) != len(listed(new)) or is_reserved(old):
            super().workload_changed(old, new)


class WaitsForTheQuotaOnly(CheckController):
    """Breaks CC-028: looks when quota appears, and not when its entry does; CHK-012 must catch it."""

    def workload_changed(self, old, new):
        if old is None or new is None or not is_reserved(old) or listed(old):
            super().workload_changed(old, new)


class ForgetsEarlierWorkloads(CheckController):
    """Breaks CC-028: does not look again at Workloads when a check becomes known; CHK-000 must catch it."""

    def check_changed(self, old, new):
        self.mark("check", ("", (new or old)["metadata"]["name"]))


class NeverDecides(CheckController):
    """Breaks CC-027: takes no answer that comes after the third question; CHK-000 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.asked = {}

    async def ask(self, workload, check):
        about = (
            workload["metadata"]["uid"],
            check,
            condition(workload, "QuotaReserved").get("lastTransitionTime"),
        )
        self.asked[about] = self.asked.get(about, 0) + 1
        return (
            await super().ask(workload, check)
            if self.asked[about] <= 3
            else {"state": "Pending", "message": "no answer"}
        )


class SaysNothingWhileItWaits(CheckController):
    """Breaks CC-027: leaves an entry Pending without a word; CHK-000 must catch it."""

    def entry(self, workload, old, verdict):
        return old if verdict["state"] == "Pending" else super().entry(workload, old, verdict)
