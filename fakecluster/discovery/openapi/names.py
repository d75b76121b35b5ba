"""How OpenAPI names things: schemas by Go package or reversed domain,
groups in operation ids and tags (FK-371).
"""

from __future__ import annotations

from ...api.kind import Kind

PACKAGES = {
    "meta": "io.k8s.apimachinery.pkg.apis.meta",
    "runtime": "io.k8s.apimachinery.pkg.runtime",
    "intstr": "io.k8s.apimachinery.pkg.util.intstr",
    "version": "io.k8s.apimachinery.pkg.version",
    "apiextensions": "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
    "apiregistration": "io.k8s.kube-aggregator.pkg.apis.apiregistration",
}
QUANTITY = "resource.Quantity"
"""A message of a package without a version, beside the group of the same name."""


def public(message: str) -> str:
    """Return the name of a built-in message's schema."""
    package, _, rest = message.partition(".")
    if message == QUANTITY:
        return f"io.k8s.apimachinery.pkg.api.{QUANTITY}"
    return f"{PACKAGES.get(package, f'io.k8s.api.{package}')}.{rest}"


def schema_name(kind: Kind) -> str:
    """Return the name of a kind's schema."""
    if not kind.custom:
        return public(f"{kind.group.partition('.')[0] or 'core'}.{kind.version}.{kind.kind}")
    # As kube-openapi: the group reversed, so that names begin like Java packages.
    return ".".join([*reversed(kind.group.split(".")), kind.version, kind.kind])


def path_of(group: str, version: str) -> str:
    """Return the path of a group's version, without the leading slash."""
    return f"apis/{group}/{version}" if group else f"api/{version}"


def group_title(group: str) -> str:
    """Return a group as operation ids have it, such as `RbacAuthorization`."""
    words = group.removesuffix(".k8s.io").replace("-", ".").split(".") if group else ["core"]
    return "".join(part[:1].upper() + part[1:] for part in words)


def version_title(version: str) -> str:
    """Return a version as operation ids have it, such as `V1beta1`."""
    return version[:1].upper() + version[1:]


def tag(group: str, version: str = "") -> str:
    """Return the tag that operations of a group and version carry."""
    title = group_title(group)
    name = title[:1].lower() + title[1:]
    return f"{name}_{version}" if version else name
