"""Breaks CC-031: sends all entries as it once read them, without a precondition; CHK-023 must catch it."""

from example import CheckController, main, where


class Mutant(CheckController):
    def write(self, workload, entries):
        patch = {"status": {"admissionChecks": entries}}
        self.api.patch_namespaced_custom_object_status(*where(workload), patch)


main(Mutant)
