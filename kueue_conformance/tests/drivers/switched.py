"""Right controllers of the zoo behind a switch, a ConfigMap that decides about every Workload at once; and
one behind a service that decides about each Workload as soon as it is asked.
"""

from kueue_conformance.tests.zoo.api import CORE
from kueue_conformance.tests.zoo.objects import condition
from kueue_conformance.tests.zoo.right import UNDECIDED, CheckController

SWITCHES = f"{CORE}/namespaces/default/configmaps"


DECISIONS = {}
"""What the service was told, by namespace and name of a Workload."""


def decide(decision, kubeconfig):
    """Tell the service."""
    del kubeconfig
    verdict = {"state": decision.state, "message": decision.message, **decision.details}
    DECISIONS[decision.namespace, decision.workload] = verdict


def forget(decision, kubeconfig):
    """Have the service decide by itself."""
    del kubeconfig
    DECISIONS.pop((decision.namespace, decision.workload), None)


class AdmittedAtOnce(CheckController):
    """Asks the service, which admits every Workload that it was told nothing about."""

    async def ask(self, workload, check):
        metadata = workload["metadata"]
        admitted = {"state": "Ready", "message": "there is budget"}
        return DECISIONS.get((metadata["namespace"], metadata["name"]), admitted)

    def reference(self, check):
        return {}


class Switched(CheckController):
    """Follows the switch, also back to Pending as long as a Workload is not admitted."""

    at_first = UNDECIDED
    """What it decides while nobody has touched the switch."""

    async def run(self):
        self.switches = self.follower(SWITCHES, lambda *_: self.look_at_everything())
        self.tasks.create_task(self.switches.run())
        await self.switches.synced.wait()
        await super().run()

    async def ask(self, workload, check):
        switch = self.switches.known.get(("default", "switch"))
        state = switch["data"]["state"] if switch else self.at_first
        return {"state": state, "message": f"the switch is at {state}"}

    def reference(self, check):
        return {}

    def entry(self, workload, old, verdict):
        admitted = condition(workload, "Admitted").get("status") == "True"
        if verdict["state"] != UNDECIDED or old["state"] != "Ready" or admitted:
            return super().entry(workload, old, verdict)
        since = self.since(old, UNDECIDED)
        return {"name": old["name"], "state": UNDECIDED, "message": "again", "lastTransitionTime": since}


class LeftAtReady(Switched):
    at_first = "Ready"


class LeftAtRetry(Switched):
    at_first = "Retry"


class LeftAtRejected(Switched):
    at_first = "Rejected"
