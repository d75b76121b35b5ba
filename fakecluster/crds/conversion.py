"""How a definition converts between its versions (FK-251, FK-330)."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from urllib.parse import urlsplit

from ..api.converter import Convert, Converter
from ..base.json_types import Json
from ..meta import servicepath
from ..schema import fields
from ..schema.fields import FieldError
from .naming import label_problems

PATH = "spec.conversion"
CLIENT = f"{PATH}.webhookClientConfig"
REVIEWS = f"{PATH}.conversionReviewVersions"
KNOWN_REVIEWS = ("v1", "v1beta1")
URL_HINT = "desired format: https://host[/path]"


def converter_of(crd: Json, since: int, local: Convert | None = None) -> Converter | None:
    """Return the webhook that a definition has since a revision; None when only apiVersion changes.

    `local` is a function of this process that stands for it.
    """
    conversion = crd["spec"].get("conversion") or {}
    generation = crd["metadata"].get("generation", 0)
    if local is not None:
        return Converter(url="", local=local, reviews="v1", generation=generation, since=since)
    if conversion.get("strategy") != "Webhook":
        return None
    webhook = conversion["webhook"]
    client, reviews = webhook["clientConfig"], webhook["conversionReviewVersions"]
    authority = b64decode(client.get("caBundle") or "").strip()
    service = client.get("service")
    url = client["url"] if service is None else _service_url(service)
    return Converter(
        url=f"{url}?timeout=30s",
        service=None if service is None else (service["namespace"], service["name"], service["port"]),
        ca=authority or None,
        reviews=next(version for version in reviews if version in KNOWN_REVIEWS),
        generation=generation,
        since=since,
    )


def _service_url(service: Json) -> str:
    path = service.get("path") or "/"
    return f"https://{service['name']}.{service['namespace']}.svc:{service['port']}{path}"


def errors(conversion: Json) -> Iterator[FieldError]:
    """Return the errors of `spec.conversion`."""
    strategy, webhook = conversion.get("strategy") or "", conversion.get("webhook") or {}
    if not strategy:
        yield fields.required(f"{PATH}.strategy")
    elif strategy not in {"None", "Webhook"}:
        yield fields.not_supported(f"{PATH}.strategy", strategy, ["None", "Webhook"])
    client, reviews = webhook.get("clientConfig"), webhook.get("conversionReviewVersions")
    if strategy == "Webhook":
        yield from _client(client)
        yield from _reviews(reviews or [])
        return
    for path, given in ((CLIENT, client), (REVIEWS, reviews)):
        if given:
            yield fields.forbidden(path, "should not be set when strategy is not set to Webhook")


def _client(client: Json) -> Iterator[FieldError]:
    if client is None:
        yield fields.required(CLIENT, "required when strategy is set to Webhook")
        return
    url, service = client.get("url"), client.get("service")
    if (url is None) == (service is None):
        yield fields.required(CLIENT, "exactly one of url or service is required")
    elif url is not None:
        yield from _url(url)
    else:
        yield from _service(service)


def _url(url: str) -> Iterator[FieldError]:
    path = f"{CLIENT}.url"
    parts = urlsplit(url)
    if parts.scheme != "https":
        yield fields.invalid(path, parts.scheme, f"'https' is the only allowed URL scheme; {URL_HINT}")
    if not parts.netloc:
        yield fields.invalid(path, "", f"host must be specified; {URL_HINT}")
    if parts.username is not None:
        yield fields.invalid(
            path, parts.netloc.rpartition("@")[0], "user information is not permitted in the URL"
        )
    if parts.fragment:
        yield fields.invalid(path, parts.fragment, "fragments are not permitted in the URL")
    if parts.query:
        yield fields.invalid(path, parts.query, "query parameters are not permitted in the URL")


def _service(service: Json) -> Iterator[FieldError]:
    # The real server mixes the two up: a missing namespace is reported at the name.
    for field, blamed in (("namespace", "name"), ("name", "namespace")):
        if not service.get(field):
            yield fields.required(f"{CLIENT}.service.{blamed}")
    port = service.get("port", 443)
    if not 1 <= port <= 65535:
        yield fields.invalid(
            f"{CLIENT}.service.port", port, "port is not valid: must be between 1 and 65535, inclusive"
        )
    yield from servicepath.problems(service.get("path") or "/", f"{CLIENT}.service.path")


def _reviews(reviews: list[str]) -> Iterator[FieldError]:
    if not reviews:
        yield fields.required(REVIEWS)
        return
    seen: set[str] = set()
    for i, version in enumerate(reviews):
        if version in seen:
            yield fields.invalid(f"{REVIEWS}[{i}]", version, "duplicate version")
        elif problem := label_problems(version):
            yield fields.invalid(f"{REVIEWS}[{i}]", version, problem)
        seen.add(version)
    if not seen & set(KNOWN_REVIEWS):
        yield fields.invalid(REVIEWS, reviews, "must include at least one of v1, v1beta1")


def is_absolute_url(text: str) -> bool:
    """Whether a text is a URL with scheme and host."""
    parts = urlsplit(text)
    return bool(parts.scheme and parts.netloc)
