"""Volumes of sources that work no more, and volumes whose files collide (FK-236)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .....base.json_types import Json
from ...volume_warnings import of_claim_spec
from .volume_paths import of_paths

SOURCES = {
    "photonPersistentDisk": "deprecated in v1.11, non-functional in v1.16+",
    "gitRepo": "deprecated in v1.11, and disabled by default in v1.33+",
    "scaleIO": "deprecated in v1.16, non-functional in v1.22+",
    "flocker": "deprecated in v1.22, non-functional in v1.25+",
    "storageos": "deprecated in v1.22, non-functional in v1.25+",
    "quobyte": "deprecated in v1.22, non-functional in v1.25+",
    "glusterfs": "deprecated in v1.25, non-functional in v1.26+",
    "cephfs": "deprecated in v1.28, non-functional in v1.31+",
    "rbd": "deprecated in v1.28, non-functional in v1.31+",
}
WORDS = {"storageos": "storageOS"}


def of_volumes(volumes: Iterable[Json], path: str) -> Iterator[str]:
    """Yield the warnings of the volumes of a pod."""
    volumes = list(volumes)
    for number, volume in enumerate(volumes):
        for source in volume.keys() & SOURCES.keys():
            yield f"{path}[{number}].{WORDS.get(source, source)}: {SOURCES[source]}"
        if template := (volume.get("ephemeral") or {}).get("volumeClaimTemplate"):
            yield from of_claim_spec(template["spec"], f"{path}[{number}].ephemeral.volumeClaimTemplate.spec")
    yield from of_paths(volumes)
