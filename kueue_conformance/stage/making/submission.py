"""What a scenario submits, before a subject file has its say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...base.json_types import Json
from . import manifests


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What a scenario asks for."""

    form: str
    name: str
    namespace: str
    queue: str
    requests: Mapping[str, str]
    count: int
    pods: Mapping[str, Any]
    """Metadata and fields of a pod's spec."""
    annotations: Mapping[str, str]
    spec: Mapping[str, Any]

    def manifest(self) -> Json:
        """Return the Workload or Job."""
        make = manifests.job if self.form == "job" else manifests.workload
        pods = manifests.pod_template(self.requests, **self.pods)
        manifest: Json = make(self.name, self.namespace, self.queue, pods, self.count, **self.spec)
        manifest["metadata"]["annotations"] = dict(self.annotations)
        return manifest
