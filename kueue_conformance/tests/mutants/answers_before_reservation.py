"""Breaks CC-020: judges Workloads that have no quota; CHK-010 must catch it."""

from example import CheckController, is_true, main


class Mutant(CheckController):
    def may_act(self, workload):
        over = is_true(workload, "Evicted") or is_true(workload, "Finished")
        return "status" in workload and not over


main(Mutant)
