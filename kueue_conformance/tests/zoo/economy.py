"""Wasteful, or with rights that it should not need (CC-039…043, CC-074, CC-078, CC-080, CC-086)."""

from .api import APPLY, CONFLICT, STRATEGIC, ApiError
from .follow import key_of, pause
from .leader import Leader
from .objects import CHECKS, WORKLOADS, check_entries, is_true, timestamp, workload_path
from .right import CheckController


class WritesWithEveryQuestion(CheckController):
    """Breaks CC-043: writes its entries again when nothing has changed; CHK-140 must catch it."""

    async def judge(self, workload):
        if not self.may_act(workload):
            return None
        return {**workload, "status": {**workload["status"], "admissionChecks": await self.entries(workload)}}


class SaysActiveAgainAndAgain(CheckController):
    """Breaks CC-074: writes the condition of its checks whenever it asks; CHK-140 must catch it."""

    async def ask(self, workload, check):
        known_names = self.checks.known["", check]
        await self.write(f"{CHECKS}/{check}/status", known_names, known_names)
        return await super().ask(workload, check)


class ListsInsteadOfWatching(CheckController):
    """Breaks CC-074: lists everything ten times a second; CHK-141 must catch it."""

    async def run(self):
        self.tasks.create_task(self.reading())
        await super().run()

    async def reading(self):
        while True:
            await pause(self.clock, 0.1)
            with self.clock.busy():
                await self.api.get(WORKLOADS)
                await self.api.get(CHECKS)


class ReadsSecrets(CheckController):
    """Breaks CC-078: reads all Secrets, for a password of the outside system; CHK-151 must catch it."""

    async def ask(self, workload, check):
        await self.api.get("/api/v1/secrets")
        return await super().ask(workload, check)


class AnnotatesWorkloads(CheckController):
    """Breaks CC-078: writes Workloads themselves, where it has no business; CHK-150 must catch it."""

    async def begin(self, workload, name):
        await super().begin(workload, name)
        namespace, owner = key_of(workload)
        change = {"metadata": {"annotations": {"example.com/judged-by": self.label}}}
        await self.api.patch(f"/apis/kueue.x-k8s.io/v1beta2/namespaces/{namespace}/workloads/{owner}", change)


class WritesTheWorkloadFirst(CheckController):
    """Breaks CC-030: sends its entries to the Workload itself,
    and to the status afterwards; CHK-022 must catch it.
    """

    async def write(self, path, desired, read):
        if "/workloads/" in path:
            await self.api.put(path.removesuffix("/status"), desired)
            desired = {**desired, "metadata": (await self.read(path))["metadata"]}
        await super().write(path, desired, read)


class MergesWithoutARevision(CheckController):
    """Breaks CC-040: merges the list as it was read, without a precondition; CHK-112 must catch it."""

    async def write(self, path, desired, read):
        if "/workloads/" not in path:
            return await super().write(path, desired, read)
        await self.api.patch(path, {"status": {"admissionChecks": check_entries(desired)}})
        return None


class MergesItsEntriesAlone(CheckController):
    """Breaks CC-040: merges a list with its own entries,
    which replaces that of everybody; CHK-007 must catch it.
    """

    async def write(self, path, desired, read):
        if "/workloads/" not in path:
            return await super().write(path, desired, read)
        metadata = {"resourceVersion": read["metadata"]["resourceVersion"]}
        ours = [entry for entry in check_entries(desired) if self.serves(entry["name"])]
        await self.api.patch(path, {"metadata": metadata, "status": {"admissionChecks": ours}})
        return None


class PatchesStrategically(CheckController):
    """Breaks CC-041: tries a strategic merge patch,
    which Workloads do not know, before it PUTs; CHK-022 must catch it.
    """

    async def write(self, path, desired, read):
        try:
            await self.api.patch(path, {"status": desired["status"]}, STRATEGIC)
        except ApiError:
            await super().write(path, desired, read)


class Applies(CheckController):
    """Right as well: writes its entries by server-side apply,
    with a manager of its own and preconditions (CC-039).
    """

    manager, force = "example.com.budget", "true"

    async def write(self, path, desired, read):
        if "/workloads/" not in path:
            return await super().write(path, desired, read)
        metadata = {key: read["metadata"][key] for key in ("name", "namespace", "uid", "resourceVersion")}
        about = {"apiVersion": read["apiVersion"], "kind": read["kind"], "metadata": metadata}
        body = {**about, "status": {"admissionChecks": self.applied_entries(desired)}}
        await self.api.patch(path, body, APPLY, fieldManager=self.manager, force=self.force)
        return None

    def applied_entries(self, desired):
        """Return the entries that it applies: its own, with no changes of pods where there are none, since
        Kueue owns them as well.
        """
        ours = [entry for entry in check_entries(desired) if self.serves(entry["name"])]
        return [
            {"podSetUpdates": [], **{key: value for key, value in our.items() if key != "retryCount"}}
            for our in ours
        ]


class AppliesAsKueue(Applies):
    """Breaks CC-039: applies in the name of Kueue's own manager; CHK-041 must catch it."""

    manager = "kueue-admission"


