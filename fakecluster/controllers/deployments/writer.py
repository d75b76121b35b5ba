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
from . import replica_counts, replica_sets, status
from .replica_sets import REVISION, ReplicaSets, replicas
from .rollback import RollbackOutcome
from .status import DeploymentCondition


class DeploymentWriter:
    """Holds a Deployment as it was last written."""

    def __init__(self, actor: Actor, recorder: Recorder, deployment: Json) -> None:
        self._actor = actor
        self._recorder = recorder
        self.deployment = deployment

    def with_new(self, family: ReplicaSets, current_time: float) -> Steps[ReplicaSets]:
        """Return the family with a ReplicaSet of the present template, made when there is none.

        Raises StatusError.
        """
        if family.new is not None:
            return (yield from self.with_revision(family, current_time))
        row = self._actor.kind("apps/v1", "ReplicaSet")
        if row is None:
            return family
        replica_set = replica_sets.new_one(self.deployment)
        # The size counts the new ReplicaSet, though it has none yet.
        size = replica_counts.of_new(self.deployment, replica_set, (*family.old, replica_set))
        revision = replica_sets.next_revision(family.old)
        desired = self._with_size(replica_sets.annotate(self.deployment, replica_set, revision), size)
        try:
            created_set = yield from self._actor.create(row, desired)
        except StatusError as error:
            yield from self._not_made(replica_set["metadata"]["name"], error, current_time)
            raise
        name = created_set["metadata"]["name"]
        if size:
            yield from self._tell(f"Scaled up replica set {name} from 0 to {size}")
        created = DeploymentCondition(
            status.PROGRESSING, "True", "NewReplicaSetCreated", f'Created new replica set "{name}"'
        )
        yield from self._follow_revision(created_set, created, current_time)
        return ReplicaSets(created_set, family.old)

    def with_revision(self, family: ReplicaSets, current_time: float) -> Steps[ReplicaSets]:
        """Return the family whose ReplicaSet of the present template has the newest revision and the
        Deployment's annotations.
        """
        replica_set, row = family.new, self._actor.kind("apps/v1", "ReplicaSet")
        if replica_set is None or row is None:
            return family
        ready = self.deployment["spec"].get("minReadySeconds", 0)
        desired = replica_sets.annotate(self.deployment, replica_set, replica_sets.next_revision(family.old))
        desired = {**desired, "spec": {**desired["spec"], "minReadySeconds": ready}}
        same = (
            desired["metadata"] == {"annotations": {}, **replica_set["metadata"]}
            and replica_set["spec"].get("minReadySeconds", 0) == ready
        )
        written = replica_set if same else (yield from self._actor.update(row, desired))
        # A condition that is there already tells more than that the ReplicaSet was found.
        condition = status.condition(self.deployment.get("status", {}), status.PROGRESSING)
        found_new = DeploymentCondition(
            status.PROGRESSING,
            "True",
            "FoundNewReplicaSet",
            f'Found new replica set "{replica_set["metadata"]["name"]}"',
        )
        yield from self._follow_revision(written, None if condition else found_new, current_time)
        return ReplicaSets(written, family.old)

    def resize(self, family: ReplicaSets, new_sizes: Sequence[replica_counts.Sized]) -> Steps[ReplicaSets]:
        """Return the family with other sizes, the same one when no size changes. Raises StatusError."""
        changed = [(replica_set, size) for replica_set, size in new_sizes if replicas(replica_set) != size]
        return (yield from self.write_sizes(family, changed)) if changed else family

    def write_sizes(
        self, family: ReplicaSets, new_sizes: Sequence[replica_counts.Sized]
    ) -> Steps[ReplicaSets]:
        """Return the family with these sizes, each beside the present number of replicas that are wanted.

        Raises StatusError.
        """
        row = self._actor.kind("apps/v1", "ReplicaSet")
        updated: dict[str, Json] = {}
        for replica_set, size in new_sizes if row else ():
            new = self._with_size(replica_set, size)
            # A size that stays may still need the annotations of the present wish.
            if row is None or new == replica_set:
                continue
            name, before = replica_set["metadata"]["name"], replicas(replica_set)
            updated[replica_set["metadata"]["uid"]] = yield from self._actor.update(row, new)
            # Only sizes are told in events, not annotations.
            if before != size:
                direction = "up" if before < size else "down"
                yield from self._tell(f"Scaled {direction} replica set {name} from {before} to {size}")
        return replica_sets.replace(family, updated)

    def delete(self, replica_set: Stored | None) -> Steps[None]:
        """Delete a ReplicaSet. Raises StatusError."""
        row = self._actor.kind("apps/v1", "ReplicaSet")
        if row and replica_set is not None:
            yield from self._actor.delete(row, replica_set)

    def roll_back(self, outcome: RollbackOutcome) -> Steps[None]:
        """Write a Deployment that was rolled back, or could not be. Raises StatusError."""
        row = self._actor.kind("apps/v1", "Deployment")
        if row is None:
            return
        # What could not be rolled back is told before the wish is removed.
        if outcome.type == "Warning":
            yield from self._recorder.record(self.deployment, outcome.reason, outcome.message, "Warning")
        # The annotation goes in either case, or the wish would be tried for ever.
        self.deployment = yield from self._actor.update(row, outcome.deployment)
        if outcome.type == "Normal":
            yield from self._recorder.record(self.deployment, outcome.reason, outcome.message)

    def write_status(self, new: Json, annotations: Json | None = None) -> Steps[None]:
        """Write the status, and with it the annotations, as the API permits. Raises StatusError."""
        row, metadata = self._actor.kind("apps/v1", "Deployment"), self.deployment["metadata"]
        new_metadata = metadata if annotations is None else {**metadata, "annotations": annotations}
        if row and (new != self.deployment.get("status") or new_metadata != metadata):
            self.deployment = yield from self._actor.update_status(
                row, {**self.deployment, "metadata": new_metadata, "status": new}
            )

    def _with_size(self, replica_set: Json, size: int) -> Json:
        desired = replicas(self.deployment)
        return replica_sets.resize(
            replica_set, size, desired, desired + replica_counts.surge(self.deployment)
        )

    def _follow_revision(
        self, replica_set: Json, verdict: DeploymentCondition | None, current_time: float
    ) -> Steps[None]:
        """Give the Deployment the revision of its newest ReplicaSet, and a condition where there is news."""
        revision = replica_set["metadata"]["annotations"][REVISION]
        annotations = {**(self.deployment["metadata"].get("annotations") or {}), REVISION: revision}
        new = self.deployment.get("status", {})
        if verdict and status.deadline(self.deployment) is not None:
            new = status.with_condition(new, verdict, current_time)
        yield from self.write_status(new, annotations)

    def _not_made(self, name: str, error: StatusError, current_time: float) -> Steps[None]:
        """Tell that the new ReplicaSet was refused; one of another owner by that name makes the next try
        choose another name.
        """
        current = self.deployment.get("status", {})
        # Another owner's ReplicaSet has the name: the count changes the hash, and the next try another name.
        if error.reason == "AlreadyExists":
            yield from self.write_status({**current, "collisionCount": current.get("collisionCount", 0) + 1})
            return
        # In a namespace that terminates nothing can be made, and no event either.
        if error.has_cause(NAMESPACE_TERMINATING):
            return
        message = f'Failed to create new replica set "{name}": {error}'
        if status.deadline(self.deployment) is not None:
            refused = DeploymentCondition(status.PROGRESSING, "False", "ReplicaSetCreateError", message)
            yield from self.write_status(status.with_condition(current, refused, current_time))
        yield from self._recorder.record(self.deployment, "ReplicaSetCreateError", message, "Warning")

    def _tell(self, message: str) -> Steps[None]:
        yield from self._recorder.record(self.deployment, "ScalingReplicaSet", message)
