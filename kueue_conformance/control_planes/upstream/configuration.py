"""What a manager is told that runs as a process: the Configuration of its manifests, with ports and folders of this machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from ...wire.ports import free_ports

Json: TypeAlias = Any
KIND = "Configuration"
GROUP = "config.kueue.x-k8s.io"
_WITHOUT_MANIFESTS = {
    "apiVersion": f"{GROUP}/v1beta1",
    "kind": KIND,
    "clientConnection": {"qps": 300, "burst": 500},
    "integrations": {"frameworks": ["batch/job"]},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Where the parts of a manager listen on this machine."""

    webhook: int
    health: int
    metrics: int

    @classmethod
    def fresh(cls) -> Ports:
        """Return ports that nobody listens on."""
        webhook, health, metrics = free_ports(3)
        return cls(webhook=webhook, health=health, metrics=metrics)


def configuration(manifests: Iterable[Json], ports: Ports, certificates: Path) -> str:
    """Return the Configuration of a manager, as YAML.

    It makes its certificates itself, as in a cluster. Its visibility server wants a folder in the root of the file system, so it stays off.
    """
    said = _said(manifests)
    return yaml.safe_dump(
        {
            **said,
            "health": {"healthProbeBindAddress": f"127.0.0.1:{ports.health}"},
            "metrics": {**(said.get("metrics") or {}), "bindAddress": f"127.0.0.1:{ports.metrics}"},
            "webhook": {"port": ports.webhook, "certDir": str(certificates)},
            "leaderElection": {"leaderElect": False},
            "internalCertManagement": {"enable": True},
            "featureGates": {**(said.get("featureGates") or {}), "VisibilityOnDemand": False},
        },
        sort_keys=False,
    )


def _said(manifests: Iterable[Json]) -> Mapping[str, Json]:
    for one in manifests:
        for text in (one.get("data") or {}).values() if one["kind"] == "ConfigMap" else ():
            found = yaml.safe_load(text)
            if (
                isinstance(found, dict)
                and found.get("kind") == KIND
                and str(found.get("apiVersion")).startswith(GROUP)
            ):
                return found
    return _WITHOUT_MANIFESTS
