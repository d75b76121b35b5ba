"""A command of the user, which ends within some seconds or is killed with everything that it started."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL
from tempfile import TemporaryFile
from typing import IO

from ..base.errors import EnvironmentProblem
from .placeholders import replace_words

_SHOWN_LINES = 5
_LONGEST_OUTPUT = 10_000_000


class CommandFailed(EnvironmentProblem):
    """A command could not be run, did not end in time, or ended with another exit code than 0."""


@dataclass(frozen=True, slots=True)
class BoundedCommand:
    """A command with placeholders, run in the folder of the subject file, never through a shell."""

    argv: Sequence[str]
    folder: Path

    def run(self, words: Mapping[str, str], kubeconfig: str, seconds: float) -> str:
        """Run it with the placeholders filled in and return what it printed. Raises CommandFailed.

        What it has started and leaves behind goes on: a service that it is to bring up.
        """
        # Word by word and without a shell: a name or message cannot become a second command.
        argv = replace_words(list(self.argv), words)
        # Files in place of pipes: a service that it leaves behind holds a pipe open for ever.
        with TemporaryFile() as printed, TemporaryFile() as complaints:
            try:
                process = subprocess.Popen(
                    argv,
                    cwd=self.folder,
                    env=environment(words, kubeconfig),
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=complaints,
                    # A group of its own, which can be killed as a whole.
                    start_new_session=True,
                )
            except (OSError, ValueError) as problem:
                raise CommandFailed(
                    f"{argv[0]!r} cannot be run: {getattr(problem, 'strerror', None) or problem}",
                    hint="check run in the subject file; its folder is the working directory",
                ) from problem
            code = _wait(process, argv, seconds)
            output, complaint = _text(printed), _text(complaints)
        if code:
            lines = "\n".join((output + complaint).strip().splitlines()[-_SHOWN_LINES:])
            raise CommandFailed(
                f"{shlex.join(argv)} ended with exit code {code}: {lines or 'it printed nothing'}",
                hint="run it by hand to see why",
            )
        return output


def lack_of(program: str, folder: Path) -> str:
    """Return why a program cannot be run from a folder, empty when it can."""
    # As the kernel finds it: a path begins in the folder, a name is looked up on PATH.
    path = str(folder / program) if os.sep in program else program
    if shutil.which(path, path=_search_path()):
        return ""
    return os.strerror(errno.EACCES if os.sep in program and os.path.lexists(path) else errno.ENOENT)


def environment(words: Mapping[str, str], kubeconfig: str) -> dict[str, str]:
    """Return what the command finds: the harness's kubeconfig and each
    word, such as KUEUE_CONFORMANCE_WORKLOAD.
    """
    variables = {variable_name(word): value for word, value in words.items()}
    # The harness's kubeconfig: a decision made by the subject's user would count as its action.
    return {**os.environ, "PATH": _search_path(), "KUBECONFIG": kubeconfig, **variables}


def variable_name(word: str) -> str:
    """Return the environment variable that has the value of a placeholder."""
    upper = "".join(f"_{letter}" if letter.isupper() else letter for letter in word).upper()
    return f"KUEUE_CONFORMANCE_{upper}"


def _search_path() -> str:
    # Its first folder: a script of the subject finds the Python of this environment.
    return os.pathsep.join(filter(None, [str(Path(sys.executable).parent), os.environ.get("PATH", "")]))


def _wait(process: subprocess.Popen[bytes], argv: Sequence[str], seconds: float) -> int:
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired as problem:
        raise CommandFailed(
            f"{shlex.join(argv)} did not end within {seconds:g} s",
            hint="raise timeout in the subject file, or let it end at once",
        ) from problem
    finally:
        # Also after Ctrl-C, which does not reach another session.
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, SIGKILL)
            process.wait()


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(_LONGEST_OUTPUT).decode("utf-8", "replace")
