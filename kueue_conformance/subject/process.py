"""`process:COMMAND`: the subject is a program,
started with environment variables and ended with a signal (harness/H-43).
"""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ..base.errors import SubjectDied, UsageError
from ..base.files import scratch
from . import SubjectContext
from .log import Line, LogRing
from .start import AS_EVER, StartSettings

if TYPE_CHECKING:
    from ..backends.cluster import Cluster

# A program that prints without a line end must not be read into one endless line.
_LONGEST_LINE = 4096
_WARDEN = Path(__file__).with_name("warden.py")


class ProcessConnector:
    """Starts a command, never through a shell."""

    alone = False
    account = ""
    needs: tuple[str, ...] = ()
    on_the_loop = False

    def __init__(
        self, argv: Sequence[str], start: StartSettings = AS_EVER, folder: Path | None = None
    ) -> None:
        self._argv = list(argv)
        self._start = start
        self._folder = (folder or Path.cwd()).absolute()

    @classmethod
    def of(cls, command: str, start: StartSettings = AS_EVER, folder: Path | None = None) -> ProcessConnector:
        """Return the connector for a command, or for the one of the field `start`. Raises UsageError."""
        try:
            # Split as a shell would, and run without one: no signal stops at a shell in between.
            words = shlex.split(command)
        except ValueError as problem:
            raise UsageError(
                f"the command of the subject cannot be read: {problem}",
                hint=f"check the quotes in {command!r}",
            ) from problem
        if words and start.argv:
            raise UsageError(
                f"the subject's command is named twice: process:{command} and start.argv",
                hint="write `connect: 'process:'` beside start.argv",
            )
        if not words and not start.argv:
            raise UsageError(
                "subject 'process:' names no command", hint="write process:./my-controller --flag"
            )
        return cls(words or start.argv, start, folder)

    def start(self, context: SubjectContext, cluster: Cluster) -> RunningProcess:
        """Start the command with its environment."""
        # Popen starts the warden, not the program: a wrong path would be seen as an exit code
        # only.
        self.look()
        around = {**environment(context), **self._start.env}
        return launch(
            [self._program, *self._argv[1:]],
            env=around,
            folders=_ours(context.kubeconfig, cluster.kubeconfig),
            start=self._start,
            where=self._folder,
        )

    def by_hand(self, context: SubjectContext) -> str:
        """Return the line by which a user starts it in a shell."""
        variables = {**context.variables, **self._start.env}
        # The program that the harness would start: its PATH has the Python that runs the suite first.
        program = shutil.which(self._program, path=self._start.env.get("PATH", _path())) or self._argv[0]
        words = (*(f"{name}={value}" for name, value in variables.items()), program, *self._argv[1:])
        return f"cd {shlex.quote(str(self._folder))} && env {shlex.join(words)}"

    @property
    def _program(self) -> str:
        """The program to start from any folder: a name of PATH, or a path that begins in the folder."""
        return str(self._folder / self._argv[0]) if os.sep in self._argv[0] else self._argv[0]

    def look(self) -> None:
        """Raise SubjectDied when there is no such program, which only the warden would find out else."""
        command = self._program
        if shutil.which(command, path=self._start.env.get("PATH", _path())) is None:
            there = os.path.lexists(command) and os.sep in command
            why = os.strerror(errno.EACCES if there else errno.ENOENT)
            raise SubjectDied(
                f"the subject cannot be started: {self._argv[0]!r}: {why}{_whereabouts(self._argv[0], command)}",
                hint="check the command after process: and that the file may be executed",
            )


def launch(
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    folders: Iterable[Path] = (),
    start: StartSettings = AS_EVER,
    where: Path | None = None,
) -> RunningProcess:
    """Start a program that ends with us, and the folders with it should we be killed."""
    # -I and -S keep site-packages and the variables of the user away from the warden, and let it
    # start sooner.
    warden = [sys.executable, "-I", "-S", str(_WARDEN), *map(str, folders), "--"]
    process = subprocess.Popen(
        [*warden, *argv],
        env=env,
        cwd=where,
        # The warden's lifeline: the kernel closes the pipe when the harness dies, however that
        # happens.
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # One stream, so that the lines stay in the order in which they were printed.
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        # Ctrl-C is for the harness, which ends the subject in order and judges that end.
        start_new_session=True,
    )
    return RunningProcess(process, shlex.join(argv), start)


def _ours(*files: str) -> list[Path]:
    """Return the harness's temporary folders among those of these files, which the warden removes when the
    harness is killed.
    """
    folders = {Path(file).parent for file in files}
    return sorted(folder for folder in folders if scratch.is_ours(folder))


def environment(context: SubjectContext) -> dict[str, str]:
    """Return the environment variables of the subject; `python` is the one that runs the suite."""
    return {
        **os.environ,
        "PATH": _path(),
        # Python buffers output to a pipe: the lines before a crash would be lost.
        "PYTHONUNBUFFERED": "1",
        **context.variables,
    }


def _path() -> str:
    """Return the PATH of the subject: that of the Python that runs the suite comes first."""
    return os.pathsep.join(filter(None, [str(Path(sys.executable).parent), os.environ.get("PATH", "")]))


def _whereabouts(command: str, looked_for: str) -> str:
    return "" if command == looked_for else f" (looked for {looked_for})"


def _lines(output: IO[str]) -> Iterator[str]:
    """Yield the printed lines; a line without end comes in pieces."""
    return iter(partial(output.readline, _LONGEST_LINE), "")


class RunningProcess:
    """A supervised program with the newest lines of its output."""

    def __init__(self, process: subprocess.Popen[str], command: str, start: StartSettings = AS_EVER) -> None:
        self._process = process
        self._start = start
        self._command = command
        self._log = LogRing()
        output: IO[str] = process.stdout  # type: ignore[assignment]  # it was opened as a pipe
        self._input: IO[str] = process.stdin  # type: ignore[assignment]  # as above
        self._reader = threading.Thread(
            target=self._log.fill, args=(_lines(output),), daemon=True, name="subject's log"
        )
        self._reader.start()

    def exit_reason(self) -> str:
        """Return how the program ended, empty while it runs."""
        code = self._process.poll()
        if code is None:
            return ""
        # Its last lines are on the way; a grandchild that holds the pipe open must not hold up
        # the case.
        self._reader.join(1.0)
        how = f"by signal {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        return f"{self._command} ended {how}"

    def log(self) -> list[Line]:
        """Return the lines that it printed, as many of the newest as are kept."""
        return self._log.whole()

    def opening(self) -> list[Line]:
        """Return the first lines that it printed."""
        return self._log.opening()

    def has_printed(self, pattern: str) -> bool:
        """Tell whether a line that it printed matches a regular expression."""
        return self._log.has(pattern)

    def stop(self, seconds: float) -> bool:
        """Send SIGTERM, then SIGKILL to all processes that are left."""
        # To the warden, which passes it on to the program.
        self._process.send_signal(signal.Signals[self._start.signal])
        try:
            self._process.wait(seconds if self._start.grace is None else self._start.grace)
        except subprocess.TimeoutExpired:
            return False
        finally:
            # After a polite end as well: children of the program may be left.
            self.kill()
        return True

    def kill(self) -> None:
        """Have the warden send SIGKILL to the program and to all that it has started."""
        # The warden may have ended by itself, and its pipe may be closed already.
        with suppress(BrokenPipeError, ValueError):
            self._input.write("kill")
            self._input.close()
        self._process.wait()
        self._reader.join(1.0)
        # To close a file that a thread reads would block until that read ends.
        if self._process.stdout is not None and not self._reader.is_alive():
            self._process.stdout.close()
