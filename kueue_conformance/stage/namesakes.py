"""A stage on which everything that is submitted has a namesake in another namespace (AC-240, Q-002)."""

from __future__ import annotations

from typing import Any

from .making import manifests
from .queues.queue import Form, Queue
from .stage import Stage
from .workloads.workload import Workload

_ENOUGH = "1000"
"""CPU of the namesakes' queue: they never wait for quota."""


class QueueBesideNamesake(Queue):
    """A queue whose Workloads and Jobs have namesakes in a LocalQueue of its name in another namespace."""

    namesake: Queue

    def submit(self, form: Form = "workload", *, name: str = "", **spec: Any) -> Workload:
        """Submit the namesake, which is older, and then what the scenario asks for."""
        name = name or self._names.name(form)
        self.namesake.submit(form, name=name, **spec)
        return super().submit(form, name=name, **spec)


class StageBesideNamesakes(Stage):
    """Makes for every LocalQueue another one of its name, of a ClusterQueue with the same checks.

    The checks are cluster-wide, so that namesakes get requests for capacity too; nothing answers for them.
    """

    _other_namespace = ""

    def _add_local_queue(self, queue: Queue) -> Queue:
        super()._add_local_queue(queue)
        self._other_namespace = self._other_namespace or self.make_namespace()
        name, flavor = self.names.name("queue"), self.make_flavor()
        rules = {check.name: () for check in queue.checks}
        quotas = {flavor: {"cpu": _ENOUGH}}
        self.client.create(manifests.cluster_queue(name, quotas, rules, self.client.version))
        other = Queue(
            self.context, self.names, queue.name, self._other_namespace, [flavor], queue.checks, name
        )
        super()._add_local_queue(other)
        beside = QueueBesideNamesake(
            self.context,
            self.names,
            queue.name,
            queue.namespace,
            queue.flavors,
            queue.checks,
            queue.cluster_queue,
        )
        beside.namesake = other
        return beside
