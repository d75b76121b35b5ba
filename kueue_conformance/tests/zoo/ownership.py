"""Wrong about whose a check or an entry is (CC-001…003, CC-031, CC-032, CC-077, CC-079)."""

from .follow import key_of
from .objects import check_entries
from .right import CheckController


class ServesEveryCheck(CheckController):
    """Breaks CC-001: does not look at the controllerName of a check; CHK-002 must catch it."""

    def owns(self, name):
        return ("", name) in self.checks.known


class ServesNamesThatBeginAlike(CheckController):
    """Breaks CC-001: takes every controllerName that begins with its own; CHK-006 must catch it."""

    def owns(self, name):
        controller_name = self.checks.known.get(("", name), {}).get("spec", {}).get("controllerName", "")
        return controller_name.startswith(self.name)


class FindsTheOwnerByName(CheckController):
    """Breaks CC-002: takes an entry whose name begins like
    that of a check of its own; CHK-003 must catch it.
    """

    def serves(self, name):
        return any(self.owns(own) and name.startswith(own) for _, own in self.checks.known)

    def problem(self, check):
        return super().problem(check) if self.owns(check["metadata"]["name"]) else ""


class AnswersTheFirstEntry(CheckController):
    """Breaks CC-001: takes the entry at the first place for its own when one of its checks is listed; CHK-007
    must catch it.
    """

    def serves(self, name):
        return self.first == name if self.first else super().serves(name)

    first = ""

    async def entries(self, workload):
        names = [entry["name"] for entry in check_entries(workload)]
        self.first = names[0] if any(map(super().serves, names)) else ""
        try:
            return await super().entries(workload)
        finally:
            self.first = ""


class AnswersForOneName(CheckController):
    """Breaks CC-002: takes an entry for its own by the name in its manifest; CHK-188 must catch it."""

    only = "fabric-ready"

    async def judge_entry(self, workload, entry):
        return await super().judge_entry(workload, entry) if entry["name"] == self.only else entry


class AnswersOneOfItsEntries(CheckController):
    """Breaks CC-003: looks for an entry of its own and stops at the first; CHK-004 must catch it."""

    async def entries(self, workload):
        first = next((entry["name"] for entry in check_entries(workload) if self.serves(entry["name"])), None)
        return [
            await self.judge_entry(workload, entry) if entry["name"] == first else entry
            for entry in check_entries(workload)
        ]


class AsksOnceForAllItsChecks(CheckController):
    """Breaks CC-003: gives the verdict on one check in the
    entries of all its checks; CHK-067 must catch it.
    """

    async def ask(self, workload, check):
        return await super().ask(
            workload, min(entry["name"] for entry in check_entries(workload) if self.serves(entry["name"]))
        )


class KeepsOthersAsFirstSeen(CheckController):
    """Breaks CC-031: puts other entries back to what they were when it began; CHK-023 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.first_seen = {}

    async def entries(self, workload):
        uid, entries = workload["metadata"]["uid"], await super().entries(workload)
        return [
            entry if self.serves(entry["name"]) else self.first_seen.setdefault((uid, entry["name"]), entry)
            for entry in entries
        ]


class AnswersForSilentNeighbours(CheckController):
    """Breaks CC-031: sets other Pending entries to Ready together with its own; CHK-061 must catch it."""

    async def entries(self, workload):
        entries = await super().entries(workload)
        good = any(entry["state"] == "Ready" and self.serves(entry["name"]) for entry in entries)
        return [
            {**entry, "state": "Ready"} if good and entry["state"] == "Pending" else entry
            for entry in entries
        ]


class DropsFieldsItDoesNotKnow(CheckController):
    """Breaks CC-077: writes only those fields of the status that it knows; CHK-041 must catch it."""

    async def write(self, path, desired, read):
        known_names = {
            key: item
            for key, item in desired["status"].items()
            if key in ("conditions", "admission", "admissionChecks")
        }
        await super().write(path, {**desired, "status": known_names}, read)


class MixesNamespacesUp(CheckController):
    """Breaks CC-079: remembers verdicts by the Workload's name alone; CHK-070 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.by_name = {}

    async def ask(self, workload, check):
        namespace, name = key_of(workload)
        first = self.by_name.setdefault(name, namespace)
        return await super().ask(
            {**workload, "metadata": {**workload["metadata"], "namespace": first}}, check
        )


