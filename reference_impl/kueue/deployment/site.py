"""Where and how the reference is to run, and the names of what belongs to it there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ... import __version__
from ...api.known_releases import DEFAULT
from ...api.resource import Json, Resource

NAME: Final = "kueue-reference"
NAMESPACE: Final = "kueue-system"
IMAGE: Final = f"{NAME}:{__version__}"
LABELS: Final = {"app.kubernetes.io/name": NAME}
LABEL: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


class SiteError(ValueError):
    """A site that no cluster can have; the text names the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One way to run the reference in a cluster."""

    namespace: str = NAMESPACE
    image: str = IMAGE
    replicas: int = 2
    dialect: str = DEFAULT
    without_defects: bool = False
    feature_gates: str = ""
    """Feature gates that are set, as `A=true,B=false`."""
    visibility_apf: bool = False
    """With what limits the requests for pending Workloads."""
    alpha_apis: bool = False
    """With the kinds of v1alpha1 (KV-63)."""
    requests_of: str = "ca"
    """The vendor of the ProvisioningRequest definition among the objects; empty: there is none."""

    def __post_init__(self) -> None:
        if not LABEL.fullmatch(self.namespace):
            raise SiteError(
                f"namespace {self.namespace!r}: expected lower case letters, digits and '-', for example {NAMESPACE}"
            )
        if not self.image or self.image.split() != [self.image]:
            raise SiteError(f"image {self.image!r}: expected the name of an image, for example {IMAGE}")


def make_object(resource: Resource, name: str, namespace: str = "", **rest: Json) -> Json:
    """Return an object that belongs to the reference."""
    where = {"namespace": namespace} if namespace else {}
    return {
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": {"name": name, **where, "labels": dict(LABELS)},
        **rest,
    }
