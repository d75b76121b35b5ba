"""Wrong when the control plane makes trouble (CC-038, CC-053, CC-072…076)."""

from .api import CONFLICT, GONE, TROUBLE, ApiError
from .follow import Follower
from .right import CheckController
from .works import Works


class SendsItsDecisionAgain(CheckController):
    """Breaks CC-038: after a conflict sends the same decision with the new revision; CHK-032 must catch it."""

    async def settle(self, path, thing, decide):
        wanted = await decide(thing)
        while wanted is not None:
            try:
                return await self.write(path, wanted, thing)
            except ApiError as error:
                if error.code != CONFLICT:
                    raise
                fresh = await self.api.get(path)
                wanted = {**wanted, "metadata": fresh["metadata"]}
        return None


class GivesUpAfterAConflict(CheckController):
    """Breaks CC-038: takes a conflict for somebody else's success; CHK-000 must catch it."""

    async def settle(self, path, thing, decide):
        try:
            await super().settle(path, thing, decide)
        except ApiError as error:
            if error.code != CONFLICT:
                raise

    async def write(self, path, wanted, read):
        try:
            await super().write(path, wanted, read)
        except ApiError as error:
            if error.code != CONFLICT:
                raise

    def again(self, workload):
        return None


class RejectsWhenTheServerFails(CheckController):
    """Breaks CC-053: takes an error of the API server for a final no; CHK-000 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.failed = set()

    async def write(self, path, wanted, read):
        try:
            await super().write(path, wanted, read)
        except ApiError as error:
            if error.code >= 500:
                self.failed.add(read["metadata"]["uid"])
            raise

    async def ask(self, workload, check):
        if workload["metadata"]["uid"] in self.failed:
            return {"state": "Rejected", "message": "the API server failed"}
        return await super().ask(workload, check)


class GivesUpAfterAnError(CheckController):
    """Breaks CC-076: does not try again what the API server could not do; CHK-000 must catch it."""

    class Works(Works):
        async def _attempt(self, key):
            try:
                return await self._step(key)
            except TROUBLE:
                return None


class IgnoresRetryAfter(CheckController):
    """Breaks CC-076: tries again at once although it was told to wait; CHK-000 must catch it."""

    class Works(Works):
        async def _attempt(self, key):
            try:
                return await self._step(key)
            except TROUBLE as problem:
                if getattr(problem, "code", None) != 429:
                    return await super()._attempt(key)
                return 0.1


class HammersTheServer(CheckController):
    """Breaks CC-074: tries again what fails at once and for ever; CHK-000 must catch it."""

    class Works(Works):
        def wait_after(self, problem, last):
            return 0.05


class NeverOpensAWatchAgain(CheckController):
    """Breaks CC-075: watches once; CHK-000 must catch it."""

    class Follower(Follower):
        async def run(self):
            await self.stream()


class AsksForTheSameRevision(CheckController):
    """Breaks CC-075: asks for a revision that is gone again and again; CHK-000 must catch it."""

    class Follower(Follower):
        def forget(self, problem):
            revision = self.revision
            waits = super().forget(problem)
            self.revision = revision
            return waits


class WatchesFromNow(CheckController):
    """Breaks CC-075: after a watch has ended begins with what comes next; CHK-000 must catch it."""

    class Follower(Follower):
        async def stream(self):
            if self.synced.is_set():
                self.revision = (await self._api.get(self._path, limit=1))["metadata"]["resourceVersion"]
            return await super().stream()


class TakesErrorsForObjects(CheckController):
    """Breaks CC-075: does not see that an event of a watch is an error; CHK-000 must catch it."""

    class Follower(Follower):
        def take(self, kind, thing):
            if kind != "ERROR":
                super().take(kind, thing)


class WaitsForAFrozenWatch(CheckController):
    """Breaks CC-075: never doubts a watch that brings nothing; CHK-000 must catch it."""

    class Follower(Follower):
        def patience(self):
            return 10**6


class StampsAfterARelist(CheckController):
    """Breaks CC-072: takes what a new list brings for new, and writes it again; CHK-000 must catch it."""

    class Follower(Follower):
        async def list(self):
            if self.synced.is_set():
                self.again()
            await super().list()

        def again(self):
            """Be told of everything that was read anew."""

    def follower(self, path, told, **only):
        made = super().follower(path, told, **only)
        made.again = self.decided.clear
        return made

    def __init__(self, *about):
        self.decided = set()
        super().__init__(*about)

    def since(self, old, state):
        about = old["name"]
        fresh = about not in self.decided
        self.decided.add(about)
        return super().since({**old, "state": ""} if fresh else old, state)


class ForgetsDeletionsOnRelist(CheckController):
    """Breaks CC-072: keeps what a new list no longer has; CHK-000 must catch it."""

    class Follower(Follower):
        async def list(self):
            known = dict(self.known)
            await super().list()
            self.known = {**known, **self.known}

        def set(self, key, new):
            super().set(key, new)


class DiesOfGone(CheckController):
    """Breaks CC-075: ends when a revision is too old; CHK-000 must catch it."""

    class Follower(Follower):
        def forget(self, problem):
            if getattr(problem, "code", None) == GONE:
                raise RuntimeError("too old resource version")
            return super().forget(problem)
