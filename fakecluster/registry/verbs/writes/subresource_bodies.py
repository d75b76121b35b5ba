"""An object of another kind that is posted to a subresource, such as a Binding or a TokenRequest: its
decoding, and the two moments of its admission.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from ....api import options, status
from ....api.admission import Review
from ....api.kind import Kind
from ....api.steps import Steps
from ....base.json_types import Json
from ...action import Action
from . import decoding, written_metadata


def receive(action: Action, kind: Kind) -> Steps[Json]:
    """Return the body of a request as an object of another kind than the path's, in the namespace of the
    path, after mutating admission, which comes before anything else is looked at.

    Raises 400, 415.
    """
    obj = yield from action.compute(decoding.decode_body, replace(action, kind=kind))
    return (yield from mutate(action, written_metadata.set_namespace(action, obj)))


def check_name(action: Action, obj: Json, noun: str) -> None:
    """Check that an object has the name on the URL. Raises 400."""
    if obj["metadata"].get("name") != action.name:
        raise status.bad_request(f"name in URL does not match name in {noun} object")


def mutate(action: Action, obj: Json) -> Steps[Json]:
    """Return a posted object after mutating admission."""
    return (yield from action.admission.mutate(action.api, _review(action, obj)))


def validate(action: Action, obj: Json) -> Steps[None]:
    """Ask validating admission about a posted object."""
    yield from action.admission.validate(action.api, _review(action, obj))


def _review(action: Action, obj: Json) -> Review:
    """Return what admission sees of an object that is posted."""
    name = action.name or obj["metadata"].get("name", "")
    return Review(
        operation="CREATE",
        verb=action.info.verb,
        kind=action.kind,
        subresource=action.info.subresource,
        namespace=action.namespace,
        name=name,
        new=obj,
        old=None,
        user=action.request.user,
        dry_run=action.options.dry_run,
        trace=action.trace,
        options=partial(options.as_object, action.request, "CreateOptions"),
    )
