"""Breaks CC-026: writes whatever word the outside system says; CHK-021 must catch it."""

from controller import CheckController, main


class Mutant(CheckController):
    def judged(self, workload, entry):
        if entry["state"] in ("Retry", "Rejected"):
            return entry
        verdict = self.ask(workload, entry["name"])
        return entry if verdict["state"] == "Pending" else self.entry(entry, verdict)


main(Mutant)
