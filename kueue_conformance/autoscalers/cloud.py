"""The groups of a cloud, as a case wants them; who keeps the machines is the seam's business."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cloud:
    """Groups by their names."""

    groups: tuple[str, ...] = ()


NO_GROUPS = Cloud()
