"""Wrong after a restart, or beside a second replica (CC-064, CC-070…073)."""

import asyncio
from secrets import token_hex

from .follow import Follower
from .leader import Leader
from .right import CheckController


class SkipsWhatWasThere(CheckController):
    """Breaks CC-070: takes what is there at its start for done; CHK-123 must catch it."""

    def look_at_everything(self):
        self.before = {key: one["metadata"]["resourceVersion"] for key, one in self.workloads.known.items()}
        super().look_at_everything()

    async def judge_workload(self, key):
        workload = self.workloads.known.get(key)
        if workload and self.before.get(key) == workload["metadata"]["resourceVersion"]:
            return None
        return await super().judge_workload(key)


class StampsAtItsStart(CheckController):
    """Breaks CC-070: gives its verdicts anew after a restart, with a new time; CHK-122 must catch it."""

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
    """Breaks CC-071: cannot find outside work again that it began before a crash; CHK-126 must catch it."""

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


class AlwaysActs(CheckController):
    """Breaks CC-073: acts whoever else does; CHK-130 must catch it."""

    def acts(self):
        return True


class NeverTakesOver(CheckController):
    """Breaks CC-073: waits for a leader that is dead; CHK-131 must catch it."""

    class Leader(Leader):
        def may_take(self, spec):
            return spec.get("holderIdentity") in (None, "", self._identity)


class TakesTheLeaseAway(CheckController):
    """Breaks CC-073: takes the lease from a leader that lives; CHK-130 must catch it."""

    class Leader(Leader):
        def may_take(self, spec):
            return True


class KnowsOnlyNews(CheckController):
    """Breaks CC-070: hears of what changes, and does not look at what is there at its start; CHK-120 must catch it."""

    def look_at_everything(self):
        for key in self.checks.known:
            self.mark("check", key)

    def parameters_changed(self, old, new):
        for key in self.checks.known:
            self.mark("check", key)


class ClaimsWhatItWorksOn(CheckController):
    """Breaks CC-070: marks a Workload as its work first, and leaves alone what is marked when it starts; CHK-121 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.claimed = set()

    def effect_changed(self, old, new):
        pass

    async def begin(self, workload, name):
        self.claimed.add(workload["metadata"]["uid"])
        await super().begin(workload, name)

    async def judge_workload(self, key):
        workload = self.workloads.known.get(key)
        begun = any(self.workload_of(one) == key for one in self.effects.known.values())
        if (
            workload
            and begun
            and workload["metadata"]["uid"] not in self.claimed
            and not self.is_ending(workload)
        ):
            return None
        return await super().judge_workload(key)


class IgnoresItsEnd(CheckController):
    """Breaks CC-070: does not end when it is asked to; CHK-124 must catch it."""

    @classmethod
    async def serve(cls, context):
        working = asyncio.ensure_future(super().serve(context))
        for _ in range(3):
            try:
                await asyncio.shield(working)
            except asyncio.CancelledError:
                await asyncio.sleep(15)


class ServesWhatIsNew(CheckController):
    """Breaks CC-010: serves the checks that are made while it runs; CHK-125 must catch it."""

    class Follower(Follower):
        early = frozenset()

        async def list(self):
            await super().list()
            self.early = self.early or frozenset(key for key, one in self.known.items() if self.is_old(one))

        def is_old(self, one):
            return not one["metadata"]["name"].startswith("ready-probe") and not one.get("status")

    def owns(self, name):
        return super().owns(name) and ("", name) not in self.checks.early


class EndsOnlyWhatItRemembers(CheckController):
    """Breaks CC-064: ends the outside work that it remembers, and not what it began before a restart; CHK-127 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.begun = set()

    async def begin(self, workload, name):
        self.begun.add(name)
        await super().begin(workload, name)

    async def end(self, namespace, name):
        if name in self.begun:
            await super().end(namespace, name)
