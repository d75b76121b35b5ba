"""Controllers of the zoo that answer certain Workloads only (TP-03, TP-06, TP-07, TP-11)."""

from kueue_conformance.tests.zoo.objects import is_true
from kueue_conformance.tests.zoo.right import CheckController

TIER = "acme.io/tier"


class Choosy(CheckController):
    """Answers gold Workloads of a Job."""

    def may_act(self, workload):
        return self.concerns(workload) and super().may_act(workload)

    def concerns(self, workload):
        """Tell whether the Workload is one of those that it serves."""
        metadata = workload["metadata"]
        owners = [owner["kind"] for owner in metadata.get("ownerReferences", [])]
        return owners == ["Job"] and metadata.get("labels", {}).get(TIER) == "gold"

    def reference(self, check):
        """Return nothing: it has no parameters."""
        return {}


class OfRuns(Choosy):
    """Answers Workloads of a TrainingRun, a kind of its own."""

    def concerns(self, workload):
        owners = workload["metadata"].get("ownerReferences", [])
        return [owner["kind"] for owner in owners] == ["TrainingRun"]


class OfSlices(Choosy):
    """Answers Workloads with accelerators and a place in a topology."""

    def concerns(self, workload):
        requests = [
            container["resources"].get("requests", {})
            for pods in workload["spec"]["podSets"]
            for container in pods["template"]["spec"]["containers"]
        ]
        assigned = workload.get("status", {}).get("admission", {}).get("podSetAssignments", [])
        places = [pods["topologyAssignment"]["levels"] for pods in assigned if "topologyAssignment" in pods]
        return any("google.com/tpu" in amounts for amounts in requests) and places == [["acme.io/rack"]]


class Hasty(Choosy):
    """Answers those that are being evicted as well."""

    def may_act(self, workload):
        return self.concerns(workload) and is_true(workload, "QuotaReserved")
