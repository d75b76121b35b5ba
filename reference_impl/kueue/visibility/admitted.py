"""Workloads that hold quota, in the order in which they reserved it:
an extension that no release of Kueue has (VIS-901…912).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from ...api.quoting import go_quote
from ...pods.amounts import render
from ...runtime.serving.exchange import Response
from ..queueing.view import PendingQueue, PendingView, PositionedWorkload
from ..quota.requests import admitted_usage
from ..workload import conditions as c
from ..workload.view import Workload
from .attributes import GROUP
from .fragments import metadata_of
from .listing import Listing, ListPage
from .options import PendingWorkloadOptions
from .request_context import RequestContext
from .serialization import go_json
from .status import bad_request, queue_not_found
from .summaries import generation_of, page_of
from .surface import ApiSurface
from .url import Url

VERSION: Final = "v1beta2"
KIND: Final = "AdmittedWorkloadsSummary"
SUBRESOURCE: Final = "admittedworkloads"
ALIAS: Final = "admitted_workloads"
"""The name that the KEP uses; for a ClusterQueue only (VIS-902)."""
PHASES: Final = ("QuotaReserved", "Admitted", "Evicting")


class AdmittedWorkloads:
    """Answers for the ClusterQueues and LocalQueues of a control plane."""

    def __init__(self, view: PendingView, surface: ApiSurface) -> None:
        self._view = view
        self._of_cluster_queue = Listing(KIND, surface, self._in_cluster_queue, _with_usage)
        self._of_local_queue = Listing(KIND, surface, self._in_local_queue, _without_usage)

    async def of_cluster_queue(self, request: RequestContext) -> Response:
        """Answer for a ClusterQueue."""
        return await self._of_cluster_queue.answer(VERSION, request)

    async def of_local_queue(self, request: RequestContext) -> Response:
        """Answer for a LocalQueue: nothing of what its Workloads use (VIS-910)."""
        return await self._of_local_queue.answer(VERSION, request)

    def _in_cluster_queue(self, request: RequestContext) -> ListPage:
        options, phases = PendingWorkloadOptions.of(request.url), _phases(request.url)
        queue = self._view.cluster_queue(request.names["name"])
        if queue is None:
            raise queue_not_found(GROUP, "clusterqueue", request.names["name"])
        return _page(queue, options, phases)

    def _in_local_queue(self, request: RequestContext) -> ListPage:
        options, phases = PendingWorkloadOptions.of(request.url), _phases(request.url)
        queue = self._view.local_queue(request.names["namespace"], request.names["name"])
        if queue is None:
            raise queue_not_found(GROUP, "localqueue", request.names["name"])
        return _page(queue, options, phases)


def phase_of(workload: Workload) -> str:
    """Return how far a Workload that holds quota has come."""
    if workload.is_evicted:
        return "Evicting"
    return "Admitted" if workload.is_admitted else "QuotaReserved"


def _phases(url: Url) -> frozenset[str]:
    phases = url.all_of("phase")
    unknown = next((phase for phase in phases if phase not in PHASES), None)
    if unknown is not None:
        raise bad_request(f"unsupported phase {go_quote(unknown)}")
    return frozenset(phases)


def _page(queue: PendingQueue, options: PendingWorkloadOptions, phases: frozenset[str]) -> ListPage:
    """Offset and limit count within a phase; positions are those among all (VIS-907)."""
    if not phases or options.offset >= len(queue):
        return ListPage(page_of(queue, options), generation_of(queue))
    selected = _in_phases(queue, phases)
    return ListPage(islice(selected, options.offset, options.offset + options.limit), generation_of(queue))


def _in_phases(queue: PendingQueue, phases: frozenset[str]) -> Iterator[PositionedWorkload]:
    return (workload for workload in queue.page(0, len(queue)) if phase_of(workload.workload) in phases)


def _without_usage(workload: PositionedWorkload) -> bytes:
    return go_json(_item(workload, {}))


def _with_usage(workload: PositionedWorkload) -> bytes:
    flavors: dict[str, dict[str, str]] = {}
    for (flavor, resource), amount in sorted(admitted_usage(workload.workload.object).items()):
        flavors.setdefault(flavor, {})[resource] = render(resource, amount)
    return go_json(_item(workload, {"usage": flavors}))


def _item(pending: PositionedWorkload, usage: dict[str, Any]) -> dict[str, Any]:
    workload, in_cluster_queue, in_local_queue = pending
    admitted = {"admittedTime": _since(workload, c.ADMITTED)} if workload.is_admitted else {}
    checks = sorted(workload.checks.entries, key=lambda entry: str(entry["name"]))
    return {
        "metadata": metadata_of(workload),
        "priority": workload.priority,
        "localQueueName": workload.queue_name,
        "phase": phase_of(workload),
        "quotaReservedTime": _since(workload, c.QUOTA_RESERVED),
        **admitted,
        "admissionChecks": [{"name": check["name"], "state": check["state"]} for check in checks],
        **usage,
        "positionInClusterQueue": in_cluster_queue,
        "positionInLocalQueue": in_local_queue,
    }


def _since(workload: Workload, kind: str) -> str | None:
    condition = workload.condition(kind)
    return None if condition is None else condition["lastTransitionTime"]
