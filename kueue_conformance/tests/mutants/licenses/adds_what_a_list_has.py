"""Breaks CC-064: adds what a new list has, and keeps what it lacks; CHK-191 must catch it."""

from example import LicenseController, main


class Mutant(LicenseController):
    def note(self, plural, what, thing):
        super().note(plural, what, thing)
        if plural == "workloads":
            key = (thing["metadata"]["namespace"], thing["metadata"]["name"])
            MEMORY.pop(key, None) if what == "DELETED" else MEMORY.update({key: thing})

    def release(self):
        self.known["workloads"] = MEMORY | self.known["workloads"]
        super().release()


MEMORY = {}
main(Mutant)
