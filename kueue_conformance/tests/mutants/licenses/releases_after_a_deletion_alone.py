"""Breaks CC-063: releases when the Workload is gone, and not when it is finished; CHK-090 must catch it."""

from example import LicenseController, main


class Mutant(LicenseController):
    def release(self):
        known = {name for _, name in self.known["workloads"]}
        for claim in self.call("GET", self.claims_url)["items"]:
            if claim["workload"] not in known:
                self.call("DELETE", f"{self.claims_url}/{claim['id']}")


main(Mutant)
