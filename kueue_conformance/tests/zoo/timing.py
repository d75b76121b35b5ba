"""Wrong about when to act (CC-020…028, CC-058)."""

from .objects import check_entries, condition, is_true, timestamp
from .right import CheckController


def is_reserved(workload):
    """Tell whether a Workload has quota, whatever else is said of it."""
    return is_true(workload, "QuotaReserved")


class AnswersBeforeReservation(CheckController):
    """Breaks CC-020: writes its verdict before quota is reserved; CHK-010 must catch it."""

    def may_act(self, workload):
        return not self.is_ending(workload)


class BeginsWorkBeforeReservation(CheckController):
    """Breaks CC-020: begins outside work before quota is reserved; CHK-086 must catch it."""

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
            for entry in check_entries(workload):
                if self.serves(entry["name"]):
                    await self.ask(workload, entry["name"])
        return await super().judge_workload(key)


class DeniesBeforeReservation(CheckController):
    """Breaks CC-058: says Retry and Rejected also without quota, to be quick; CHK-044 must catch it."""

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
    """Breaks CC-022: looks at the quota only,
    which an evicted Workload still holds; CHK-014 must catch it.
    """

    def may_act(self, workload):
        return (
            is_reserved(workload)
            and not is_true(workload, "Finished")
            and "deletionTimestamp" not in workload["metadata"]
        )


class AnswersWhatIsDeleted(CheckController):
    """Breaks CC-023: gives verdicts on a Workload that waits for its finalizers; CHK-043 must catch it."""

    def may_act(self, workload):
        leaving = (
            is_reserved(workload)
            and "deletionTimestamp" in workload["metadata"]
            and not is_true(workload, "Evicted")
        )
        return leaving or super().may_act(workload)


class AnswersWhatIsSwitchedOff(CheckController):
    """Breaks CC-024: does not look at spec.active; CHK-042 must catch it."""

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
        names = {entry["name"] for entry in entries}
        time = condition(workload, "QuotaReserved")["lastTransitionTime"]
        return entries + [
            {"name": name, "state": "Pending", "message": "", "lastTransitionTime": time}
            for _, name in self.checks.known
            if self.serves(name) and name not in names
        ]


class WaitsForTheEntryOnly(CheckController):
    """Breaks CC-028: looks when its entry appears, and not when quota does; CHK-011 must catch it."""

    def workload_changed(self, old, new):
        if (
            old is None
            or new is None
            or len(check_entries(old)) != len(check_entries(new))
            or is_reserved(old)
        ):
            super().workload_changed(old, new)


class WaitsForTheQuotaOnly(CheckController):
    """Breaks CC-028: looks when quota appears, and not when its entry does; CHK-012 must catch it."""

    def workload_changed(self, old, new):
        if old is None or new is None or not is_reserved(old) or check_entries(old):
            super().workload_changed(old, new)


class ForgetsEarlierWorkloads(CheckController):
    """Breaks CC-028: does not look again at Workloads when a check becomes known; CHK-016 must catch it."""

    def check_changed(self, old, new):
        self.mark("check", ("", (new or old)["metadata"]["name"]))


class SaysNothingWhileItWaits(CheckController):
    """Breaks CC-027: leaves an entry Pending without a word; CHK-028 must catch it."""

    def entry(self, workload, old, verdict):
        return old if verdict["state"] == "Pending" else super().entry(workload, old, verdict)


class DeniesWhileEvicted(CheckController):
    """Breaks CC-022: says Retry and Rejected also while the Workload is evicted; CHK-018 must catch it."""

    def may_act(self, workload):
        return (
            is_reserved(workload)
            and not is_true(workload, "Finished")
            and "deletionTimestamp" not in workload["metadata"]
        )

    def entry(self, workload, old, verdict):
        late = is_true(workload, "Evicted") and verdict["state"] not in ("Retry", "Rejected")
        return old if late else super().entry(workload, old, verdict)


class AnswersLateForFinishedWorkloads(CheckController):
    """Breaks CC-021: gives the verdict that is still open when the work is done; CHK-017 must catch it."""

    def may_act(self, workload):
        still_open = any(entry["state"] == "Pending" for entry in check_entries(workload))
        over = is_reserved(workload) and is_true(workload, "Finished") and not is_true(workload, "Evicted")
        return (over and still_open) or super().may_act(workload)