class KnowsOneNamespace(CheckController):
    """Breaks CC-079: works in the namespace of the first Workload only; CHK-070 must catch it."""

    home = None

    def may_act(self, workload):
        if super().may_act(workload) and self.home is None:
            self.home = workload["metadata"]["namespace"]
        return super().may_act(workload) and workload["metadata"]["namespace"] == self.home


class NotesDenialsInACondition(CheckController):
    """Breaks CC-032: adds a condition of its own to a Workload that it sends back; CHK-038 must catch it."""

    async def judge(self, workload):
        new = await super().judge(workload)
        ours = [
            entry
            for entry in check_entries(new or workload)
            if self.serves(entry["name"]) and entry["state"] == "Retry"
        ]
        if new is None or not ours:
            return new
        text = {"type": "BudgetDenied", "status": "True", "reason": "Denied", "message": ""}
        text["lastTransitionTime"] = ours[0]["lastTransitionTime"]
        return {**new, "status": {**new["status"], "conditions": [*new["status"]["conditions"], text]}}


class AdmitsByItself(CheckController):
    """Breaks CC-032: sets Admitted when all checks are Ready,
    which is Kueue's to do; CHK-022 must catch it.
    """

    async def judge(self, workload):
        new = await super().judge(workload)
        if new is None or any(entry["state"] != "Ready" for entry in check_entries(new)):
            return new
        text = {
            "type": "Admitted",
            "status": "True",
            "reason": "Admitted",
            "message": "",
            "lastTransitionTime": check_entries(new)[0]["lastTransitionTime"],
        }
        conditions = [
            condition for condition in new["status"]["conditions"] if condition["type"] != "Admitted"
        ]
        return {**new, "status": {**new["status"], "conditions": [*conditions, text]}}


class RemembersItsChecks(CheckController):
    """Breaks CC-001: what was its own once is so for ever; CHK-008 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.ours = set()

    def owns(self, name):
        if super().owns(name):
            self.ours.add(name)
        return name in self.ours and ("", name) in self.checks.known


class RemembersWhichChecksItServed(CheckController):
    """Breaks CC-001: a check that it has answered for once is its own for ever; CHK-008 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.served_names = set()

    def serves(self, name):
        return super().serves(name) or name in self.served_names

    async def judge_entry(self, workload, entry):
        self.served_names.add(entry["name"])
        return await super().judge_entry(workload, entry)


class RemembersStrangers(CheckController):
    """Breaks CC-002: what was another's once is so for ever; CHK-009 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.strangers = set()

    def owns(self, name):
        if ("", name) in self.checks.known and not super().owns(name):
            self.strangers.add(name)
        return super().owns(name) and name not in self.strangers


class ComparesNamesWithoutCase(CheckController):
    """Breaks CC-001: takes a controllerName in other letters for its own; CHK-006 must catch it."""

    def owns(self, name):
        controller_name = self.checks.known.get(("", name), {}).get("spec", {}).get("controllerName", "")
        return controller_name.lower() == self.name.lower()


class ServesNamesThatEndAlike(CheckController):
    """Breaks CC-001: takes every controllerName that ends with its own; CHK-006 must catch it."""

    def owns(self, name):
        controller_name = self.checks.known.get(("", name), {}).get("spec", {}).get("controllerName", "")
        return controller_name.endswith(self.name)


class ServesItsWholeDomain(CheckController):
    """Breaks CC-001: looks at what stands before the slash of a controllerName; CHK-006 must catch it."""

    def owns(self, name):
        controller_name = self.checks.known.get(("", name), {}).get("spec", {}).get("controllerName", "")
        return controller_name.partition("/")[0] == self.name.partition("/")[0]


class ShortensOtherEntries(CheckController):
    """Breaks CC-031: writes other entries with those fields that it knows; CHK-180 must catch it."""

    KNOWN = ("name", "state", "message", "lastTransitionTime", "retryCount")

    async def entries(self, workload):
        return [
            entry if self.serves(entry["name"]) else {key: entry[key] for key in self.KNOWN if key in entry}
            for entry in await super().entries(workload)
        ]


class StopsAtAForeignEntry(CheckController):
    """Breaks CC-002: reads the list up to the first entry of another controller; CHK-007 must catch it."""

    async def entries(self, workload):
        entries = check_entries(workload)
        foreign = next(
            (at for at, entry in enumerate(entries) if not self.serves(entry["name"])), len(entries)
        )
        return [
            *[await self.judge_entry(workload, entry) for entry in entries[:foreign]],
            *entries[foreign:],
        ]
