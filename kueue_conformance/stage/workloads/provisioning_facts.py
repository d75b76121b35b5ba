"""The ProvisioningRequests of a Workload, and the updates of its pods."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.json_types import Json
from ...history.fact import Fact
from ..checks.check import Check
from ..requests.provisioning_request import ProvisioningRequest, requests_of
from .check_entries import CheckEntryFacts

CONSUMES = "autoscaling.x-k8s.io/consume-provisioning-request"
CLASS = "autoscaling.x-k8s.io/provisioning-class-name"


class ProvisioningFacts(CheckEntryFacts):
    """Facts about the requests that were made for it."""

    def request(self, check: Check) -> ProvisioningRequest:
        """Return the newest request for a check, whether there is one yet or not."""
        return ProvisioningRequest(self._context, self, check.name)

    def has_requests(self, number: int) -> Fact:
        """So many requests exist, for whichever check."""
        names = [request["metadata"]["name"] for request in requests_of(self._context, self)]
        return Fact(len(names) == number, f"{self} has {number} ProvisioningRequest(s)", f"it has {names}")

    def has_no_request(self) -> Fact:
        """No request exists."""
        return self.has_requests(0)

    def has_pods_consuming(self, request: ProvisioningRequest, *pod_sets: str) -> Fact:
        """The pods of exactly these pod sets are told to consume the request, by name and class (PA-086)."""
        expected = {CONSUMES: request.name, CLASS: request.class_name}
        annotations = {
            update["name"]: update.get("annotations", {}) for update in self._updates_for(request.check)
        }
        holds = (
            bool(request.name)
            and annotations.keys() == set(pod_sets)
            and all(pod_annotations == expected for pod_annotations in annotations.values())
        )
        return Fact(holds, f"{self}: pods of {list(pod_sets)} get {expected}", f"{annotations}")

    def has_any_pods_consuming(self, request: ProvisioningRequest) -> Fact:
        """The pods of some pod set are told to consume the request: its name is in the annotations."""
        annotations = [update.get("annotations", {}) for update in self._updates_for(request.check)]
        holds = bool(request.name) and any(
            request.name in pod_annotations.values() for pod_annotations in annotations
        )
        return Fact(holds, f"{self}: its pods consume {request.name!r}", f"{annotations}")

    def has_node_selector(self, check: Check, labels: Mapping[str, str], pod_set: str = "main") -> Fact:
        """The pods of a pod set are to run on nodes with exactly these labels, by the update of a check."""
        selectors = {
            update["name"]: update.get("nodeSelector", {}) for update in self._updates_for(check.name)
        }
        return Fact(
            selectors.get(pod_set) == dict(labels),
            f"{self}: pods of {pod_set} select {dict(labels)}",
            f"{selectors}",
        )

    def has_node_selectors(self, check: Check, labels: Mapping[str, str], *pod_sets: str) -> Fact:
        """The pods of exactly these pod sets are to run on nodes with these labels, as a check says."""
        selectors = {
            update["name"]: update.get("nodeSelector", {}) for update in self._updates_for(check.name)
        }
        return Fact(
            selectors == {pod_set: dict(labels) for pod_set in pod_sets},
            f"{self}: pods of {list(pod_sets)} select {dict(labels)}",
            f"{selectors}",
        )

    def has_no_updates(self, check: Check) -> Fact:
        """The check changes nothing of the pods."""
        return self.has_updates(check, [])

    def annotations_for(self, request: ProvisioningRequest) -> Mapping[str, str]:
        """Return what its pods are annotated with when they consume a request."""
        return {CONSUMES: request.name, CLASS: request.class_name}

    # What the entry of a check says besides its state

    def has_entry_message_containing(self, check: Check, text: str) -> Fact:
        """The message of the check's entry contains a text."""
        observed = self.entry_of(check).get("message", "")
        return Fact(text in observed, f"the entry of {check.name} mentions {text!r}", f"it says {observed!r}")

    def had_delay(self, check: Check, seconds: int) -> Fact:
        """At some time the check's entry was Retry with this wait."""
        entries = [new.checks.get(check.name, {}) for _, new in self._views()]
        waits = [entry.get("requeueAfterSeconds") for entry in entries if entry.get("state") == "Retry"]
        return Fact(
            seconds in waits, f"the entry of {check.name} asked to wait {seconds} s", f"it asked {waits}"
        )

    # What others do to it

    def set_annotations(self, annotations: Mapping[str, str]) -> None:
        """Change its annotations."""
        self._merge({"metadata": {"annotations": dict(annotations)}})

    def set_retry_count(self, check: Check, number: int) -> None:
        """Put a number of retries into the check's entry, as an administrator may by hand."""

        def with_retry_count(current: Json) -> Json:
            status = current["status"]
            entries = [
                {**entry, "retryCount": number} if entry["name"] == check.name else entry
                for entry in status["admissionChecks"]
            ]
            return {**current, "status": {**status, "admissionChecks": entries}}

        self._context.client.update(
            "Workload", self.name, with_retry_count, namespace=self.namespace, sub="status"
        )

    def _merge(self, patch: Json) -> None:
        self._context.client.merge("Workload", self.name, patch, namespace=self.namespace)

    def _updates_for(self, check: str) -> list[Json]:
        return list(self._read().checks.get(check, {}).get("podSetUpdates") or [])
