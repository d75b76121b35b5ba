"""Breaks CC-035: a new message moves lastTransitionTime; CHK-024 must catch it."""

from example import CheckController, main, timestamp


class Mutant(CheckController):
    def entry(self, old, verdict):
        new = super().entry(old, verdict)
        return new if new["message"] == old["message"] else {**new, "lastTransitionTime": timestamp()}


main(Mutant)
