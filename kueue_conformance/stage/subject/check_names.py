"""The names of the subject's AdmissionChecks: new ones, or that of its subject file (TP-04, TP-12)."""

from __future__ import annotations

from ..making.names import Names
from ..unsupported import skip_unsupported_field


class CheckNames:
    """The names of one case."""

    def __init__(self, names: Names, bound: str) -> None:
        self._names = names
        self.bound = bound
        """The only name for which the subject answers, empty where it answers for all."""
        self.is_taken = False
        """The case has made a check of that name, or has something else in mind for it."""

    def take(self, name: str = "") -> str:
        """Return the name for a check, `name` where that is possible.

        Skips a case that needs another name than the subject answers for.
        """
        if not self.bound:
            return name or self._names.name("check")
        if self.is_taken or name not in ("", self.bound):
            skip_unsupported_field(f"checkName: the scenario makes other checks than {self.bound!r}")
        self.is_taken = True
        return self.bound

    def free(self) -> str:
        """Return a name that no check has, whatever the subject answers for."""
        return self._names.name("check")
