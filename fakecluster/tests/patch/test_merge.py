"""JSON merge patch against the examples of RFC 7386, appendix A (FK-164)."""

from __future__ import annotations

import pytest

from fakecluster.patch.json import merge_patch

EXAMPLES = {
    "replace": ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    "add": ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    "remove the only member": ({"a": "b"}, {"a": None}, {}),
    "remove one of two": ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    "a list by a text": ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    "a text by a list": ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    "inside": ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    "lists are replaced": ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    "a list by another": (["a", "b"], ["c", "d"], ["c", "d"]),
    "an object by a list": ({"a": "b"}, ["c"], ["c"]),
    "an object by null": ({"a": "foo"}, None, None),
    "an object by a text": ({"a": "foo"}, "bar", "bar"),
    "nulls that were there stay": ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    "a list by an object": ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    "nulls of something new go": ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_rfcs_examples(example):
    document, patch, result = EXAMPLES[example]

    assert merge_patch.apply(document, patch) == result
