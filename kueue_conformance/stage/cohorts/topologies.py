"""Makes cohorts and ClusterQueues from a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...case.context import within
from ...history.fact import Fact
from ..checks.check import Check
from ..making import manifests
from ..making.flavors import Flavors
from ..queues.queue import Queue
from .topology import Topology, fields, resource_groups, weighing
from .topology_text import CohortNode, parse_topology

_LABEL = "kueue-conformance.dev/of-"


class Topologies(Flavors):
    """Makes everything first and waits once."""

    namespace: str

    def make_topology(
        self,
        text: str,
        *,
        checks: Mapping[str, Sequence[Check]] | None = None,
        flavors: Mapping[str, Any] | None = None,
        **spec: Any,
    ) -> Topology:
        """Make what a text describes (`topology_text`), with a LocalQueue for each ClusterQueue.

        `checks` are the required checks by the names of queues (`""`: of all), `flavors` fields of
        ResourceFlavors by their names in the text, and `spec` those of every ClusterQueue. A cohort is an
        object where it has quota, a weight or a parent, else only a name.
        """
        every = parse_topology(text)
        keys = {
            quota.flavor: f"{_LABEL}{_word(quota.resource)}"
            for node in every
            # The last one wins in a mapping, so reversed the first resource of a flavor names its
            # key.
            for quota in reversed(node.quotas)
        }
        flavor_names = {
            name: self._flavor_of(name, key, (flavors or {}).get(name, {})) for name, key in keys.items()
        }
        cohorts = {node.name: self.names.name("cohort") for node in every if node.is_cohort}
        for node in every:
            # Else only a name: Kueue knows a cohort without an object by the queues that name it
            #
            if node.is_cohort and (node.quotas or node.parent or node.words):
                self.client.create(_cohort(node, cohorts, flavor_names))
        queues = {
            node.name: self._queue_of(
                node, cohorts, flavor_names, (checks or {}).get(node.name, (checks or {}).get("", ())), spec
            )
            for node in every
            if not node.is_cohort
        }
        for queue in queues.values():
            self.client.create(manifests.local_queue(queue.name, queue.namespace, queue.cluster_queue))
        if self.context.kueue_works:
            # One wait for all that was made, in place of one for each queue.
            within("react", lambda: _has_all_active_conditions(queues.values()))
        return Topology(self.context, queues, cohorts, flavor_names, keys)

    def _flavor_of(self, role: str, key: str, spec: Mapping[str, Any]) -> str:
        name = self.names.name(role)
        self.client.create(manifests.flavor(name, {key: name}, **spec))
        return name

    def _queue_of(
        self,
        node: CohortNode,
        cohorts: Mapping[str, str],
        flavors: Mapping[str, str],
        checks: Sequence[Check],
        queue_fields: Mapping[str, Any],
    ) -> Queue:
        name = self.names.name(node.name)
        spec = {
            "resourceGroups": resource_groups(node.quotas, flavors),
            **({"cohortName": cohorts[node.parent]} if node.parent else {}),
            **fields(node),
            **queue_fields,
        }
        self.client.create(manifests.cluster_queue(name, {}, {check.name: () for check in checks}, **spec))
        used = list(dict.fromkeys(flavors[quota.flavor] for quota in node.quotas))
        return Queue(self.context, self.names, name, self.namespace, used, checks)


def _cohort(node: CohortNode, cohorts: Mapping[str, str], flavors: Mapping[str, str]) -> Any:
    spec = {
        **({"parentName": cohorts[node.parent]} if node.parent else {}),
        **({"resourceGroups": resource_groups(node.quotas, flavors)} if node.quotas else {}),
        **weighing(node),
    }
    return {"kind": "Cohort", "metadata": {"name": cohorts[node.name]}, "spec": spec}


def _has_all_active_conditions(queues: Iterable[Queue]) -> Fact:
    """Every queue says whether it is Active."""
    for queue in queues:
        for fact in (queue.has_active_condition(), queue.has_active_condition_locally()):
            if not fact:
                return fact
    return Fact(True, "every queue says whether it is Active", "so it is")


def _word(resource: str) -> str:
    return resource.replace("/", "-")
