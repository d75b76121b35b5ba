"""Processes that explore beside this one, each with story seeds of its own."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pickle import UnpicklingError
from typing import Any

from ..base.errors import ConformanceError
from ..exploration.coverage import Coverage
from ..exploration.exploration import Exploration, ExploredProgram, SeedsByCause
from ..exploration.findings import Finding

# A fork has the settings as they are; it happens before this process has threads.
_PROCESSES = get_context("fork")
Announce = Callable[[str], None]
StartProgram = Callable[[Announce], AbstractContextManager[ExploredProgram]]
"""Starts the program that is explored, and ends it."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a worker has run and found when it ends, and why it could not go on, if so."""

    coverage: Coverage = field(default_factory=Coverage)
    causes: SeedsByCause = field(default_factory=dict)
    problem: str = ""


class Workers:
    """So many processes, of which this one is the first; `is_over` tells whether so many runs of all of them
    are enough. `seed` is that of the first story, and `tries` limits the shorter stories of a finding.
    """

    def __init__(self, number: int, is_over: Callable[[int], bool], seed: int, tries: int) -> None:
        self._number = number
        self._is_over = is_over
        self._seed = seed
        self._tries = tries
        self._runs = _PROCESSES.Array("L", number)
        self._stop = _PROCESSES.Event()
        self._pipes: dict[int, Connection] = {}
        """By the index of a worker: those that have not ended."""
        self._reported: set[int] = set()
        self._findings: deque[Finding] = deque()
        self.reports: list[Report] = []

    @property
    def runs(self) -> int:
        """The runs of all of them."""
        return sum(int(runs) for runs in self._runs[:])

    @contextmanager
    def beside(self, start: StartProgram) -> Iterator[None]:
        """Run a block while the others work; they have ended when this returns."""
        processes: list[BaseProcess] = [self._start(index, start) for index in range(1, self._number)]
        try:
            yield
            self._receive(until_the_end=True)
        except BaseException:
            self._stop.set()
            self._receive(until_the_end=True)
            raise
        finally:
            for index, process in enumerate(processes, 1):
                process.join()
                if index not in self._reported:
                    self.reports.append(self._report_of_killed(index, process.exitcode))

    def findings(self) -> Iterator[Finding]:
        """Yield what the others have found so far."""
        self._receive()
        while self._findings:
            yield self._findings.popleft()

    def share(
        self, index: int, program: ExploredProgram, meanwhile: Callable[[], object] = lambda: None
    ) -> Exploration:
        """Return the exploration of one worker, which has every n-th seed.

        Between runs it calls `meanwhile`. It raises KeyboardInterrupt when another worker was interrupted.
        """

        def is_over() -> bool:
            meanwhile()
            self._runs[index] = exploration.coverage.runs
            return self._is_over(self.runs)

        def run(*case: Any, **options: Any) -> Any:
            if self._stop.is_set():
                raise KeyboardInterrupt
            return program.run(*case, **options)

        exploration = Exploration(
            program=replace(program, run=run),
            seed=self._seed + index,
            is_over=is_over,
            tries=self._tries,
            step=self._number,
        )
        return exploration

    def _report_of_killed(self, index: int, exit_code: int | None) -> Report:
        """Return the report of a worker that ended without one: its runs, and how it ended."""
        runs, code = int(self._runs[index]), exit_code or 0
        end = f"it was killed by {signal.Signals(-code).name}" if code < 0 else f"it ended with {code}"
        text = f"{end} after {runs} runs (what it found before is told); look for lack of memory"
        return Report(Coverage(runs=runs), problem=text)

    def _start(self, index: int, start: StartProgram) -> BaseProcess:
        receiver, sender = _PROCESSES.Pipe(duplex=False)
        process = _PROCESSES.Process(target=self._work, args=(index, start, sender))
        process.start()
        # Its end of the pipe is then the only one, and the pipe ends with the process.
        sender.close()
        self._pipes[index] = receiver
        return process

    def _receive(self, *, until_the_end: bool = False) -> None:
        for index, pipe in list(self._pipes.items()):
            while until_the_end or pipe.poll():
                try:
                    message = pipe.recv()
                # A process that is killed while it sends leaves half a message.
                except (EOFError, OSError, UnpicklingError):
                    del self._pipes[index]
                    break
                if isinstance(message, Finding):
                    self._findings.append(message)
                else:
                    self._reported.add(index)
                    self.reports.append(message)

    def _work(self, index: int, start: StartProgram, pipe: Connection) -> None:
        """Explore in a process of its own; send each finding, and a report at the end."""
        # Ctrl-C reaches every process of a terminal: the first one tells the others.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        report = Report()
        try:
            with start(lambda _: None) as program:
                exploration = self.share(index, program)
                report = Report(exploration.coverage, exploration.causes)
                for finding in exploration.findings():
                    pipe.send(finding)
        except KeyboardInterrupt:
            pass
        except ConformanceError as problem:
            report = replace(report, problem=str(problem))
        pipe.send(report)
