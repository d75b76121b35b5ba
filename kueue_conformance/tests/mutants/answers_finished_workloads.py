"""Breaks CC-021: changes its mind about work that is over; CHK-013 must catch it."""

from example import CheckController, is_true, main


class Mutant(CheckController):
    def may_act(self, workload):
        return is_true(workload, "QuotaReserved") and not is_true(workload, "Evicted")


main(Mutant)
