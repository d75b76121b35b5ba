"""JSON patch (RFC 6902) with the deviations of the real server (FK-161…163).

`replace` of a missing member adds it, `test` of a missing member against null passes, a negative index counts from the end,
and whatever stands before the first slash of a path is ignored. Objects on the way of an operation come out with sorted
members, as the server's messages show them.
"""

from __future__ import annotations

import re
from typing import Any

import jsonpointer

Json = Any
LIMIT = 10_000
_INTEGER = re.compile(r"[-+]?[0-9]+")
_LONE_TILDE = re.compile(r"~(?![01])")
_MISFITS = (TypeError, IndexError, KeyError, AttributeError, ValueError)
"""What the library lets through from operations on the wrong type of value."""
_FIELDS = frozenset({"op", "path", "from", "value"})


class TooManyOperations(Exception):
    """The patch has more operations than are allowed (FK-163); the text is the server's."""

    def __init__(self, count: int) -> None:
        super().__init__(f"The allowed maximum operations in a JSON patch is {LIMIT}, got {count}")


GROWING = frozenset({"add", "copy", "move"})


class NotApplicable(Exception):
    """An operation does not fit the document: a missing path, a failed test, an unknown operation."""


def apply(document: Json, operations: list[Json]) -> Json:
    """Return the document after the operations. Raises TooManyOperations or NotApplicable; the document stays as it is."""
    if len(operations) > LIMIT:
        raise TooManyOperations(len(operations))
    for operation in operations:
        document = _step(document, operation)
        for path in (operation.get("path"), operation.get("from")):
            document = _sorted_along(document, path.split("/")[1:-1]) if isinstance(path, str) else document
    return document


def unknown_fields(operations: list[Json]) -> list[str]:
    """Return the paths of members that no operation knows, as strict decoding reports them."""
    return [
        f"[{index}].{name}" for index, one in enumerate(operations) for name in one if name not in _FIELDS
    ]


def _step(document: Json, operation: Json) -> Json:
    if (operation.get("op"), operation.get("path")) == ("replace", ""):
        return _whole(operation)
    ready = _normal(document, operation)
    if ready is None:
        return document
    import jsonpatch  # few patches are JSON patches

    try:
        changed = jsonpatch.JsonPatch([ready]).apply(document)
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException, *_MISFITS) as error:
        raise NotApplicable(f"{operation}: {error}") from error
    if not isinstance(changed, dict | list):
        raise NotApplicable(f"{operation}: leaves no document")
    return changed


def _whole(operation: Json) -> Json:
    """Return the document that an operation puts in the place of another one."""
    if not isinstance(operation.get("value"), dict | list):
        raise NotApplicable(f"{operation}: leaves no document")
    return operation["value"]


def _normal(document: Json, operation: Json) -> Json | None:
    """Return the operation as the library understands it; None when there is nothing to do."""
    verb = operation.get("op")
    if not isinstance(verb, str):
        raise NotApplicable(f"{operation}: op is no text")
    origin = operation.get("from", None if verb in {"copy", "move"} else "/")
    path = operation.get("path")
    if not path or not isinstance(path, str) or not isinstance(origin, str) or not origin:
        raise NotApplicable(f"{operation}: path or from is missing")
    ready = {**operation, "path": _pointer(document, operation["path"], growing=verb in GROWING)}
    if isinstance(operation.get("from"), str):
        ready["from"] = _pointer(document, operation["from"])
    if verb in {"add", "replace", "test"}:
        ready.setdefault("value", None)
    if verb == "replace" and isinstance(_parent(document, ready["path"]), dict):
        ready["op"] = "add"
    if verb == "copy" and _missing(document, ready.get("from", "")):
        return {"op": "add", "path": ready["path"], "value": None}
    if verb == "test" and ready["value"] is None and _missing(document, ready["path"]):
        return None
    if verb == "test" and not _same_number(
        jsonpointer.resolve_pointer(document, ready["path"], None), ready["value"]
    ):
        raise NotApplicable(f"{operation}: another number")
    return ready


def _same_number(found: Json, wanted: Json) -> bool:
    """Tell whether two values are written alike where both are numbers: 5.0 is not 5 (FK-161)."""
    return not (isinstance(found, int | float) and isinstance(wanted, int | float)) or repr(found) == repr(
        wanted
    )


def _pointer(document: Json, path: str, *, growing: bool = False) -> str:
    """Return the path as the library reads it: without its first part, indices plain, lone tildes escaped."""
    raw = path.split("/")[1:]
    parts: list[str] = []
    node = document
    for place, part in enumerate(raw):
        last = place == len(raw) - 1
        name = _index(node, part, growing=growing and last) if isinstance(node, list) else _escaped(part)
        parts.append(name)
        node = _child(node, name)
    return "".join(f"/{part}" for part in parts)


def _child(node: Json, part: str) -> Json:
    if isinstance(node, list):
        return node[int(part)] if part.isdigit() and int(part) < len(node) else None
    return node.get(_unescaped(part)) if isinstance(node, dict) else None


def _index(items: list[Json], part: str, *, growing: bool) -> str:
    """Return an index counted from the start; what is added may stand behind the last item."""
    if not _INTEGER.fullmatch(part):
        return part
    number = int(part)
    return str(number if number >= 0 else len(items) + number + growing)


def _escaped(part: str) -> str:
    return _LONE_TILDE.sub("~0", part)


def _sorted_along(node: Json, parts: list[str]) -> Json:
    """Return the node with the members of every object on the way sorted."""
    if isinstance(node, list):
        at = int(parts[0]) if parts and parts[0].lstrip("-").isdigit() else len(node)
        return [
            _sorted_along(item, parts[1:]) if place == at % max(len(node), 1) else item
            for place, item in enumerate(node)
        ]
    if not isinstance(node, dict):
        return node
    step = _unescaped(parts[0]) if parts else None
    return {
        name: _sorted_along(node[name], parts[1:]) if name == step else node[name] for name in sorted(node)
    }


def _unescaped(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")


def _parent(document: Json, path: str) -> Json:
    above, _, _ = path.rpartition("/")
    return jsonpointer.resolve_pointer(document, above, None) if path else None


def _missing(document: Json, path: str) -> bool:
    parent, name = _parent(document, path), _unescaped(path.rpartition("/")[2])
    return isinstance(parent, dict) and name not in parent
