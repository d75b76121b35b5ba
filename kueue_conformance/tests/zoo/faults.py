"""Wrong when the control plane makes trouble (CC-038, CC-053, CC-072…076)."""

import asyncio

from .api import CONFLICT, GONE, TROUBLE, ApiError
from .follow import Follower, key_of, pause
from .objects import check_entries, timestamp
from .right import CheckController
from .works import Works


class SendsItsDecisionAgain(CheckController):
    """Breaks CC-038: after a conflict sends the same
    decision with the new revision; CHK-101 must catch it.
    """

    async def settle(self, path, stored, decide):
        expected = await decide(stored)
        while expected is not None:
            try:
                return await self.write(path, expected, stored)
            except ApiError as error:
                if error.code != CONFLICT:
                    raise
                fresh = await self.read(path)
                expected = {**expected, "metadata": fresh["metadata"]}
        return None


class SendsItsDecisionOnceMore(CheckController):
    """Breaks CC-038: after a conflict sends the same decision with the new revision,
    and decides anew only after a second conflict; CHK-101 must catch it.
    """

    async def settle(self, path, stored, decide):
        desired = await decide(stored)
        if desired is None:
            return
        try:
            await self.write(path, desired, stored)
        except ApiError as error:
            if error.code != CONFLICT:
                raise
            fresh = await self.read(path)
            await self.write(path, {**desired, "metadata": fresh["metadata"]}, fresh)


class GivesUpAfterAConflict(CheckController):
    """Breaks CC-038: takes a conflict of its verdict for another replica's success; CHK-100 must catch it."""

    async def write(self, path, desired, read):
        try:
            await super().write(path, desired, read)
        except ApiError as error:
            if error.code != CONFLICT or not self.decides(desired):
                raise

    def decides(self, workload):
        """Tell whether a Workload is written with a verdict of this controller."""
        states = {entry["state"] for entry in check_entries(workload) if self.serves(entry["name"])}
        return bool(states - {"Pending"})

    def again(self, workload):
        return None


class RejectsWhenTheServerFails(CheckController):
    """Breaks CC-053: takes an error of the API server for a final no; CHK-105 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.failed = set()

    async def write(self, path, desired, read):
        try:
            await super().write(path, desired, read)
        except ApiError as error:
            if error.code >= 500:
                self.failed.add(read["metadata"]["uid"])
            raise

    async def ask(self, workload, check):
        if workload["metadata"]["uid"] in self.failed:
            return {"state": "Rejected", "message": "the API server failed"}
        return await super().ask(workload, check)


class GivesUpAfterAnError(CheckController):
    """Breaks CC-076: does not try again what the API server could not do; CHK-106 must catch it."""

    class Works(Works):
        async def _attempt(self, key):
            try:
                return await self._step(key)
            except TROUBLE:
                return None


class IgnoresRetryAfter(CheckController):
    """Breaks CC-076: tries again at once although it was told to wait; CHK-104 must catch it."""

    class Works(Works):
        async def _attempt(self, key):
            try:
                return await self._step(key)
            except TROUBLE as problem:
                if getattr(problem, "code", None) != 429:
                    return await super()._attempt(key)
                return 0.1


class HammersTheServer(CheckController):
    """Breaks CC-074: tries again what fails at once and for ever; CHK-143 must catch it."""

    class Works(Works):
        def wait_after(self, problem, last):
            return 0.05


class NeverOpensAWatchAgain(CheckController):
    """Breaks CC-075: watches once; CHK-113 must catch it."""

    class Follower(Follower):
        async def run(self):
            await self.stream()


class WatchesFromNow(CheckController):
    """Breaks CC-075: after a watch has ended begins with what comes next; CHK-108 must catch it."""

    class Follower(Follower):
        async def stream(self):
            if self.synced.is_set():
                self.revision = (await self._api.get(self._path, limit=1))["metadata"]["resourceVersion"]
            return await super().stream()


class DiesOfGone(CheckController):
    """Breaks CC-075: ends when a revision is too old; CHK-107 must catch it."""

    class Follower(Follower):
        def forget(self, problem):
            if getattr(problem, "code", None) == GONE:
                raise RuntimeError("too old resource version")
            return super().forget(problem)


class RemembersWhatItCouldNotWrite(CheckController):
    """Breaks CC-038: keeps its verdict until it is written, and does not ask again; CHK-102 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.owed = {}

    async def ask(self, workload, check):
        about = workload["metadata"]["uid"], check
        verdict = self.owed.get(about) or await super().ask(workload, check)
        if verdict["state"] in ("Ready", "Retry", "Rejected"):
            self.owed[about] = verdict
        return verdict

    async def write(self, path, desired, read):
        await super().write(path, desired, read)
        self.owed = {
            about: member for about, member in self.owed.items() if about[0] != read["metadata"]["uid"]
        }


class TakesTooManyForAVerdict(CheckController):
    """Breaks CC-076: says Retry because the API server told it to wait; CHK-103 must catch it."""

    told_to_wait = False

    async def write(self, path, desired, read):
        try:
            await super().write(path, desired, read)
        except ApiError as error:
            self.told_to_wait = self.told_to_wait or error.code == 429
            raise

    async def ask(self, workload, check):
        if self.told_to_wait:
            return {"state": "Retry", "message": "too many requests"}
        return await super().ask(workload, check)


class DiesInAnOutage(CheckController):
    """Breaks CC-075: stops watching for ever when a connection breaks; CHK-115 must catch it."""

    class Follower(Follower):
        async def run(self):
            while True:
                try:
                    await self.stream()
                except ApiError as error:
                    self.forget(error)
                    await pause(self._clock, 1.0)


