"""The cloud behind an autoscaler, as a scenario speaks of it; what keeps its machines is the business of who brings it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSize:
    """How many machines a group counts, and between which limits."""

    least: int
    most: int
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudCall:
    """What an autoscaler asked the cloud for; `refused` is empty where it was done. `at` is seconds since the epoch."""

    at: float
    method: str
    group: str
    arguments: Mapping[str, Any]
    refused: str = ""


class Cloud(Protocol):
    """Node groups whose machines become Nodes of the cluster, with a scheduler that binds pods to them."""

    def make_group(self, name: str, **shape: Any) -> None:
        """Make a group; `shape` as in `GroupSpec`. Raises UsageError for one that cannot be."""

    def fail(self, failure: str, *, group: str = "", times: int = 0, **how: Any) -> None:
        """Have the next calls about groups go wrong: as often as is said, 0 for ever."""

    def mend(self) -> None:
        """Let everything go well from now on."""

    def limit(self, group: str, *, most: int) -> None:
        """Change the maximum of a group."""

    def resize(self, group: str, target: int) -> None:
        """Change the size of a group by hand, as an operator does."""

    def take_away(self, node: str) -> None:
        """Let a machine vanish, as a preemptible one does."""

    def sizes(self) -> Mapping[str, GroupSize]:
        """Return the groups by their names."""

    def calls(self) -> Sequence[CloudCall]:
        """Return the calls that change something, in their order."""

    def close(self) -> None:
        """Let go of the cluster."""
