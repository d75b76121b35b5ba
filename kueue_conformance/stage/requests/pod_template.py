"""A PodTemplate that a ProvisioningRequest refers to (PA-065…069)."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact

KIND = "PodTemplate"
MANAGED = "kueue.x-k8s.io/managed"
NOTE = "example.com/note"


class PodTemplate:
    """One PodTemplate, read anew by each fact."""

    def __init__(self, context: CaseContext, namespace: str, name: str) -> None:
        self._context = context
        self.namespace = namespace
        self.name = name

    @property
    def object(self) -> Json:
        """The current PodTemplate; empty when it does not exist."""
        return (self._context.client.find(KIND, self.name, self.namespace) if self.name else None) or {}

    @property
    def _pods(self) -> Json:
        return self.object.get("template", {}).get("spec", {})

    @property
    def uid(self) -> str:
        """Its uid, empty when it does not exist."""
        return str(self.object.get("metadata", {}).get("uid", ""))

    def exists(self) -> Fact:
        """It is there."""
        return Fact(bool(self.object), f"{self} exists", "it does" if self.object else "it does not")

    def has_uid(self, uid: str) -> Fact:
        """It is the object with this uid."""
        return Fact(self.uid == uid, f"{self} is the object with uid {uid}", f"uid {self.uid or 'none'}")

    def has_name(self, name: str) -> Fact:
        """It has exactly this name."""
        return Fact(self.name == name, f"the PodTemplate is {name!r}", f"it is {self.name!r}")

    def has_node_selector(self, wanted: Mapping[str, str]) -> Fact:
        """Its pods select nodes with at least these labels."""
        seen = self._pods.get("nodeSelector", {})
        return Fact(wanted.items() <= seen.items(), f"{self} selects {dict(wanted)}", f"it selects {seen}")

    def has_toleration(self, toleration: Mapping[str, str], times: int = 1) -> Fact:
        """Its pods have this toleration so often."""
        seen = self._pods.get("tolerations", [])
        return Fact(
            seen.count(dict(toleration)) == times,
            f"{self} tolerates {dict(toleration)} {times} time(s)",
            f"{seen}",
        )

    def has_requests(self, wanted: Mapping[str, str], *, kind: str = "containers") -> Fact:
        """Its first container, or initContainer, has exactly these requests."""
        seen = [one.get("resources", {}).get("requests", {}) for one in self._pods.get(kind, [])]
        return Fact(seen[:1] == [dict(wanted)], f"{self} requests {dict(wanted)}", f"it requests {seen}")

    def is_owned_by(self, kind: str, uid: str) -> Fact:
        """Its only controller is an object of this kind with this uid."""
        owners = [
            one for one in self.object.get("metadata", {}).get("ownerReferences", []) if one.get("controller")
        ]
        held = [(one["kind"], one["uid"]) for one in owners] == [(kind, uid)]
        return Fact(held, f"{self} is controlled by the {kind} with uid {uid}", f"{owners}")

    def has_one_owner(self) -> Fact:
        """It has exactly one owner."""
        owners = self.object.get("metadata", {}).get("ownerReferences", [])
        return Fact(len(owners) == 1, f"{self} has one owner", f"{owners}")

    def has_managed_label(self) -> Fact:
        """It has Kueue's label for managed objects."""
        labels = self.object.get("metadata", {}).get("labels", {})
        return Fact(labels.get(MANAGED) == "true", f"{self} has the label {MANAGED}", f"{labels}")

    def delete(self) -> None:
        """Delete it, as any client may."""
        self._context.client.delete(KIND, self.name, self.namespace)

    def add_label(self) -> None:
        """Put a label on it and on its pods, as any client may."""
        label = {"metadata": {"labels": {NOTE: "seen"}}}
        self._context.client.merge(KIND, self.name, {**label, "template": label}, namespace=self.namespace)

    def has_added_label(self) -> Fact:
        """It has that label, on itself and on its pods."""
        pods = self.object.get("template", {}).get("metadata", {})
        seen = [one.get("labels", {}).get(NOTE) for one in (self.object.get("metadata", {}), pods)]
        return Fact(seen == ["seen", "seen"], f"{self} keeps the label of another client", f"{seen}")

    def __str__(self) -> str:
        return f"PodTemplate {self.name or '(none)'}"