class GivesUpWithTheQuota(CheckController):
    """Breaks CC-062: never looks again at a Workload that has lost its quota; CHK-019 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.had, self.lost = set(), set()

    def may_act(self, workload):
        uid = workload["metadata"]["uid"]
        if is_reserved(workload):
            self.had.add(uid)
        elif uid in self.had and not is_true(workload, "Evicted"):
            self.lost.add(uid)
        return uid not in self.lost and super().may_act(workload)

    async def judge_workload(self, key):
        if key in self.workloads.known:
            self.may_act(self.workloads.known[key])
        return await super().judge_workload(key)


class KnowsTheListFromTheStart(CheckController):
    """Breaks CC-028: answers the entries that were there with the reservation, and none that is added;
    CHK-062 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.lists = {}

    async def judge_entry(self, workload, entry):
        return (
            await super().judge_entry(workload, entry) if entry["name"] in self.list_of(workload) else entry
        )

    def list_of(self, workload):
        names = {entry["name"] for entry in check_entries(workload)}
        return self.lists.setdefault(workload["metadata"]["uid"], names) if names else ()

    async def judge_workload(self, key):
        if key in self.workloads.known:
            self.list_of(self.workloads.known[key])
        return await super().judge_workload(key)


class KnowsItsOwnEntriesFromTheStart(KnowsTheListFromTheStart):
    """Breaks CC-028: answers the entries of its checks that it saw first, and none of its checks that is
    added; CHK-195 must catch it.
    """

    def list_of(self, workload):
        names = {entry["name"] for entry in check_entries(workload) if self.serves(entry["name"])}
        return self.lists.setdefault(workload["metadata"]["uid"], names) if names else ()


class KnowsGoodEndingsOnly(CheckController):
    """Breaks CC-021: takes a Workload for finished when it went well; CHK-017 must catch it."""

    def is_ending(self, workload):
        failed = is_true(workload, "Finished") and condition(workload, "Finished")["reason"] != "Succeeded"
        return not failed and super().is_ending(workload)


class KnowsPreemptionsOnly(CheckController):
    """Breaks CC-022: takes a Workload for evicted when it was preempted; CHK-014 must catch it."""

    def is_ending(self, workload):
        other = is_true(workload, "Evicted") and condition(workload, "Evicted")["reason"] != "Preempted"
        return not other and super().is_ending(workload)


class NoticesOneEviction(CheckController):
    """Breaks CC-022: does not notice that a Workload is evicted again; CHK-184 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.reservations = {}

    def is_ending(self, workload):
        reservation = self.reservations.setdefault(workload["metadata"]["uid"], set())
        reservation.add(condition(workload, "QuotaReserved").get("lastTransitionTime"))
        return (len(reservation) < 3 or not is_true(workload, "Evicted")) and super().is_ending(workload)

    def may_act(self, workload):
        reservation = self.reservations.get(workload["metadata"]["uid"], ())
        return super().may_act(workload) or (
            len(reservation) > 2 and is_true(workload, "Evicted") and is_reserved(workload)
        )


class TiresOfAWorkload(CheckController):
    """Breaks CC-060: says Ready three times to a Workload,
    and nothing to its next reservation; CHK-184 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.given = {}

    def entry(self, workload, old, verdict):
        uid = workload["metadata"]["uid"]
        if old["state"] == "Pending" and verdict["state"] == "Ready":
            self.given[uid] = self.given.get(uid, 0) + 1
            return old if self.given[uid] > 3 else super().entry(workload, old, verdict)
        return super().entry(workload, old, verdict)


class IsDoneWithThePreempted(CheckController):
    """Breaks CC-060: judges no Workload that was preempted once; CHK-184 must catch it."""

    def may_act(self, workload):
        return super().may_act(workload) and not condition(workload, "Preempted")


class StartsOverWithTheSpec(CheckController):
    """Breaks CC-068: puts its verdict back to Pending when
    the spec of a Workload changes; CHK-181 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.generations = {}

    async def judge_entry(self, workload, entry):
        uid, current_time = workload["metadata"]["uid"], workload["metadata"]["generation"]
        before, self.generations[uid] = self.generations.get(uid, current_time), current_time
        if before != current_time and entry["state"] == "Ready":
            return {**entry, "state": "Pending", "lastTransitionTime": timestamp(self.clock.now())}
        return await super().judge_entry(workload, entry)


class StumblesOverAPriority(CheckController):
    """Breaks CC-068: cannot go on with a Workload whose priority has changed; CHK-181 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.priorities = {}

    async def ask(self, workload, check):
        current_time = workload["spec"].get("priority")
        if self.priorities.setdefault(workload["metadata"]["uid"], current_time) != current_time:
            raise ValueError("the priority has changed")
        return await super().ask(workload, check)
