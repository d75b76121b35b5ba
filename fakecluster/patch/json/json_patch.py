"""JSON patch (RFC 6902) with the deviations of the real server (FK-161…163).

`replace` of a missing member adds it, `test` of a missing member against null passes, a negative index counts
from the end, and whatever stands before the first slash of a path is ignored. Objects on the way of an
operation come out with sorted members, as the server's messages show them. An operation that fails has the
message of the library that the real server uses (FK-307); only the patches of webhooks are answered with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import orjson

from ...base.json_types import Json
from . import containers, nesting
from .containers import MISSING, Container, MissingMember
from .copy_on_write import CopyOnWrite

MAX_OPERATIONS = 10_000
COPY_LIMIT = 3 * 1024 * 1024
"""How many bytes of JSON the copies of one patch may add."""
MOVE_LIMIT = 300_000_000
"""How many items of lists the additions and removals of one patch may move: a second of work."""
_FIELDS = frozenset({"op", "path", "from", "value"})
_ESCAPED = (b"<", b">", b"&")
"""What Go writes with six bytes."""
_NO_PATH = f"operation missing path field: {MISSING}"
_NO_SOURCE = f"operation, missing from field: {MISSING}"


class PatchTooLarge(Exception):
    """The patch asks for more work than is allowed (FK-163)."""


class PatchNotApplicable(Exception):
    """An operation does not fit the document: a missing path, a failed test, an unknown operation, too much
    to copy, too many levels.
    """


def check_count(operations: list[Json]) -> None:
    """Check that a client's patch has no more operations than are allowed; the words are the server's.

    Raises PatchTooLarge.
    """
    if len(operations) > MAX_OPERATIONS:
        raise PatchTooLarge(
            f"The allowed maximum operations in a JSON patch is {MAX_OPERATIONS}, got {len(operations)}"
        )


def apply(document: Json, operations: list[Json]) -> Json:
    """Return the document after the operations.

    Raises PatchNotApplicable, PatchTooLarge; the document stays as it is.
    """
    patching = _Patching(document)
    for operation in operations:
        patching.step(operation)
    document = patching.copy.sorted_document()
    if nesting.too_deep(document):
        raise PatchNotApplicable("exceeded max depth")
    return document


def unknown_fields(operations: list[Json]) -> list[str]:
    """Return the paths of members that no operation knows, as strict decoding reports them."""
    return [
        f"[{index}].{field}"
        for index, operation in enumerate(operations)
        for field in operation
        if field not in _FIELDS
    ]


class _Patching:
    """A patch under way: the draft of the document,
    the bytes that copies have added, the items that had to move.
    """

    def __init__(self, document: Json) -> None:
        self.copy = CopyOnWrite(document)
        self._copied = 0
        self._moved = 0

    def step(self, operation: Json) -> None:
        """Do one operation. Raises PatchNotApplicable, PatchTooLarge."""
        verb = operation.get("op")
        run = _VERBS.get(verb) if isinstance(verb, str) else None
        if run is None:
            raise PatchNotApplicable(
                f"Unexpected kind: {verb if isinstance(verb, str) and verb else 'unknown'}"
            )
        run(self, operation)

    def add(self, operation: Json) -> None:
        """Add a value; an item of a list is inserted."""
        path = _text(operation, "path", f"add operation failed to decode path: {MISSING}")
        parent, key = self._parent(path, f'add operation does not apply: doc is missing path: "{path}"')
        self._insert(f"error in add for path: '{path}'", parent, key, operation.get("value"))

    def remove(self, operation: Json) -> None:
        """Remove a member or an item."""
        path = _text(operation, "path", f"remove operation failed to decode path: {MISSING}")
        parent, key = self._parent(path, f'remove operation does not apply: doc is missing path: "{path}"')
        self._delete(f"error in remove for path: '{path}'", parent, key)

    def replace(self, operation: Json) -> None:
        """Replace a member, an item, or the whole document."""
        path = _text(operation, "path", f"replace operation failed to decode path: {_NO_PATH}")
        value = operation.get("value")
        if path == "":
            if not isinstance(value, dict | list):
                raise PatchNotApplicable("replace operation value must be object or array: %!w(<nil>)")
            self.copy = CopyOnWrite(value)
            return
        parent, key = self._parent(path, f"replace operation does not apply: doc is missing path: {path}")
        try:
            containers.replace(parent, key, value)
        except MissingMember as error:
            why = f"replace operation does not apply: doc is missing key: {path}: {MISSING}"
            raise PatchNotApplicable(why) from error

    def move(self, operation: Json) -> None:
        """Remove a value and add it at another path."""
        source = _text(operation, "from", f"move operation failed to decode from: {_NO_SOURCE}")
        parent, key = self._parent(
            source, f"move operation does not apply: doc is missing from path: {source}"
        )
        where = f"error in move for path: '{key}'"
        value = _member(where, parent, key)
        self._delete(where, parent, key)
        path = _text(operation, "path", f"move operation failed to decode path: {_NO_PATH}")
        parent, key = self._parent(
            path, f"move operation does not apply: doc is missing destination path: {path}"
        )
        self._insert(f"error in move for path: '{path}'", parent, key, value)

    def duplicate(self, operation: Json) -> None:
        """Add a copy of a value at another path."""
        source = _text(operation, "from", f"copy operation failed to decode from: {_NO_SOURCE}")
        parent, key = self._parent(
            source, f"copy operation does not apply: doc is missing from path: {source}"
        )
        value = _member(f"error in copy for from: '{source}'", parent, key)
        path = _text(operation, "path", f"copy operation failed to decode path: {MISSING}")
        parent, key = self._parent(
            path, f"copy operation does not apply: doc is missing destination path: {path}"
        )
        self._insert("error while adding value during copy", parent, key, self._copy_of(value))

    def test(self, operation: Json) -> None:
        """Compare a value with another one. Raises PatchNotApplicable where they differ."""
        path = _text(operation, "path", f"test operation failed to decode path: {_NO_PATH}")
        actual = self.copy.document
        if path:
            parent, key = self._parent(path, f"test operation does not apply: is missing path: {path}")
            actual = _member(f"error in test for path: '{path}'", parent, key)
        if not _is_same_json(actual, operation.get("value")):
            raise PatchNotApplicable(f"testing value {path} failed: test failed")

    def _parent(self, path: str, otherwise: str) -> tuple[Container, str]:
        """Return the container of the last step of a path, and that step. Raises PatchNotApplicable."""
        parent, key = self.copy.parent(path)
        if parent is None:
            raise PatchNotApplicable(f"{otherwise}: {MISSING}")
        return parent, key

    def _copy_of(self, value: Json) -> Json:
        """Return a copy, after its size has been judged. Raises PatchNotApplicable."""
        if value is None:
            return None
        try:
            text = orjson.dumps(value)
        except TypeError as error:
            raise PatchNotApplicable("error while performing deep copy: json: exceeded max depth") from error
        self._copied += len(text) + sum(5 * text.count(char) for char in _ESCAPED)
        if self._copied > COPY_LIMIT:
            raise PatchNotApplicable(
                f"Unable to complete the copy, the accumulated size increase of copy is {self._copied},"
                f" exceeding the limit {COPY_LIMIT}"
            )
        return orjson.loads(text)

    def _insert(self, where: str, parent: Container, key: str, value: Json) -> None:
        try:
            self._count(containers.insert(parent, key, value))
        except MissingMember as error:
            raise PatchNotApplicable(f"{where}: {error}") from error

    def _delete(self, where: str, parent: Container, key: str) -> None:
        try:
            self._count(containers.remove(parent, key))
        except MissingMember as error:
            raise PatchNotApplicable(f"{where}: {error}") from error

    def _count(self, moved: int) -> None:
        self._moved += moved
        if self._moved > MOVE_LIMIT:
            raise PatchTooLarge(f"The items of lists that a JSON patch may move are {MOVE_LIMIT}")


_VERBS: Mapping[str, Callable[[_Patching, Json], None]] = {
    "add": _Patching.add,
    "remove": _Patching.remove,
    "replace": _Patching.replace,
    "move": _Patching.move,
    "copy": _Patching.duplicate,
    "test": _Patching.test,
}


def _text(operation: Json, name: str, otherwise: str) -> str:
    value = operation.get(name)
    if not isinstance(value, str):
        raise PatchNotApplicable(otherwise)
    return value


def _member(where: str, parent: Container, key: str) -> Json:
    try:
        return containers.member(parent, key)
    except MissingMember as error:
        raise PatchNotApplicable(f"{where}: {error}") from error


def _is_same_json(actual: Json, expected: Json) -> bool:
    """Tell whether two values are written alike: 5.0 is not 5, and true is not 1 (FK-161).

    Only what Python finds equal is written down, so that a test costs what its own value costs.
    """
    return actual == expected and _to_json(actual) == _to_json(expected)


def _to_json(value: Json) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
