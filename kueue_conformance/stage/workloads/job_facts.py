"""Facts about a Workload and the Job that it is made for (AC-331)."""

from __future__ import annotations

from ...history.fact import Fact
from .job import Job
from .reader import WorkloadReader


class JobFacts(WorkloadReader):
    """Compares a Workload with its Job, and tells whose it is."""

    def is_owned_by_its_job(self) -> Fact:
        """The Job owns and manages it, and a finalizer keeps it as long as Kueue needs it."""
        metadata = self.object.get("metadata", {})
        owners = [owner for owner in metadata.get("ownerReferences", []) if owner.get("controller")]
        holds = [owner["name"] for owner in owners] == [self.job] and bool(metadata.get("finalizers"))
        return Fact(holds, f"{self} is managed by Job {self.job}", f"{owners}, {metadata.get('finalizers')}")

    def is_the_only_one(self) -> Fact:
        """No other Workload was made for the Job."""
        owned = [
            workload
            for workload in self._context.client.list("Workload", self.namespace)
            if self._is_ours(workload)
        ]
        names = [workload["metadata"]["name"] for workload in owned]
        return Fact(names == [self.name], f"{self} is the only one of Job {self.job}", f"{names}")

    def is_equivalent_to(self, job: Job) -> Fact:
        """Its only pod set, its pods and its time limit are those that the Job has now."""
        spec = self.object.get("spec", {})
        pod_sets, template = spec.get("podSets", []), job.template
        expected = {
            "count": job.pod_count,
            "minCount": job.min_parallelism,
            "spec": template["spec"],
            "limit": job.time_limit,
        }
        observed = [
            {
                "count": pod_set["count"],
                "minCount": pod_set.get("minCount"),
                "spec": pod_set["template"]["spec"],
                "limit": spec.get("maximumExecutionTimeSeconds"),
            }
            for pod_set in pod_sets
        ]
        return Fact(observed == [expected], f"{self} matches Job {job.name}: {expected}", f"{observed}")
