"""The check controller of the example, with work outside: it holds a license while a Workload has quota.

It claims at the license service before it asks for a verdict, and releases when the Workload needs it no more.
The id of a claim is made of the Workload's name, so that the claim is found again after a restart.
"""

import json
import os
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from controller import CheckController, Object, main

SECONDS = 10


class LicenseController(CheckController):
    """Claims a license for each Workload that it may judge."""

    claims_url = os.environ.get("KUEUE_CONFORMANCE_CLAIMS_URL", "")

    def judge(self, workload: Object) -> None:
        """Claim the license of the Workload, then judge it."""
        if self.needs_license(workload):
            self.claim(workload)
        super().judge(workload)

    def needs_license(self, workload: Object) -> bool:
        """Tell whether the Workload may be judged and lists a check of this controller."""
        listed = workload.get("status", {}).get("admissionChecks", [])
        return self.may_act(workload) and any(self.owns(entry["name"]) for entry in listed)

    def release(self) -> None:
        """Release every license whose Workload needs none; the service knows which are held."""
        needed = {
            claim_id(workload)
            for workload in [*self.known["workloads"].values()]
            if self.needs_license(workload)
        }
        try:
            for claim in self.call("GET", self.claims_url)["items"]:
                if claim["id"] not in needed:
                    self.call("DELETE", f"{self.claims_url}/{quote(claim['id'], safe='')}")
        except (HTTPError, URLError) as problem:
            # The next turn tries again: the service still lists what is held.
            print(f"release: {problem}", flush=True)

    def claim(self, workload: Object) -> None:
        """Claim once: a claim of the same id and Workload is the same claim."""
        metadata = workload["metadata"]
        body = {"id": claim_id(workload), "namespace": metadata["namespace"], "workload": metadata["name"]}
        self.call("POST", self.claims_url, body)

    def call(self, method: str, url: str, body: Any = None) -> Any:
        """Ask the license service."""
        data = json.dumps(body).encode() if body is not None else None
        request = Request(url, data=data, method=method, headers={"Content-Type": "application/json"})  # noqa: S310 - the operator chose the address
        with urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
            return json.load(answer)


def claim_id(workload: Object) -> str:
    """Return the id of a Workload's claim."""
    return f"{workload['metadata']['namespace']}.{workload['metadata']['name']}"


if __name__ == "__main__":
    main(LicenseController)
