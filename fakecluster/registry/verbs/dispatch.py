"""Which function answers which verb."""

from __future__ import annotations

from collections.abc import Mapping

from ..action import Verb
from . import scale
from .deletions import deleting
from .patches import patching
from .reads import reading, watching
from .writes import creating, updating

VERBS: Mapping[str, Verb] = {
    "get": reading.get,
    "list": reading.list_,
    "watch": watching.watch,
    "create": creating.create,
    "update": updating.update,
    "patch": patching.patch,
    "delete": deleting.delete,
    "deletecollection": deleting.delete_collection,
}
SUBRESOURCES: Mapping[tuple[str, str], Verb] = {
    ("status", "get"): reading.get,
    ("status", "update"): updating.update,
    ("status", "patch"): patching.patch,
    ("finalize", "update"): updating.update,
    ("scale", "get"): scale.get,
    ("scale", "update"): scale.update,
    ("scale", "patch"): scale.patch,
}
