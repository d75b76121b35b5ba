"""OpenAPI of paths that are no resources: the lists of groups and of resources, the version (FK-371)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from .names import group_title, path_of, tag, version_title


class Page(Struct, frozen=True, kw_only=True):
    """One path with a GET: where it is documented, its operation, the media types of its answer, and the
    message that it is, empty for a text.
    """

    document: str
    path: str
    id: str
    tag: str
    description: str
    result: str = ""
    produces: tuple[str, ...] = (
        "application/json",
        "application/yaml",
        "application/vnd.kubernetes.protobuf",
    )


FIXED_PAGES = (
    Page(
        document=".well-known/openid-configuration",
        path="/.well-known/openid-configuration/",
        tag="WellKnown",
        id="getServiceAccountIssuerOpenIDConfiguration",
        description="what the issuer of tokens says of itself",
        produces=("application/json",),
    ),
    Page(
        document="api",
        path="/api/",
        tag="core",
        id="getCoreAPIVersions",
        description="get available API versions",
        result="meta.v1.APIVersions",
    ),
    Page(
        document="apis",
        path="/apis/",
        tag="apis",
        id="getAPIVersions",
        description="get available API versions",
        result="meta.v1.APIGroupList",
    ),
    Page(
        document="openid/v1/jwks",
        path="/openid/v1/jwks/",
        tag="openid",
        id="getServiceAccountIssuerOpenIDKeyset",
        description="the public keys of the issuer of tokens",
        produces=("application/jwk-set+json",),
    ),
    Page(
        document="version",
        path="/version/",
        tag="version",
        id="getCodeVersion",
        description="get the version information for this server",
        result="version.Info",
        produces=("application/json",),
    ),
)


def pages(built_in: Mapping[str, Iterable[str]]) -> tuple[Page, ...]:
    """Return the pages of a server with these groups and their versions."""
    groups = [_group(name) for name in built_in if name]
    versions = [
        _version(name, version) for name, group_versions in built_in.items() for version in group_versions
    ]
    return (*FIXED_PAGES, *groups, *versions)


def _group(name: str) -> Page:
    return Page(
        document=f"apis/{name}",
        path=f"/apis/{name}/",
        tag=tag(name),
        id=f"get{group_title(name)}APIGroup",
        description="get information of a group",
        result="meta.v1.APIGroup",
    )


def _version(group: str, version: str) -> Page:
    path = path_of(group, version)
    return Page(
        document=path,
        path=f"/{path}/",
        tag=tag(group, version),
        description="get available resources",
        id=f"get{group_title(group)}{version_title(version)}APIResources",
        result="meta.v1.APIResourceList",
    )
