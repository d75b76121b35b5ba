"""Wrong about what is said in an entry, and about what is final (CC-026, CC-033…036, CC-050…060)."""

from .api import TROUBLE
from .objects import is_true, timestamp
from .right import CheckController


class PassesAnyWordOn(CheckController):
    """Breaks CC-026: writes whatever word the outside system says; CHK-021 must catch it."""

    def entry(self, workload, old, verdict):
        state = verdict["state"]
        if state in ("Pending", "Ready", "Retry", "Rejected"):
            return super().entry(workload, old, verdict)
        return {**old, "state": state, "lastTransitionTime": timestamp(self.clock.now())}


class TakesAnyWordForYes(CheckController):
    """Breaks CC-050: takes every answer that is no denial for Ready; CHK-021 must catch it."""

    def entry(self, workload, old, verdict):
        known_names = verdict["state"] in ("Pending", "Ready", "Retry", "Rejected")
        return super().entry(workload, old, verdict if known_names else {**verdict, "state": "Ready"})


class LosesTheMessage(CheckController):
    """Breaks CC-036: does not say why; CHK-020 must catch it."""

    def message(self, verdict):
        return "" if verdict["state"] in ("Retry", "Rejected") else super().message(verdict)


class TellsAnyLength(CheckController):
    """Breaks CC-036: passes on a message of any length; CHK-027 must catch it."""

    def message(self, verdict):
        return verdict.get("message", "")


class MovesTheTimeWithTheMessage(CheckController):
    """Breaks CC-035: takes a new message for a transition; CHK-024 must catch it."""

    def since(self, old, state):
        return timestamp(self.clock.now())


class KeepsTheTime(CheckController):
    """Breaks CC-035: leaves the time as it was when the state turns; CHK-026 must catch it."""

    def since(self, old, state):
        return old["lastTransitionTime"]


class DropsTheRetryCount(CheckController):
    """Breaks CC-033: makes its entries anew, without Kueue's count; CHK-025 must catch it."""

    def entry(self, workload, old, verdict):
        new = super().entry(workload, old, verdict)
        return new if new is old else {key: value for key, value in new.items() if key != "retryCount"}


class CountsRetries(CheckController):
    """Breaks CC-033: counts its Retries where Kueue does; CHK-025 must catch it."""

    def entry(self, workload, old, verdict):
        new = super().entry(workload, old, verdict)
        repeated = new["state"] == "Retry" and old["state"] != "Retry"
        return {**new, "retryCount": old.get("retryCount", 0) + 1} if repeated else new


class DelaysEverything(CheckController):
    """Breaks CC-034: sets requeueAfterSeconds with every state; CHK-081 must catch it."""

    def delay(self, verdict):
        return {"requeueAfterSeconds": verdict.get("requeueAfterSeconds", 0)}


class KeepsAnOldDelay(CheckController):
    """Breaks CC-034: leaves the delay of an earlier Retry in the entry; CHK-081 must catch it."""

    def entry(self, workload, old, verdict):
        new, delay = super().entry(workload, old, verdict), old.get("requeueAfterSeconds")
        return new if delay is None else {**new, "requeueAfterSeconds": new.get("requeueAfterSeconds", delay)}


class DropsTheDelay(CheckController):
    """Breaks CC-052: does not pass on after how long a Retry is worth it; CHK-080 must catch it."""

    def delay(self, verdict):
        return {}


class SaysRejectedForRetry(CheckController):
    """Breaks CC-052: knows one way to say no, the final one; CHK-020 must catch it."""

    async def ask(self, workload, check):
        verdict = await super().ask(workload, check)
        return {**verdict, "state": "Rejected"} if verdict["state"] == "Retry" else verdict


class SaysRetryForRejected(CheckController):
    """Breaks CC-053: knows one way to say no, for now; CHK-020 must catch it."""

    async def ask(self, workload, check):
        verdict = await super().ask(workload, check)
        return {**verdict, "state": "Retry"} if verdict["state"] == "Rejected" else verdict


