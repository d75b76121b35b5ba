"""Controllers of the zoo whose outside system decides about every Workload at once: a ConfigMap, or an alert.
Those that follow it are right, the others are wrong in one way each.
"""

from ..drivers.switched import Switched
from ..zoo.right import UNDECIDED, CheckController

RESOLVED = []
"""What the annotation of the resolved alert says; empty while it fires."""


def fire(decision, kubeconfig):
    """Have the alert fire: no Workload is admitted."""
    del decision, kubeconfig
    RESOLVED.clear()


def resolve(decision, kubeconfig):
    """Resolve the alert: every Workload is admitted."""
    del kubeconfig
    RESOLVED[:] = [decision.message]


OUTAGES = []


def fail(decision, kubeconfig):
    """Have the alert manager fail."""
    del kubeconfig
    OUTAGES[:] = [decision.state]


def recover(decision, kubeconfig):
    """Have the alert manager work again; it has forgotten its alerts, which fire."""
    fire(decision, kubeconfig)
    OUTAGES.clear()


class Alerted(CheckController):
    """Asks for alerts, and takes no Ready back."""

    async def ask(self, workload, check):
        if OUTAGES:
            raise ValueError("the alert manager does not answer")
        if RESOLVED:
            return {"state": "Ready", "message": RESOLVED[0]}
        return {"state": UNDECIDED, "message": "an alert fires"}

    def reference(self, check):
        return {}


class TakesReadyBack(Switched):
    """Follows the alert back to Pending, as long as a Workload is not admitted."""

    run = CheckController.run
    ask = Alerted.ask


class ForgetsLaterWorkloads(Switched):
    """Looks at Workloads when its switch is turned, and at none that comes later."""

    def workload_changed(self, old, new):
        del old, new


class KnowsTheFirstState(Switched):
    """Reads its switch once."""

    first = None

    async def ask(self, workload, check):
        self.first = self.first or await super().ask(workload, check)
        return self.first


class StaysOpen(Switched):
    """Admits every Workload since its switch was at Ready once."""

    was_open = False

    async def ask(self, workload, check):
        verdict = await super().ask(workload, check)
        self.was_open |= verdict["state"] == "Ready"
        return {**verdict, "state": "Ready"} if self.was_open else verdict


class AnswersEachOnce(Alerted):
    """Admits a Workload once, and not again when quota is reserved anew."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.answered = set()

    async def ask(self, workload, check):
        verdict = await super().ask(workload, check)
        uid = workload["metadata"]["uid"]
        if verdict["state"] == "Ready" and uid in self.answered:
            entry = next(entry for entry in workload["status"]["admissionChecks"] if entry["name"] == check)
            return {"state": entry["state"], "message": entry["message"]}
        if verdict["state"] == "Ready":
            self.answered.add(uid)
        return verdict


class DecidesInAnOutage(Alerted):
    """Takes an outage for a verdict."""

    state = ""

    async def ask(self, workload, check):
        try:
            return await super().ask(workload, check)
        except ValueError as problem:
            return {"state": self.state, "message": str(problem)}


class RejectsInAnOutage(DecidesInAnOutage):
    """Takes an outage for a refusal."""

    state = "Rejected"


class AdmitsInAnOutage(DecidesInAnOutage):
    """Takes an outage for the absence of alerts."""

    state = "Ready"


class RejectsWhileItFires(Alerted):
    """Takes an alert that fires for a refusal."""

    async def ask(self, workload, check):
        verdict = await super().ask(workload, check)
        return verdict if RESOLVED else {**verdict, "state": "Rejected"}
