"""Breaks CC-064: releases what it sees, and never sees a deleted Workload; CHK-091 must catch it."""

from example import LicenseController, main


class Mutant(LicenseController):
    def release(self):
        known = {name for _, name in self.known["workloads"]}
        for claim in self.call("GET", self.claims_url)["items"]:
            workload = next(
                (
                    workload
                    for workload in [*self.known["workloads"].values()]
                    if workload["metadata"]["name"] == claim["workload"]
                ),
                None,
            )
            if claim["workload"] in known and workload and not self.needs_license(workload):
                self.call("DELETE", f"{self.claims_url}/{claim['id']}")


main(Mutant)
