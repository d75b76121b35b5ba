"""A program that is called: found on PATH or where `make kind-image` puts it, given its words as a list, asked for its answer."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import EnvironmentProblem
from .trouble import meaning

BUILT = Path(".kind/bin")
_PATIENCE = 300.0
_UNANSWERED = 124


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """How a program ended and what it printed."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A program by its path; environment and working folder are ours."""

    path: str

    def said(self, words: Sequence[str], *, patience: float = _PATIENCE) -> Said:
        """Run it and return what it said, however it ended."""
        try:
            done = subprocess.run(
                [self.path, *words], capture_output=True, timeout=patience, check=False, stdin=subprocess.DEVNULL,
                text=True, errors="replace", env=_environment(),
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Said(
                code=_UNANSWERED, out="", err=f"it had not ended after {patience:.0f} s and was killed"
            )
        except OSError as problem:
            return Said(code=126, out="", err=f"it cannot be started: {problem.strerror}")
        return Said(code=done.returncode, out=done.stdout, err=done.stderr)

    def ask(self, *words: str, patience: float = _PATIENCE) -> str:
        """Return what it printed. Raises EnvironmentProblem that says what its failure means."""
        said = self.said(words, patience=patience)
        if said.code:
            raise self.failed(words, said)
        return said.out.strip()

    def failed(self, words: Sequence[str], said: Said) -> EnvironmentProblem:
        """Return the error for a run that failed."""
        return meaning(" ".join([Path(self.path).name, *words[:2]]), said.err or said.out)


def find(name: str, *, todo: str) -> Tool:
    """Return a program. Raises EnvironmentProblem when it is nowhere."""
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), str(BUILT.absolute())])
    path = shutil.which(name, path=places)
    if path is None:
        raise EnvironmentProblem(f"backend kind needs the program `{name}`, and it is not on PATH", hint=todo)
    return Tool(path)


def _environment() -> Mapping[str, str]:
    """Return our environment without the user's kubeconfig: nothing that is called here may touch that."""
    return {key: value for key, value in os.environ.items() if key != "KUBECONFIG"}
