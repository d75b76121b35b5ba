"""The cloud of an autoscaler, as a scenario uses it; how machines are kept is up to the implementation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSize:
    """The size of a node group in machines, with its minimum and maximum."""

    least: int
    most: int
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudCall:
    """One call of an autoscaler to its cloud; `refused` is the error, empty after success.

    `at` is seconds since the epoch.
    """

    at: float
    method: str
    group: str
    arguments: Mapping[str, Any]
    refused: str = ""


class Cloud(Protocol):
    """Node groups whose machines become Nodes of the cluster, with a scheduler that binds pods to them."""

    def make_group(self, name: str, **shape: Any) -> None:
        """Make a node group; `shape` has the fields of `GroupSpec`.

        Raises UsageError for an impossible group.
        """

    def fail(self, failure: str, *, group: str = "", times: int = 0, **how: Any) -> None:
        """Make the next calls about node groups fail: so many times, 0 for every call until `mend`."""

    def mend(self) -> None:
        """End all failures."""

    def limit(self, group: str, *, most: int) -> None:
        """Change the maximum of a group."""

    def resize(self, group: str, target: int) -> None:
        """Change the size of a group by hand, as an operator does."""

    def take_away(self, node: str) -> None:
        """Remove a machine, as a cloud takes back a preemptible one."""

    def sizes(self) -> Mapping[str, GroupSize]:
        """Return the groups by their names."""

    def calls(self) -> Sequence[CloudCall]:
        """Return the calls that change something, in their order."""

    def close(self) -> None:
        """Stop working on the cluster."""
