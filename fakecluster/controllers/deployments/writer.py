"""What the Deployment controller writes about one Deployment: its ReplicaSets, its status, and the Events
that tell of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...api.status import StatusError
from ...api.steps import Steps
from ...base.json_types import Json
from ...store import Stored
from ..actor import Actor
from ..pod_writer import NAMESPACE_TERMINATING
from ..recorder import Recorder
from . import replica_sets, sizes, status
from .replica_sets import REVISION, Family, replicas
from .rollback import Outcome
from .status import Verdict


class Writer:
    """Holds a Deployment as it was last written."""

    def __init__(self, actor: Actor, recorder: Recorder, deployment: Json) -> None:
        self._actor = actor
        self._recorder = recorder
        self.deployment = deployment

    def with_new(self, family: Family, now: float) -> Steps[Family]:
        """Return the family with a ReplicaSet of the present template, made when there is none.

        Raises StatusError.
        """
        if family.new is not None:
            return (yield from self.with_revision(family, now))
        row = self._actor.kind("apps/v1", "ReplicaSet")
        if row is None:
            return family
        one = replica_sets.new_one(self.deployment)
        size = sizes.of_new(self.deployment, one, (*family.old, one))
        revision = replica_sets.next_revision(family.old)
        wanted = self._sized(replica_sets.annotated(self.deployment, one, revision), size)
        try:
            made = yield from self._actor.create(row, wanted)
        except StatusError as error:
            yield from self._not_made(one["metadata"]["name"], error, now)
            raise
        name = made["metadata"]["name"]
        if size:
            yield from self._tell(f"Scaled up replica set {name} from 0 to {size}")
        created = Verdict(
            status.PROGRESSING, "True", "NewReplicaSetCreated", f'Created new replica set "{name}"'
        )
        yield from self._follow_revision(made, created, now)
        return Family(made, family.old)

    def with_revision(self, family: Family, now: float) -> Steps[Family]:
        """Return the family whose ReplicaSet of the present template has the newest revision and the
        Deployment's annotations.
        """
        one, row = family.new, self._actor.kind("apps/v1", "ReplicaSet")
        if one is None or row is None:
            return family
        ready = self.deployment["spec"].get("minReadySeconds", 0)
        wanted = replica_sets.annotated(self.deployment, one, replica_sets.next_revision(family.old))
        wanted = {**wanted, "spec": {**wanted["spec"], "minReadySeconds": ready}}
        same = (
            wanted["metadata"] == {"annotations": {}, **one["metadata"]}
            and one["spec"].get("minReadySeconds", 0) == ready
        )
        written = one if same else (yield from self._actor.update(row, wanted))
        known = status.condition(self.deployment.get("status", {}), status.PROGRESSING)
        found = Verdict(
            status.PROGRESSING,
            "True",
            "FoundNewReplicaSet",
            f'Found new replica set "{one["metadata"]["name"]}"',
        )
        yield from self._follow_revision(written, None if known else found, now)
        return Family(written, family.old)

    def resized(self, family: Family, wanted: Sequence[sizes.Sized]) -> Steps[Family]:
        """Return the family with other sizes, the same one when no size changes. Raises StatusError."""
        changed = [(replica_set, size) for replica_set, size in wanted if replicas(replica_set) != size]
        return (yield from self.noted(family, changed)) if changed else family

    def noted(self, family: Family, wanted: Sequence[sizes.Sized]) -> Steps[Family]:
        """Return the family with these sizes, each beside the present number of replicas that are wanted.

        Raises StatusError.
        """
        row = self._actor.kind("apps/v1", "ReplicaSet")
        updated: dict[str, Json] = {}
        for replica_set, size in wanted if row else ():
            new = self._sized(replica_set, size)
            if row is None or new == replica_set:
                continue
            name, before = replica_set["metadata"]["name"], replicas(replica_set)
            updated[replica_set["metadata"]["uid"]] = yield from self._actor.update(row, new)
            if before != size:
                way = "up" if before < size else "down"
                yield from self._tell(f"Scaled {way} replica set {name} from {before} to {size}")
        return replica_sets.replaced(family, updated)

    def delete(self, one: Stored | None) -> Steps[None]:
        """Delete a ReplicaSet. Raises StatusError."""
        row = self._actor.kind("apps/v1", "ReplicaSet")
        if row and one is not None:
            yield from self._actor.delete(row, one)

    def roll_back(self, outcome: Outcome) -> Steps[None]:
        """Write a Deployment that was rolled back, or could not be. Raises StatusError."""
        row = self._actor.kind("apps/v1", "Deployment")
        if row is None:
            return
        if outcome.type == "Warning":
            yield from self._recorder.record(self.deployment, outcome.reason, outcome.message, "Warning")
        self.deployment = yield from self._actor.update(row, outcome.deployment)
        if outcome.type == "Normal":
            yield from self._recorder.record(self.deployment, outcome.reason, outcome.message)

    def write_status(self, new: Json, annotations: Json | None = None) -> Steps[None]:
        """Write the status, and with it the annotations, as the API permits. Raises StatusError."""
        row, metadata = self._actor.kind("apps/v1", "Deployment"), self.deployment["metadata"]
        told = metadata if annotations is None else {**metadata, "annotations": annotations}
        if row and (new != self.deployment.get("status") or told != metadata):
            self.deployment = yield from self._actor.update_status(
                row, {**self.deployment, "metadata": told, "status": new}
            )

    def _sized(self, one: Json, size: int) -> Json:
        wanted = replicas(self.deployment)
        return replica_sets.sized(one, size, wanted, wanted + sizes.surge(self.deployment))

    def _follow_revision(self, one: Json, verdict: Verdict | None, now: float) -> Steps[None]:
        """Give the Deployment the revision of its newest ReplicaSet, and a condition where there is news."""
        revision = one["metadata"]["annotations"][REVISION]
        annotations = {**(self.deployment["metadata"].get("annotations") or {}), REVISION: revision}
        new = self.deployment.get("status", {})
        if verdict and status.deadline(self.deployment) is not None:
            new = status.with_condition(new, verdict, now)
        yield from self.write_status(new, annotations)

    def _not_made(self, name: str, error: StatusError, now: float) -> Steps[None]:
        """Tell that the new ReplicaSet was refused; one of another owner by that name makes the next try
        choose another name.
        """
        current = self.deployment.get("status", {})
        if error.reason == "AlreadyExists":
            yield from self.write_status({**current, "collisionCount": current.get("collisionCount", 0) + 1})
            return
        if error.has_cause(NAMESPACE_TERMINATING):
            return
        message = f'Failed to create new replica set "{name}": {error}'
        if status.deadline(self.deployment) is not None:
            refused = Verdict(status.PROGRESSING, "False", "ReplicaSetCreateError", message)
            yield from self.write_status(status.with_condition(current, refused, now))
        yield from self._recorder.record(self.deployment, "ReplicaSetCreateError", message, "Warning")

    def _tell(self, message: str) -> Steps[None]:
        yield from self._recorder.record(self.deployment, "ScalingReplicaSet", message)
