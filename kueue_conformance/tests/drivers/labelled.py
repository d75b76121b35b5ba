"""The right controller of the zoo with another outside system:
it reads its verdict off a label of the Workload.
"""

from kueue_conformance.tests.zoo.right import CheckController

LABEL = "example.com/verdict"


class Labelled(CheckController):
    async def ask(self, workload, check):
        label = workload["metadata"].get("labels", {}).get(LABEL, "pending")
        return {"state": label.capitalize(), "message": f"the label says {label}"}
