"""Acts of administrators and of an autoscaler on a cluster with Kueue's provisioning check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ....base.json_types import Json
from ....case.context import CaseContext
from ....stage.checks.check import timestamp
from ....stage.provisioning.check import CONFIG, check, config, reference
from ....stage.requests.provisioning_request import KIND, attempt, is_owned
from ....stage.workloads.view import WorkloadView
from ..acts import Act
from ..statements.provisioning_case import CONTROLLER

_ACTOR = "outside-system"
CONDITIONS: Mapping[str, Mapping[str, str]] = {
    "Accepted": {"Accepted": "True"},
    "Provisioned": {"Accepted": "True", "Provisioned": "True"},
    "Delayed": {"Accepted": "True", "Provisioned": "False"},
    "Failed": {"Failed": "True"},
    "BookingExpired": {"BookingExpired": "True"},
    "CapacityRevoked": {"CapacityRevoked": "True"},
}
"""What an answer of the autoscaler sets, by the word of an act."""


def config_spec(act: Act) -> Json:
    """Return what a configuration says: its class, retries, parameters, managed resources and updates."""
    fields: dict[str, Any] = {
        "class_name": f"{act.option('class', 'check-capacity')}.autoscaling.x-k8s.io",
        "limit": int(act.option("retries", "1")),
        "wait": int(act.option("wait", "0")),
        "longest": int(act.option("longest", "1800")),
    }
    if act.option("parameter"):
        fields["parameters"] = {"example.com-zone": act.option("parameter")}
    if act.option("manages"):
        fields["manages"] = tuple(act.option("manages").split(","))
    if act.option("merges"):
        fields["merges"] = act.option("merges")
    if act.option("labels"):
        details = act.option("labels").split(",")
        fields["node_labels"] = {f"example.com/provided-{detail}": detail for detail in details}
    spec: Json = config("any", **fields)["spec"]
    return spec


class ProvisioningActs:
    """Carries the acts out; `name` returns the name of an object by its short form."""

    def __init__(self, context: CaseContext, namespace: str, name: Callable[[str], str]) -> None:
        self._client = context.client
        self._autoscaler = context.client.with_agent(_ACTOR)
        self._context = context
        self._namespace = namespace
        self._name = name

    def create_config(self, act: Act) -> None:
        """Create a ProvisioningRequestConfig."""
        metadata = {"name": self._name(act.name)}
        self._client.create({"kind": CONFIG, "metadata": metadata, "spec": config_spec(act)})

    def set_config(self, act: Act) -> None:
        """Replace what a configuration says."""
        self._client.update(
            CONFIG, self._name(act.name), lambda current: {**current, "spec": config_spec(act)}
        )

    def create_check(self, act: Act) -> None:
        """Create a check of Kueue's own controller."""
        self._client.create(
            check(self._name(act.name), CONTROLLER, reference(self._name(act.option("config"))))
        )

    def answer(self, workload: WorkloadView, act: Act) -> bool:
        """Answer the newest request of a Workload; tell whether there was one without this answer."""
        details = [*filter(None, act.option("details").split(","))]
        return any(self._answer(request, act.option("state"), details) for request in self._newest(workload))

    def drop(self, workload: WorkloadView) -> bool:
        """Delete the newest request of a Workload; tell whether there was one."""
        newest = self._newest(workload)
        if newest:
            self._autoscaler.delete(KIND, newest[0]["metadata"]["name"], self._namespace)
        return bool(newest)

    def provide(self, workload: WorkloadView) -> bool:
        """Provide what a Workload requests and has no answer yet; tell whether there was something."""
        # Read before the first answer: each answer may have Kueue make another request.
        requests = [*self._open(workload)]
        for request in requests:
            self._answer(request, "Provisioned")
        return bool(requests)

    def _newest(self, workload: WorkloadView) -> Sequence[Json]:
        """Return the requests of a Workload, the newest attempt first."""
        name = workload.object.get("metadata", {}).get("name", "")
        owned = [item for item in self._client.list(KIND, self._namespace) if name and is_owned(item, name)]
        return sorted(
            owned,
            key=lambda item: (attempt(item["metadata"]["name"]), item["metadata"]["name"]),
            reverse=True,
        )

    def _open(self, workload: WorkloadView) -> Iterator[Json]:
        return (item for item in self._newest(workload) if not (item.get("status") or {}).get("conditions"))

    def _answer(self, request: Json, word: str, details: Sequence[str] = ()) -> bool:
        """Set the conditions of an answer, and details of its class; tell whether the conditions were not set
        before.
        """
        conditions = {item["type"]: item for item in (request.get("status") or {}).get("conditions") or ()}
        answer = CONDITIONS[word]
        # An answer that is there already would be no act.
        if all(conditions.get(name, {}).get("status") == status for name, status in answer.items()):
            return False
        time = timestamp(self._context.cluster.now())
        for name, status in answer.items():
            conditions[name] = {
                "type": name,
                "status": status,
                "reason": word,
                "message": f"the autoscaler says {word}",
                "lastTransitionTime": time,
            }
        metadata = request["metadata"]

        def with_conditions(current: Json) -> Json:
            status = {**(current.get("status") or {}), "conditions": [*conditions.values()]}
            if details:
                status["provisioningClassDetails"] = {detail: f"{detail}-1" for detail in details}
            return {**current, "status": status}

        self._autoscaler.update(
            KIND, metadata["name"], with_conditions, namespace=self._namespace, sub="status"
        )
        return True
