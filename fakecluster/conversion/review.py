"""ConversionReview: what a webhook is asked, and what its answer is worth (FK-330, FK-331, FK-332)."""

from __future__ import annotations

from ..api.converter import ConversionFailed, NeedsConversion
from ..api.outcome import Call, CallResult
from ..api.service_address import ServiceResolver, ServiceUnreachableError
from ..base.json_types import Json
from ..codec import bodies
from ..codec.call_results import REVIEW_LIMIT, UnusableResponse, decode_response
from ..gotypes import review_responses
from ..meta import objectmeta
from ..patch.golang import type_name
from ..patch.json import nesting
from ..store import encode

GROUP = "apiextensions.k8s.io"
REVIEW = "ConversionReview"
VERSIONS = ("v1", "v1beta1")
TIMEOUT_SECONDS = 30.0
HEADERS = {
    "User-Agent": "kube-apiserver-admission",
    "Accept": "application/json, */*",
    "Content-Type": "application/json",
}
MUTABLE_METADATA = ("labels", "annotations")
"""What of the metadata a webhook may change."""


def call(needed: NeedsConversion, services: ServiceResolver) -> Call:
    """Return the request for a conversion."""
    converter, unreachable, address = needed.converter, "", None
    try:
        address = services.address(*converter.service) if converter.service else None
    except ServiceUnreachableError as error:
        unreachable = str(error)
    body = encode(
        {
            "apiVersion": f"{GROUP}/{converter.reviews}",
            "kind": REVIEW,
            "request": {
                "uid": _uid(needed),
                "desiredAPIVersion": needed.version,
                "objects": [request.obj for request in needed.inputs],
            },
        }
    )
    return Call(
        method="POST",
        url=converter.url,
        headers=HEADERS,
        body=body,
        timeout=TIMEOUT_SECONDS,
        ca=converter.ca,
        address=address,
        unreachable=unreachable,
        longest=REVIEW_LIMIT,
    )


def learn(needed: NeedsConversion, result: CallResult) -> None:
    """Keep what the webhook made of the objects, each beside the revision it belongs to.

    Raises ConversionFailed.
    """
    keep(needed, _objects(needed, result))


def keep(needed: NeedsConversion, converted: list[Json]) -> None:
    """Keep converted objects. Raises ConversionFailed when one of them is not what was asked for."""
    for request, result in zip(needed.inputs, converted, strict=True):
        request.stored.cache[needed.converter, needed.version] = _check_converted(needed, request.obj, result)


def about(needed: NeedsConversion) -> str:
    """Name the kind that is asked for."""
    return _gvk(needed.version, needed.inputs[0].obj["kind"])


def conversion_failure(needed: NeedsConversion, why: str) -> ConversionFailed:
    """Word a conversion that did not happen."""
    return ConversionFailed(f"{_about(needed)} failed: {why}")


def _uid(needed: NeedsConversion) -> str:
    """Name a request by what it asks, so that runs repeat."""
    objects_key = "".join(f"{request.stored.uid}@{request.stored.revision}" for request in needed.inputs)
    import uuid  # loaded late: few clusters convert

    # Not random: the same objects give the same request, and a recorded run can be compared with another.
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{needed.converter.url} {needed.version} {objects_key}"))


def _objects(needed: NeedsConversion, result: CallResult) -> list[Json]:
    """Return the objects of an answer that converts as many as it was asked for."""
    try:
        objects = _converted_objects(needed, decode_response(result))
    except (UnusableResponse, ConversionFailed) as error:
        raise conversion_failure(needed, str(error)) from error
    if len(objects) != len(needed.inputs):
        text = f"{_about(needed)} returned {len(objects)} objects, expected {len(needed.inputs)}"
        raise ConversionFailed(text)
    return objects


def _converted_objects(needed: NeedsConversion, review: Json) -> list[Json]:
    _check_review(needed.converter.reviews, review.get("apiVersion") or "", review.get("kind") or "")
    response = review.get("response")
    if response is None:
        raise ConversionFailed("no response provided")
    if why := review_responses.problem("ConversionReview", response, review_responses.CONVERSION):
        raise ConversionFailed(why)
    uid = response.get("uid") or ""
    # v1beta1 does not ask for the uid to be repeated.
    if needed.converter.reviews == "v1" and uid != _uid(needed):
        raise ConversionFailed(f'expected response.uid="{_uid(needed)}", got "{uid}"')
    verdict = response.get("result") or {}
    if verdict.get("status") != "Success":
        text = f"response.result.status was '{verdict.get('status') or ''}', not 'Success'"
        raise ConversionFailed(verdict.get("message") or text)
    objects: list[Json] = response.get("convertedObjects") or []
    return objects


