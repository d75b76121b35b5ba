"""A ProvisioningRequest of a Workload (provisioning.md A1, B6, B7)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ...base.json_types import Json
from ...base.objects import ObjectMeta
from ...case.context import CaseContext
from ...history.fact import Fact
from ..answer import Answer, try_request
from .pod_template import MANAGED, PodSetOnFlavor, PodTemplate

KIND, CONFIG = "ProvisioningRequest", "ProvisioningRequestConfig"
NOTE, KEPT = "example.com/note", "example.com/kept"
_NUMBER = re.compile(r"-(\d+)$")


class Owner(Protocol):
    """The Workload that a request belongs to."""

    namespace: str

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def object(self) -> Json:
        """The current object, empty when it is deleted."""


def attempt(name: str) -> int:
    """Return the number of the attempt that a request's name ends with; 0 where it ends with none."""
    match = _NUMBER.search(name)
    return int(match.group(1)) if match else 0


def is_owned(request: Json, owner: str) -> bool:
    """Tell whether a request names a Workload as an owner."""
    owners = request["metadata"].get("ownerReferences", [])
    return any(
        owner_reference["kind"] == "Workload" and owner_reference["name"] == owner
        for owner_reference in owners
    )


def requests_of(context: CaseContext, owner: Owner) -> Sequence[Json]:
    """Return the requests of a Workload, the newest attempt last."""
    if not owner.name:
        return ()
    requests = [
        request for request in context.client.list(KIND, owner.namespace) if is_owned(request, owner.name)
    ]
    return sorted(
        requests,
        key=lambda request: (attempt(request["metadata"]["name"]), request["metadata"]["creationTimestamp"]),
    )


