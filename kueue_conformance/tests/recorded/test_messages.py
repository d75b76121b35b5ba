"""Protobuf without a schema, and bodies of other kinds, as vectors show them."""

from __future__ import annotations

import gzip
import io
from typing import Any

import pytest

from kueue_conformance.vectors import content, messages, normalisation
from kueue_conformance.vectors.json_path import pick

TREES = [
    pytest.param([[1, 300]], b"\x08\xac\x02", id="number"),
    pytest.param([[2, "ab"]], b"\x12\x02ab", id="text"),
    pytest.param([[2, [[1, [[1, 1]]]]]], b"\x12\x04\x0a\x02\x08\x01", id="message"),
    pytest.param([[2, ""]], b"\x12\x00", id="empty"),
    pytest.param([[1, 1], [1, 2]], b"\x08\x01\x08\x02", id="repeated"),
]


class Response:
    """An answer with headers and a body."""

    def __init__(self, body: bytes, **headers: str) -> None:
        self._body = io.BytesIO(body)
        self._headers = {key.replace("_", "-").lower(): value for key, value in headers.items()}

    def getheader(self, name: str) -> str | None:
        return self._headers.get(name.lower())

    def read(self, size: int = -1) -> bytes:
        return self._body.read(size)

    def readline(self) -> bytes:
        return self._body.readline()


@pytest.mark.parametrize(("tree", "data"), TREES)
def test_a_message_is_shown_as_it_was_sent(tree: Any, data: bytes) -> None:
    assert messages.encode({"protobuf": tree}) == messages.MAGIC + data
    assert messages.decode(messages.MAGIC + data) == {"protobuf": tree}


@pytest.mark.parametrize("data", [b"\x0b", b"\x0a\x05a", b"\xff"], ids=["wire type", "cut off", "no end"])
def test_what_is_no_message_is_text(data: bytes) -> None:
    assert isinstance(messages.decode(data), str)


BODIES = [
    pytest.param(Response(b'{"a":1}', Content_Type="application/json"), 0, {"a": 1}, id="json"),
    pytest.param(Response(b"a: 1\n", Content_Type="application/yaml"), 0, "a: 1\n", id="text"),
    pytest.param(Response(b"", Content_Type="application/json"), 0, "", id="nothing"),
    pytest.param(
        Response(gzip.compress(b"[1]"), Content_Type="application/json", Content_Encoding="gzip"), 0, [1], id="gzip"
    ),
    pytest.param(Response(b'{"a":1}\n{"a":2}\n', Content_Type="application/json"), 1, [{"a": 1}], id="events"),
    pytest.param(Response(b"\x08\x01", Content_Type=messages.KIND), 0, {"protobuf": [[1, 1]]}, id="message"),
    pytest.param(
        Response(b"\0\0\0\x02\x08\x01\0\0", Content_Type=f"{messages.KIND};stream=watch"), 1,
        [{"protobuf": [[1, 1]]}], id="frames",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("response", "events", "shown"), BODIES)
def test_bodies(response: Any, events: int, shown: Any) -> None:
    assert content.read(response, events) == shown


def test_times_and_revisions_of_a_message_have_no_names() -> None:
    normal_body = normalisation.body(
        {"protobuf": [[1, 1_700_000_000], [2, "1234"], [3, 15]]}, {}, managed_fields=False
    )
    assert normal_body == {"protobuf": [[1, "${time}"], [2, "${rv}"], [3, 15]]}


PICKED = [
    pytest.param({"l": [{"a": 1}, {"a": 2}]}, "l.*.a", [1, 2], id="items"),
    pytest.param({"l": [1, 2]}, "l.*", [1, 2], id="whole items"),
    pytest.param("a 1\nb 2\n", "b", ["b 2"], id="lines"),
]


@pytest.mark.parametrize(("value", "where", "expected"), PICKED)
def test_parts(value: Any, where: str, expected: Any) -> None:
    assert pick(value, where) == expected
