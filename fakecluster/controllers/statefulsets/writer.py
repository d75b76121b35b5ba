"""Writes of the StatefulSet controller about one set: pods, volume claims and Events."""

from __future__ import annotations

from collections.abc import Iterator

from ...api.status import StatusError, failure
from ...api.steps import Steps
from ...base.json_types import Json
from ...store import Stored
from ..actor import Actor
from ..recorder import Recorder
from . import identity, retention

PODS, CLAIMS = ("", "pods"), ("", "persistentvolumeclaims")


class StatefulPodControl:
    """Creates, repairs and deletes the pods of a set, each with its claims."""

    def __init__(self, actor: Actor, recorder: Recorder, stateful_set: Json) -> None:
        self._actor = actor
        self._recorder = recorder
        self._set = stateful_set

    def create(self, pod: Json) -> Steps[None]:
        """Create a pod, its claims first. Raises StatusError."""
        row = self._actor.kind("v1", "Pod")
        if row is None:
            return
        try:
            # The claims first: a pod without them would stay pending.
            yield from self._create_claims(pod)
        except StatusError as error:
            yield from self._tell("create", pod, error)
            raise
        refusal: StatusError | None = None
        try:
            yield from self._actor.create(row, pod)
        except StatusError as error:
            if error.reason == "AlreadyExists":
                raise
            refusal = error
        yield from self.set_claim_owners(self._set, pod)
        yield from self._tell("create", pod, refusal)
        if refusal:
            raise refusal

    def delete(self, pod: Json) -> Steps[None]:
        """Delete a pod. Raises StatusError."""
        row, stored = self._actor.kind("v1", "Pod"), self._get(PODS, pod["metadata"]["name"])
        try:
            # Another pod of the name has nothing to do with this deletion.
            if row and stored is not None and stored.uid == pod["metadata"]["uid"]:
                yield from self._actor.delete(row, stored)
        except StatusError as error:
            # Gone already is as good as deleted.
            if error.code != 404:
                yield from self._tell("delete", pod, error)
                raise
        yield from self._tell("delete", pod, None)

    def repair(self, update_set: Json, pod: Json) -> Steps[None]:
        """Give a pod the labels, volumes and claim owners that it should have. Raises StatusError."""
        row, metadata = self._actor.kind("v1", "Pod"), pod["metadata"]
        if row is None or (
            identity.has_identity(pod)
            and identity.has_storage(self._set, pod)
            and self.have_claims_policy_owners(update_set, pod)
        ):
            return
        ordinal = identity.ordinal_of(pod)
        labels = {**(metadata.get("labels") or {}), **identity.labels(self._set, ordinal)}
        volumes = pod["spec"].get("volumes") or ()
        if not identity.has_storage(update_set, pod):
            volumes = identity.volumes(update_set, ordinal, volumes)
            yield from self._create_claims(pod)
        yield from self.set_claim_owners(update_set, pod)
        try:
            yield from self._actor.update(
                row,
                {
                    **pod,
                    "metadata": {**metadata, "labels": labels},
                    "spec": {**pod["spec"], "volumes": list(volumes)},
                },
            )
        except StatusError as error:
            yield from self._tell("update", pod, error)
            raise
        yield from self._tell("update", pod, None)

    def create_missing_claims(self, pod: Json) -> Steps[None]:
        """Create the claims that a pending pod lacks. Raises StatusError."""
        yield from self._create_claims(pod)
        yield from self.set_claim_owners(self._set, pod)

    def has_stale_claim(self, pod: Json) -> bool:
        """Tell whether a claim of a pod that is not there yet goes with an earlier pod."""
        return any(retention.is_stale(self._set, pod, claim.object) for claim in self._claims(pod))

    def have_claims_policy_owners(self, update_set: Json, pod: Json) -> bool:
        """Tell whether the claims of a pod have the owners of the retention policy."""
        return all(retention.has_policy_owners(update_set, pod, claim.object) for claim in self._claims(pod))

    def set_claim_owners(self, update_set: Json, pod: Json) -> Steps[None]:
        """Give the claims of a pod the owners of the retention policy. Raises StatusError."""
        row = self._actor.kind("v1", "PersistentVolumeClaim")
        for stored in tuple(self._claims(pod)):
            claim = stored.object
            if retention.has_conflict(update_set, pod, claim):
                yield from self._recorder.record(
                    self._set,
                    "ConflictingController",
                    f"PersistentVolumeClaim {stored.name[1]} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim",
                    "Warning",
                )
            if row and not retention.has_policy_owners(update_set, pod, claim):
                owners = retention.policy_owners(update_set, pod, claim)
                yield from self._actor.update(
                    row, {**claim, "metadata": {**claim["metadata"], "ownerReferences": owners}}
                )

    def _create_claims(self, pod: Json) -> Steps[None]:
        """Create the claims of a pod that are not there.
        Raises StatusError, also for one that is being deleted.
        """
        first: StatusError | None = None
        names = identity.claim_names(self._set, identity.ordinal_of(pod))
        for template in self._set["spec"].get("volumeClaimTemplates") or ():
            name = names[template["metadata"]["name"]]
            stored = self._get(CLAIMS, name)
            if stored is None:
                try:
                    yield from self._create_claim(pod, template, name)
                except StatusError as error:
                    first = first or _with_message(error, f"failed to create PVC {name}: {error}")
            elif "deletionTimestamp" in stored.object["metadata"]:
                first = first or failure(409, "Conflict", f"pvc {name} is being deleted")
        if first:
            raise first

    def _create_claim(self, pod: Json, template: Json, name: str) -> Steps[None]:
        row = self._actor.kind("v1", "PersistentVolumeClaim")
        if row is None:
            return
        metadata = template["metadata"]
        labels = {
            **(metadata.get("labels") or {}),
            **(self._set["spec"]["selector"].get("matchLabels") or {}),
        }
        own = {**metadata, "name": name, "namespace": self._namespace, "labels": labels}
        claim = {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": own,
            "spec": template["spec"],
        }
        about = pod["metadata"]["name"], self._set["metadata"]["name"]
        try:
            yield from self._actor.create(row, claim)
        except StatusError as error:
            if error.reason != "AlreadyExists":
                yield from self._recorder.record(
                    self._set,
                    "FailedCreate",
                    f"Create Claim {name} for Pod {about[0]} in StatefulSet {about[1]} failed error: {error}",
                    "Warning",
                )
            raise
        yield from self._recorder.record(
            self._set,
            "SuccessfulCreate",
            f"Create Claim {name} Pod {about[0]} in StatefulSet {about[1]} success",
        )

    def _claims(self, pod: Json) -> Iterator[Stored]:
        """Yield the claims of a pod that are there."""
        for name in identity.claim_names(self._set, identity.ordinal_of(pod)).values():
            stored = self._get(CLAIMS, name)
            if stored is not None:
                yield stored

    @property
    def _namespace(self) -> str:
        return str(self._set["metadata"]["namespace"])

    def _get(self, resource: tuple[str, str], name: str) -> Stored | None:
        return self._actor.api.store.get(resource, (self._namespace, name))

    def _tell(self, verb: str, pod: Json, error: StatusError | None) -> Steps[None]:
        """Record what became of a pod."""
        word = verb.capitalize()
        about = f"{word} Pod {pod['metadata']['name']} in StatefulSet {self._set['metadata']['name']}"
        if error is None:
            yield from self._recorder.record(self._set, f"Successful{word}", f"{about} successful")
        else:
            yield from self._recorder.record(
                self._set, f"Failed{word}", f"{about} failed error: {error}", "Warning"
            )


def _with_message(error: StatusError, message: str) -> StatusError:
    """Return an error with another message."""
    return StatusError({**error.status, "message": message}, error.headers)
