"""Which version of the documents the control plane follows:
the disagreement table as rows (design.md §2, D-01…D-27).

A row gives one member of the rules its value from a release on. A dialect is the newest value of each member
at its version; `kep993` stands outside the order and replaces members of the newest release (admission.md
§5). A module holds the rows of one subject. Wire shapes per dialect are pruned in `api.crds`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from ...api.known_releases import version_of
from ...api.releases import Release
from . import kep993
from .jobs import JOB_ORDER, JOBS
from .provisioning import PROVISIONING
from .queues import PENDING, QUEUES
from .rules import Dialect
from .scheduling import SCHEDULING
from .visibility import VISIBILITY
from .workloads import WORKLOAD

OUTSIDE: Final[Mapping[str, Callable[[Dialect], Dialect]]] = MappingProxyType(
    {"kep993": kep993.replace_rules}
)
"""Dialects that are no release: each changes the newest one."""


def dialect(name: str) -> Dialect:
    """Return a dialect by its name; raises UnknownDialectError."""
    version = version_of(name)
    at = Release(version)
    released = Dialect(
        name,
        version,
        at.select(WORKLOAD),
        job_order=at.value(JOB_ORDER),
        jobs=at.select(JOBS),
        queues=at.select(QUEUES),
        pending=at.select(PENDING),
        scheduling=at.select(SCHEDULING),
        visibility=at.select(VISIBILITY),
        provisioning=at.select(PROVISIONING),
    )
    return OUTSIDE[name](released) if name in OUTSIDE else released
