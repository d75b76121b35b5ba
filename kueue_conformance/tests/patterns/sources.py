"""Right controllers that come to their verdicts in different ways: a label, an external queue, a budget."""

from ..zoo.api import CORE
from ..zoo.follow import key_of
from ..zoo.objects import is_true
from ..zoo.right import UNDECIDED, CheckController

VERDICT = "example.com/verdict"
WAITS = {"state": UNDECIDED, "message": "nobody has decided yet"}


class Labelled(CheckController):
    """Manual approval: a user labels the Workload."""

    async def ask(self, workload, check):
        state = workload["metadata"].get("labels", {}).get(VERDICT)
        return {"state": state, "message": f"labelled {state}"} if state else WAITS


class Queued(CheckController):
    """An outside queue: it says what became of a Workload in an object of its own, which is followed."""

    async def run(self):
        self.units = self.follower(f"{CORE}/configmaps", self.unit_changed, labelSelector="example.com/unit")
        self.tasks.create_task(self.units.run())
        await super().run()

    def unit_changed(self, old, new):
        namespace, name = key_of(new or old)
        self.mark("workload", (namespace, name.removeprefix("queued-")))

    async def ask(self, workload, check):
        namespace, name = key_of(workload)
        unit = self.units.known.get((namespace, f"queued-{name}"))
        if unit is None:
            return WAITS
        state, message = unit["data"]["state"], unit["data"]["message"]
        return {"state": state, "message": message or f"the queue says {state}"}


class Budgeted(CheckController):
    """A budget: everybody who has quota spends of it, and who comes when it is spent tries again later."""

    def parameters_changed(self, old, new):
        super().parameters_changed(old, new)
        self.look_at_everything()

    async def ask(self, workload, check):
        self.follow_parameters()
        await self.parameters.synced.wait()
        budget = self.parameters.known.get(("", "everybody"))
        if budget is None:
            return WAITS
        spending = [
            workload for workload in self.workloads.known.values() if is_true(workload, "QuotaReserved")
        ]
        spent, limit = sum(map(pods_of, spending)), budget["spec"]["limit"]
        state = "Ready" if spent <= limit else "Retry"
        return {"state": state, "message": f"{spent} of {limit} pods are spent"}


def pods_of(workload):
    """Return how many pods a Workload wants."""
    return sum(pod_set["count"] for pod_set in workload["spec"]["podSets"])
