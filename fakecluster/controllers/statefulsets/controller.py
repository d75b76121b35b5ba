"""Brings each StatefulSet forward: pods are created in order,
condemned ones go, then templates are rolled out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...api.steps import Steps
from ...base.json_types import Json
from ...registry.machinery import Api
from ...store import Event, Store
from ..actor import Actor, service_account
from ..claims import Claims, Owners
from ..engine import Key
from ..recorder import Recorder
from ..revisions import REVISIONS, RevisionHistory, Revisions, new_revision
from . import pods, status
from .identity import is_member
from .rollout import Rollout, RolloutOutcome
from .writer import PODS, StatefulPodControl

STATEFUL_SETS = ("apps", "statefulsets")


class StatefulSetController:
    """Keeps the pods, volume claims, revisions and status of every StatefulSet."""

    resources = (STATEFUL_SETS, PODS, REVISIONS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("statefulset-controller"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "statefulset-controller")
        owners = Owners(STATEFUL_SETS, "apps/v1", "StatefulSet", accepts=is_member)
        self._pods = Claims(self._actor, owners, PODS, "v1", "Pod")
        histories = Owners(STATEFUL_SETS, "apps/v1", "StatefulSet")
        self._history = Claims(self._actor, histories, REVISIONS, "apps/v1", "ControllerRevision")
        self._revisions = Revisions(self._actor)

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every StatefulSet."""
        self._history.begin(store)
        return self._pods.begin(store)

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the StatefulSets that an event concerns."""
        return (self._history if event.resource == REVISIONS else self._pods).keys(event)

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one StatefulSet forward.

        Raises StatusError, also of a pod that could not be created or deleted.
        """
        stored = self._api.store.get(STATEFUL_SETS, (key[0], key[1]))
        if stored is None:
            return None
        stateful_set = stored.object
        # Revisions first: an orphaned one would otherwise be made a second time.
        history = yield from self._history.of(stored)
        claimed = yield from self._pods.of(stored)
        present = yield from self._revisions.present(stateful_set, history, new_revision(stateful_set))
        current = _current(stateful_set, present)
        template = pods.template_of(stateful_set, current, present.revision)
        rollout = Rollout(
            StatefulPodControl(self._actor, self._recorder, stateful_set),
            stateful_set,
            template,
            self._api.clock.now(),
        )
        # Pods are looked at in the order of their ordinals, which sorting gives them.
        outcome = yield from rollout.advance(pods.sort(stateful_set, claimed))
        yield from self._write(stateful_set, outcome, template, present.collisions)
        live = {template.current_name, template.update_name, *map(pods.revision_of, claimed)}
        unused = [revision for revision in present.every if revision["metadata"]["name"] not in live]
        # Revisions that a pod still has are not history, however old.
        limit = stateful_set["spec"].get("revisionHistoryLimit", 10)
        yield from self._revisions.delete(unused[: max(0, len(unused) - limit)])
        # After the status, which tells how far it came.
        if outcome.error:
            raise outcome.error
        return self._next_look(stateful_set, claimed)

    def _write(
        self, stateful_set: Json, outcome: RolloutOutcome, template: pods.SetRevisions, collisions: int
    ) -> Steps[None]:
        row = self._actor.kind("apps/v1", "StatefulSet")
        new = status.of(stateful_set, outcome.counts, template.current_name, template.update_name, collisions)
        if row and status.is_news(stateful_set.get("status", {}), new):
            yield from self._actor.update_status(row, {**stateful_set, "status": new})

    def _next_look(self, stateful_set: Json, claimed: Sequence[Json]) -> float | None:
        # Only minReadySeconds makes a pod available without an event.
        min_ready = stateful_set["spec"].get("minReadySeconds", 0)
        return status.next_available(claimed, min_ready, self._api.clock.now()) if min_ready else None


def _current(stateful_set: Json, present: RevisionHistory) -> Json:
    """Return the revision that the status names as current,
    that of the present template when it names none.
    """
    name = stateful_set.get("status", {}).get("currentRevision")
    return next(
        (revision for revision in present.every if revision["metadata"]["name"] == name), present.revision
    )