class RevivesRejected(CheckController):
    """Breaks CC-053: asks again about what it rejected; CHK-033 must catch it."""

    async def judge_entry(self, workload, entry):
        if entry["state"] != "Rejected":
            return await super().judge_entry(workload, entry)
        verdict = await self.ask(workload, entry["name"])
        return self.entry(workload, entry, verdict)

    def again(self, workload):
        return self.poll


class NeverLooksAgain(CheckController):
    """Breaks CC-051: is done with a Workload once it is Ready; CHK-059 must catch it."""

    async def judge_entry(self, workload, entry):
        return entry if entry["state"] == "Ready" else await super().judge_entry(workload, entry)


class LooksUntilAdmission(CheckController):
    """Breaks CC-051: is done with a Workload once it is admitted; CHK-063 must catch it."""

    def may_act(self, workload):
        conditions = workload.get("status", {}).get("conditions", [])
        admitted = any(
            (condition["type"], condition["status"]) == ("Admitted", "True") for condition in conditions
        )
        return super().may_act(workload) and not admitted


class RejectsWhenNobodyAnswers(CheckController):
    """Breaks CC-053: takes trouble of the outside system for a final no; CHK-117 must catch it."""

    async def ask(self, workload, check):
        try:
            return await super().ask(workload, check)
        except TROUBLE as problem:
            return {"state": "Rejected", "message": str(problem)}


class RetriesWhenNobodyAnswers(CheckController):
    """Breaks CC-076: takes trouble of the outside system for a verdict; CHK-057 must catch it."""

    async def ask(self, workload, check):
        try:
            return await super().ask(workload, check)
        except TROUBLE as problem:
            return {"state": "Retry", "message": str(problem)}


class IsReadyAfterAWhile(CheckController):
    """Breaks CC-050: takes the third answer that is no verdict for a yes; CHK-028 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.waits = {}

    async def ask(self, workload, check):
        verdict, about = await super().ask(workload, check), (workload["metadata"]["uid"], check)
        self.waits[about] = self.waits.get(about, 0) + 1 if verdict["state"] == "Pending" else 0
        return {"state": "Ready", "message": "nobody objected"} if self.waits[about] >= 3 else verdict


class AnswersOnce(CheckController):
    """Breaks CC-060: gives each verdict once,
    and never sees that it was overwritten; CHK-031 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.done = set()

    async def judge_entry(self, workload, entry):
        about = workload["metadata"]["uid"], entry["name"]
        if about in self.done and entry["state"] == "Pending":
            return entry
        new = await super().judge_entry(workload, entry)
        if new["state"] != "Pending":
            self.done.add(about)
        return new


class KeepsTheFirstVerdict(CheckController):
    """Breaks CC-060: remembers what was answered about a Workload for ever; CHK-116 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.answers = {}

    async def ask(self, workload, check):
        about = workload["metadata"]["uid"], check
        if about not in self.answers:
            verdict = await super().ask(workload, check)
            if verdict["state"] == "Pending":
                return verdict
            self.answers[about] = verdict
        return self.answers[about]


class RejectsForGood(CheckController):
    """Breaks CC-053: never forgives a Workload that it rejected,
    whatever a human decides; CHK-037 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.rejected = set()

    def entry(self, workload, old, verdict):
        uid = workload["metadata"]["uid"]
        if uid in self.rejected:
            return old
        new = super().entry(workload, old, verdict)
        if new["state"] == "Rejected":
            self.rejected.add(uid)
        return new


