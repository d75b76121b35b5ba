"""`file: {path, content}`: the controller reads its verdict off a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..placeholders import placeholders_in, replace_words
from . import DriverContext, DriverFailed
from .decision import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDriver:
    """Writes a file; its path begins in the folder of the subject file."""

    path: str
    content: str = ""
    folder: Path
    needs_workload = False

    @property
    def tells(self) -> frozenset[str]:
        """The words in path and content."""
        return placeholders_in([self.path, self.content])

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return the file."""
        return frozenset({f"file {self._place(decision.words)}"})

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Write the file."""
        del means, seconds
        place = self._place(decision.words)
        new = place.with_name(f"{place.name}.new")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(replace_words(self.content, decision.words), "utf-8")
            # In one step: a reader never finds half of it.
            new.replace(place)
        except OSError as problem:
            raise _driver_failure(place, "written", problem) from problem

    def undo(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Remove the file."""
        if self.leaves(decision) <= keep:
            return
        del means
        place = self._place(decision.words)
        try:
            place.unlink(missing_ok=True)
        except OSError as problem:
            raise _driver_failure(place, "removed", problem) from problem

    def _place(self, words: Mapping[str, str]) -> Path:
        return self.folder / str(replace_words(self.path, words))


def _driver_failure(place: Path, act: str, problem: OSError) -> DriverFailed:
    return DriverFailed(
        f"the driver's file {str(place)!r} cannot be {act}: {problem.strerror}",
        hint="check file in the subject file; its path begins in the folder of that file",
    )
