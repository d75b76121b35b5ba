"""Jobs that belong to Jobs: only the topmost one that Kueue
manages has a Workload, those below run while it is admitted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from reference_impl.api.kinds import JOBS
from reference_impl.api.resource import Json, Key
from reference_impl.runtime.store import Store

from .job import Job

BY_PARENT: Final = "job/parent"


def parent_of(obj: Json) -> Json | None:
    """Return the reference to the Job that controls a Job, if one does."""
    owners = obj["metadata"].get("ownerReferences") or ()
    ours = (JOBS.kind, JOBS.api_version)
    return next(
        (
            owner
            for owner in owners
            if owner.get("controller") and (owner["kind"], owner["apiVersion"]) == ours
        ),
        None,
    )


def parents(obj: Json) -> Iterable[str]:
    """Index Jobs by the Job that controls them."""
    owner = parent_of(obj)
    return (str(Key(obj["metadata"]["namespace"], owner["name"])),) if owner else ()


@dataclass(frozen=True, slots=True)
class JobAncestors:
    """Finds the Workload of a Job and the Job of a Workload."""

    jobs: Store
    manages_all: bool

    def ancestor(self, job: Job) -> Job | None:
        """Return the topmost Job above that Kueue manages;
        one that is gone, or another of its name, ends the search.
        """
        topmost, visited = None, {job.metadata["uid"]}
        above = self._above(job)
        while above is not None and above.metadata["uid"] not in visited:
            visited.add(above.metadata["uid"])
            if above.queue_name or self.manages_all:
                topmost = above
            above = self._above(above)
        return topmost

    def _above(self, job: Job) -> Job | None:
        owner = parent_of(job.object)
        obj = self.jobs.get(Key(job.key.namespace, owner["name"])) if owner else None
        return Job(obj) if owner and obj is not None and obj["metadata"]["uid"] == owner["uid"] else None
