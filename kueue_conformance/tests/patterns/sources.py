"""Right controllers that come to their verdicts in different ways: a label, a queue of somebody else's, a budget."""

from ..zoo.api import BUDGETS, CORE, NOT_FOUND, ApiError
from ..zoo.follow import key_of
from ..zoo.objects import is_true
from ..zoo.right import UNDECIDED, CheckController

VERDICT = "example.com/verdict"
WAITS = {"state": UNDECIDED, "message": "nobody has decided yet"}


class Labelled(CheckController):
    """Manual approval: somebody labels the Workload."""

    async def ask(self, workload, check):
        state = workload["metadata"].get("labels", {}).get(VERDICT)
        return {"state": state, "message": f"labelled {state}"} if state else WAITS


class Queued(CheckController):
    """An outside queue: it says what became of a Workload in an object of its own."""

    async def ask(self, workload, check):
        namespace, name = key_of(workload)
        try:
            unit = await self.api.get(f"{CORE}/namespaces/{namespace}/configmaps/queued-{name}")
        except ApiError as error:
            if error.code != NOT_FOUND:
                raise
            return WAITS
        state, message = unit["data"]["state"], unit["data"]["message"]
        return {"state": state, "message": message or f"the queue says {state}"}


class Budgeted(CheckController):
    """A budget: everybody who has quota spends of it, and who comes when it is spent tries again later."""

    async def ask(self, workload, check):
        try:
            budget = await self.api.get(f"{BUDGETS}/budgets/everybody")
        except ApiError as error:
            if error.code != NOT_FOUND:
                raise
            return WAITS
        spending = [one for one in self.workloads.known.values() if is_true(one, "QuotaReserved")]
        spent, limit = sum(map(pods_of, spending)), budget["spec"]["limit"]
        message = f"{spent} of {limit} pods are spent"
        if spent <= limit:
            return {"state": "Ready", "message": message}
        return {"state": "Retry", "message": message}


def pods_of(workload):
    """Return how many pods a Workload wants."""
    return sum(one["count"] for one in workload["spec"]["podSets"])
