"""What a subject does outside for a Workload, and how the harness sees it (CC-061 to CC-065, CC-070, CC-071).

Four ways: objects of the cluster that belong to the Workload, claims at the harness's own claim service, what
a service of the user lists, and what a command or a folder lists. Each way lists work items by Workload.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ...base.json_types import Json

if TYPE_CHECKING:  # every command reads subject files, most of which talk to no cluster (SH-22)
    from ...wire.client import Client
    from .claims import Claims


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadIdentity:
    """The Workload whose work is listed; it has several uids where it was deleted and made again."""

    namespace: str
    name: str
    uids: frozenset[str] = frozenset()

    @property
    def words(self) -> Mapping[str, str]:
        """The placeholders of a URL, a command or a path."""
        return {"namespace": self.namespace, "workload": self.name}


@dataclass(frozen=True, slots=True)
class WorkItem:
    """One piece of outside work; `identity` differs from that of any piece that is begun later."""

    identity: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkSources:
    """Where work is looked for: the cluster, the claim service, and a kubeconfig for commands."""

    client: Client
    claims: Claims
    kubeconfig: str = ""


class OutsideWork(Protocol):
    """Lists the work of a subject for a Workload."""

    @property
    def noun(self) -> str:
        """What a piece of it is called in a report, such as `ConfigMap` or `claim`."""

    @property
    def manifest(self) -> Json | None:
        """An object of the kind that the subject makes, for its rights; None where it makes none."""

    @property
    def needs_garbage_collection(self) -> bool:
        """Whether the cluster removes it after its Workload, so that the subject need not."""

    def items(self, workload: WorkloadIdentity, sources: WorkSources) -> Sequence[WorkItem]:
        """Return what the subject has made for a Workload and not released. Raises ConformanceError."""
