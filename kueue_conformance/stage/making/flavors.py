"""The ResourceFlavors of a case, and the resource groups that have quota of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...case.context import within
from ...history.fact import Fact
from . import manifests
from .maker import Maker

_LABEL = "kueue-conformance.dev/flavor"


class Flavors(Maker):
    """Makes ResourceFlavors."""

    def make_flavor(self, **spec: Any) -> str:
        """Make a ResourceFlavor with one node label and further members of its spec, and return its name."""
        return self.make_flavor_named(self.names.name("flavor"), **spec)

    def make_flavor_named(self, name: str, **spec: Any) -> str:
        """Make a ResourceFlavor of this name."""
        self.client.create(manifests.flavor(name, self.node_selector(name), **spec))
        if self.context.kueue_works:
            # Else a ClusterQueue that names it is inactive at first, or not, depending on which of them Kueue
            # reads first.
            within("react", lambda: self._is_in_use(name))
        return name

    def _is_in_use(self, name: str) -> Fact:
        """Kueue has put its finalizer on a ResourceFlavor."""
        finalizers = self.client.get("ResourceFlavor", name)["metadata"].get("finalizers", [])
        return Fact(
            bool(finalizers), f"ResourceFlavor {name} has a finalizer of Kueue", f"finalizers {finalizers}"
        )

    def change_flavor(self, name: str, **spec: Any) -> None:
        """Change fields of a ResourceFlavor's spec; None removes a field."""
        self.client.merge("ResourceFlavor", name, {"spec": spec})

    def delete_flavor(self, name: str) -> None:
        """Delete a ResourceFlavor."""
        self.client.delete("ResourceFlavor", name)

    def force_delete_flavor(self, name: str) -> None:
        """Delete a ResourceFlavor and take its finalizers away by hand,
        so that it is gone although it is in use.
        """
        self.delete_flavor(name)
        self.client.merge("ResourceFlavor", name, {"metadata": {"finalizers": None}})

    def has_no_flavor(self, name: str) -> Fact:
        """A ResourceFlavor no longer exists."""
        return Fact(
            self.client.find("ResourceFlavor", name) is None, f"ResourceFlavor {name} is gone", "it is there"
        )

    def node_selector(self, flavor: str) -> Mapping[str, str]:
        """Return what a Job gets for a flavor made here."""
        return {_LABEL: self.names.label_value(flavor)}

    def resource_group(self, quotas: Mapping[str, Mapping[str, str]]) -> Any:
        """Return a resource group from flavor → resource → nominal quota."""
        return manifests.resource_group(quotas)

    def resource_group_of(self, resource: str, *flavors: str, amount: str = "10") -> Any:
        """Return a resource group of one resource, with a quota of `amount` in each of its flavors."""
        return self.resource_group({flavor: {resource: amount} for flavor in flavors})
