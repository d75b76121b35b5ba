"""Breaks CC-070: releases at its start, when its cache is still empty; CHK-187 must catch it."""

from example import LicenseController, main


class Mutant(LicenseController):
    def run(self):
        self.release()
        super().run()


main(Mutant)
