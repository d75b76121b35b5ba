"""Each webhook as a row: its kind, its defaults, and its validation (AC-006, spec/apiserver.md §2.5.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...api import kinds
from ...api.releases import Since
from ...api.resource import Resource
from . import defaults
from .flavors import RESOURCE_FLAVOR
from .jobs import JOB
from .queues import CLUSTER_QUEUE, COHORT
from .workloads import WORKLOAD
from .writes import ValidationRule


@dataclass(frozen=True, slots=True)
class Hook:
    """The webhooks of one kind."""

    resource: Resource
    rules: tuple[ValidationRule, ...]
    default: defaults.Default | None = None
    subresources: tuple[str, ...] = ()
    """Writes to these are judged as well."""
    spares_namespaces: bool = False
    """Objects in namespaces of the system are left alone."""
    since: Since = (0,)

    @property
    def word(self) -> str:
        """Return the kind as names and paths have it."""
        return self.resource.kind.lower()

    def path(self, verb: str) -> str:
        """Return where the webhook answers; `verb` is `mutate` or `validate`."""
        return f"/{verb}-{self.resource.group.replace('.', '-')}-{self.resource.version}-{self.word}"


HOOKS: Final = (
    Hook(kinds.WORKLOADS, WORKLOAD, defaults.workload, subresources=("status",)),
    Hook(kinds.CLUSTER_QUEUES, CLUSTER_QUEUE, defaults.in_use),
    Hook(kinds.RESOURCE_FLAVORS, RESOURCE_FLAVOR, defaults.in_use),
    Hook(kinds.COHORTS, COHORT, since=(0, 9)),
    Hook(kinds.JOBS, JOB, defaults.job, spares_namespaces=True),
)
