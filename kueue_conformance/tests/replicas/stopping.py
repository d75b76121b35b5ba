"""Replicas of the reference on a cluster's loop and virtual
time that can be stopped between any two of their steps.

A stopped replica is like a process after SIGSTOP: none of its tasks goes
on, its timers are late, what it has sent is sent, and what comes for it
lies in its sockets. A step is what a task does from one await to the next.
"""

import asyncio
from collections import deque
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import partial

from reference_impl.kueue.composition import program
from reference_impl.runtime.clock import pause
from reference_impl.runtime.errors import OutsideError
from reference_impl.runtime.manager import Manager
from reference_impl.runtime.wire import Connection

REPLICA = ContextVar("replica", default=None)
RESTART_SECONDS = 1.0


def create_task(_loop, coroutine, context=None, **options):
    """Make a task as the loop does; one that a replica makes goes step by step with it."""
    replica = (context or copy_context()).get(REPLICA)
    if replica is None:
        return asyncio.Task(coroutine, loop=_loop, context=context, **options)
    task = asyncio.Task(_in_steps(coroutine, replica), loop=_loop, context=context, **options)
    # One that was cancelled before its first step was never begun.
    task.add_done_callback(lambda _: coroutine.close())
    return task


async def _in_steps(coroutine, replica):
    return await _Steps(coroutine, replica)


class _Steps:
    """Awaits a coroutine, and lets its replica stop it before each step."""

    def __init__(self, coroutine, replica):
        self.coroutine, self.replica = coroutine, replica

    def __await__(self):
        go_on = partial(self.coroutine.send, None)
        while True:
            go_on = yield from self._stop(go_on)
            try:
                awaited = go_on()
            except StopIteration as end:
                return end.value
            go_on = yield from self._resume(lambda awaited=awaited: (yield awaited))

    def _stop(self, go_on):
        while self.replica.stops():
            go_on = yield from self._resume(self.replica.goes_on.wait().__await__, go_on)
        return go_on

    def _resume(self, wait, go_on=None):
        """Return how to go on: as before, or with the error that came meanwhile."""
        try:
            value = yield from wait()
        except BaseException as error:  # noqa: BLE001 - a cancellation is the coroutine's to handle
            return partial(self.coroutine.throw, error)
        return go_on or partial(self.coroutine.send, value)


class ReplicaClock:
    """A cluster's time as one replica has it:
    its time of day may be set, and timers wait while it is stopped.

    Tokens of a replica that is stopped, or that waits for the lease,
    do not keep the cluster from being quiet.
    """

    def __init__(self, clock, works):
        self.clock, self.works, self.ahead = clock, works, 0.0
        self.stopped, self.late = False, []
        self.held, self.token = set(), None
        self.seen = {}

    def now(self):
        return self.clock.now() + self.ahead

    def elapsed(self):
        return self.clock.elapsed()

    def call_at(self, when, action):
        timer = Timer(action)
        self.clock.call_at(
            when - self.ahead, lambda: self.late.append(timer) if self.stopped else timer.fire()
        )
        return timer

    @contextmanager
    def busy(self):
        mine = object()
        self.held.add(mine)
        self.show()
        try:
            yield
        finally:
            self.held.discard(mine)
            self.show()

    def saw(self, stream, revision):
        self.seen[stream] = revision
        self.clock.saw(stream, revision)

    def stop(self):
        self.stopped = True
        self.show()
        for stream in self.seen:
            self.clock.progress.pop(stream, None)

    def go_on(self):
        self.stopped = False
        self.show()
        self.clock.progress.update(self.seen)
        late, self.late = self.late, []
        for timer in late:
            timer.fire()

    def show(self):
        """Hold a token of the cluster's clock as long as there is work that goes on."""
        if self.held and not self.stopped and self.works():
            if self.token is None:
                self.token = self.clock.busy()
                self.token.__enter__()
        elif self.token is not None:
            token, self.token = self.token, None
            token.__exit__(None, None, None)


class Inbox:
    """What came for a stopped replica: it gets it as it came, piece by piece, and acts in between."""

    def __init__(self, is_stopped):
        self.is_stopped, self.pieces = is_stopped, deque()

    def take(self, piece):
        """Hand a piece over, or keep it behind those that wait."""
        if self.pieces or self.is_stopped():
            self.pieces.append(piece)
        else:
            piece()

    def empty(self):
        if self.pieces and not self.is_stopped():
            self.pieces.popleft()()
            asyncio.get_running_loop().call_soon(self.empty)


class SlowConnection(Connection):
    """A connection, of a replica above all."""

    def __init__(self):
        super().__init__()
        replica = REPLICA.get()
        self.inbox = replica.inbox if replica else Inbox(lambda: False)

    def data_received(self, data):
        self.inbox.take(partial(super().data_received, data))

    def connection_lost(self, exc):
        self.inbox.take(partial(super().connection_lost, exc))


class Timer:
    def __init__(self, action):
        self.action = action

    def cancel(self):
        self.action = None

    def fire(self):
        if self.action is not None:
            self.action()


class Replica:
    """A process of the reference that is started again when it ends by itself.
    Everything here is called on the loop.
    """

    def __init__(self, cluster, config):
        self.clock = ReplicaClock(cluster.clock, self.works)
        self.inbox = Inbox(lambda: self.clock.stopped)
        self.goes_on = asyncio.Event()
        self.config = config
        self.manager = None
        self.steps_left = None
        context = copy_context()
        context.run(REPLICA.set, self)
        self.task = cluster.loop.create_task(self._live(), context=context)

    async def _live(self):
        while True:
            self.manager = Manager(program(self.config), self.clock)
            try:
                await self.manager.start()
                await self.manager.wait_for_death()
            except OutsideError:
                pass
            finally:
                await self.manager.stop()
                # Queues hold tokens for items that were never taken.
                self.clock.held.clear()
                self.clock.show()
            await pause(self.clock, RESTART_SECONDS)

    def works(self):
        """Tell whether it starts, leads or ends; otherwise it waits for the lease."""
        return self.leads or self.manager is None or not self.manager.ready

    @property
    def leads(self):
        return self.manager is not None and self.manager.metrics.common["replica_role"] == "leader"

    def stops(self):
        """Tell whether the next step has to wait."""
        if self.steps_left is not None:
            self.steps_left -= 1
            if self.steps_left < 0:
                self.stop()
        self.clock.show()
        return self.clock.stopped

    def stop_after(self, steps):
        """Stop in the middle of what it will do."""
        self.steps_left = steps

    def stop(self):
        self.steps_left = None
        self.clock.stop()

    def go_on(self):
        self.steps_left = None
        self.resume()

    def resume(self):
        """Go on, and stop where it was to stop."""
        if self.clock.stopped:
            self.clock.go_on()
            self.goes_on.set()
            self.goes_on = asyncio.Event()
            self.inbox.empty()

    async def end(self):
        self.go_on()
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
