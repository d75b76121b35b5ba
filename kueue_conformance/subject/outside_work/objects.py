"""Objects of the cluster that belong to a Workload: by an owner reference, or by a label with its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...base.json_types import Json
from . import WorkItem, WorkloadIdentity, WorkSources


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectWork:
    """Objects of one kind; `label` is empty where they are known by their owner."""

    api_version: str
    kind: str
    label: str = ""

    @property
    def noun(self) -> str:
        """The kind."""
        return self.kind

    @property
    def manifest(self) -> Json:
        """The least that tells where such objects live."""
        return {"apiVersion": self.api_version, "kind": self.kind}

    @property
    def needs_garbage_collection(self) -> bool:
        """What has an owner goes with it."""
        return not self.label

    def items(self, workload: WorkloadIdentity, sources: WorkSources) -> Sequence[WorkItem]:
        """Return the objects of a Workload that are there to stay."""
        # Imported on use: the wire is not needed to read a subject file.
        from ...wire import kinds
        from ...wire.client import ApiError

        resource = kinds.resource_of(sources.client, self.manifest)
        try:
            objects = sources.client.call("GET", resource.path(workload.namespace))["items"]
        except ApiError as error:
            if error.code != 404:
                raise
            objects = []
        return [
            WorkItem(object_["metadata"]["uid"], object_["metadata"]["name"])
            for object_ in self.among(objects, workload.name, workload.uids)
        ]

    def among(self, objects: Sequence[Json], name: str, uids: frozenset[str]) -> list[Json]:
        """Return those of a Workload that are there to stay: by its name, or by one of the uids it had."""
        return [
            object_
            for object_ in objects
            # What is being deleted counts as gone: a finalizer of another client may hold it for
            # long.
            if "deletionTimestamp" not in object_["metadata"] and self._is_of(object_["metadata"], name, uids)
        ]

    def _is_of(self, metadata: Json, name: str, uids: frozenset[str]) -> bool:
        if self.label:
            return bool(metadata.get("labels", {}).get(self.label) == name)
        # By uid and not by name: a Workload that was made anew under the same name does not own
        # what its predecessor did.
        return any(owner["uid"] in uids for owner in metadata.get("ownerReferences", []))
