"""A clock for tests: moved by hand, counting busy tokens and remembering reports."""

import itertools
from contextlib import contextmanager


class Timer:
    def __init__(self, action):
        self.action = action

    def cancel(self):
        self.action = None


class HandClock:
    def __init__(self, current_time=1_000_000.0):
        self.time = current_time
        self.jumped = 0.0
        self.tokens = 0
        self.seen = {}
        self.agenda = []
        self.order = itertools.count()

    def now(self):
        return self.time

    def elapsed(self):
        return self.time - self.jumped

    def jump(self, seconds):
        """Set the time of day; nothing becomes due by that."""
        self.time += seconds
        self.jumped += seconds
        self.agenda = [(when + seconds, order, timer) for when, order, timer in self.agenda]

    def call_at(self, when, action):
        timer = Timer(action)
        self.agenda.append((when, next(self.order), timer))
        return timer

    @contextmanager
    def busy(self):
        self.tokens += 1
        try:
            yield
        finally:
            self.tokens -= 1

    def saw(self, stream, revision):
        self.seen[stream] = revision

    @property
    def due(self):
        """Seconds from now until each pending timer."""
        return sorted(round(when - self.time, 6) for when, _, timer in self.agenda if timer.action)

    def advance(self, seconds):
        target = self.time + seconds
        while ready := sorted(entry for entry in self.agenda if entry[0] <= target and entry[2].action):
            when, _, timer = ready[0]
            self.time, action = max(self.time, when), timer.action
            timer.cancel()
            action()
        self.time = target
