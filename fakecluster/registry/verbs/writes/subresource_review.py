"""The admission review of an object that is posted to a subresource, such as a Binding or a TokenRequest."""

from __future__ import annotations

from functools import partial
from typing import Any

from ....api import options
from ....api.admission import Review
from ...action import Action

Json = Any


def review(action: Action, obj: Json) -> Review:
    """Return what admission sees of an object that is posted."""
    placed = {**obj["metadata"], "name": action.name, "namespace": action.namespace}
    return Review(
        operation="CREATE", verb=action.info.verb, kind=action.kind, subresource=action.info.subresource, namespace=action.namespace,
        name=action.name, new={**obj, "metadata": placed}, old=None, user=action.request.user,
        dry_run=action.options.dry_run, trace=action.trace, asked=partial(options.shown, action.request, "CreateOptions"),
    )  # fmt: skip
