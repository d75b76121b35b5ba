"""Controllers with the habits of real ones: each of them was seen in public, more than once."""

from ..zoo.api import APPLY, CORE, MERGE, NOT_FOUND, ApiError
from ..zoo.objects import check_entries, condition, is_true, timestamp
from ..zoo.right import UNDECIDED, CheckController

SWITCH = f"{CORE}/namespaces/default/configmaps/switch"


class Switched(CheckController):
    """One switch for everything: Ready or still Pending,
    applied anew with every look, never seen again once admitted.
    """

    poll = 1.0

    async def ask(self, workload, check):
        try:
            admits = (await self.api.get(SWITCH))["data"]["admits"] == "true"
        except ApiError as error:
            if error.code != NOT_FOUND:
                raise
            admits = False
        return {"state": "Ready" if admits else UNDECIDED, "message": f"the switch says {admits}"}

    def may_act(self, workload):
        return super().may_act(workload) and not is_true(workload, "Admitted")

    async def judge(self, workload):
        """Return the entries made from nothing, so that each looks new."""
        if not self.may_act(workload):
            return None
        current_time = timestamp(self.clock.now())
        return [
            {
                "name": entry["name"],
                "lastTransitionTime": current_time,
                **await self.ask(workload, entry["name"]),
            }
            for entry in check_entries(workload)
            if self.owns(entry["name"])
        ] or None

    async def activate(self, check):
        """Return the check as Active, unless it is that already:
        what it says of a generation stays as it was.
        """
        if condition(check, "Active").get("status") == "True":
            return None
        return await super().activate(check)

    def problem(self, check):
        """Find nothing wrong with parameters: it has none."""
        return ""

    async def write(self, path, desired, read):
        """Apply without a resourceVersion."""
        if isinstance(desired, dict):
            await super().write(path, desired, read)
            return
        metadata = {"name": read["metadata"]["name"], "namespace": read["metadata"]["namespace"]}
        body = {
            "apiVersion": read["apiVersion"],
            "kind": read["kind"],
            "metadata": metadata,
            "status": {"admissionChecks": desired},
        }
        await self.api.patch(path, body, APPLY, fieldManager=self.name, force="true")


class Scripted(CheckController):
    """A script: looks at its own Pending and Retry entries only,
    and merges the whole status as it has read it.
    """

    def may_act(self, workload):
        return True

    async def judge_entry(self, workload, entry):
        if entry["state"] not in ("Pending", "Retry"):
            return entry
        verdict = await self.ask(workload, entry["name"])
        if verdict["state"] == UNDECIDED:
            return entry
        return {**self.entry(workload, entry, verdict), "lastTransitionTime": timestamp(self.clock.now())}

    async def write(self, path, desired, read):
        if "status" in desired:
            await self.api.patch(path, {"status": desired["status"]}, MERGE)


class FirstOnly(CheckController):
    """Answers the first entry of every Workload, of any check, at any time."""

    def may_act(self, workload):
        return True

    async def entries(self, workload):
        first, *further_entries = check_entries(workload) or [None]
        return (
            [self.entry(workload, first, await self.ask(workload, first["name"])), *further_entries]
            if first
            else []
        )
