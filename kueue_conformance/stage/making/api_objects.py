"""Objects of Kueue's API as the server stores them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact
from ...wire.resource import KUEUE, RESOURCES
from ..answer import Answer, try_request
from .maker import Maker


class ApiObject:
    """One object, read anew by each property."""

    def __init__(
        self, context: CaseContext, kind: str, name: str, namespace: str, created: Json = None
    ) -> None:
        self._context = context
        self.creation_time = created
        """The server's answer to the creation, before a controller could change the object."""
        self.kind = kind
        self.name = name
        self.namespace = namespace

    @property
    def object(self) -> Json:
        """The whole object."""
        return self._context.client.get(self.kind, self.name, self.namespace)

    @property
    def spec(self) -> Json:
        """The spec with all defaults."""
        return self.object.get("spec", {})

    @property
    def status(self) -> Json:
        """The status, empty when there is none."""
        return self.object.get("status") or {}

    def in_version(self, version: str) -> Json:
        """Return the object in a version of the API."""
        return self._context.client.speaking(version).get(self.kind, self.name, self.namespace)

    def is_served_in(self, version: str) -> Fact:
        """The API server answers for the object in a version of the API."""
        answer = try_request(lambda: self.in_version(version))
        expected = f"{self.kind} {self.name}: served in {version}"
        return Fact(answer.is_accepted, expected, f"HTTP {answer.code}")

    def try_to_change(self, **sections: Any) -> Answer:
        """Change fields by a merge patch, optionally of the status; return the server's answer."""
        sub, client = ("status" if "status" in sections else ""), self._context.client
        return try_request(
            lambda: client.merge(self.kind, self.name, sections, namespace=self.namespace, sub=sub)
        )

    def delete(self) -> None:
        """Delete it."""
        self._context.client.delete(self.kind, self.name, self.namespace)

    def has_fields(self, **fields: Any) -> Fact:
        """The spec has these fields."""
        spec = self.spec
        observed = {name: spec.get(name) for name in fields}
        return Fact(observed == fields, f"{self.kind} {self.name} has {fields}", f"{observed}")

    def is_gone(self) -> Fact:
        """It is no longer there."""
        manifest = self._context.client.find(self.kind, self.name, self.namespace)
        return Fact(
            manifest is None, f"{self.kind} {self.name} is gone", f"{manifest and manifest['metadata']}"
        )


class ApiObjects(Maker):
    """Creates objects from their sections."""

    namespace: str

    def make_object(self, kind: str, **sections: Any) -> ApiObject:
        """Create an object with these sections beside its metadata.

        Raises ApiError where the server refuses it.
        """
        namespace = {"namespace": self.namespace} if RESOURCES[kind].namespaced else {}
        metadata = {"name": self.names.name(), **namespace}
        created = self.client.create({"kind": kind, "metadata": metadata, **sections})
        return ApiObject(self.context, kind, metadata["name"], namespace.get("namespace", ""), created)

    def make_limit_range(self, name: str, *limits: Json, namespace: str = "") -> None:
        """Create a LimitRange of this name, in the namespace of the case unless another is given."""
        metadata = {"name": name, "namespace": namespace or self.namespace}
        self.client.create({"kind": "LimitRange", "metadata": metadata, "spec": {"limits": [*limits]}})

    def existing_object(self, kind: str, name: str) -> ApiObject:
        """Return an existing object, in the namespace of the case where it has one."""
        return ApiObject(self.context, kind, name, self.namespace if RESOURCES[kind].namespaced else "")

    def try_to_make_object(self, kind: str, **sections: Any) -> Answer:
        """Try to create an object with these sections; return the server's answer."""
        return try_request(lambda: self.make_object(kind, **sections))

    def discovery_entry(self, kind: str) -> Json:
        """Return discovery's entry of a kind: `shortNames`,
        `categories`, `namespaced`, and whether it `hasStatus`.
        """
        resource = self.client.resource(kind)
        resources = self.client.call("GET", f"/apis/{KUEUE}/{resource.version}")["resources"]
        resources_by_name = {resource["name"]: resource for resource in resources}
        return {
            **resources_by_name[resource.plural],
            "hasStatus": f"{resource.plural}/status" in resources_by_name,
        }

    def definition_of(self, kind: str) -> Json:
        """Return the CustomResourceDefinition of a kind."""
        return self.client.get("CustomResourceDefinition", f"{self.client.resource(kind).plural}.{KUEUE}")

    def make_object_stored_in(self, version: str, kind: str, **sections: Any) -> ApiObject:
        """Create an object in the namespace of the case as an older release has stored it: in a version that
        is not served any more.
        """
        definition = self.definition_of(kind)["spec"]
        older = [
            {**declared, "served": True, "storage": declared["name"] == version}
            for declared in definition["versions"]
        ]
        name = f"{self.client.resource(kind).plural}.{KUEUE}"
        metadata = {"name": self.names.name(), "namespace": self.namespace}
        self.client.merge("CustomResourceDefinition", name, {"spec": {"versions": older}})
        try:
            self.client.speaking(version).create({"kind": kind, "metadata": metadata, **sections})
        finally:
            self.client.merge(
                "CustomResourceDefinition", name, {"spec": {"versions": definition["versions"]}}
            )
        return ApiObject(self.context, kind, **metadata)

    def webhooks(self, which: str) -> dict[str, Json]:
        """Return the `validating` or `mutating` webhooks for
        Kueue's kinds that the cluster calls, by their names.
        """
        path = f"/apis/admissionregistration.k8s.io/v1/{which}webhookconfigurations"
        hooks = [
            hook
            for configuration in self.client.call("GET", path)["items"]
            for hook in configuration.get("webhooks", ())
        ]
        return {
            hook["name"]: hook for hook in hooks if any(KUEUE in rule["apiGroups"] for rule in hook["rules"])
        }

    @contextmanager
    def suspend_validation(self, kind: str) -> Iterator[None]:
        """Have no webhook validate a kind of Kueue's for the time of a block: what is written then is stored
        as by a release without the rule.
        """
        path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
        plural = self.client.resource(kind).plural
        present = self.client.call("GET", path)["items"]
        for configuration in present:
            hooks = [hook for hook in configuration.get("webhooks", ()) if not _judges(hook, plural)]
            self._replace_webhooks(path, configuration["metadata"]["name"], hooks)
        try:
            yield
        finally:
            for configuration in present:
                hooks = configuration.get("webhooks", [])
                self._replace_webhooks(path, configuration["metadata"]["name"], hooks)

    def _replace_webhooks(self, path: str, name: str, hooks: list[Json]) -> None:
        self.client.call("PATCH", f"{path}/{name}", {"webhooks": hooks}, media="application/merge-patch+json")


def _judges(hook: Json, plural: str) -> bool:
    return any(KUEUE in rule["apiGroups"] and plural in rule["resources"] for rule in hook["rules"])
