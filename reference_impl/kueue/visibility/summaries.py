"""The pending Workloads of a queue, a page at a time (VIS-101…108,
VIS-114, VIS-201…209, VIS-911, VIS-912).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...runtime.serving.exchange import Headers, Response
from ..queueing.view import PendingQueue, PendingView, PositionedWorkload
from .attributes import GROUP
from .fragments import item
from .listing import Listing, ListPage
from .options import PendingWorkloadOptions
from .request_context import RequestContext
from .status import queue_not_found
from .surface import ApiSurface

KIND: Final = "PendingWorkloadsSummary"
GENERATION: Final = "X-Kueue-Queue-Generation"


class PendingWorkloads:
    """Answers for the ClusterQueues and LocalQueues of a control plane;
    `extended` adds what no release of Kueue has.
    """

    def __init__(self, view: PendingView, surface: ApiSurface, *, extended: bool = False) -> None:
        self._view = view
        self._extended = extended
        self._of_cluster_queue = Listing(KIND, surface, self._in_cluster_queue, item)
        self._of_local_queue = Listing(KIND, surface, self._in_local_queue, item)

    async def of_cluster_queue(self, version: str, request: RequestContext) -> Response:
        """Answer for a ClusterQueue."""
        return await self._of_cluster_queue.answer(version, request)

    async def of_local_queue(self, version: str, request: RequestContext) -> Response:
        """Answer for a LocalQueue."""
        return await self._of_local_queue.answer(version, request)

    def _in_cluster_queue(self, request: RequestContext) -> ListPage:
        options = PendingWorkloadOptions.of(request.url)
        queue = self._view.cluster_queue(request.names["name"])
        if queue is None:
            raise queue_not_found(GROUP, "clusterqueue", request.names["name"])
        return self._page(queue, options)

    def _in_local_queue(self, request: RequestContext) -> ListPage:
        options = PendingWorkloadOptions.of(request.url)
        queue = self._view.local_queue(request.names["namespace"], request.names["name"])
        if queue is None:
            raise queue_not_found(GROUP, "localqueue", request.names["name"])
        name = request.url.first("name") if self._extended else None
        if name is not None:
            position = queue.find(f"{request.names['namespace']}/{name}")
            return ListPage(iter(()) if position is None else iter((position,)), generation_of(queue))
        return self._page(queue, options)

    def _page(self, queue: PendingQueue, options: PendingWorkloadOptions) -> ListPage:
        headers = generation_of(queue) if self._extended else ()
        return ListPage(page_of(queue, options), headers)


def page_of(queue: PendingQueue, options: PendingWorkloadOptions) -> Iterator[PositionedWorkload]:
    """Return a page of the current state of a queue."""
    return queue.page(options.offset, options.limit) if options.offset < len(queue) else iter(())


def generation_of(queue: PendingQueue) -> Headers:
    """Return the header by which pages of two endpoints can be told to be of one moment (VIS-911)."""
    return ((GENERATION, str(queue.generation)),)
