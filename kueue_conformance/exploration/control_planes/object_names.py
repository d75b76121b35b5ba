"""The names of a story's objects in one run, by their short forms such as `q1`."""

from __future__ import annotations

from collections.abc import Mapping

from ...stage import Stage

_ROLES: Mapping[str, str] = {
    "f": "flavor",
    "k": "check",
    "c": "cohort",
    "q": "queue",
    "l": "local",
    "p": "priority",
    "r": "runtime",
    "g": "config",
    "w": "workload",
}
KINDS: Mapping[str, str] = {
    "f": "ResourceFlavor",
    "k": "AdmissionCheck",
    "c": "Cohort",
    "q": "ClusterQueue",
    "l": "LocalQueue",
    "p": "WorkloadPriorityClass",
    "r": "RuntimeClass",
    "g": "ProvisioningRequestConfig",
}
"""The kinds of objects by the letters of their short forms; `w` is a Workload, or a Job."""


class ObjectNames:
    """Gives each object of a story a name; `forms` says of each submission whether it is a Job."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._names: dict[str, str] = {}
        # The form is known before the name: a Job has a shorter one.
        self.forms: dict[str, str] = {}

    def of(self, short: str) -> str:
        """Return the name of an object by its short form; empty for none."""
        if short and short not in self._names:
            # The name of a Job becomes the value of a label, and is shorter.
            role = "job" if self.is_job(short) else _ROLES[short[0]]
            self._names[short] = self._stage.names.name(role)
        return self._names.get(short, "")

    def is_job(self, short: str) -> bool:
        """Tell whether a submission is a Job."""
        return self.forms.get(short) == "job"

    @property
    def short_forms(self) -> Mapping[str, str]:
        """The short form of each name."""
        return {name: short for short, name in self._names.items()}

    def of_kind(self, kind: str) -> list[str]:
        """Return the names of the objects of a kind, in the order of their short forms."""
        return [name for short, name in sorted(self._names.items()) if KINDS.get(short[0]) == kind]
