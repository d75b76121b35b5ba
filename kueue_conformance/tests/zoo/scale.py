"""Wrong with many Workloads, with other clocks, or with answers that come late (CC-074, CC-081, CC-082, CC-084, CC-085)."""

from datetime import datetime

from .objects import condition
from .right import CheckController


class BelievesItsOwnClock(CheckController):
    """As a program breaks CC-084: takes a reservation from the future for none; CHK-170 must catch it."""

    def may_act(self, workload):
        since = condition(workload, "QuotaReserved").get("lastTransitionTime")
        return super().may_act(workload) and datetime.fromisoformat(since).timestamp() <= self.clock.now() + 1

    async def judge_workload(self, key):
        seconds = await super().judge_workload(key)
        return seconds if seconds is not None else self.poll * 10


class TakesOldReservationsForDead(CheckController):
    """As a program breaks CC-084: leaves a reservation alone that looks older than some seconds by its own clock; CHK-170 must catch it."""

    def may_act(self, workload):
        since = condition(workload, "QuotaReserved").get("lastTransitionTime")
        return super().may_act(workload) and self.clock.now() - datetime.fromisoformat(since).timestamp() < 25


class ScansSlowly(CheckController):
    """Breaks CC-081: asks for open verdicts every five seconds; CHK-073 must catch it."""

    poll = 5.0


class WorksOneAtATime(CheckController):
    """Breaks CC-081: takes half a second for each Workload, one after another; CHK-161 must catch it."""

    free, takes = 0.0, 0.5

    async def judge_workload(self, key):
        now = self.clock.now()
        if now < self.free:
            return self.free - now
        self.free = now + self.takes
        return await super().judge_workload(key)


class SleepsInItsRetry(CheckController):
    """Breaks CC-082: does nothing else for a while when it could not write one Workload; CHK-162 must catch it."""

    free = 0.0

    async def judge_workload(self, key):
        now = self.clock.now()
        if now < self.free:
            return self.free - now
        try:
            return await super().judge_workload(key)
        except Exception:
            self.free = now + 15
            raise


class LosesHeartWithOneOfThem(CheckController):
    """Breaks CC-082: works on nothing else while one Workload fails; CHK-071 must catch it."""

    stuck = None

    async def judge_workload(self, key):
        if self.stuck not in (None, key):
            return self.poll
        try:
            seconds = await super().judge_workload(key)
        except Exception:
            self.stuck = key
            raise
        self.stuck = None if self.stuck == key else self.stuck
        return seconds
