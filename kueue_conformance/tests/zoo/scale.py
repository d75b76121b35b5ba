"""Wrong with many Workloads, with other clocks,
or with answers that come late (CC-074, CC-081, CC-082, CC-084, CC-085).
"""

from datetime import datetime

from .leader import Leader
from .objects import condition
from .right import CheckController


class BelievesItsOwnClock(CheckController):
    """Breaks CC-084: takes a reservation from the future for none; CHK-170 must catch it."""

    def may_act(self, workload):
        since = condition(workload, "QuotaReserved").get("lastTransitionTime")
        return super().may_act(workload) and datetime.fromisoformat(since).timestamp() <= self.clock.now() + 1

    async def judge_workload(self, key):
        seconds = await super().judge_workload(key)
        return seconds if seconds is not None else self.poll * 10


class TakesOldReservationsForDead(CheckController):
    """Breaks CC-084: leaves a reservation alone that looks older than some seconds by its own clock; CHK-170
    must catch it.
    """

    def may_act(self, workload):
        since = condition(workload, "QuotaReserved").get("lastTransitionTime")
        return super().may_act(workload) and self.clock.now() - datetime.fromisoformat(since).timestamp() < 25


class ScansSlowly(CheckController):
    """Breaks CC-081: asks for open verdicts every five seconds; CHK-073 must catch it."""

    poll = 5.0


class WorksOneAtATime(CheckController):
    """Breaks CC-081: takes half a second for each Workload, one after another; CHK-073 must catch it."""

    free, takes = 0.0, 0.5

    async def judge_workload(self, key):
        current_time = self.clock.now()
        if current_time < self.free:
            return self.free - current_time
        self.free = current_time + self.takes
        return await super().judge_workload(key)


class SleepsInItsRetry(CheckController):
    """Breaks CC-082: does nothing else for a while when it
    could not write one Workload; CHK-162 must catch it.
    """

    free = 0.0

    async def judge_workload(self, key):
        current_time = self.clock.now()
        if current_time < self.free:
            return self.free - current_time
        try:
            return await super().judge_workload(key)
        except Exception:
            self.free = current_time + 15
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


class WaitsForTheVerdict(CheckController):
    """Breaks CC-082: looks at nothing else until a Workload has its verdict; CHK-071 must catch it."""

    waiting = None

    async def judge_workload(self, key):
        if self.waiting not in (None, key):
            return self.poll
        seconds = await super().judge_workload(key)
        self.waiting = key if seconds == self.poll else None
        return seconds


class HasFiveHundredPlaces(CheckController):
    """Breaks CC-081: gives each Workload one of five hundred places,
    and takes none back; CHK-160 must catch it.
    """

    places, look_again = 500, 600.0

    class Leader(Leader):
        renew = 600.0

    def __init__(self, *about):
        super().__init__(*about)
        self.taken = set()

    def may_act(self, workload):
        uid = workload["metadata"]["uid"]
        if super().may_act(workload) and len(self.taken) < self.places:
            self.taken.add(uid)
        return uid in self.taken and super().may_act(workload)


class CountsDelaysFromTheReservation(CheckController):
    """Breaks CC-084: takes off from a delay what has passed since the reservation by its own clock; CHK-171
    must catch it.
    """

    passed = 0

    def entry(self, workload, old, verdict):
        since = datetime.fromisoformat(condition(workload, "QuotaReserved")["lastTransitionTime"]).timestamp()
        self.passed = round(self.clock.now() - since)
        return super().entry(workload, old, verdict)

    def delay(self, verdict):
        delay = super().delay(verdict)
        return {key: max(0, seconds - self.passed) for key, seconds in delay.items()}
