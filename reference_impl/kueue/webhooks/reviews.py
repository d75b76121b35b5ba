"""Reviews in, answers out: AdmissionReview and ConversionReview
as pure functions (AC-003, AC-005, C-11, C-12).
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field, replace
from typing import Final

import orjson

from ...api.conversion import ConversionError, convert
from ...api.gotypes import DecodeError, rewritten
from ...api.kinds import GROUP
from ...api.known_releases import version_of
from ...api.resource import Json
from ...api.typed import kind_of
from .defaults import DefaultingSettings
from .hooks import Hook
from .patching import additions
from .problems import aggregate
from .writes import ReviewedWrite, problems

ADMISSION: Final = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}
CONVERSION: Final = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview"}


class ReviewError(ValueError):
    """A body that is no review; the text says what was expected."""


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Answers reviews as one dialect of Kueue does."""

    dialect: str
    settings: DefaultingSettings = field(default_factory=DefaultingSettings)

    def __post_init__(self) -> None:
        features = replace(self.settings.features, version=version_of(self.dialect))
        # A frozen dataclass: feature gates have the defaults of the dialect.
        object.__setattr__(self, "settings", replace(self.settings, features=features))

    def mutate(self, hook: Hook, review: Json) -> Json:
        """Return the patch that fills in defaults."""
        request = _object_of(_request(review, ADMISSION))
        try:
            read = self._read(hook, request["object"])
        except DecodeError as error:
            return _admission(request, _refuse(400, str(error)))
        assert hook.default is not None
        filled = hook.default(read, self.settings)
        # The webhook of a Go program patches from the object as it was sent: fields
        # that its types lack stay.
        patch = [] if filled == read else list(additions(request["object"], filled))
        return _admission(request, {"allowed": True, **_patch(patch)})

    def validate(self, hook: Hook, review: Json) -> Json:
        """Return whether the write may be."""
        request = _object_of(_request(review, ADMISSION))
        try:
            new = self._read(hook, request["object"])
            old = self._read(hook, request["oldObject"]) if request.get("oldObject") else None
        except DecodeError as error:
            return _admission(request, _refuse(400, str(error)))
        features, longest = self.settings.features, self.settings.max_timeout_seconds
        write = ReviewedWrite(new, old, request["object"], features, longest)
        wrong = problems(hook.rules, write, version_of(self.dialect))
        if wrong:
            return _admission(request, _refuse(403, aggregate(wrong), "Forbidden"))
        return _admission(request, {"allowed": True})

    def convert(self, review: Json) -> Json:
        """Return every object of the review in the version that is wanted, or why that is not possible."""
        request = _request(review, CONVERSION)
        objects = request.get("objects")
        if not isinstance(objects, list) or not all(map(_is_typed, objects)):
            raise ReviewError("expected ConversionReview.request.objects, each with an apiVersion and a kind")
        if not isinstance(request.get("desiredAPIVersion"), str):
            raise ReviewError("expected ConversionReview.request.desiredAPIVersion")
        try:
            new = [convert(obj, request["desiredAPIVersion"], self.dialect) for obj in objects]
        except (DecodeError, ConversionError) as error:
            answer: Json = {"result": {"status": "Failure", "message": str(error)}}
        else:
            answer = {"result": {"status": "Success"}, "convertedObjects": new}
        # The API server demands the uid of its question, also with a failure.
        return {**CONVERSION, "response": {"uid": request["uid"], **answer}}

    def _read(self, hook: Hook, obj: Json) -> Json:
        """Return an object as Go reads it; types that are not Kueue's are taken as the
        API server made them.
        """
        if hook.resource.group != GROUP:
            return obj
        return rewritten(kind_of(hook.resource.kind, self.dialect, hook.resource.version), obj)


def _request(review: Json, objects: Json) -> Json:
    """Return the request of a review; raises ReviewError."""
    if not isinstance(review, dict) or any(review.get(name) != value for name, value in objects.items()):
        raise ReviewError(f"expected a body of kind {objects['kind']} of {objects['apiVersion']}")
    request = review.get("request")
    if not isinstance(request, dict) or not isinstance(request.get("uid"), str):
        raise ReviewError(f"expected {objects['kind']}.request with a uid")
    return request


def _object_of(request: Json) -> Json:
    """Return a request whose objects can be looked at; raises ReviewError."""
    old = request.get("oldObject")
    if not _has_metadata(request.get("object")) or not (old is None or _has_metadata(old)):
        raise ReviewError("expected AdmissionReview.request.object with metadata")
    return request


def _has_metadata(obj: Json) -> bool:
    return isinstance(obj, dict) and isinstance(obj.get("metadata"), dict)


def _is_typed(obj: Json) -> bool:
    return isinstance(obj, dict) and all(isinstance(obj.get(name), str) for name in ("apiVersion", "kind"))


def _admission(request: Json, answer: Json) -> Json:
    return {**ADMISSION, "response": {"uid": request["uid"], **answer}}


def _refuse(code: int, message: str, reason: str = "") -> Json:
    status = {"message": message, "code": code, **({"reason": reason} if reason else {})}
    return {"allowed": False, "status": status}


def _patch(patch: list[Json]) -> Json:
    # Without a patch the answer must not name a patchType: the API server refuses it.
    if not patch:
        return {}
    # Go marshals a []byte as base64.
    return {"patchType": "JSONPatch", "patch": base64.b64encode(orjson.dumps(patch)).decode()}