class AppliesWithANewNameEachTime(Applies):
    """Breaks CC-039: applies with a manager of another name each time; CHK-022 must catch it."""

    number = 0

    @property
    def manager(self):
        self.number += 1
        return f"budget-{self.number}"


class AppliesWithoutAPrecondition(Applies):
    """Breaks CC-086: applies its entry to whatever is there by now; CHK-116 must catch it."""

    async def write(self, path, desired, read):
        loose = {
            key: value for key, value in read["metadata"].items() if key not in ("uid", "resourceVersion")
        }
        await super().write(
            path, desired, {**read, "metadata": {**loose, "uid": None, "resourceVersion": None}}
        )


class WritesTwice(CheckController):
    """Breaks CC-043: says Ready first, and why in a second write; CHK-142 must catch it."""

    async def write(self, path, desired, read):
        ours = {
            entry["name"]
            for entry in check_entries(desired)
            if self.serves(entry["name"]) and entry["state"] == "Ready"
        }
        if ours and "/workloads/" in path:
            bare = [
                {**entry, "message": "" if entry["name"] in ours else entry["message"]}
                for entry in check_entries(desired)
            ]
            desired = await self.api.put(
                path, {**desired, "status": {**desired["status"], "admissionChecks": bare}}
            )
            full = [
                {**entry, "message": "Ready" if entry["name"] in ours else entry["message"]}
                for entry in check_entries(desired)
            ]
            desired = {**desired, "status": {**desired["status"], "admissionChecks": full}}
        await super().write(path, desired, read)


class ReadsWithEveryQuestion(CheckController):
    """Breaks CC-074: reads a Workload anew before every question about it; CHK-141 must catch it."""

    async def ask(self, workload, check):
        await self.read(workload_path(*key_of(workload)))
        return await super().ask(workload, check)


class PutsWithoutARevision(CheckController):
    """Breaks CC-041: tries to replace the status whatever it is by now; CHK-022 must catch it."""

    async def write(self, path, desired, read):
        bare = {key: value for key, value in desired["metadata"].items() if key != "resourceVersion"}
        try:
            await super().write(path, {**desired, "metadata": bare}, read)
        except ApiError:
            await super().write(path, desired, read)


class PatchesByPlace(CheckController):
    """Breaks CC-041: replaces what stands at a place of the list, and does not test what that is; CHK-022
    must catch it.
    """

    async def write(self, path, desired, read):
        if "/workloads/" not in path:
            return await super().write(path, desired, read)
        steps = [
            {"op": "replace", "path": f"/status/admissionChecks/{at}", "value": entry}
            for at, entry in enumerate(check_entries(desired))
            if self.serves(entry["name"])
        ]
        await self.api.patch(path, steps, "application/json-patch+json")
        return None


class AppliesWithoutForce(Applies):
    """Breaks CC-039: applies without force, although Kueue owns the entry as well; CHK-022 must catch it."""

    force = "false"


class GivesUpWhatKueueOwns(Applies):
    """Breaks CC-038: applies without force and takes the conflict with Kueue's ownership for the end;
    CHK-196 must catch it.
    """

    force = "false"

    async def write(self, path, desired, read):
        try:
            return await super().write(path, desired, read)
        except ApiError as error:
            if error.code != CONFLICT:
                raise

    def again(self, workload):
        return None


class ForcesAfterAConflict(Applies):
    """Right in CHK-196: applies without force first, and with force when Kueue owns the entry as well."""

    async def write(self, path, desired, read):
        self.force = "false"
        try:
            return await super().write(path, desired, read)
        except ApiError as error:
            if error.code != CONFLICT:
                raise
        self.force = "true"
        return await super().write(path, desired, read)


class RestatesItsRetry(CheckController):
    """Breaks CC-043: says Retry again every second, with a new time; CHK-146 must catch it."""

    async def judge_entry(self, workload, entry):
        if entry["state"] == "Retry":
            return {**entry, "lastTransitionTime": timestamp(self.clock.now())}
        return await super().judge_entry(workload, entry)

    def again(self, workload):
        states = {entry["state"] for entry in check_entries(workload) if self.serves(entry["name"])}
        return self.poll if "Retry" in states else super().again(workload)


class TellsProgressWhileItRuns(CheckController):
    """Breaks CC-043: writes of an admitted Workload when it has looked at it; CHK-144 must catch it."""

    running = False

    def entry(self, workload, old, verdict):
        self.running = is_true(workload, "Admitted")
        return super().entry(workload, old, verdict)

    def message(self, verdict):
        message = super().message(verdict)
        return f"{message} (at {timestamp(self.clock.now())})" if self.running else message


class RenewsAllTheTime(CheckController):
    """Breaks CC-074: renews its lease ten times a second; CHK-141 must catch it."""

    class Leader(Leader):
        async def run(self):
            while True:
                with self._clock.busy():
                    await self._try()
                await pause(self._clock, 0.1)


class CountsAloud(CheckController):
    """Breaks CC-074: tells in the message how often it has asked; CHK-140 must catch it."""

    answers_asked = 0

    def message(self, verdict):
        self.answers_asked += 1
        return f"{super().message(verdict)} ({self.answers_asked})"
