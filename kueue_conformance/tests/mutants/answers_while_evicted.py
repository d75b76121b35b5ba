"""Breaks CC-022: goes on judging while a Workload is being evicted; CHK-014 must catch it."""

from example import CheckController, is_true, main


class Mutant(CheckController):
    def may_act(self, workload):
        return is_true(workload, "QuotaReserved") and not is_true(workload, "Finished")


main(Mutant)
