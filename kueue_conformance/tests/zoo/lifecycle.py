"""Wrong about the end: outside work that stays, finalizers, checks that go (CC-061…067)."""

from .objects import CHECKS, check_entries, condition, is_true, timestamp
from .right import CheckController


class WorksOnAfterEviction(CheckController):
    """Breaks CC-061: does not end outside work when the Workload is evicted; CHK-088 must catch it."""

    def may_stay(self, workload, entry):
        return (is_true(workload, "Evicted") and not is_true(workload, "Finished")) or super().may_stay(
            workload, entry
        )


class WorksOnAfterTheEnd(CheckController):
    """Breaks CC-063: does not end outside work when the Workload is finished; CHK-090 must catch it."""

    def may_stay(self, workload, entry):
        return is_true(workload, "Finished") or super().may_stay(workload, entry)


class WorksOnAfterDeletion(CheckController):
    """Breaks CC-064: leaves outside work behind, without an owner; CHK-091 must catch it."""

    async def keep_effects(self, key, workload):
        if workload is not None and "deletionTimestamp" not in workload["metadata"]:
            await super().keep_effects(key, workload)

    def belongs(self, effect, workload):
        return True

    def owner(self, workload):
        return {**super().owner(workload), "uid": "00000000-0000-0000-0000-000000000000"}


class WorksOnWhenItsEntryIsGone(CheckController):
    """Breaks CC-065: does not end outside work when its entry is dropped; CHK-092 must catch it."""

    async def keep_effects(self, key, workload):
        if workload is None or any(self.serves(entry["name"]) for entry in check_entries(workload)):
            await super().keep_effects(key, workload)


class HoldsItsChecks(CheckController):
    """Breaks CC-066: puts a finalizer on its checks and never takes it off; CHK-084 must catch it."""

    async def judge_check(self, key):
        await super().judge_check(key)
        check = self.checks.known.get(key)
        if (
            check
            and self.serves(key[1])
            and "example.com/hold" not in check["metadata"].get("finalizers", ())
        ):
            is_held = {
                "metadata": {"finalizers": [*check["metadata"].get("finalizers", ()), "example.com/hold"]}
            }
            await self.api.patch(f"/apis/kueue.x-k8s.io/v1beta2/admissionchecks/{key[1]}", is_held)


class HoldsItsWorkloads(CheckController):
    """Breaks CC-064: puts a finalizer on Workloads and never takes it off; CHK-083 must catch it."""

    async def begin(self, workload, name):
        await super().begin(workload, name)
        metadata = workload["metadata"]
        is_held = {"metadata": {"finalizers": [*metadata.get("finalizers", ()), "example.com/hold"]}}
        path = f"/apis/kueue.x-k8s.io/v1beta2/namespaces/{metadata['namespace']}/workloads/{metadata['name']}"
        await self.api.patch(path, is_held)


class BeginsAnewWithEveryReservation(CheckController):
    """Breaks CC-062: begins outside work again when quota comes back,
    beside what is there; CHK-089 must catch it.
    """

    def effect_name(self, workload, check):
        since = condition(workload, "QuotaReserved").get("lastTransitionTime", "")
        return f"{super().effect_name(workload, check)}-{since.lower().replace(':', '-')}"

    def may_stay(self, workload, entry):
        return True

    async def end(self, namespace, name):
        workload = self.workloads.known.get(self.workload_of(self.effects.known[namespace, name]))
        if workload is None or self.is_ending(workload):
            await super().end(namespace, name)


class RevokesWithItsParameters(CheckController):
    """Breaks CC-067: withdraws admitted Workloads when the parameters are gone; CHK-056 must catch it."""

    async def judge_entry(self, workload, entry):
        problem = self.problem(self.checks.known["", entry["name"]])
        if problem and entry["state"] == "Ready":
            return self.entry(workload, entry, {"state": "Retry", "message": problem})
        return await super().judge_entry(workload, entry)


class AnswersWithoutParameters(CheckController):
    """Breaks CC-067: goes on with verdicts while its check is not active; CHK-054 must catch it."""

    async def judge_entry(self, workload, entry):
        if entry["state"] in ("Retry", "Rejected"):
            return entry
        return self.entry(workload, entry, await self.ask(workload, entry["name"]))


