"""One webhook of a configuration, with everything about it compiled (FK-301, FK-302)."""

from __future__ import annotations

import base64
import posixpath
from collections.abc import Mapping
from typing import Self
from urllib.parse import urlsplit

from msgspec import Struct

from ...base.json_types import Json
from . import hook_rules, selectors
from .hook_rules import HookRule
from .selectors import Selector

KNOWN_REVIEWS = ("v1", "v1beta1")
PORT = 443


class ClientConfig(Struct, frozen=True, kw_only=True):
    """Where a webhook is: a URL, and the Service that the URL stands for."""

    url: str
    service: tuple[str, str, int] | None
    ca: bytes | None

    @classmethod
    def of(cls, raw: Mapping[str, Json]) -> Self:
        """Read a `clientConfig`; an undecodable bundle is
        accepted when it is written and fails when it is used.
        """
        ca = base64.b64decode(raw["caBundle"]) if raw.get("caBundle") else None
        service = raw.get("service")
        if service is None:
            url = urlsplit(raw.get("url") or "")
            return cls(url=f"{url.scheme}://{url.netloc}{_path(url.path)}", service=None, ca=ca)
        namespace, name, port = service["namespace"], service["name"], service.get("port") or PORT
        host = f"{name}.{namespace}.svc:{port}"
        # The host of a Service is its cluster-internal name, which certificates are made for.
        path = _path(service.get("path") or "")
        return cls(url=f"https://{host}{path}", service=(namespace, name, port), ca=ca)


class Hook(Struct, frozen=True, kw_only=True):
    """A webhook: when it is called, and what its answer or silence means."""

    uid: str
    configuration: str
    name: str
    client: ClientConfig
    rules: tuple[HookRule, ...]
    namespaces: Selector
    objects: Selector
    conditions: tuple[str, ...]
    review: str
    """The version of AdmissionReview that it speaks, empty when it speaks none that is known here."""
    timeout: int
    ignores_failure: bool
    exact: bool
    reinvoked: bool


def _path(text: str) -> str:
    return posixpath.normpath(f"/{text.lstrip('/')}")


def of_configuration(configuration: Json) -> tuple[Hook, ...]:
    """Return the webhooks of a configuration in order."""
    name = configuration["metadata"]["name"]
    return tuple(
        _hook(webhook, name, index) for index, webhook in enumerate(configuration.get("webhooks") or ())
    )


def _hook(raw: Json, configuration: str, index: int) -> Hook:
    versions = raw.get("admissionReviewVersions") or ()
    return Hook(
        uid=f"{configuration}/{raw['name']}/{index}",
        configuration=configuration,
        name=raw["name"],
        client=ClientConfig.of(raw["clientConfig"]),
        rules=tuple(hook_rules.of(rule) for rule in raw.get("rules") or ()),
        namespaces=selectors.of(raw.get("namespaceSelector")),
        objects=selectors.of(raw.get("objectSelector")),
        conditions=tuple(
            str(match_condition["expression"]) for match_condition in raw.get("matchConditions") or ()
        ),
        review=next((version for version in versions if version in KNOWN_REVIEWS), ""),
        timeout=raw.get("timeoutSeconds") or 10,
        ignores_failure=raw.get("failurePolicy") == "Ignore",
        exact=raw.get("matchPolicy") == "Exact",
        reinvoked=raw.get("reinvocationPolicy") == "IfNeeded",
    )
