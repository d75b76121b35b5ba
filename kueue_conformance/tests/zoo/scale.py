"""Wrong with many Workloads, with other clocks, or with answers that come late (CC-074, CC-081, CC-082, CC-084, CC-085)."""

import asyncio
from datetime import datetime

from .api import CONFLICT, ApiError
from .follow import Follower, pause
from .objects import condition, is_true, listed
from .right import CheckController


class ReadsTheFirstPage(CheckController):
    """Breaks CC-075: lists in pages and reads the first one; CHK-000 must catch it."""

    class Follower(Follower):
        def __init__(self, *about, **only):
            super().__init__(*about, **only, limit=20)


class WorksOneAtATime(CheckController):
    """Breaks CC-081: takes a second for each Workload, one after another; CHK-073 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.turn = asyncio.Lock()

    async def ask(self, workload, check):
        async with self.turn:
            await pause(self.clock, 0.5)
            return await super().ask(workload, check)


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
        self.stuck = None
        return seconds


class LooksAtEverythingAtEveryChange(CheckController):
    """Breaks CC-074: looks at all Workloads whenever one changes; CHK-000 must catch it."""

    def workload_changed(self, old, new):
        super().workload_changed(old, new)
        for key in self.workloads.known:
            self.mark("workload", key)


class BelievesItsOwnClock(CheckController):
    """Breaks CC-084: takes a reservation from the future for none; CHK-000 must catch it."""

    def may_act(self, workload):
        since = condition(workload, "QuotaReserved").get("lastTransitionTime")
        return super().may_act(workload) and datetime.fromisoformat(since).timestamp() <= self.clock.now() + 1

    async def judge_workload(self, key):
        seconds = await super().judge_workload(key)
        return seconds if seconds is not None else self.poll * 10


class TakesOldReservationsForDead(CheckController):
    """Breaks CC-084: leaves a reservation alone that looks older than some seconds by its own clock; CHK-000 must catch it."""

    def may_act(self, workload):
        since = condition(workload, "QuotaReserved").get("lastTransitionTime")
        return super().may_act(workload) and self.clock.now() - datetime.fromisoformat(since).timestamp() < 25


class WritesWhatItDecidedEarlier(CheckController):
    """Breaks CC-085: gives its answer although the Workload was evicted and has got quota anew meanwhile; CHK-035 must catch it."""

    async def settle(self, path, thing, decide):
        if "/workloads/" not in path:
            return await super().settle(path, thing, decide)
        wanted = await decide(thing)
        while wanted is not None:
            try:
                return await self.write(path, wanted, thing)
            except ApiError as error:
                if error.code != CONFLICT:
                    raise
            thing = await self.read(path)
            if not is_true(thing, "QuotaReserved") or is_true(thing, "Evicted"):
                return None
            ours = {one["name"]: one for one in listed(wanted) if self.serves(one["name"])}
            entries = [{**one, **ours.get(one["name"], {})} for one in listed(thing)]
            wanted = {**thing, "status": {**thing["status"], "admissionChecks": entries}}
        return None
