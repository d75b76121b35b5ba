"""Breaks CC-072: claims without an id of its own, so that each turn holds one more; CHK-087 must catch it."""

from example import LicenseController, main


class Mutant(LicenseController):
    def claim(self, workload):
        metadata = workload["metadata"]
        body = {"namespace": metadata["namespace"], "workload": metadata["name"]}
        self.call("POST", self.claims_url, body)

    def release(self):
        workloads = [*self.known["workloads"].values()]
        needed = {workload["metadata"]["name"] for workload in workloads if self.needs_license(workload)}
        for claim in self.call("GET", self.claims_url)["items"]:
            if claim["workload"] not in needed:
                self.call("DELETE", f"{self.claims_url}/{claim['id']}")


main(Mutant)
