"""The API surface of a release of Kueue:
its versions and the metadata of its lists (VIS-D01, VIS-D04, VIS-210).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from ...api.releases import version_text

Release = tuple[int, ...]
NEVER: Final[Release] = (999,)


@dataclass(frozen=True, slots=True)
class ServedVersion:
    """A version of the API group, served from a release on and before another one."""

    version: str
    since: Release
    until: Release = NEVER


VERSIONS: Final = (
    ServedVersion("v1beta2", (0, 15)),
    ServedVersion("v1beta1", (0, 9), (0, 20, 0)),
    ServedVersion("v1alpha1", (0, 6), (0, 10)),
)
"""The preferred version first (VIS-D01, KV-31)."""
# Before, apimachinery wrote a null creationTimestamp into the metadata of a list
# (VIS-210).
EMPTY_METADATA_SINCE: Final[Release] = (0, 14)


@dataclass(frozen=True, slots=True)
class ApiSurface:
    """The versions that are served, the preferred one first, and what every list carries as its metadata."""

    versions: tuple[str, ...]
    metadata: Mapping[str, Any]
    release: str

    @classmethod
    def of(cls, release: Release) -> ApiSurface:
        """Return the API of a release of Kueue, at least 0.6."""
        versions = tuple(version.version for version in VERSIONS if version.since <= release < version.until)
        metadata = {} if release >= EMPTY_METADATA_SINCE else {"creationTimestamp": None}
        return cls(versions, MappingProxyType(metadata), f"v{version_text(release)}")

    @property
    def preferred_version(self) -> str:
        """Return the version that clients shall use, in which the server thinks."""
        return self.versions[0]