class RetriesOnce(CheckController):
    """Breaks CC-052: gives each verdict on a Workload once; CHK-036 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.given = set()

    def entry(self, workload, old, verdict):
        about = workload["metadata"]["uid"], old["name"], verdict["state"]
        if verdict["state"] == "Retry" and about in self.given:
            return old
        self.given.add(about)
        return super().entry(workload, old, verdict)


class CountsItsOwnUse(CheckController):
    """Breaks CC-050: counts an admitted Workload against itself, and sends it back; CHK-060 must catch it."""

    async def ask(self, workload, check):
        verdict = await super().ask(workload, check)
        if verdict["state"] == "Ready" and is_true(workload, "Admitted"):
            return {"state": "Retry", "message": "the budget is used up"}
        return verdict


class RemembersByName(CheckController):
    """Breaks CC-060: remembers verdicts by the Workload's name,
    which another may have later; CHK-039 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.good = set()

    async def ask(self, workload, check):
        about = workload["metadata"]["namespace"], workload["metadata"]["name"], check
        evicted = any(condition["type"] == "Evicted" for condition in workload["status"]["conditions"])
        if about in self.good and not evicted:
            return {"state": "Ready", "message": "as before"}
        verdict = await super().ask(workload, check)
        if verdict["state"] == "Ready":
            self.good.add(about)
        return verdict


class AsksOnceForAllWorkloads(CheckController):
    """Breaks CC-050: gives what it heard about one Workload
    to all that wait for the check; CHK-069 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.heard = {}

    async def ask(self, workload, check):
        if check not in self.heard:
            verdict = await super().ask(workload, check)
            if verdict["state"] not in ("Ready", "Retry"):
                return verdict
            self.heard.setdefault(check, verdict)
        return self.heard[check]


class GivesUpInTrouble(CheckController):
    """Breaks CC-076: asks no more once it got something that is no verdict; CHK-057 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.hopeless = set()

    async def ask(self, workload, check):
        if workload["metadata"]["uid"] in self.hopeless:
            return {"state": "Pending", "message": "the outside system is broken"}
        try:
            return await super().ask(workload, check)
        except TROUBLE:
            self.hopeless.add(workload["metadata"]["uid"])
            raise


class PassesAnyDelayOn(CheckController):
    """Breaks CC-034: passes a delay on that is none; CHK-082 must catch it."""

    def delay(self, verdict):
        return (
            {"requeueAfterSeconds": verdict["requeueAfterSeconds"]}
            if "requeueAfterSeconds" in verdict and verdict["state"] == "Retry"
            else {}
        )


class TakesRetryBack(CheckController):
    """Breaks CC-056: puts its Retry back to Pending itself after a while; CHK-038 must catch it."""

    def again(self, workload):
        return self.poll

    async def judge_entry(self, workload, entry):
        verdict = await self.ask(workload, entry["name"]) if entry["state"] == "Retry" else None
        if verdict is None or verdict["state"] == "Retry":
            return await super().judge_entry(workload, entry)
        return {**entry, "state": "Pending", "lastTransitionTime": timestamp(self.clock.now())}


class StampsWhileItWaits(CheckController):
    """Breaks CC-055: tells the same again with a new time as long as it waits; CHK-028 must catch it."""

    def entry(self, workload, old, verdict):
        new = super().entry(workload, old, verdict)
        return (
            {**new, "lastTransitionTime": timestamp(self.clock.now())} if new["state"] == "Pending" else new
        )


class TakesReadyBack(CheckController):
    """Breaks CC-054: turns Ready into Pending when it has doubts; CHK-095 must catch it."""

    def entry(self, workload, old, verdict):
        if (old["state"], verdict["state"]) != ("Ready", "Pending"):
            return super().entry(workload, old, verdict)
        return {**old, "state": "Pending", "lastTransitionTime": timestamp(self.clock.now())}


class CountsWholeMinutes(CheckController):
    """Breaks CC-052: counts delays in whole minutes; CHK-080 must catch it."""

    def delay(self, verdict):
        return {name: seconds // 60 * 60 for name, seconds in super().delay(verdict).items()}


class JudgesBadNewsAgain(CheckController):
    """Breaks CC-053: judges every entry of its own when an event comes, also one that is Retry or Rejected;
    CHK-033 must catch it.
    """

    async def judge_entry(self, workload, entry):
        return self.entry(workload, entry, await self.ask(workload, entry["name"]))


class AsksWhenSomethingChanges(CheckController):
    """Breaks CC-027: asks about a Workload when it changes, and not again while it is undecided; CHK-192 must
    catch it.
    """

    def again(self, workload):
        return None
