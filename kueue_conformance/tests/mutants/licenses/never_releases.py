"""Breaks CC-061: holds every license for ever; CHK-088 must catch it."""

from example import LicenseController, main


class Mutant(LicenseController):
    def release(self):
        pass


main(Mutant)
