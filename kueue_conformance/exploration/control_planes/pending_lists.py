"""Reads the lists of pending Workloads of a story's queues: each as a whole, and one page of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...base.json_types import Json
from ...case.context import CaseContext
from ...stage.pending.listing import Listing
from ...stage.pending.pending import Pending

OFFSET, LIMIT = 1, 2
"""The page that is read of each list."""


@dataclass(frozen=True, slots=True)
class PendingList:
    """The whole list of a queue, with the code of the answer, and the page behind `OFFSET`."""

    code: int
    items: Sequence[Json] = ()
    page: Sequence[Json] = ()


PendingLists = Mapping[tuple[str, str], PendingList]
"""Lists by the kind and the name of their queue."""


def read_lists(context: CaseContext, namespace: str, names: Mapping[str, Sequence[str]]) -> PendingLists:
    """Return the list of each queue; `names` has those of ClusterQueues and LocalQueues by their kind."""
    paths = {
        **{("ClusterQueue", name): f"clusterqueues/{name}" for name in names["ClusterQueue"]},
        **{
            ("LocalQueue", name): f"namespaces/{namespace}/localqueues/{name}" for name in names["LocalQueue"]
        },
    }
    return {key: _read(Pending(context, context.client, path)) for key, path in paths.items()}


def _read(pending: Pending) -> PendingList:
    full: Listing = pending.read()
    # A page of an empty list shows nothing.
    page = pending.read(offset=str(OFFSET), limit=str(LIMIT)) if full.items else full
    return PendingList(full.code, full.items, page.items)
