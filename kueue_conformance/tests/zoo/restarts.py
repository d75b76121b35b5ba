"""Wrong after a restart, or beside a second replica (CC-064, CC-070…073)."""

import asyncio
from secrets import token_hex
from typing import ClassVar

from .api import TROUBLE, Api
from .effects import LABEL
from .follow import Follower
from .leader import Leader
from .objects import CHECKS, EFFECTS, check_path, effects_path, timestamp
from .right import CheckController


class SkipsWhatWasThere(CheckController):
    """Breaks CC-070: takes objects that exist at its start for done; CHK-123 must catch it."""

    def look_at_everything(self):
        self.before = {
            key: document["metadata"]["resourceVersion"] for key, document in self.workloads.known.items()
        }
        super().look_at_everything()

    async def judge_workload(self, key):
        workload = self.workloads.known.get(key)
        if workload and self.before.get(key) == workload["metadata"]["resourceVersion"]:
            return None
        return await super().judge_workload(key)


class AnswersFromItsFile(CheckController):
    """Breaks CC-060: saves its verdicts, and after a restart answers from what it saved without asking;
    CHK-128 must catch it.
    """

    saved: ClassVar = {}
    """What a file would hold: it outlives the controller."""

    def __init__(self, *about):
        super().__init__(*about)
        self.loaded = {**self.saved}

    async def ask(self, workload, check):
        key = (workload["metadata"]["uid"], check)
        if key in self.loaded:
            return self.loaded[key]
        verdict = await super().ask(workload, check)
        if verdict["state"] != "Pending":
            self.saved[key] = verdict
        return verdict


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

    def effects_of(self, key):
        ours = set(self.names.values())
        return {name: item for name, item in super().effects_of(key).items() if name in ours}


class AlwaysActs(CheckController):
    """Breaks CC-073: acts without a lease, beside other replicas; CHK-130 must catch it."""

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
    """Breaks CC-070: hears of what changes, and does not look
    at what is there at its start; CHK-120 must catch it.
    """

    def look_at_everything(self):
        for key in self.checks.known:
            self.mark("check", key)

    def parameters_changed(self, old, new):
        for key in self.checks.known:
            self.mark("check", key)


class ClaimsWhatItWorksOn(CheckController):
    """Breaks CC-070: marks a Workload as its work first, and leaves alone what is marked when it starts;
    CHK-121 must catch it.
    """

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
        begun = any(self.workload_of(document) == key for document in self.effects.known.values())
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
            self.early = self.early or frozenset(
                key for key, document in self.known.items() if self.is_old(document)
            )

        def is_old(self, check):
            return not check["metadata"]["name"].startswith("ready-probe") and not check.get("status")

    def owns(self, name):
        return super().owns(name) and ("", name) not in self.checks.early


class EndsOnlyWhatItRemembers(CheckController):
    """Breaks CC-064: ends the outside work that it remembers, and not what it began before a restart; CHK-127
    must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.begun = set()

    async def begin(self, workload, name):
        self.begun.add(name)
        await super().begin(workload, name)

    async def end(self, namespace, name):
        if name in self.begun:
            await super().end(namespace, name)


class LeadsWithoutALease(CheckController):
    """Breaks CC-073: goes on acting when another replica has the lease; CHK-133 must catch it."""

    class Leader(Leader):
        async def acquire(self):
            return await super().acquire() or self.leading


class TakesWorkWithIt(CheckController):
    """Breaks CC-070: ends its outside work when it is asked to end; CHK-187 must catch it."""

    @classmethod
    async def serve(cls, context):
        try:
            await super().serve(context)
        finally:
            await asyncio.shield(asyncio.ensure_future(cls.swept(context)))

    @classmethod
    async def swept(cls, context):
        """End all outside work that there is."""
        api = Api(context.kubeconfig)
        try:
            for item in (await api.get(EFFECTS, labelSelector=LABEL))["items"]:
                await api.delete(effects_path(item["metadata"]["namespace"], item["metadata"]["name"]))
        except TROUBLE:
            pass
        finally:
            await api.close()


class BeginsAnewAtItsStart(CheckController):
    """Breaks CC-071: ends what it finds at its start, and begins anew; CHK-187 must catch it."""

    async def run(self):
        with self.clock.busy():
            for item in (await self.api.get(EFFECTS, labelSelector=f"{LABEL}={self.label}"))["items"]:
                await self.end(item["metadata"]["namespace"], item["metadata"]["name"])
        await super().run()


class TakesActiveWithIt(CheckController):
    """Breaks CC-015: says that its checks are not Active when it is asked to end; CHK-124 must catch it."""

    @classmethod
    async def serve(cls, context):
        try:
            await super().serve(context)
        finally:
            await asyncio.shield(asyncio.ensure_future(cls.deactivate_checks(context)))

    @classmethod
    async def deactivate_checks(cls, context):
        """Take Active back from every check."""
        api = Api(context.kubeconfig)
        text = {"type": "Active", "status": "False", "reason": "Down", "message": "the controller is down"}
        text["lastTransitionTime"] = timestamp(context.clock.now())
        try:
            for item in (await api.get(CHECKS))["items"]:
                if item["spec"].get("controllerName") == context.controller_name:
                    await api.put(
                        check_path(item["metadata"]["name"]), {**item, "status": {"conditions": [text]}}
                    )
        except TROUBLE:
            pass
        finally:
            await api.close()


class PutsReadyBackAtItsStart(CheckController):
    """Breaks CC-070: what was Ready is Pending after a restart,
    until it has asked again; CHK-122 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.seen = set()

    async def judge_entry(self, workload, entry):
        about = workload["metadata"]["uid"], entry["name"]
        new = about not in self.seen and entry["state"] == "Ready"
        self.seen.add(about)
        if new:
            return {**entry, "state": "Pending", "lastTransitionTime": timestamp(self.clock.now())}
        return await super().judge_entry(workload, entry)
