"""An external program: found on PATH or where `make kind-image` puts it, called with an argument list."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ...base.errors import EnvironmentProblem
from .diagnostics import explain_failure

BUILT = Path(".kind/bin")
_TIMEOUT_SECONDS = 300.0
# The exit codes of timeout(1) and of a shell that cannot execute.
_UNANSWERED, _UNSTARTED = 124, 126

Started: TypeAlias = Callable[[int], None]


def _ignore(_: int) -> None:
    """Ignore the process id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResult:
    """How a program ended and what it printed."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Command:
    """A program by its path; environment and working folder are ours."""

    path: str

    def run(
        self, words: Sequence[str], *, timeout: float = _TIMEOUT_SECONDS, begun: Started = _ignore
    ) -> CommandResult:
        """Run the program and return its output and exit code; `begun` is called with the process id, which
        is also that of its group.
        """
        try:
            with subprocess.Popen(
                [self.path, *words],
                # No program may stop for a question: there is no one at the terminal in CI.
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                # Programs print what containers print, which need not be UTF-8.
                errors="replace",
                env=_environment(),
                # A group of its own: kind starts docker, and both have to be killed together.
                start_new_session=True,
            ) as process:
                # Before the wait: a run that is killed while kind works has the process on
                # record.
                begun(process.pid)
                return _await_end(process, timeout)
        except OSError as problem:
            return CommandResult(code=_UNSTARTED, out="", err=f"it cannot be started: {problem.strerror}")

    def ask(self, *words: str, timeout: float = _TIMEOUT_SECONDS) -> str:
        """Return the program's output. Raises EnvironmentProblem that explains a failure."""
        completed = self.run(words, timeout=timeout)
        if completed.code:
            raise self.failure(words, completed)
        return completed.out.strip()

    def failure(self, words: Sequence[str], completed: CommandResult) -> EnvironmentProblem:
        """Return the error for a run that failed."""
        return explain_failure(" ".join([Path(self.path).name, *words[:2]]), completed.err or completed.out)


def _await_end(process: subprocess.Popen[str], timeout: float) -> CommandResult:
    """Return a program's output; one that is not waited for
    any longer is killed with all that it has started.
    """
    try:
        out, err = process.communicate(timeout=timeout)
    # Ctrl-C as well: a kind that went on would make a cluster that no run knows.
    except BaseException as problem:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        if not isinstance(problem, subprocess.TimeoutExpired):
            raise
        return CommandResult(
            code=_UNANSWERED, out="", err=f"it had not ended after {timeout:.0f} s and was killed"
        )
    return CommandResult(code=process.returncode, out=out, err=err)


def find(name: str, *, todo: str) -> Command:
    """Return a program. Raises EnvironmentProblem when it is not found."""
    # PATH first: what the user has installed goes before what a make target has built.
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), str(BUILT.absolute())])
    path = shutil.which(name, path=places)
    if path is None:
        raise EnvironmentProblem(f"backend kind needs the program `{name}`, and it is not on PATH", hint=todo)
    return Command(path)


def _environment() -> Mapping[str, str]:
    """Return the environment without the user's kubeconfig, which no program called here may touch."""
    return {key: value for key, value in os.environ.items() if key != "KUBECONFIG"}
