"""Why an operation of a JSON patch does not apply, in the words of the library that the real server uses (FK-307)."""

from __future__ import annotations

import re
from typing import Any

Json = Any
MISSING = "missing value"
BAD_INDEX = "Unable to access invalid index: {}: invalid index referenced"
_INTEGER = re.compile(r"[-+]?[0-9]+")
_NO_PARENT = {
    "add": 'add operation does not apply: doc is missing path: "{}"',
    "remove": 'remove operation does not apply: doc is missing path: "{}"',
    "replace": "replace operation does not apply: doc is missing path: {}",
    "test": "test operation does not apply: is missing path: {}",
}
_NO_TARGET = "{} operation does not apply: doc is missing destination path: {}"
_NO_SOURCE = "{} operation does not apply: doc is missing from path: {}"


def told(document: Json, operation: Json) -> str:
    """Return why an operation does not apply to a document."""
    verb, path, source = operation.get("op"), operation.get("path"), operation.get("from")
    if not isinstance(verb, str):
        return "Unexpected kind: unknown"
    if verb in {"move", "copy"}:
        return _moved(document, verb, path, source)
    if verb not in _NO_PARENT:
        return f"Unexpected kind: {verb or 'unknown'}"
    if not isinstance(path, str):
        return f"{verb} operation failed to decode path: {MISSING}"
    parent, key = _found(document, path)
    if parent is None:
        return f"{_NO_PARENT[verb].format(path)}: {MISSING}"
    if verb == "test":
        return _tested(parent, key, path)
    if verb == "replace":
        return f"replace operation does not apply: doc is missing key: {path}: {MISSING}"
    return f"error in {verb} for path: '{path}': {_misfit(parent, key)}"


def _moved(document: Json, verb: str, path: Json, source: Json) -> str:
    if not isinstance(source, str):
        return f"{verb} operation failed to decode from: operation, missing from field: {MISSING}"
    parent, key = _found(document, source)
    if parent is None:
        return f"{_NO_SOURCE.format(verb, source)}: {MISSING}"
    if _absent(parent, key):
        where = f"from: '{source}'" if verb == "copy" else f"path: '{key}'"
        return f"error in {verb} for {where}: {_misfit(parent, key)}"
    if not isinstance(path, str):
        return f"{verb} operation failed to decode path: {MISSING}"
    return f"{_NO_TARGET.format(verb, path)}: {MISSING}"


def _tested(parent: Json, key: str, path: str) -> str:
    if isinstance(parent, list) and _absent(parent, key):
        return f"error in test for path: '{path}': {_misfit(parent, key)}"
    return f"testing value {path} failed: test failed"


def _misfit(parent: Json, key: str) -> str:
    """Return why a container has no such member."""
    if isinstance(parent, dict):
        return f"Unable to remove nonexistent key: {key}: {MISSING}"
    if _INTEGER.fullmatch(key):
        return BAD_INDEX.format(key)
    return f"value was not a proper array index: '{key}': strconv.Atoi: parsing \"{key}\": invalid syntax"


def _absent(parent: Json, key: str) -> bool:
    if isinstance(parent, dict):
        return key not in parent
    return not _INTEGER.fullmatch(key) or not -len(parent) <= int(key) < len(parent)


def _found(document: Json, path: str) -> tuple[Json, str]:
    """Return the container that a path leads to, None when there is none, and the last step."""
    *steps, key = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]] or [""]
    for step in steps:
        document = (
            None if _missing(document, step) else document[step if isinstance(document, dict) else int(step)]
        )
    return (document if isinstance(document, dict | list) else None), key


def _missing(document: Json, step: str) -> bool:
    return not isinstance(document, dict | list) or _absent(document, step)
