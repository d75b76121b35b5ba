"""PodSets of Workloads and what checks may change of their pods, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import manifests
from .flavors import Flavors


class PodSets(Flavors):
    """Makes podSets, which may select flavors."""

    def pod_set(
        self,
        name: str,
        count: int = 1,
        *,
        on: str = "",
        spec: Mapping[str, Any] | None = None,
        **requests: str,
    ) -> Any:
        """Return one podSet of pods with these requests, which can run on no other flavor than `on`; `spec`
        adds fields of a pod's spec.
        """
        where = {"nodeSelector": self.node_selector(on)} if on else {}
        template = manifests.pod_template(requests, **where, **(spec or {}))
        return {"name": name, "count": count, "template": template}

    def pod_sets(self, *names: str) -> list[Any]:
        """Return podSets of these names, for a Workload that has several."""
        return [
            {"name": name, "count": 1, "template": manifests.pod_template({"cpu": "1m"})} for name in names
        ]

    def pod_updates(self, section: str = "labels", *, value: str = "ours", pods: str = "") -> list[Any]:
        """Return podSetUpdates for a Workload made here: of its first pod set, unless `pods` names one."""
        template = self.context.workload_template
        first = template.pod_sets[0].get("name", "main") if template and template.pod_sets else "main"
        return [manifests.pod_set_update(section, value, pods or first)]

    def template_with(self, section: str, *, value: str = "theirs") -> Any:
        """Return a template with a value of its own wherever `pod_updates` sets one."""
        return manifests.template_with(section, value)
