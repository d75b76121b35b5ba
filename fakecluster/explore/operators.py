"""An operator that can be started, killed and started again: a program, or a function in a thread."""

from __future__ import annotations

import inspect
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol, TypeAlias

from ..base.json_types import Json
from ..cluster.fake_cluster import FakeCluster
from ..faults import Drop, EndWatch
from .errors import ExploreError

OperatorFunction: TypeAlias = Callable[[str, threading.Event], object]
"""Gets the path of a kubeconfig, and an event that is set when it has to end."""
USER = "operator"
USERS = f"{USER}*"
"""The users that operators have: a function that was killed has another one than its successor."""
GROUPS = ("system:masters",)
TAIL_CHARACTERS = 2000
END_SECONDS = 5.0
"""Seconds that an operator has to end before it is killed."""


class RunningOperator(Protocol):
    """One life of an operator."""

    def kill(self) -> None:
        """Let nothing more come of it, at once. May be called on the cluster's loop."""

    def stop(self) -> None:
        """End it as a cluster does: it is asked to, and killed when it does not."""

    @property
    def death(self) -> str | None:
        """How it has ended, None while it runs."""

    @property
    def is_waiting_for_cpu(self) -> bool:
        """Whether it could go on and only lacks a processor, as far as the machine says so."""


class Operator(Protocol):
    """How an operator is started."""

    def start(self, cluster: FakeCluster, folder: Path, life: int) -> RunningOperator:
        """Start it, for the how manieth time in a run, from 1. Raises ExploreError."""


class Command:
    """An operator that is a program; it finds the kubeconfig by the variable KUBECONFIG."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        self._words = [os.fspath(word) for word in words]
        self._environment = environment
        self._folder = folder

    def start(self, cluster: FakeCluster, folder: Path, life: int) -> RunningOperator:
        """Start the program. Raises ExploreError when that is not possible."""
        kubeconfig = folder / "kubeconfig"
        cluster.kubeconfig(kubeconfig, user=USER, groups=GROUPS)
        log = folder / f"output-{life}"
        environment = {**os.environ, "KUBECONFIG": str(kubeconfig), **self._environment}
        try:
            with log.open("wb") as output:
                process = subprocess.Popen(
                    self._words,
                    env=environment,
                    cwd=self._folder,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    # A group of its own: what the program starts is killed with it.
                    process_group=0,
                )
        except OSError as error:
            raise ExploreError(
                f"the operator cannot be started: {self._words[0]}: {error.strerror}"
            ) from error
        return RunningProcess(process, log)


class RunningProcess:
    """A program that runs."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self._process = process
        self._log = log

    def kill(self) -> None:
        """SIGKILL, for what it has started as well."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def stop(self) -> None:
        """SIGTERM, and SIGKILL when it has not ended in time."""
        if self._process.poll() is None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(END_SECONDS)
        self.kill()
        self._process.wait()

    @property
    def death(self) -> str | None:
        """Its exit code and the end of its output, None while it runs."""
        code = self._process.poll()
        if code is None:
            return None
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        output = self._log.read_bytes()[-TAIL_CHARACTERS:].decode("utf-8", "replace").strip()
        return f"{how}\n{output}" if output else how

    @property
    def is_waiting_for_cpu(self) -> bool:
        """Whether one of its threads is in the state R of Linux."""
        with suppress(OSError, IndexError):
            for thread in Path(f"/proc/{self._process.pid}/task").iterdir():
                # The name of the program stands in parentheses and may hold any character.
                if (thread / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] == "R":
                    return True
        return False


class Function:
    """An operator that is a function in a thread of this process.

    A thread cannot be killed: it is cut off from the cluster for ever instead, and asked to end.
    """

    def __init__(self, function: OperatorFunction) -> None:
        self._function = function

    def start(self, cluster: FakeCluster, folder: Path, life: int) -> RunningOperator:
        """Start the function in a thread, as a user of its own."""
        user = USER if life == 1 else f"{USER}-{life}"
        kubeconfig = folder / f"kubeconfig-{life}"
        cluster.kubeconfig(kubeconfig, user=user, groups=GROUPS)
        return RunningThread(self._function, str(kubeconfig), cluster, user)


class RunningThread:
    """A function that runs."""

    def __init__(self, function: OperatorFunction, kubeconfig: str, cluster: FakeCluster, user: str) -> None:
        self._cluster = cluster
        self._user = user
        self._stop = threading.Event()
        self._is_killed = False
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(function, kubeconfig), name=user, daemon=True)
        self._thread.start()

    def _run(self, function: OperatorFunction, kubeconfig: str) -> None:
        try:
            function(kubeconfig, self._stop)
        # Whatever ends the function, `death` says it.
        except BaseException as error:  # noqa: BLE001
            self._error = error

    def kill(self) -> None:
        """Cut the thread off from the cluster, and ask it to end."""
        self._is_killed = True
        self._stop.set()
        faults = self._cluster.faults
        faults.add(Drop(), actor=self._user, precaution=True)
        faults.add(EndWatch(), actor=self._user, precaution=True)
        # Called on the loop or beside it: in both cases the watches end before the next event.
        self._cluster.loop.call_soon_threadsafe(self._cluster.listener.streams.end, self._is_its, EndWatch())

    def _is_its(self, subject: Json) -> bool:
        return bool(subject.user == self._user)

    def stop(self) -> None:
        """Ask it to end; it is cut off when it does not."""
        self._stop.set()
        self.kill()
        self._thread.join(END_SECONDS)

    @property
    def death(self) -> str | None:
        """What it raised, None while it runs."""
        if self._is_killed:
            return "killed"
        if self._thread.is_alive():
            return None
        return f"it raised {self._error!r}" if self._error else "it returned"

    @property
    def is_waiting_for_cpu(self) -> bool:
        """Not known of a thread of Python, which waits for the interpreter's lock."""
        return False


def operator_of(value: object, environment: Mapping[str, str], folder: Path) -> Operator:
    """Return the operator that a test names. Raises ExploreError for what is none."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes) and value:
        if all(isinstance(word, str | os.PathLike) for word in value):
            return Command(value, environment, folder)
    elif callable(value):
        try:
            inspect.signature(value).bind("", threading.Event())
        except TypeError as error:
            raise ExploreError(
                f"operator is {value!r}: expected a function of a kubeconfig's path and an Event that is set "
                f"when it has to end ({error})"
            ) from error
        except ValueError:
            pass
        return Function(value)
    raise ExploreError(
        f"operator is {value!r}: expected a command as a list of words, such as [sys.executable, 'operator.py'], "
        "or a function of a kubeconfig's path and an Event"
    )
