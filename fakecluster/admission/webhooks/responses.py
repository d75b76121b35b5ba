"""What a webhook's answer is worth: allowed, changed, refused, or no answer at all (FK-307, FK-313)."""

from __future__ import annotations

import base64
import string
from collections.abc import Mapping
from typing import NoReturn

from msgspec import Struct, field

from ...api.outcome import CallResult
from ...base.json_types import Json
from ...codec import bodies, call_results
from ...gotypes import review_responses
from ...schema.fields import go_quote
from .failures import CallFailed
from .hooks import Hook
from .reviews import GROUP

BASE64 = frozenset(string.ascii_letters + string.digits + "+/=")


class AdmissionResponse(Struct, frozen=True, kw_only=True):
    """A valid answer; `patch` is empty when nothing is to be changed."""

    allowed: bool
    status: Json
    patch: bytes = b""
    patch_type: str = ""
    warnings: tuple[str, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)


def of(hook: Hook, uid: str, result: CallResult, *, mutating: bool) -> AdmissionResponse:
    """Return what a webhook answered. Raises CallFailed when that is no answer."""
    try:
        tree = call_results.decode_response(result)
        response = _response(hook, tree)
    except call_results.UnusableResponse as error:
        raise CallFailed(f"failed to call webhook: {error}") from error
    _check(hook, tree, response, uid, mutating=mutating)
    return AdmissionResponse(
        allowed=bool(response.get("allowed")),
        status=response.get("status"),
        patch=_patch(response),
        patch_type=response.get("patchType") or ("JSONPatch" if hook.review == "v1beta1" else ""),
        warnings=tuple(response.get("warnings") or ()),
        annotations=response.get("auditAnnotations") or {},
    )


def _response(hook: Hook, tree: Json) -> Json:
    """Return the response in a review of the version that was asked. Raises Unanswered."""
    version, kind = tree.get("apiVersion") or "", tree.get("kind") or ""
    versions = {f"{GROUP}/v1", f"{GROUP}/v1beta1"}
    # A response without a type is read as one of the version that was asked.
    if (version or kind) and (kind != "AdmissionReview" or version not in versions):
        raise call_results.UnusableResponse(bodies.kind_not_registered(kind, version))
    if version in versions and version != f"{GROUP}/{hook.review}":
        own_version = version.rpartition("/")[2]
        raise call_results.UnusableResponse(
            f"converting ({own_version}.AdmissionReview) to ({hook.review}.AdmissionReview): unknown conversion"
        )
    response = tree.get("response")
    if response is None:
        return None
    if why := review_responses.problem("AdmissionReview", response, review_responses.admission(hook.review)):
        raise call_results.UnusableResponse(why)
    # Decoded here once, so that a wrong base64 is a failed call as in Go's decoder.
    _patch(response)
    return response


def _patch(response: Json) -> bytes:
    text = response.get("patch") or ""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        # Go's decoder reports where it stopped.
        good = next((at for at, char in enumerate(text) if char not in BASE64), len(text))
        raise call_results.UnusableResponse(f"illegal base64 data at input byte {good}") from error


def _check(hook: Hook, tree: Json, response: Json, uid: str, *, mutating: bool) -> None:
    """Raise CallFailed for an answer that breaks the rules; those of v1beta1 are few."""
    if response is None:
        _invalid("webhook response was absent")
    # v1beta1 needs neither uid nor type in a response.
    if hook.review != "v1":
        return
    response_uid = response.get("uid") or ""
    if response_uid != uid:
        _invalid(f"expected response.uid={go_quote(uid)}, got {go_quote(response_uid)}")
    response_kind = _gvk(tree.get("apiVersion") or "", tree.get("kind") or "")
    if response_kind != _gvk(f"{GROUP}/v1", "AdmissionReview"):
        _invalid(
            f"expected webhook response of {_gvk(f'{GROUP}/v1', 'AdmissionReview')}, got {response_kind}"
        )
    (_check_patch if mutating else _check_no_patch)(response)


def _check_patch(response: Json) -> None:
    patch, kind = response.get("patch"), response.get("patchType")
    if patch and kind is None:
        _invalid("webhook returned response.patch but not response.patchType")
    if not patch and kind is not None:
        _invalid("webhook returned response.patchType but not response.patch")
    if kind == "":
        _invalid('webhook returned invalid response.patchType of ""')


def _check_no_patch(response: Json) -> None:
    for name in ("patch", "patchType"):
        # A patchType is a pointer in Go: an empty one is there as well.
        if response.get(name) or (name == "patchType" and response.get(name) is not None):
            _invalid(f"validating webhook may not return response.{name}")


def _invalid(why: str) -> NoReturn:
    raise CallFailed(f"received invalid webhook response: {why}")


def _gvk(api_version: str, kind: str) -> str:
    group, _, version = api_version.rpartition("/")
    return f"{group}/{version}, Kind={kind}"
