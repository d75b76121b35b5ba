"""Breaks CC-026: writes whatever word the outside system says; CHK-021 must catch it."""

from example import CheckController, controller, main

# What it writes is refused again and again; with the pauses of the right one that would take seconds.
controller.LONGEST_WAIT = 0.2


class Mutant(CheckController):
    def judged(self, workload, entry):
        if entry["state"] in ("Retry", "Rejected"):
            return entry
        verdict = self.ask(workload, entry["name"])
        return entry if verdict["state"] == "Pending" else self.entry(entry, verdict)


main(Mutant)
