"""OutsideSystem work of the right controller: a ConfigMap for each Workload and check, begun with quota,
ended with it (CC-020, CC-061…065).
"""

from .api import CONFLICT, NOT_FOUND, ApiError
from .follow import key_of
from .objects import check_entries, effects_path, is_true, workload_path

LABEL = "example.com/check-controller"
WORKLOAD = "example.com/workload"


class Effects:
    """What belongs to a Workload is found by its labels, so that a restart finds it again."""

    def workload_of(self, effect):
        """Return the Workload that outside work is for."""
        metadata = effect["metadata"]
        return metadata["namespace"], metadata["annotations"][WORKLOAD]

    def effect_name(self, workload, check):
        """Return the name of outside work: always the same, so that it is never begun twice."""
        return f"{workload['metadata']['name']}-{check}"

    def is_ending(self, workload):
        """Tell whether a Workload is at its end, or on its way out."""
        return (
            is_true(workload, "Evicted")
            or is_true(workload, "Finished")
            or "deletionTimestamp" in workload["metadata"]
        )

    def is_at_stake(self, workload):
        """Tell whether a Workload has quota and waits for us, or runs because of us."""
        needs_quota = is_true(workload, "QuotaReserved") and workload["spec"].get("active", True)
        return needs_quota and not self.is_ending(workload)

    def may_begin(self, workload, entry):
        """Tell whether outside work may begin for an entry."""
        usable = self.serves(entry["name"]) and not self.problem(self.checks.known["", entry["name"]])
        return usable and self.is_at_stake(workload) and entry["state"] in ("Pending", "Ready")

    def may_stay(self, workload, entry):
        """Tell whether outside work that was begun goes on:
        also when the quota is lost without an eviction.
        """
        return (
            self.serves(entry["name"])
            and not self.is_ending(workload)
            and entry["state"] in ("Pending", "Ready")
        )

    def effects_of(self, key):
        """Return the outside work for a Workload, by name."""
        return {name: item for (_, name), item in self.effects.groups.get(key, {}).items()}

    async def keep_effects(self, key, workload):
        """Begin what is missing, end what is no longer wanted."""
        there = self.effects_of(key)
        stays, begins = {}, {}
        for entry in check_entries(workload) if workload else ():
            name = self.effect_name(workload, entry["name"])
            if name in there and self.may_stay(workload, entry) and self.belongs(there[name], workload):
                stays[name] = entry
            elif self.may_begin(workload, entry):
                begins[name] = entry
        for name in there.keys() - stays.keys():
            await self.end(key[0], name)
        for name in begins:
            await self.begin(workload, name)

    def belongs(self, effect, workload):
        """Tell whether outside work is for this very Workload, and not for one of the same name before it."""
        return any(
            owner_reference["uid"] == workload["metadata"]["uid"]
            for owner_reference in effect["metadata"].get("ownerReferences", ())
        )

    async def begin(self, workload, name):
        """Begin outside work; if it has begun already that is as good.

        Where it was begun before and is gone, the copy of the Workload may be older than its deletion.
        """
        namespace, owner = key_of(workload)
        uid = workload["metadata"]["uid"]
        if (uid, name) in self.begun and not await self.exists(workload):
            return
        self.begun.add((uid, name))
        metadata = {
            "name": name,
            "labels": {LABEL: self.label},
            "annotations": {WORKLOAD: owner},
            "ownerReferences": [self.owner(workload)],
        }
        try:
            await self.api.post(effects_path(namespace), {"metadata": metadata})
        except ApiError as error:
            if error.code != CONFLICT:
                raise

    async def exists(self, workload):
        """Tell whether the API server still has this very Workload."""
        try:
            stored = await self.api.get(workload_path(*key_of(workload)).removesuffix("/status"))
        except ApiError as error:
            if error.code != NOT_FOUND:
                raise
            return False
        return stored["metadata"]["uid"] == workload["metadata"]["uid"]

    def owner(self, workload):
        """Return the reference by which outside work goes with its Workload."""
        return {
            "apiVersion": workload["apiVersion"],
            "kind": workload["kind"],
            "name": workload["metadata"]["name"],
            "uid": workload["metadata"]["uid"],
        }

    async def end(self, namespace, name):
        """End outside work."""
        try:
            await self.api.delete(effects_path(namespace, name))
        except ApiError as error:
            if error.code != NOT_FOUND:
                raise
