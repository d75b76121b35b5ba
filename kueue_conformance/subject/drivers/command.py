"""`run: [argv]`: runs a command with the decision in its arguments and its environment."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from . import WHOSE, DriverContext, DriverFailed
from .decision import WORDS, Decision, fill_template, placeholders_in

_SHOWN = 5
_LONGEST_SCRIPT = 1_000_000


@dataclass(frozen=True, slots=True)
class CommandDriver:
    """Runs a command in the folder of the subject file, never through a shell."""

    argv: Sequence[str]
    folder: Path

    @property
    def tells(self) -> frozenset[str]:
        """All of them, in its environment; check, Workload and namespace only where its text has them."""
        texts = _texts(tuple(self.argv), self.folder)
        in_environment = {word for word in WHOSE if any(_variable(word) in text for text in texts)}
        return frozenset(WORDS) - {"check", *WHOSE} | in_environment | placeholders_in(list(self.argv))

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return (): effects of the command are not known."""
        del decision
        return frozenset()

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Run it to its end."""
        # Word by word and without a shell: a name or message cannot become a second command.
        argv = fill_template(list(self.argv), decision)
        try:
            done = subprocess.run(
                argv,
                cwd=self.folder,
                env=environment(decision, means),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except OSError as problem:
            raise DriverFailed(
                f"the driver's command {argv[0]!r} cannot be run: {problem.strerror}",
                hint="check run in the subject file; its folder is the working directory",
            ) from problem
        except subprocess.TimeoutExpired as problem:
            raise DriverFailed(
                f"the driver's command {shlex.join(argv)} did not end within {seconds:g} s",
                hint="raise timeout in the subject file, or let it end at once",
            ) from problem
        if done.returncode:
            output = "\n".join((done.stdout + done.stderr).strip().splitlines()[-_SHOWN:])
            raise DriverFailed(
                f"the driver's command {shlex.join(argv)} ended with exit code {done.returncode}: {output or 'it printed nothing'}",
                hint="run it by hand to see why",
            )

    def undo(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Do nothing: only an `undo` of the subject file knows how."""


def lack_of(program: str, folder: Path) -> str:
    """Return why a program cannot be run from a folder, empty when it can."""
    # As the kernel finds it: a path begins in the folder, a name is looked up on PATH.
    path = str(folder / program) if os.sep in program else program
    if shutil.which(path, path=search_path()):
        return ""
    return os.strerror(errno.EACCES if os.sep in program and os.path.lexists(path) else errno.ENOENT)


def environment(decision: Decision, means: DriverContext) -> dict[str, str]:
    """Return what the command finds: the harness's kubeconfig and each
    word, such as KUEUE_CONFORMANCE_WORKLOAD.
    """
    variables = {_variable(name): value for name, value in decision.words.items()}
    # The harness's kubeconfig: a decision made by the subject's user would count as its action.
    return {**os.environ, "PATH": search_path(), "KUBECONFIG": means.kubeconfig, **variables}


def search_path() -> str:
    """Return the PATH of commands of a subject file."""
    # Its first folder: a script of the subject finds the Python of this environment.
    return os.pathsep.join(filter(None, [str(Path(sys.executable).parent), os.environ.get("PATH", "")]))


def _variable(word: str) -> str:
    upper = "".join(f"_{letter}" if letter.isupper() else letter for letter in word).upper()
    return f"KUEUE_CONFORMANCE_{upper}"


@cache
def _texts(argv: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Return the words of a command, and the files of its folder that they name.

    A script that reads the Workload from its environment decides about one Workload, a switch about all.
    """
    # os.path: a word that cannot be a path is no file, where pathlib raises.
    scripts = [folder / word for word in argv if os.path.isfile(folder / word)]  # noqa: PTH113
    short = [script for script in scripts if script.stat().st_size < _LONGEST_SCRIPT]
    return (*argv, *(script.read_text(errors="replace") for script in short))
