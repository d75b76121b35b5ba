"""Aggregated ClusterRoles get the rules of the ClusterRoles that they select (FK-399)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from ..api.steps import Steps, in_turn
from ..base.json_types import Json
from ..kinds.validation.basics import matches
from ..registry.machinery import Api
from ..store import Event, Store, Stored, encode
from .actor import Actor, service_account
from .engine import Key

CLUSTER_ROLES = ("rbac.authorization.k8s.io", "clusterroles")
MANAGER = "clusterrole-aggregation-controller"


class ClusterRoleAggregationController:
    """Writes the rules of every ClusterRole with an `aggregationRule`, as their only owner."""

    resources = (CLUSTER_ROLES,)

    def __init__(self, api: Api) -> None:
        self._store = api.store
        self._actor = Actor(api, service_account(MANAGER), MANAGER)

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every aggregated role."""
        return _list_aggregated(store)

    def keys(self, event: Event) -> Iterable[Key]:
        """Return every aggregated role when any role changed: one may select what another has gathered."""
        del event
        return _list_aggregated(self._store)

    def work(self, key: Key) -> Steps[float | None]:
        """Gather the rules of one role."""
        stored = self._store.get(CLUSTER_ROLES, ("", key[0]))
        row = self._actor.kind("rbac.authorization.k8s.io/v1", "ClusterRole")
        # A role whose selectors are gone keeps the rules that it gathered last.
        if stored is None or row is None or not _selectors(stored.object):
            return None
        roles = self._store.list(CLUSTER_ROLES)
        comparisons = len(_selectors(stored.object)) * len(roles)
        # Selectors times roles: in a cluster of many roles one look takes long.
        rules = yield from in_turn(comparisons, partial(_gather_rules, stored, roles))
        if rules != (stored.object.get("rules") or []):
            role = {
                "apiVersion": row.api_version,
                "kind": row.kind,
                "metadata": {"name": key[0]},
                "rules": rules,
            }
            # Applied, and not updated: the controller owns the rules and nothing else of the role.
            yield from self._actor.apply(row, role, MANAGER)
        return None


def _list_aggregated(store: Store) -> Iterator[Key]:
    """Yield aggregated roles; one that gathers from another is gathered again once that has changed."""
    return ((role.name[1],) for role in store.list(CLUSTER_ROLES) if _selectors(role.object))


def _selectors(role: Json) -> list[Json]:
    return list((role.get("aggregationRule") or {}).get("clusterRoleSelectors") or ())


def _gather_rules(stored: Stored, roles: Iterable[Stored]) -> list[Json]:
    """Return the rules of the selected roles by selector and name, each rule once."""
    # A role does not gather from itself, which would never end.
    other_roles = [role.object for role in roles if role.name != stored.name]
    # By their JSON, as a rule is no hashable value; a dict keeps the order in which they were gathered.
    rules: dict[bytes, Json] = {}
    for selector in _selectors(stored.object):
        for role in other_roles:
            if matches(selector, role["metadata"].get("labels") or {}):
                rules |= {encode(rule): rule for rule in role.get("rules") or () if encode(rule) not in rules}
    return list(rules.values())
