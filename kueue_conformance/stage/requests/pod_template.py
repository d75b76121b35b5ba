"""A PodTemplate that a ProvisioningRequest refers to (PA-065…069)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact

KIND = "PodTemplate"
MANAGED = "kueue.x-k8s.io/managed"
NOTE = "example.com/note"


@dataclass(frozen=True, slots=True)
class PodSetOnFlavor:
    """A podSet of a Workload, and what the flavor that it is to run on brings to its pods."""

    pod_set: Json
    flavor: str
    node_labels: Mapping[str, str]
    tolerations: Sequence[Json] = ()

    @property
    def name(self) -> str:
        """The name of the podSet."""
        return str(self.pod_set["name"])

    @property
    def count(self) -> int:
        """The number of its pods."""
        return int(self.pod_set["count"])

    @property
    def fields(self) -> Json:
        """The fields that a PodTemplate made for it has."""
        return _fields(self.pod_set["template"]["spec"], self.node_labels, self.tolerations)


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

    def has_node_selector(self, labels: Mapping[str, str]) -> Fact:
        """Its pods select nodes with at least these labels."""
        observed = self._pods.get("nodeSelector", {})
        return Fact(
            labels.items() <= observed.items(), f"{self} selects {dict(labels)}", f"it selects {observed}"
        )

    def has_toleration(self, toleration: Mapping[str, str], times: int = 1) -> Fact:
        """Its pods have this toleration so often."""
        tolerations = self._pods.get("tolerations", [])
        return Fact(
            tolerations.count(dict(toleration)) == times,
            f"{self} tolerates {dict(toleration)} {times} time(s)",
            f"{tolerations}",
        )

    def has_pods_of(self, member: PodSetOnFlavor) -> Fact:
        """Its pods are those of a podSet on its flavor;
        where a container has no request, its limit is requested.
        """
        expected, observed = member.fields, _fields(self._pods)
        different = [name for name, value in expected.items() if observed[name] != value]
        return Fact(
            not different,
            f"{self} has the pods of {member.name}: {[expected[name] for name in different] or 'all fields'}",
            f"another {', '.join(different) or 'field: none'}: {[observed[name] for name in different]}",
        )

    def has_requests(self, requests: Mapping[str, str], *, kind: str = "containers") -> Fact:
        """Its first container, or initContainer, has exactly these requests."""
        observed = [
            container.get("resources", {}).get("requests", {}) for container in self._pods.get(kind, [])
        ]
        return Fact(
            observed[:1] == [dict(requests)], f"{self} requests {dict(requests)}", f"it requests {observed}"
        )

    def is_owned_by(self, kind: str, uid: str) -> Fact:
        """Its only controller is an object of this kind with this uid."""
        owners = [
            owner
            for owner in self.object.get("metadata", {}).get("ownerReferences", [])
            if owner.get("controller")
        ]
        holds = [(owner["kind"], owner["uid"]) for owner in owners] == [(kind, uid)]
        return Fact(holds, f"{self} is controlled by the {kind} with uid {uid}", f"{owners}")

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
        values = [
            metadata.get("labels", {}).get(NOTE) for metadata in (self.object.get("metadata", {}), pods)
        ]
        return Fact(values == ["seen", "seen"], f"{self} keeps the label of another client", f"{values}")

    def __str__(self) -> str:
        return f"PodTemplate {self.name or '(none)'}"


def _fields(
    spec: Json, node_labels: Mapping[str, str] | None = None, tolerations: Sequence[Json] = ()
) -> Json:
    """Return the fields of a pod's spec that are compared, without those that a server fills in."""
    every = [*spec.get("tolerations", ()), *tolerations]
    return {
        "containers": [_container_fields(container) for container in spec.get("containers", ())],
        "initContainers": [_container_fields(container) for container in spec.get("initContainers", ())],
        "nodeSelector": {**spec.get("nodeSelector", {}), **(node_labels or {})},
        "tolerations": sorted((dict(toleration) for toleration in every), key=repr),
    }


def _container_fields(container: Json) -> Json:
    resources = container.get("resources", {})
    requests = {**resources.get("limits", {}), **resources.get("requests", {})}
    return {"name": container["name"], "image": container["image"], "requests": requests}
