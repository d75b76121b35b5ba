"""Workers, one for each core, that are given a job as soon as they have done the last one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

Serve = Callable[..., None]
"""Gets the connection, the file of its log and the arguments; says `{ready: …}`, then answers each job."""
READY_SECONDS = 300


@contextmanager
def workers(number: int, folder: Path, serve: Serve, *arguments: str) -> Iterator[list[Connection]]:
    """Lend connections to processes in which `serve` waits for jobs, each with a log in the folder. Ends the
    program when one cannot begin.
    """
    context = get_context("spawn")
    lent, processes = [], []
    for position in range(number):
        own_end, there = context.Pipe()
        process = context.Process(target=serve, args=(there, folder / f"worker.{position}.log", *arguments))
        process.start()
        there.close()
        lent.append(own_end)
        processes.append(process)
    try:
        for position, connection in enumerate(lent):
            if not connection.poll(READY_SECONDS) or "ready" not in _receive(
                connection, folder / f"worker.{position}.log"
            ):
                sys.exit(f"a worker does not begin: see {folder / f'worker.{position}.log'}")
        yield lent
    finally:
        for connection in lent:
            connection.close()
        for process in processes:
            process.join()


def judge(
    lent: list[Connection], jobs: Iterable[dict[str, Any]], tick: Callable[[], None], log: Path
) -> Iterator[dict[str, Any]]:
    """Yield the answers to jobs as they come; `tick` is called at least each second."""
    coming, busy = iter(jobs), set[Connection]()
    for connection in lent:
        _busy(connection, coming, busy)
    while busy:
        for connection in wait(list(busy), timeout=1.0):
            busy.discard(connection)
            answer = _receive(connection, log)
            _busy(connection, coming, busy)
            yield answer
        tick()


def _busy(connection: Connection, coming: Iterator[dict[str, Any]], busy: set[Connection]) -> None:
    job = next(coming, None)
    if job is not None:
        connection.send(job)
        busy.add(connection)


def _receive(connection: Any, log: Path) -> Any:
    try:
        return connection.recv()
    except EOFError:
        sys.exit(f"a worker has ended: see {log}")


def receive_job(connection: Connection) -> Any:
    """Wait for the next job of a worker; None when the other end is closed."""
    try:
        return connection.recv()
    except EOFError:
        return None
