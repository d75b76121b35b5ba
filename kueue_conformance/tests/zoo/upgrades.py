"""Wrong when the Kueue under them is replaced by one of another release (KV-03, KV-16)."""

from .api import CONFLICT, ApiError
from .economy import Applies
from .follow import key_of
from .objects import check_entries, condition, timestamp
from .right import CheckController


class AnswersAgainInNewWords(CheckController):
    """Breaks CC-043: gives its verdict again when Kueue first says why a Workload is not admitted;
    UPC-001 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.reasons = {}

    def since(self, old, state):
        return timestamp(self.clock.now()) if self.has_new_reason else super().since(old, state)

    async def judge(self, workload):
        key, reason = key_of(workload), condition(workload, "Admitted").get("reason", "")
        self.has_new_reason = bool(reason) and not self.reasons.get(key, reason)
        self.reasons[key] = reason
        return await super().judge(workload)


class TakesAnyAdmittedForAdmitted(CheckController):
    """Breaks KV-03: forgets a waiting Workload when a condition Admitted comes, although it is False;
    UPC-002 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.waiting = set()

    def may_act(self, workload):
        key = workload["metadata"]["uid"]
        if not condition(workload, "Admitted"):
            self.waiting.add(key)
        elif key in self.waiting:
            return False
        return super().may_act(workload)


class RepeatsUntilKueueReacts(CheckController):
    """Breaks CC-043: says Ready again, with a new time, until Kueue has admitted the Workload;
    UPC-003 must catch it.
    """

    patience = 3
    """So many looks at a Workload that Kueue has not admitted."""

    def __init__(self, *about):
        super().__init__(*about)
        self.looks = {}

    def since(self, old, state):
        if old["state"] != "Ready" or self.admits(old["name"]):
            return super().since(old, state)
        looks = self.looks[old["name"]] = self.looks.get(old["name"], 0) + 1
        return super().since(old, state) if looks < self.patience else timestamp(self.clock.now())

    def admits(self, check):
        """Tell whether every Workload that lists a check is admitted."""
        return all(
            condition(workload, "Admitted").get("status") == "True"
            for workload in self.workloads.known.values()
            if any(entry["name"] == check for entry in check_entries(workload))
        )


class ForcesItsFirstVerdictAlone(Applies):
    """Breaks CC-038: owns an entry since its first verdict, applies the next one without force, and gives up
    where Kueue owns it as well; UPC-004 must catch it.
    """

    async def write(self, path, desired, read):
        ours = [entry for entry in check_entries(read) if self.serves(entry["name"])]
        self.force = "true" if all(entry["state"] == "Pending" for entry in ours) else "false"
        try:
            return await super().write(path, desired, read)
        except ApiError as error:
            if error.code != CONFLICT:
                raise


class TakesAnUnadmittedWorkloadForEvicted(CheckController):
    """Breaks CC-062: ends its outside work when Admitted becomes False, as after an eviction, and begins
    it anew; UPC-005 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.released = set()

    def may_stay(self, workload, entry):
        uid = workload["metadata"]["uid"]
        if condition(workload, "Admitted").get("status") == "False" and uid not in self.released:
            self.released.add(uid)
            return False
        return super().may_stay(workload, entry)


class KnowsReservationsOfOneRelease(CheckController):
    """Breaks CC-022: looks at a Workload a second after it came, and answers it unless it has a condition
    Admitted by then; UPC-006 must catch it.
    """

    notice_seconds = 1.0

    def __init__(self, *about):
        super().__init__(*about)
        self.noticed = set()

    def may_act(self, workload):
        return super().may_act(workload) and condition(workload, "Admitted").get("status") != "False"

    async def judge_workload(self, key):
        if key not in self.noticed:
            self.noticed.add(key)
            return self.notice_seconds
        return await super().judge_workload(key)


class KeepsWhatItHasAskedBefore(CheckController):
    """Breaks CC-060: does not ask again for a Workload that was evicted while another Kueue worked;
    UPC-007 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.sent_back = set()

    def may_act(self, workload):
        uid = workload["metadata"]["uid"]
        reason = condition(workload, "Admitted").get("reason", "")
        if any(entry["state"] == "Retry" for entry in check_entries(workload)) and not reason:
            self.sent_back.add(uid)
        return super().may_act(workload) and not (uid in self.sent_back and reason)


class AsksAgainUntilKueueReacts(CheckController):
    """Breaks CC-051: asks again after a Rejected to which Kueue has not reacted, and answers anew;
    UPC-008 must catch it.
    """

    async def judge_entry(self, workload, entry):
        if entry["state"] != "Rejected":
            return await super().judge_entry(workload, entry)
        return self.entry(workload, entry, await self.ask(workload, entry["name"]))

    def again(self, workload):
        states = {entry["state"] for entry in check_entries(workload) if self.serves(entry["name"])}
        return self.look_again if "Rejected" in states else super().again(workload)