class ForgetsWhoWaitsForParameters(CheckController):
    """Breaks CC-067: does not look at Workloads again when the parameters come; CHK-054 must catch it."""

    def parameters_changed(self, old, new):
        for key, check in [*self.checks.known.items()]:
            if self.reference(check).get("name") == (new or old)["metadata"]["name"]:
                self.mark("check", key)

    def check_changed(self, old, new):
        if old is None or new is None or old["spec"] != new["spec"]:
            super().check_changed(old, new)
        else:
            self.mark("check", ("", new["metadata"]["name"]))

    def again(self, workload):
        waits = any(
            self.problem(self.checks.known["", entry["name"]])
            for entry in check_entries(workload)
            if self.serves(entry["name"])
        )
        return None if waits else super().again(workload)


class FreesItsChecks(CheckController):
    """Breaks CC-066: takes all finalizers off a check that is
    being deleted, Kueue's as well; CHK-084 must catch it.
    """

    async def judge_check(self, key):
        check = self.checks.known.get(key)
        if check and self.owns(key[1]) and "deletionTimestamp" in check["metadata"]:
            await self.api.patch(f"{CHECKS}/{key[1]}", {"metadata": {"finalizers": []}})
        await super().judge_check(key)


class RejectsWhenItsCheckGoes(CheckController):
    """Breaks CC-066: takes the deletion of a check for a verdict
    against all that wait for it; CHK-085 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.gone = set()

    def check_changed(self, old, new):
        if new is None and old["spec"].get("controllerName") == self.name:
            self.gone.add(old["metadata"]["name"])
        super().check_changed(old, new)

    async def entries(self, workload):
        time = timestamp(self.clock.now())
        bad = {"state": "Retry", "message": "the check is gone", "lastTransitionTime": time}
        return [
            {**entry, **bad}
            if entry["name"] in self.gone and entry["state"] in ("Pending", "Ready")
            else entry
            for entry in await super().entries(workload)
        ]


class WorksOnce(CheckController):
    """Breaks CC-060: begins outside work for a Workload once,
    and not for a new reservation; CHK-093 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.begun = set()

    async def begin(self, workload, name):
        if workload["metadata"]["uid"] not in self.begun:
            self.begun.add(workload["metadata"]["uid"])
            await super().begin(workload, name)


class BeginsAtEveryLook(CheckController):
    """Breaks CC-072: begins outside work again when a label of a Workload changes; CHK-087 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.looks = {}

    def effect_name(self, workload, check):
        return f"{super().effect_name(workload, check)}-{self.looks.get(workload['metadata']['uid'], 0)}"

    def workload_changed(self, old, new):
        if old and new and old["metadata"].get("labels") != new["metadata"].get("labels"):
            self.looks[new["metadata"]["uid"]] = self.looks.get(new["metadata"]["uid"], 0) + 1
        super().workload_changed(old, new)

    async def end(self, namespace, name):
        workload = self.workloads.known.get(self.workload_of(self.effects.known[namespace, name]))
        if workload is None or self.is_ending(workload) or not check_entries(workload):
            await super().end(namespace, name)


class AnswersForAChecksLastWish(CheckController):
    """Breaks CC-066: gives verdicts for a check that is being deleted; CHK-098 must catch it."""

    def serves(self, name):
        return self.owns(name)


class WorksOnceForAllWorkloads(CheckController):
    """Breaks CC-061: begins one piece of outside work for all Workloads of a check; CHK-185 must catch it."""

    def effect_name(self, workload, check):
        return f"work-{check}"


class EndsWorkOfEverybody(CheckController):
    """Breaks CC-062: ends all outside work of a namespace
    when that for one Workload ends; CHK-185 must catch it.
    """

    async def end(self, namespace, name):
        for at in [*self.effects.known]:
            if at[0] == namespace:
                await super().end(*at)


class EndsWorkOfNamesThatBeginAlike(CheckController):
    """Breaks CC-062: ends the outside work of all Workloads
    whose names begin alike; CHK-185 must catch it.
    """

    async def end(self, namespace, name):
        owner = self.workload_of(self.effects.known[namespace, name])[1]
        for at, document in [*self.effects.known.items()]:
            if at[0] == namespace and self.workload_of(document)[1].startswith(owner):
                await super().end(*at)


class KeepsWorkOfTheSwitchedOff(CheckController):
    """Breaks CC-061: does not end outside work for a Workload
    that a user has deactivated; CHK-186 must catch it.
    """

    def may_stay(self, workload, entry):
        return workload["spec"].get("active", True) is False or super().may_stay(workload, entry)