class ProvisioningRequest:
    """The newest request of a Workload for a check, read anew by each property."""

    def __init__(self, context: CaseContext, workload: Owner, check: str) -> None:
        self._context = context
        self._workload = workload
        self.check = check
        self._held = ""
        """The name of the one that a finalizer was put on."""

    @property
    def object(self) -> Json:
        """The current request; empty when there is none."""
        requests = self.attempts()
        return requests[-1] if requests else {}

    def attempts(self) -> Sequence[Json]:
        """Return the requests of the Workload for the check, the newest attempt last.

        Where a controller does not put the name of the check into that of the request, the class tells the
        requests of several checks apart.
        """
        requests = requests_of(self._context, self._workload)
        # A name of Kueue's first: that of another check may begin with the name of this one.
        ours = re.compile(re.escape(f"{self._workload.name}-{self.check}-") + r"\d+")
        if exact := [request for request in requests if ours.fullmatch(request["metadata"]["name"])]:
            return exact
        named = [request for request in requests if f"-{self.check}-" in request["metadata"]["name"]]
        return named or [request for request in requests if not self._is_of_another(request)]

    def _is_of_another(self, request: Json) -> bool:
        """Tell whether a request was made for another check of the Workload, by its name or by its class."""
        listed = (self._workload.object.get("status") or {}).get("admissionChecks", [])
        other_checks = [entry["name"] for entry in listed if entry["name"] != self.check]
        if any(f"-{other_check}-" in request["metadata"]["name"] for other_check in other_checks):
            return True
        class_name = request["spec"]["provisioningClassName"]
        return class_name != self._class_of_check(self.check) and class_name in map(
            self._class_of_check, other_checks
        )

    def _class_of_check(self, check: str) -> str:
        """Return the class that the configuration of a check names, empty where it has none."""
        check_object = self._context.client.find("AdmissionCheck", check) or {}
        name = (check_object.get("spec", {}).get("parameters") or {}).get("name", "")
        config = self._context.client.find(CONFIG, name) if name else None
        return str(((config or {}).get("spec") or {}).get("provisioningClassName", ""))

    @property
    def name(self) -> str:
        """The name of the newest one, empty when there is none."""
        return self._metadata.get("name", "")

    @property
    def uid(self) -> str:
        """The uid of the newest one, empty when there is none."""
        return self._metadata.get("uid", "")

    @property
    def class_name(self) -> str:
        """The class that it asks for."""
        return str(self._spec.get("provisioningClassName", ""))

    @property
    def _metadata(self) -> ObjectMeta:
        metadata: ObjectMeta = self.object.get("metadata", {})
        return metadata

    @property
    def _spec(self) -> Json:
        return self.object.get("spec", {})

    # What it is

    def exists(self) -> Fact:
        """There is a request."""
        return self._fact(bool(self.object), "exists")

    def is_missing(self) -> Fact:
        """There is no request."""
        return self._fact(not self.object, "does not exist")

    def is_unanswered(self) -> Fact:
        """There is a request, which neither failed nor has capacity."""
        request = self.object
        conditions = (request.get("status") or {}).get("conditions", [])
        answers = [
            condition["type"]
            for condition in conditions
            if condition["type"] in ("Failed", "Provisioned") and condition["status"] == "True"
        ]
        return self._fact(bool(request) and not answers, "exists and is unanswered")

    def is_the_only_one(self) -> Fact:
        """There is exactly one."""
        names = [request["metadata"]["name"] for request in self.attempts()]
        return Fact(len(names) == 1, f"{self}: exactly one exists", f"{names}")

    def is_attempt(self, number: int) -> Fact:
        """The newest one exists, and its name ends with this number (PA-045)."""
        return self._fact(bool(self.object) and attempt(self.name) == number, f"is attempt {number}")

    def has_name(self, name: str) -> Fact:
        """It has exactly this name."""
        return self._fact(self.name == name, f"has the name {name!r}")

    def has_uid(self, uid: str) -> Fact:
        """It is the object with this uid."""
        return self._fact(bool(uid) and self.uid == uid, f"is the object with uid {uid}")

    def has_other_uid(self, uid: str) -> Fact:
        """It exists and is not the object with this uid."""
        return self._fact(self.uid not in ("", uid), f"is not the object with uid {uid}")

    def has_pod_counts(self, *counts: int) -> Fact:
        """It has pod sets with exactly these counts, in this order."""
        counts_of_spec = [pod_set["count"] for pod_set in self._spec.get("podSets", [])]
        return Fact(
            counts_of_spec == list(counts),
            f"{self} asks for pods {list(counts)}",
            f"it asks for {counts_of_spec}",
        )

    def has_class(self, name: str) -> Fact:
        """It asks for this class."""
        return self._fact(self.class_name == name, f"has the class {name!r}")

    def has_parameters(self, parameters: Mapping[str, str]) -> Fact:
        """It has exactly these parameters."""
        observed = self._spec.get("parameters") or {}
        return Fact(
            observed == dict(parameters),
            f"{self} has the parameters {dict(parameters)}",
            f"it has {observed}",
        )

    def is_owned_by_its_workload(self) -> Fact:
        """Its only controller is the Workload that there is now, by uid."""
        owners = [owner for owner in self._metadata.get("ownerReferences", []) if owner.get("controller")]
        uid = self._workload.object.get("metadata", {}).get("uid")
        holds = bool(owners) and [owner["uid"] for owner in owners] == [uid]
        return Fact(holds, f"{self} is controlled by the Workload with uid {uid}", f"{owners}")

    def has_managed_label(self) -> Fact:
        """It has Kueue's label for managed objects."""
        labels = self._metadata.get("labels", {})
        return Fact(labels.get(MANAGED) == "true", f"{self} has the label {MANAGED}", f"{labels}")

    # Its templates

    def template(self, at: int = 0) -> PodTemplate:
        """Return the PodTemplate of one of its pod sets."""
        pod_sets = self._spec.get("podSets", [])
        name = pod_sets[at]["podTemplateRef"]["name"] if at < len(pod_sets) else ""
        return PodTemplate(self._context, self._workload.namespace, name)

    def has_templates(self) -> Fact:
        """Every PodTemplate that it refers to exists."""
        names = [pod_set["podTemplateRef"]["name"] for pod_set in self._spec.get("podSets", [])]
        missing = [
            name
            for name in names
            if not self._context.client.find("PodTemplate", name, self._workload.namespace)
        ]
        return Fact(
            bool(names) and not missing, f"{self}: its PodTemplates {names} exist", f"missing: {missing}"
        )

    def has_templates_of(self, members: Sequence[PodSetOnFlavor]) -> Fact:
        """Its PodTemplates have the pods of these podSets, each on its flavor, in this order."""
        facts = [self.template(at).has_pods_of(member) for at, member in enumerate(members)]
        return next(
            (fact for fact in facts if not fact),
            Fact(
                self.has_pod_counts(*[member.count for member in members]).holds,
                f"{self} has templates of {[member.name for member in members]}",
                f"it has {len(self._spec.get('podSets', []))} podSets",
            ),
        )

    def was_never_without_templates(self) -> Fact:
        """Whenever it was created all of its PodTemplates existed (PA-057)."""
        there: set[str] = set()
        early: list[str] = []
        for change in self._context.history:
            if change.namespace != self._workload.namespace or change.kind not in ("PodTemplate", KIND):
                continue
            if change.kind == "PodTemplate":
                (there.add if change.after else there.discard)(change.name)
            elif change.before is None and change.after:
                referenced = {
                    pod_set["podTemplateRef"]["name"] for pod_set in change.after["spec"]["podSets"]
                }
                early += sorted(referenced - there)
        return Fact(
            not early, f"{self} was created after its PodTemplates", f"missing at that moment: {early}"
        )

    # Its story

    def was_created(self, times: int) -> Fact:
        """So many requests were created for the Workload and the check so far."""
        names = self.created_names()
        return Fact(len(names) == times, f"{self} was created {times} time(s)", f"created: {names}")

    def created_names(self) -> Sequence[str]:
        """Return the names of the requests that were created so far, in order."""
        owner = self._workload.name
        story = [
            change
            for change in self._context.history
            if change.kind == KIND and change.before is None and change.after
        ]
        names = [
            change.name
            for change in story
            if change.namespace == self._workload.namespace and is_owned(change.after, owner)
        ]
        return [name for name in names if f"-{self.check}-" in name] or names

    # What others do to it

    def delete(self) -> None:
        """Delete it, as any client may."""
        self._context.client.delete(KIND, self.name, self._workload.namespace)

    def change(self, **sections: Any) -> None:
        """Change fields of its metadata or spec, as any client may."""
        self._context.client.merge(KIND, self.name, sections, namespace=self._workload.namespace)

    def try_to_change(self, **sections: Any) -> Answer:
        """Try to change fields of it; return the server's answer."""
        return try_request(lambda: self.change(**sections))

    def add_foreign_fields(self) -> None:
        """Put a label and an annotation of another client on it."""
        self.change(metadata={"labels": {NOTE: "seen"}, "annotations": {NOTE: "seen"}})

    def has_foreign_fields(self) -> Fact:
        """The label and the annotation of another client are there."""
        metadata = self._metadata
        notes = [metadata.get("labels", {}).get(NOTE), metadata.get("annotations", {}).get(NOTE)]
        return Fact(notes == ["seen", "seen"], f"{self} keeps what others noted", f"{notes}")

    def add_foreign_finalizer(self) -> None:
        """Put a finalizer of another client on it, so that its deletion takes a while."""
        self._held = self.name
        self.change(metadata={"finalizers": [KEPT]})
        self._context.client.afterwards(self.remove_foreign_finalizer)

    def remove_foreign_finalizer(self) -> None:
        """Remove that finalizer."""
        if self._context.client.find(KIND, self._held, self._workload.namespace):
            bare = {"metadata": {"finalizers": None}}
            self._context.client.merge(KIND, self._held, bare, namespace=self._workload.namespace)

    def touch(self) -> None:
        """Change an unused label, so that every watcher gets an event."""
        label = {"kueue-conformance.dev/touched": str(self._context.history.last_revision)}
        self.change(metadata={"labels": label})

    def _fact(self, holds: bool, expected: str) -> Fact:
        return Fact(
            holds,
            f"{self} {expected}",
            f"{[request['metadata']['name'] for request in self.attempts()] or 'there is none'}",
        )

    def __str__(self) -> str:
        return f"the ProvisioningRequest of Workload {self._workload.name} for {self.check}"