class BorrowsARevision(CheckController):
    """Breaks CC-086: reads the newest revision right before it writes what it decided about an older one;
    CHK-035 must catch it.
    """

    async def write(self, path, desired, read):
        fresh = await self.read(path)
        await super().write(path, {**desired, "metadata": fresh["metadata"]}, read)


class WritesForEveryEvent(CheckController):
    """Breaks CC-043: writes its verdict anew when it hears
    of a Workload that has one; CHK-110 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.heard = {}

    def workload_changed(self, old, new):
        if old and new and old["metadata"]["resourceVersion"] == new["metadata"]["resourceVersion"]:
            self.heard[new["metadata"]["uid"]] = self.heard.get(new["metadata"]["uid"], 0) + 1
        super().workload_changed(old, new)

    def message(self, verdict):
        return f"{super().message(verdict)} ({sum(self.heard.values())} events)"

    class Follower(Follower):
        def set(self, key, new):
            repeated = new is not None and self.known.get(key) == new
            super().set(key, new)
            if repeated:
                self._told(new, new)


class IsImpatient(CheckController):
    """Breaks CC-072: sends its verdict a second time when the answer takes long; CHK-114 must catch it."""

    async def write(self, path, desired, read):
        if "/workloads/" not in path:
            return await super().write(path, desired, read)
        first = asyncio.ensure_future(super().write(path, desired, read))
        waited = asyncio.ensure_future(pause(self.clock, 0.5))
        await asyncio.wait((first, waited), return_when=asyncio.FIRST_COMPLETED)
        waited.cancel()
        if not first.done():
            entries = [
                {**entry, "message": f"{entry['message']} (again)"} if self.serves(entry["name"]) else entry
                for entry in check_entries(desired)
            ]
            await self.api.patch(path, {"status": {"admissionChecks": entries}})
        return await first


class SendsAgainWhatWasLost(CheckController):
    """Breaks CC-072: sends its verdict again with a new
    time when the answer is lost; CHK-111 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.lost = {}

    async def write(self, path, desired, read):
        try:
            await super().write(path, desired, read)
        except TROUBLE as problem:
            if "/workloads/" in path and getattr(problem, "code", 500) != CONFLICT:
                self.lost[key_of(read)] = path, check_entries(desired)
            raise

    async def judge_workload(self, key):
        if key in self.lost:
            path, entries = self.lost.pop(key)
            time = timestamp(self.clock.now() + 1)
            later_entries = [
                {**entry, "lastTransitionTime": time} if self.serves(entry["name"]) else entry
                for entry in entries
            ]
            await self.api.patch(path, {"status": {"admissionChecks": later_entries}})
        return await super().judge_workload(key)


class ReadsTheFirstPage(CheckController):
    """Breaks CC-075: lists five hundred objects,
    and does not ask for those that follow; CHK-118 must catch it.
    """

    class Follower(Follower):
        _PAGE = 500

        async def list(self):
            self._only, only = {**self._only, "limit": self._PAGE}, self._only
            try:
                await super().list()
            finally:
                self._only = only


class NeverDoubtsAWatch(CheckController):
    """Breaks CC-075: waits for ever for a watch that brings nothing; CHK-119 must catch it."""

    class Follower(Follower):
        def patience(self):
            return 24 * 3600.0

        async def stream(self):
            real, self._api = self._api, _WithoutAnEnd(self._api)
            try:
                return await super().stream()
            finally:
                self._api = real


class _WithoutAnEnd:
    """The API for a client that never asks for the end of a watch."""

    def __init__(self, api):
        self.get, self._api = api.get, api

    def watch(self, path, timeoutSeconds=0, **query):  # noqa: N803 - a word of the API
        return self._api.watch(path, **query)


class TakesTooOldForNew(CheckController):
    """Breaks CC-075: goes on with what comes next when a watch cannot be opened at the old revision; CHK-108
    must catch it.
    """

    class Follower(Follower):
        async def stream(self):
            try:
                return await super().stream()
            except ApiError as error:
                if error.code != GONE:
                    raise
                self.revision = (await self._api.get(self._path, limit=1))["metadata"]["resourceVersion"]
                return True


class GivesUpInAStorm(CheckController):
    """Breaks CC-038: does not come back to a Workload after four conflicts; CHK-100 must catch it."""

    class Works(Works):
        async def _attempt(self, key):
            try:
                return await self._step(key)
            except ApiError as error:
                return None if error.code == CONFLICT else 0.5


class TriesThreeTimes(CheckController):
    """Breaks CC-076: gives up after three failures in a row; CHK-145 must catch it."""

    class Works(Works):
        def __init__(self, *about):
            super().__init__(*about)
            self._failed = {}

        async def _attempt(self, key):
            try:
                seconds = await self._step(key)
            except TROUBLE as problem:
                self._failed[key] = self._failed.get(key, 0) + 1
                wait = max(0.5 * self._failed[key], getattr(problem, "wait", 0.0))
                return wait if self._failed[key] <= 3 else None
            self._failed.pop(key, None)
            return seconds


class ListsWithoutAPause(CheckController):
    """Breaks CC-074: tries to list and watch ten times a second while that fails; CHK-145 must catch it."""

    class Follower(Follower):
        async def run(self):
            while True:
                try:
                    await self.stream()
                except TROUBLE as problem:
                    self.forget(problem)
                    await pause(self._clock, 0.1)