def _check_review(expected_version: str, api_version: str, kind: str) -> None:
    version = api_version.removeprefix(f"{GROUP}/")
    if kind != REVIEW or version not in VERSIONS:
        raise ConversionFailed(bodies.kind_not_registered(kind, api_version))
    if version != expected_version:
        raise ConversionFailed(
            f"converting ({version}.{REVIEW}) to ({expected_version}.{REVIEW}): unknown conversion"
        )


def _check_converted(needed: NeedsConversion, original: Json, converted: Json) -> Json:
    """Return a converted object with the metadata it had before, but for labels and annotations."""
    if converted is None:
        raise ConversionFailed("unexpected end of JSON input")
    if not isinstance(converted, dict):
        json_type = review_responses.JSON_TYPE_NAMES[type(converted)]
        raise ConversionFailed(
            f"json: cannot unmarshal {json_type} into Go value of type map[string]interface {{}}"
        )
    if nesting.too_deep(converted):
        raise conversion_failure(needed, "exceeded max depth")
    if not isinstance(converted.get("kind"), str) or not converted["kind"]:
        raise ConversionFailed(f"Object 'Kind' is missing in '{encode(converted).decode()}'")
    if problem := _header_problem(needed.version, original, converted):
        raise ConversionFailed(f"{_about(needed)} returned invalid object at index 0: {problem}")
    if problem := _identity_problem(original, converted):
        raise ConversionFailed(f"{_about(needed)} returned invalid object: {problem}")
    try:
        return {**converted, "metadata": _metadata(original["metadata"], converted)}
    except ConversionFailed as error:
        raise ConversionFailed(f"{_about(needed)} returned invalid metadata: {error}") from error


def _header_problem(version: str, original: Json, converted: Json) -> str:
    api_version = _text(converted.get("apiVersion"))
    if api_version != version:
        return f"invalid groupVersion (expected {version}, received {api_version})"
    if converted["kind"] != original["kind"]:
        return f"invalid kind (expected {original['kind']}, received {converted['kind']})"
    return ""


def _identity_problem(original: Json, converted: Json) -> str:
    after = converted.get("metadata")
    after = after if isinstance(after, dict) else {}
    for member, word in (("name", "name"), ("namespace", "namespace"), ("uid", "UID")):
        expected, got = original["metadata"].get(member) or "", _text(after.get(member))
        if expected != got:
            return f"must have the same {word}: {expected} != {got}"
    return ""


def _text(value: Json) -> str:
    """Return a text; anything else counts as none."""
    return value if isinstance(value, str) else ""


def _metadata(before: Json, converted: Json) -> Json:
    if "metadata" not in converted:
        raise ConversionFailed("missing metadata in converted object")
    after = converted["metadata"]
    if not isinstance(after, dict):
        raise ConversionFailed(f"invalid metadata of type {type_name(after)} in converted object")
    # A webhook that changes other metadata is not refused; the change is dropped.
    unchanged = {name: value for name, value in before.items() if name not in MUTABLE_METADATA}
    changed = {name: after[name] for name in MUTABLE_METADATA if after.get(name) is not None}
    for name, value in changed.items():
        _check_mutable_member(name, value, before.get(name))
    return {**unchanged, **changed}


def _check_mutable_member(name: str, value: Json, before: Json) -> None:
    if not isinstance(value, dict):
        raise ConversionFailed(f"invalid metadata.{name} of type {type_name(value)} in converted object")
    for key, member in value.items():
        if not isinstance(member, str):
            text = f"metadata.{name}[{key}] must be a string, but is {type_name(member)} in converted object"
            raise ConversionFailed(text)
    errors = [str(error) for error in objectmeta.map_errors(name, value)] if value != (before or {}) else []
    if errors:
        # The real server names annotations by the singular here.
        messages = [
            text.replace("metadata.annotations", "metadata.annotation", 1) for text in dict.fromkeys(errors)
        ]
        raise ConversionFailed(messages[0] if len(messages) == 1 else f"[{', '.join(messages)}]")


def _about(needed: NeedsConversion) -> str:
    first = needed.inputs[0].obj
    return f"conversion webhook for {_gvk(first['apiVersion'], first['kind'])}"


def _gvk(api_version: str, kind: str) -> str:
    group, _, version = api_version.rpartition("/")
    return f"{group}/{version}, Kind={kind}"
