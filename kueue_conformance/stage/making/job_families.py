"""Jobs that belong to other objects, as a workflow engine makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.json_types import Json
from ...wire.resource import RESOURCES
from ..workloads.job import Job, LocalQueue
from ..workloads.workload import Workload
from . import manifests
from .maker import Maker


class JobFamilies(Maker):
    """Makes Jobs that refer to an owner."""

    namespace: str

    def make_pod_template_named(self, name: str) -> Json:
        """Make a PodTemplate of this name, which is no job of Kueue's, and return it."""
        metadata, template = {"name": name, "namespace": self.namespace}, manifests.pod_template({})
        created = self.client.create({"kind": "PodTemplate", "metadata": metadata, "template": template})
        return {"kind": "PodTemplate", **created}

    def make_job_of(
        self,
        owner: Json | None,
        queue: LocalQueue | None = None,
        *,
        name: str = "",
        controller: bool = True,
        suspend: bool = True,
        namespace: str = "",
    ) -> Job:
        """Make a Job that an object owns, and controls by default; Kueue manages it if it has a queue."""
        template, namespace = manifests.pod_template({"cpu": "1"}), namespace or self.namespace
        manifest = manifests.job(
            name or self.names.name("job"), namespace, queue.name if queue else "", template, 1
        )
        manifest["spec"]["suspend"] = suspend
        if queue is None:
            del manifest["metadata"]["labels"]
        if owner is not None:
            manifest["metadata"]["ownerReferences"] = [_reference(owner, controller=controller)]
        self.client.create(manifest)
        return Job(self.context, namespace, manifest["metadata"]["name"])

    def make_family(self, queues: Sequence[LocalQueue | None], owner: Json | None = None) -> list[Job]:
        """Make suspended Jobs, each of which controls the next; the first one has this owner, if any."""
        jobs: list[Job] = []
        for queue in queues:
            if jobs:
                # Kueue's webhook refuses a Job whose controlling Job its cache does not have yet.
                self.context.rest()
            jobs.append(self.make_job_of(jobs[-1].object if jobs else owner, queue))
        return jobs

    def workload_of(self, job: Job) -> Workload:
        """Return the Workload of a Job, which need not exist."""
        return Workload(self.context, job.namespace, job=job.name)


def _reference(owner: Json, *, controller: bool) -> dict[str, Any]:
    return {
        "apiVersion": owner.get("apiVersion") or RESOURCES[owner["kind"]].api_version,
        "kind": owner["kind"],
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"],
        "controller": controller,
    }
