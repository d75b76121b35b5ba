"""`run: [argv]`: runs a command with the decision in its arguments and its environment."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..bounded_command import BoundedCommand, CommandFailed, variable_name
from ..placeholders import placeholders_in
from . import WHOSE, DriverContext, DriverFailed
from .decision import WORDS, Decision

_LONGEST_SCRIPT = 1 << 20
"""As much of a script is read, in bytes."""


def scripts_of(argv: Sequence[str], folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the words of a command that are files in a folder, each with its text."""
    for word in argv:
        # os.path: a word that cannot be a path is no file, where pathlib raises.
        if os.path.isfile(folder / word):  # noqa: PTH113
            yield word, (folder / word).read_bytes()[:_LONGEST_SCRIPT].decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class CommandDriver:
    """Runs a command in the folder of the subject file, never through a shell."""

    argv: Sequence[str]
    folder: Path
    needs_workload = False

    @property
    def tells(self) -> frozenset[str]:
        """All of them, in its environment; check, Workload and namespace only where its words have them."""
        return frozenset(WORDS) - {"check", *WHOSE} | self.mentions

    @property
    def mentions(self) -> frozenset[str]:
        """Those that its words have, and a message that a script among them reads: a command may read no
        variable of its environment.
        """
        named = {
            word for word in ("message", *WHOSE) if any(variable_name(word) in text for text in self.argv)
        }
        if any(variable_name("message") in text for _, text in scripts_of(self.argv, self.folder)):
            named.add("message")
        return placeholders_in(list(self.argv)) | named

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return (): effects of the command are not known."""
        del decision
        return frozenset()

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Run it to its end."""
        try:
            BoundedCommand(self.argv, self.folder).run(decision.words, means.kubeconfig, seconds)
        except CommandFailed as problem:
            raise DriverFailed(f"the driver's command {problem.args[0]}", hint=problem.hint) from problem

    def undo(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Do nothing: only an `undo` of the subject file knows how."""
