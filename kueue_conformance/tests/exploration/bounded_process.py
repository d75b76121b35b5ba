"""Runs functions in processes of their own that end after so many seconds of the processor, wherever they are
then: a wrong program may work without end at one moment of virtual time.
"""

import multiprocessing
import signal
import time
from contextlib import suppress
from multiprocessing.connection import wait

_WALL_FACTOR = 12
"""How many seconds a second of the processor may take on a busy machine."""
_GRACE_SECONDS = 30
"""How long clean-up may take behind the limit."""
_CONTEXT = multiprocessing.get_context("fork")


class TimeIsOver(BaseException):
    """Ends what runs; no handler of errors takes it for one."""


class BoundedProcess:
    """One function in a process, with the end of its time."""

    def __init__(self, function, seconds):
        self.receiver, sender = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(target=_run, args=(function, seconds, sender))
        self._process.start()
        sender.close()
        self.ends_at = time.monotonic() + seconds * _WALL_FACTOR + _GRACE_SECONDS

    def result(self):
        """Return what the function returned, and end the process; None where it did not end in time."""
        result = None
        with suppress(EOFError):
            result = self.receiver.recv() if self.receiver.poll() else None
        self._process.kill()
        self._process.join()
        self.receiver.close()
        return result


def run_bounded(functions, seconds, workers):
    """Yield the name and the result of each function when it has ended, so many at a time; the result is None
    where it did not end within the seconds.

    `functions` has them by name.
    """
    waiting, running = list(functions.items()), {}
    while waiting or running:
        while waiting and len(running) < workers:
            name, function = waiting.pop(0)
            running[name] = BoundedProcess(function, seconds)
        first_end = min(process.ends_at for process in running.values())
        ready = wait([process.receiver for process in running.values()], max(0, first_end - time.monotonic()))
        for name, process in list(running.items()):
            if process.receiver in ready or time.monotonic() >= process.ends_at:
                del running[name]
                yield name, process.result()


def _run(function, seconds, sender):
    def end(*_):
        # What catches everything must not have the limit forgotten: it comes again.
        signal.setitimer(signal.ITIMER_PROF, 1)
        raise TimeIsOver

    signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    result = None
    with suppress(TimeIsOver):
        result = function()
    signal.setitimer(signal.ITIMER_PROF, 0)
    sender.send(result)
