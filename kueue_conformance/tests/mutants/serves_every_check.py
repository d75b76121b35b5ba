"""Breaks CC-001: does not look at the controllerName of a check; CHK-002 must catch it."""

from example import CheckController, main


class Mutant(CheckController):
    def owns(self, name):
        return True


main(Mutant)
