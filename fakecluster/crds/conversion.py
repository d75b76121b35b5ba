"""How a definition converts between its versions (FK-251, FK-330)."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from urllib.parse import urlsplit

from ..api.converter import Convert, Converter
from ..base.json_types import Json
from ..meta.client_config import client_config_errors
from ..schema import fields
from ..schema.fields import FieldError
from .ca_bundle import authority_of, authority_problem, has_wrong_authority
from .lifecycle import is_true
from .naming import label_problems

CONVERSION_PATH = "spec.conversion"
CLIENT_CONFIG_PATH = f"{CONVERSION_PATH}.webhookClientConfig"
REVIEWS = f"{CONVERSION_PATH}.conversionReviewVersions"
KNOWN_REVIEWS = ("v1", "v1beta1")


def converter_of(crd: Json, since: int, local: Convert | None = None) -> Converter | None:
    """Return the webhook that a definition has since a revision; None when only apiVersion changes.

    `local` is a function of this process that stands for it.
    """
    conversion = crd["spec"].get("conversion") or {}
    generation = crd["metadata"].get("generation", 0)
    # A converter of this process takes the place of whatever the definition says.
    if local is not None:
        return Converter(url="", local=local, reviews="v1", generation=generation, since=since)
    if conversion.get("strategy") != "Webhook":
        return None
    webhook = conversion["webhook"]
    client, reviews = webhook["clientConfig"], webhook["conversionReviewVersions"]
    authority = b64decode(client.get("caBundle") or "").strip()
    service = client.get("service")
    url = client["url"] if service is None else _service_url(service)
    # The client's own timeout, which the webhook is told on the URL.
    return Converter(
        url=f"{url}?timeout=30s",
        service=None if service is None else (service["namespace"], service["name"], service["port"]),
        ca=authority or None,
        # The first version that both know; the order is the definition's preference.
        reviews=next(version for version in reviews if version in KNOWN_REVIEWS),
        generation=generation,
        since=since,
    )


def _service_url(service: Json) -> str:
    path = service.get("path") or "/"
    return f"https://{service['name']}.{service['namespace']}.svc:{service['port']}{path}"


def errors(spec: Json) -> Iterator[FieldError]:
    """Return the errors of `spec.conversion`."""
    conversion = spec.get("conversion") or {}
    strategy, webhook = conversion.get("strategy") or "", conversion.get("webhook") or {}
    if strategy != "None" and spec.get("preserveUnknownFields"):
        yield fields.invalid(
            f"{CONVERSION_PATH}.strategy", strategy, "must be None if spec.preserveUnknownFields is true"
        )
    if not strategy:
        yield fields.required(f"{CONVERSION_PATH}.strategy")
    elif strategy not in {"None", "Webhook"}:
        yield fields.not_supported(f"{CONVERSION_PATH}.strategy", strategy, ["None", "Webhook"])
    client, reviews = webhook.get("clientConfig"), webhook.get("conversionReviewVersions")
    if strategy == "Webhook":
        yield from _client(client)
        yield from _reviews(reviews or [])
        return
    # Both are shown at the v1beta1 names of the internal type, which differ from those of v1.
    for path, is_set in ((CLIENT_CONFIG_PATH, client is not None), (REVIEWS, bool(reviews))):
        if is_set:
            yield fields.forbidden(path, "should not be set when strategy is not set to Webhook")


def authority_errors(new: Json, old: Json) -> Iterator[FieldError]:
    """Return the errors of the authority of an established definition, unless it had a wrong one."""
    bundle, conversion = authority_of(new), new["spec"].get("conversion") or {}
    if not bundle or conversion.get("strategy") != "Webhook":
        return
    # An invalid bundle is permitted until the definition is established, and where the stored one is invalid
    # already.
    if not is_true(old, "Established") or has_wrong_authority(old):
        return
    if problem := authority_problem(bundle):
        yield fields.invalid(f"{CLIENT_CONFIG_PATH}.caBundle", bundle, problem)


def _client(client: Json) -> Iterator[FieldError]:
    if client is None:
        yield fields.required(CLIENT_CONFIG_PATH, "required when strategy is set to Webhook")
    else:
        yield from client_config_errors(client, CLIENT_CONFIG_PATH)


def _reviews(reviews: list[str]) -> Iterator[FieldError]:
    if not reviews:
        yield fields.required(REVIEWS)
        return
    uids: set[str] = set()
    for i, version in enumerate(reviews):
        if version in uids:
            yield fields.invalid(f"{REVIEWS}[{i}]", version, "duplicate version")
        elif problem := label_problems(version):
            yield fields.invalid(f"{REVIEWS}[{i}]", version, problem)
        uids.add(version)
    # Unknown ones are allowed beside them, so that a webhook can be ahead of the server.
    if not uids & set(KNOWN_REVIEWS):
        yield fields.invalid(REVIEWS, reviews, "must include at least one of v1, v1beta1")


def is_absolute_url(text: str) -> bool:
    """Whether a text is a URL with scheme and host."""
    url = urlsplit(text)
    return bool(url.scheme and url.netloc)
