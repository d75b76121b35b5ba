"""The example controller, which answers certain Workloads only (TP-03, TP-06, TP-07, TP-11).

Run as `python choosy_controllers.py VARIANT`.
"""

import sys

from controller import CheckController, main

TIER, TEAM = "acme.io/tier", "acme.io/team"


class Choosy(CheckController):
    """Answers gold Workloads of a Job of team a."""

    def may_act(self, workload):
        return self.concerns(workload) and super().may_act(workload)

    def concerns(self, workload):
        """Tell whether the Workload is one of those that it serves."""
        metadata = workload["metadata"]
        owners = [owner for owner in metadata.get("ownerReferences", []) if owner["kind"] == "Job"]
        return bool(owners) and metadata.get("labels", {}).get(TIER) == "gold"


class OfRuns(Choosy):
    """Answers Workloads of a TrainingRun, a kind of its own."""

    def concerns(self, workload):
        return any(
            owner["kind"] == "TrainingRun" for owner in workload["metadata"].get("ownerReferences", [])
        )


class OfSlices(Choosy):
    """Answers Workloads with accelerators and a place in a topology."""

    def concerns(self, workload):
        requests = [
            container["resources"].get("requests", {})
            for pods in workload["spec"]["podSets"]
            for container in pods["template"]["spec"]["containers"]
        ]
        assigned = workload.get("status", {}).get("admission", {}).get("podSetAssignments", [])
        placed = [pods["topologyAssignment"]["levels"] for pods in assigned if "topologyAssignment" in pods]
        return any("google.com/tpu" in wanted for wanted in requests) and placed == [["acme.io/rack"]]


class Hasty(Choosy):
    """Answers those that are being evicted as well."""

    def may_act(self, workload):
        return self.concerns(workload) and "status" in workload


VARIANTS = {"right": Choosy, "of-runs": OfRuns, "of-slices": OfSlices, "hasty": Hasty}

if __name__ == "__main__":
    main(VARIANTS[sys.argv.pop(1)])
