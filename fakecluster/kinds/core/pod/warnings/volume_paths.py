"""Files of a volume that would lie in one place, or one where another's folder is (FK-236)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .....base.json_types import Json
from .....schema.fields import go_quote

COMPARED_PATHS = 200
"""How many files of a pod's volumes are compared with those before them, each with each."""


class ProjectedFile(NamedTuple):
    """Where a file lies, and the projected source that it comes from."""

    path: str
    source: str = ""

    def __str__(self) -> str:
        return f"{go_quote(self.path)} ({self.source})" if self.source else go_quote(self.path)


def of_paths(volumes: Iterable[Json]) -> Iterator[str]:
    """Yield the warnings of files that collide within a volume, and of projected sources of nothing."""
    budget = COMPARED_PATHS
    for volume in volumes:
        name = go_quote(volume["name"])
        projected = volume.get("projected")
        if projected is not None and {} in (projected.get("sources") or ()):
            yield f"volume {name} (Projected) has no sources provided"
        for description, files in _files(volume):
            for text in _collisions(files[:budget]):
                yield f"volume {name} ({description}): overlapping paths: {text}"
            budget -= min(budget, len(files))


def _files(volume: Json) -> Iterator[tuple[str, list[ProjectedFile]]]:
    """Yield the descriptions of the sources of a volume, with their files."""
    if config := volume.get("configMap"):
        yield f"ConfigMap {go_quote(config.get('name', ''))}", _items(config)
    if secret := volume.get("secret"):
        yield f"Secret {go_quote(secret.get('secretName', ''))}", _items(secret)
    if downward := volume.get("downwardAPI"):
        yield "DownwardAPI", _items(downward)
    if projected := volume.get("projected"):
        yield (
            "Projected",
            [file for source in projected.get("sources") or () for file in _files_of_source(source)],
        )


def _items(source: Json, description: str = "") -> list[ProjectedFile]:
    return [
        ProjectedFile(item.get("path", "").rstrip("/"), description) for item in source.get("items") or ()
    ]


def _files_of_source(source: Json) -> list[ProjectedFile]:
    for member, noun in (("configMap", "ConfigMap"), ("secret", "Secret")):
        if (named := source.get(member)) is not None:
            return _items(named, f"{noun} {go_quote(named.get('name', ''))}")
    if (downward := source.get("downwardAPI")) is not None:
        return _items(downward, "DownwardAPI")
    if (token := source.get("serviceAccountToken")) is not None:
        return [ProjectedFile(token.get("path", "").rstrip("/"), "ServiceAccountToken")]
    if (bundle := source.get("clusterTrustBundle")) is not None:
        name = bundle.get("name") or bundle.get("signerName") or ""
        return [ProjectedFile(bundle.get("path", "").rstrip("/"), f"ClusterTrustBundle {go_quote(name)}")]
    certificate = source.get("podCertificate") or {}
    return [
        ProjectedFile(certificate[member].rstrip("/"), f"PodCertificate {noun}")
        for member, noun in CERTIFICATE.items()
        if certificate.get(member)
    ]


CERTIFICATE = {
    "certificateChainPath": "chain",
    "keyPath": "key",
    "credentialBundlePath": "credential bundle",
}


def _collisions(files: list[ProjectedFile]) -> Iterator[str]:
    for number, file in enumerate(files):
        for other in files[:number]:
            if file.path and other.path and _collide(f"{file.path}/", f"{other.path}/"):
                yield f"{file} with {other}"


def _collide(folder: str, other: str) -> bool:
    return folder.startswith(other) or other.startswith(folder)
