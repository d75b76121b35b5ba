"""What the quotas of a namespace bound and how much of it is used:
the status of every ResourceQuota (FK-504).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..admission.quotas import scopes
from ..admission.quotas.charging import QUOTAS
from ..admission.quotas.metering import meter
from ..api.steps import Steps
from ..base.json_types import Json
from ..kinds import resource_lists
from ..registry.machinery import Api
from ..store import Event, Store
from .actor import Actor, service_account
from .engine import Key

PODS = ("", "pods")


class ResourceQuotaController:
    """Counts anew when a quota changes and when something goes;
    what comes is counted where it is admitted.
    """

    resources = None

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("resourcequota-controller"), "kube-controller-manager")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every quota."""
        return [quota.name for quota in store.list(QUOTAS)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return a quota that changed, or those that something which went was counted by."""
        if event.resource == QUOTAS and event.type != "DELETED":
            return (event.after.name,)
        store, namespace = self._api.store, event.after.name[0]
        goes = event.type == "DELETED" or (event.type == "MODIFIED" and event.resource == PODS)
        if not goes or not namespace or store.state_of(QUOTAS) is None:
            return ()
        return [quota.name for quota in store.list(QUOTAS, namespace=namespace)]

    def work(self, key: Key) -> Steps[float | None]:
        """Count for one quota."""
        stored = self._api.store.get(QUOTAS, (key[0], key[1]))
        row = self._actor.kind("v1", "ResourceQuota")
        if stored is None or row is None:
            return None
        hard = stored.object["spec"].get("hard") or {}
        quota = {**stored.object, "status": {"hard": hard, "used": self._usage(stored.object, hard)}}
        if quota["status"] != stored.object.get("status"):
            yield from self._actor.update_status(row, quota)
        return None

    def _usage(self, quota: Json, hard: Json) -> Json:
        usage = dict.fromkeys(hard, "0")
        for group, plural in dict.fromkeys(
            kind.stored_as for kind in self._api.registry.kinds() if kind.namespaced
        ):
            gauge = meter(group, plural)
            names = [name for name in hard if gauge.counts(name)]
            if names:
                objects = self._api.store.list((group, plural), namespace=quota["metadata"]["namespace"])
                counted = [
                    stored.object for stored in objects if scopes.covers(quota, group, plural, stored.object)
                ]
                total = resource_lists.total(gauge.usage(obj, self._api.clock.now()) for obj in counted)
                usage |= resource_lists.to_json(resource_lists.only(total, names))
        return usage
