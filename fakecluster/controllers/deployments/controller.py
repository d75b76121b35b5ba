"""Rolls out the template of each Deployment: its ReplicaSets, their sizes, its status."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...api.steps import Steps
from ...base.json_types import Json
from ...registry.machinery import Api
from ...store import Event, Store, Stored
from ..actor import Actor, service_account
from ..claims import Claims, Owners
from ..engine import Key
from ..owners import controller_of
from ..pod_state import has_ended
from ..recorder import Recorder
from . import replica_counts, replica_sets, rollback, status
from .replica_sets import ReplicaSets, replicas
from .writer import DeploymentWriter

DEPLOYMENTS, REPLICA_SETS, PODS = ("apps", "deployments"), ("apps", "replicasets"), ("", "pods")
EMPTY_SELECTOR: Json = {}


class DeploymentController:
    """Keeps the ReplicaSets and the status of every Deployment."""

    resources = (DEPLOYMENTS, REPLICA_SETS, PODS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("deployment-controller"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "deployment-controller")
        owners = Owners(DEPLOYMENTS, "apps/v1", "Deployment")
        self._claims = Claims(self._actor, owners, REPLICA_SETS, "apps/v1", "ReplicaSet")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every Deployment."""
        return self._claims.begin(store)

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the Deployments that an event concerns;
        a pod that is gone may be the last one that Recreate waits for.
        """
        if event.resource == PODS:
            # Only a deletion: while pods come and change, their ReplicaSet's status tells of it.
            return self._of_pod(event.after) if event.type == "DELETED" else ()
        return self._claims.keys(event)

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one Deployment forward."""
        stored = self._api.store.get(DEPLOYMENTS, (key[0], key[1]))
        if stored is None:
            return None
        writer = DeploymentWriter(self._actor, self._recorder, stored.object)
        # An empty selector would adopt every ReplicaSet of the namespace.
        if stored.object["spec"]["selector"] == EMPTY_SELECTOR:
            yield from self._recorder.record(
                stored.object,
                "SelectingAll",
                "This deployment is selecting all pods. A non-empty selector is required.",
                "Warning",
            )
            return None
        owned_sets = yield from self._claims.of(stored)
        family = replica_sets.family(stored.object, owned_sets)
        # A Deployment that goes starts no rollout, but its status still follows its ReplicaSets.
        if "deletionTimestamp" in stored.object["metadata"]:
            yield from writer.write_status(status.count_replicas(stored.object, family, self._now))
            return None
        if verdict := status.pause_condition(stored.object):
            yield from writer.write_status(
                status.with_condition(stored.object.get("status", {}), verdict, self._now)
            )
        is_paused = writer.deployment["spec"].get("paused")
        # An annotation of the former API `rollback` still works as long as the Deployment is not paused.
        if not is_paused and (revision := rollback.revision_asked(writer.deployment)) is not None:
            yield from self._roll_back(writer, family, revision)
            return None
        # Scaling is no rollout: sizes change in proportion, and no new ReplicaSet is made.
        if is_paused or _was_scaled(writer.deployment, family):
            yield from self._scale(writer, family)
            return None
        if replica_counts.is_rolling(writer.deployment):
            family = yield from self._roll(writer, family)
        else:
            family = yield from self._recreate(writer, family)
        yield from writer.write_status(status.rollout_status(writer.deployment, family, self._now))
        return status.seconds_to_deadline(writer.deployment, writer.deployment["status"], self._now)

    @property
    def _now(self) -> float:
        return self._api.clock.now()

    def _roll(self, writer: DeploymentWriter, family: ReplicaSets) -> Steps[ReplicaSets]:
        """Make the new ReplicaSet, then one step:
        it grows, or the older ones shrink, or those too many go.
        """
        family = yield from writer.with_new(family, self._now)
        # No ReplicaSet could be made; its error was written by the writer.
        if family.new is None:
            return family
        grown = yield from writer.resize(
            family, [(family.new, replica_counts.of_new(writer.deployment, family.new, family.every))]
        )
        # One change at a time: the next look sees what it led to.
        if grown is not family:
            return grown
        shrunk = yield from writer.resize(
            family, replica_counts.of_old(writer.deployment, family.new, family.old)
        )
        return shrunk if shrunk is not family else (yield from self._clean_up(writer, family))

    def _recreate(self, writer: DeploymentWriter, family: ReplicaSets) -> Steps[ReplicaSets]:
        """End all older pods before the first new one is made."""
        family = yield from writer.with_revision(family, self._now)
        shrunk = yield from writer.resize(family, [(replica_set, 0) for replica_set in family.old])
        if shrunk is not family:
            return shrunk
        # Status and pods both: a status may be behind, and pods that terminate still run.
        if any(
            replica_set.get("status", {}).get("replicas") for replica_set in family.old
        ) or self._is_running(family):
            return family
        family = yield from writer.with_new(family, self._now)
        if family.new is None:
            return family
        grown = yield from writer.resize(family, [(family.new, replicas(writer.deployment))])
        return grown if grown is not family else (yield from self._clean_up(writer, family))

    def _roll_back(self, writer: DeploymentWriter, family: ReplicaSets, revision: int) -> Steps[None]:
        """Give a Deployment the template of an earlier revision, and take the wish away."""
        family = yield from writer.with_new(family, self._now)
        outcome = rollback.outcome(writer.deployment, family, revision)
        yield from writer.roll_back(outcome)

    def _scale(self, writer: DeploymentWriter, family: ReplicaSets) -> Steps[None]:
        """Follow a change of `replicas`, without any rollout."""
        family = yield from writer.with_revision(family, self._now)
        deployment, active = writer.deployment, family.active
        # One ReplicaSet gets all replicas; only several have to share.
        if len(active) < 2:
            latest = replica_sets.active_or_latest(family)
            family = yield from writer.resize(
                family, [(replica_set, replicas(deployment)) for replica_set in latest]
            )
        elif _is_saturated(deployment, family.new):
            family = yield from writer.resize(family, [(replica_set, 0) for replica_set in family.old])
        elif replica_counts.is_rolling(deployment):
            family = yield from writer.write_sizes(family, replica_counts.scale(deployment, active))
        if deployment["spec"].get("paused") and rollback.revision_asked(deployment) is None:
            yield from self._clean_up(writer, family, done=True)
        yield from writer.write_status(status.count_replicas(writer.deployment, family, self._now))

    def _clean_up(
        self, writer: DeploymentWriter, family: ReplicaSets, *, done: bool = False
    ) -> Steps[ReplicaSets]:
        """Delete older ReplicaSets beyond the history's limit
        once the rollout is done; return those that are left.
        """
        deployment = writer.deployment
        limit = deployment["spec"].get("revisionHistoryLimit")
        complete = done or status.is_complete(deployment, deployment.get("status", {}))
        # The largest int32 means: keep all.
        if limit is None or limit == status.NO_LIMIT or not complete:
            return family
        gone = replica_sets.expendable(family.old, limit)
        for replica_set in gone:
            yield from writer.delete(
                self._api.store.get(
                    REPLICA_SETS, (replica_set["metadata"]["namespace"], replica_set["metadata"]["name"])
                )
            )
        return ReplicaSets(
            family.new, tuple(replica_set for replica_set in family.old if replica_set not in gone)
        )

    def _is_running(self, family: ReplicaSets) -> bool:
        """Tell whether a pod of an older ReplicaSet has not ended, also one that is being deleted."""
        # By uid, as pods of a deleted ReplicaSet of the same name belong to another one.
        old = {replica_set["metadata"]["uid"] for replica_set in family.old}
        if not old:
            return False
        pods = self._api.store.list(PODS, namespace=family.old[0]["metadata"]["namespace"])
        return any(
            (controller_of(pod.object) or {}).get("uid") in old and not has_ended(pod.object) for pod in pods
        )

    def _of_pod(self, pod: Stored) -> Iterator[Key]:
        owner = controller_of(pod.object)
        replica_set = self._api.store.get(REPLICA_SETS, (pod.name[0], owner["name"])) if owner else None
        above = controller_of(replica_set.object) if replica_set else None
        if above and above["kind"] == "Deployment":
            yield (pod.name[0], above["name"])


def _was_scaled(deployment: Json, family: ReplicaSets) -> bool:
    """Tell whether an active ReplicaSet remembers another number of replicas than is wanted now."""
    noted = (replica_sets.number(replica_set, replica_sets.DESIRED) for replica_set in family.active)
    return any(number is not None and number != replicas(deployment) for number in noted)


def _is_saturated(deployment: Json, new: Json | None) -> bool:
    if new is None:
        return False
    desired = replicas(deployment)
    available = new.get("status", {}).get("availableReplicas", 0)
    return all(
        number == desired
        for number in (replicas(new), available, replica_sets.number(new, replica_sets.DESIRED))
    )
