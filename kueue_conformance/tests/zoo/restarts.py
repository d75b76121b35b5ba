"""Wrong after a restart, or beside a second replica (CC-064, CC-070…073)."""

from itertools import count
from secrets import token_hex

from .leader import Leader
from .objects import listed
from .right import CheckController


class SkipsWhatWasThere(CheckController):
    """Breaks CC-070: takes what is there at its start for done; CHK-000 must catch it."""

    def look_at_everything(self):
        self.before = {key: one["metadata"]["resourceVersion"] for key, one in self.workloads.known.items()}
        super().look_at_everything()

    async def judge_workload(self, key):
        workload = self.workloads.known.get(key)
        if workload and self.before.get(key) == workload["metadata"]["resourceVersion"]:
            return None
        return await super().judge_workload(key)


class StampsAtItsStart(CheckController):
    """Breaks CC-070: gives its verdicts anew after a restart, with a new time; CHK-000 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.decided = set()

    def since(self, old, state):
        if old["state"] != "Ready" or old["name"] in self.decided:
            self.decided.add(old["name"])
            return super().since(old, state)
        self.decided.add(old["name"])
        return super().since({**old, "state": ""}, state)


class NamesItsWorkAtRandom(CheckController):
    """Breaks CC-071: cannot find outside work again that it began before a crash; CHK-000 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.names = {}

    def effect_name(self, workload, check):
        about = workload["metadata"]["uid"], check
        return self.names.setdefault(about, f"{super().effect_name(workload, check)}-{token_hex(3)}")

    async def keep_effects(self, key, workload):
        ours = set(self.names.values())
        known, self.effects.known = (
            self.effects.known,
            {at: one for at, one in self.effects.known.items() if at[1] in ours},
        )
        try:
            await super().keep_effects(key, workload)
        finally:
            self.effects.known = known


class BeginsAgainWhenTheAnswerIsLost(CheckController):
    """Breaks CC-071: begins outside work under a new name when the first try failed; CHK-000 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.tries = {}

    async def begin(self, workload, name):
        number = self.tries.setdefault(name, count())
        await super().begin(workload, f"{name}-{next(number)}")

    def may_begin(self, workload, entry):
        key = workload["metadata"]["namespace"], workload["metadata"]["name"]
        begun = any(
            self.workload_of(one) == key and f"-{entry['name']}-" in name
            for (_, name), one in self.effects.known.items()
        )
        return not begun and super().may_begin(workload, entry)

    async def keep_effects(self, key, workload):
        if workload is None or self.is_ending(workload) or not listed(workload):
            for at, one in [*self.effects.known.items()]:
                if self.workload_of(one) == key:
                    await self.end(*at)
            return
        for entry in listed(workload):
            if self.may_begin(workload, entry):
                await self.begin(workload, self.effect_name(workload, entry["name"]))


class LeavesWorkOfTheDead(CheckController):
    """Breaks CC-064: does not end work of Workloads that were deleted while it was down; CHK-000 must catch it."""

    def look_at_everything(self):
        for key in self.checks.known:
            self.mark("check", key)
        for key in self.workloads.known:
            self.mark("workload", key)

    def effect_changed(self, old, new):
        if self.workload_of(new or old) in self.workloads.known:
            super().effect_changed(old, new)


class AlwaysActs(CheckController):
    """Breaks CC-073: acts whoever else does; CHK-000 must catch it."""

    def acts(self):
        return True


class NeverTakesOver(CheckController):
    """Breaks CC-073: waits for a leader that is dead; CHK-000 must catch it."""

    class Leader(Leader):
        def may_take(self, spec):
            return spec.get("holderIdentity") in (None, "", self._identity)


class TakesTheLeaseAway(CheckController):
    """Breaks CC-073: takes the lease from a leader that lives; CHK-000 must catch it."""

    class Leader(Leader):
        def may_take(self, spec):
            return True


class LeadsWithoutALease(CheckController):
    """Breaks CC-073: once it has led it goes on, whoever holds the lease; CHK-000 must catch it."""

    led = False

    def acts(self):
        self.led = self.led or super().acts()
        return self.led
