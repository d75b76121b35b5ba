"""Wrong about podSetUpdates (CC-037)."""

from .right import CheckController


class UpdatesUnknownPodSets(CheckController):
    """Breaks CC-037: does not look whether the pod set exists; CHK-078 must catch it."""

    def update_problem(self, workload, verdict):
        update_problem = super().update_problem(workload, verdict)
        return "" if update_problem.startswith("there is no pod set") else update_problem


class OverwritesKeysOfPods(CheckController):
    """Breaks CC-037: does not look whether the pods have another value; CHK-079 must catch it."""

    def update_problem(self, workload, verdict):
        update_problem = super().update_problem(workload, verdict)
        return "" if "another value" in update_problem else update_problem


class UpdatesInASecondWrite(CheckController):
    """Breaks CC-037: says Ready first and what pods get afterwards; CHK-074 must catch it."""

    def updates(self, old, verdict):
        if verdict["state"] != "Ready" or old["state"] != "Ready" or "podSetUpdates" not in verdict:
            return {}
        return {"podSetUpdates": verdict["podSetUpdates"]}


class ChangesUpdatesWhileReady(CheckController):
    """Breaks CC-037: follows the outside system with updates while it is Ready; CHK-075 must catch it."""

    def updates(self, old, verdict):
        expected = verdict["state"] == "Ready" and "podSetUpdates" in verdict
        return {"podSetUpdates": verdict["podSetUpdates"]} if expected else {}


class LosesUpdates(CheckController):
    """Breaks CC-037: does not pass updates on; CHK-074 must catch it."""

    def updates(self, old, verdict):
        return {}


class UpdatesOnlyOnce(CheckController):
    """Breaks CC-037: sends updates with the first Ready and not
    with that of a new reservation; CHK-076 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.applied_entries = set()

    def entry(self, workload, old, verdict):
        new, about = super().entry(workload, old, verdict), (workload["metadata"]["uid"], old["name"])
        if new is old or new["state"] != "Ready" or old["state"] == "Ready":
            return new
        repeated = about in self.applied_entries
        self.applied_entries.add(about)
        return {key: value for key, value in new.items() if key != "podSetUpdates"} if repeated else new


class KeepsUpdatesOfTheLastReady(CheckController):
    """Breaks CC-060: sends the updates of an earlier reservation with a new Ready; CHK-076 must catch it."""

    def __init__(self, *about):
        super().__init__(*about)
        self.applied_entries = {}

    def entry(self, workload, old, verdict):
        about = workload["metadata"]["uid"], old["name"]
        if verdict["state"] == "Ready" and "podSetUpdates" in verdict:
            verdict = {
                **verdict,
                "podSetUpdates": self.applied_entries.setdefault(about, verdict["podSetUpdates"]),
            }
        return super().entry(workload, old, verdict)


class LeavesOldUpdates(CheckController):
    """Breaks CC-037: leaves the updates of an earlier Ready
    when the new verdict has none; CHK-077 must catch it.
    """

    def __init__(self, *about):
        super().__init__(*about)
        self.applied_entries = {}

    def updates(self, old, verdict):
        new = super().updates(old, verdict)
        if verdict["state"] == "Ready" and not new:
            return self.applied_entries.get(old["name"], {})
        self.applied_entries[old["name"]] = new or self.applied_entries.get(old["name"], {})
        return new


class DropsTolerations(CheckController):
    """Breaks CC-037: passes on labels, annotations and node selectors,
    and nothing else; CHK-074 must catch it.
    """

    def updates(self, old, verdict):
        known_names = ("name", "labels", "annotations", "nodeSelector")
        updates = super().updates(old, verdict)
        return {
            key: [{name: item[name] for name in known_names if name in item} for item in value]
            for key, value in updates.items()
        }


class UpdatesTheFirstPodSet(CheckController):
    """Breaks CC-037: passes on the update of one pod set and drops the others; CHK-096 must catch it."""

    def updates(self, old, verdict):
        return {key: value[:1] for key, value in super().updates(old, verdict).items()}


class WritesAnUpdateForEachField(CheckController):
    """Breaks KV-36: writes labels and nodeSelector of a pod set as two updates; CHK-198 may catch it."""

    def updates(self, old, verdict):
        updates = super().updates(old, verdict)
        return {
            key: [
                {"name": update["name"], field: update[field]}
                for update in value
                for field in update
                if field != "name"
            ]
            for key, value in updates.items()
        }


class SendsUpdatesWithRetry(CheckController):
    """Breaks CC-037: passes changes of pods on with a Retry; CHK-097 must catch it."""

    def updates(self, old, verdict):
        refused = verdict["state"] == "Retry" and "podSetUpdates" in verdict
        return {"podSetUpdates": verdict["podSetUpdates"]} if refused else super().updates(old, verdict)
