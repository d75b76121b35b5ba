"""JSON patch: RFC 6902 and where the real server deviates (FK-161…163)."""

from __future__ import annotations

import pytest

from fakecluster.patch.json import json_patch

DOCUMENT = {"data": {"k": "1"}, "list": ["a", "b"], "odd~/": 1}

APPLIED = {
    "add a member": ([{"op": "add", "path": "/data/n", "value": 2}], {"data": {"k": "1", "n": 2}}),
    "FK-162 replace adds a missing member": (
        [{"op": "replace", "path": "/data/n", "value": 2}],
        {"data": {"k": "1", "n": 2}},
    ),
    "an absent value is null": ([{"op": "add", "path": "/data/n"}], {"data": {"k": "1", "n": None}}),
    "FK-162 test of a missing member against null": ([{"op": "test", "path": "/data/n", "value": None}], {}),
    "copy of a missing member is null": (
        [{"op": "copy", "from": "/data/n", "path": "/data/m"}],
        {"data": {"k": "1", "m": None}},
    ),
    "append": ([{"op": "add", "path": "/list/-", "value": "c"}], {"list": ["a", "b", "c"]}),
    "FK-162 a negative index counts from the end": ([{"op": "remove", "path": "/list/-1"}], {"list": ["a"]}),
    "a negative index of add counts from behind the end": (
        [{"op": "add", "path": "/list/-1", "value": "c"}],
        {"list": ["a", "b", "c"]},
    ),
    "a leading zero is no matter": (
        [{"op": "add", "path": "/list/01", "value": "c"}],
        {"list": ["a", "c", "b"]},
    ),
    "escapes": ([{"op": "replace", "path": "/odd~0~1", "value": 2}], {"odd~/": 2}),
    "a lone tilde is itself": ([{"op": "add", "path": "/~2", "value": 1}], {"~2": 1}),
    "what stands before the first slash is ignored": (
        [{"op": "add", "path": "data/x", "value": 1}],
        {"x": 1},
    ),
    "move": ([{"op": "move", "from": "/data/k", "path": "/data/m"}], {"data": {"m": "1"}}),
    "each operation sees the one before": (
        [{"op": "add", "path": "/data/n", "value": 1}, {"op": "test", "path": "/data/n", "value": 1}],
        {"data": {"k": "1", "n": 1}},
    ),
}


@pytest.mark.parametrize("case", APPLIED)
def test_operations_change_the_document(case):
    operations, changed = APPLIED[case]

    assert json_patch.apply(DOCUMENT, operations) == {**DOCUMENT, **changed}


REFUSED = {
    "remove a missing member": {"op": "remove", "path": "/data/n"},
    "move a missing member": {"op": "move", "from": "/data/n", "path": "/data/m"},
    "a failed test": {"op": "test", "path": "/data/k", "value": "2"},
    "a missing parent": {"op": "add", "path": "/x/y", "value": 1},
    "an index behind the end": {"op": "add", "path": "/list/9", "value": 1},
    "a word for an index": {"op": "add", "path": "/list/x", "value": 1},
    "a path without a slash": {"op": "add", "path": "data", "value": {}},
    "the document by add": {"op": "add", "path": "", "value": {}},
    "an index that no number holds": {"op": "remove", "path": "/list/" + "9" * 5000},
    "an unknown operation": {"op": "frob", "path": "/data/k"},
    "no operation": {"path": "/data/k"},
    "no path": {"op": "add", "value": 1},
    "the document from itself": {"op": "copy", "from": "", "path": "/data/x"},
    "a scalar for the document": {"op": "add", "path": "", "value": 5},
    "a member of a scalar": {"op": "add", "path": "/data/k/x", "value": 1},
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_operation_that_does_not_fit_is_refused(case):
    with pytest.raises(json_patch.PatchNotApplicable):
        json_patch.apply(DOCUMENT, [REFUSED[case]])


def test_fk_163_the_number_of_operations_is_limited():
    operations = [{"op": "test", "path": "/data/k", "value": "1"}] * (json_patch.MAX_OPERATIONS + 1)

    with pytest.raises(
        json_patch.PatchTooLarge, match="maximum operations in a JSON patch is 10000, got 10001"
    ):
        json_patch.check_count(operations)


def test_fk_163_unknown_members_of_operations_are_listed():
    assert json_patch.unknown_fields([{"op": "add", "foo": 1}, {"Path": "/"}]) == ["[0].foo", "[1].Path"]


def test_the_document_is_left_alone():
    document = {"a": {"b": [1]}}

    json_patch.apply(document, [{"op": "add", "path": "/a/b/-", "value": 2}])

    assert document == {"a": {"b": [1]}}


WORDS = {
    "a member that is not there": (
        "remove",
        "/data/n",
        "error in remove for path: '/data/n': Unable to remove nonexistent key: n: missing value",
    ),
    "an index behind the end": (
        "remove",
        "/list/9",
        "error in remove for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
    ),
    "a word for an index": (
        "add",
        "/list/x",
        "error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
    ),
    "an index that no number holds": (
        "remove",
        "/list/99999999999999999999",
        "error in remove for path: '/list/99999999999999999999': strconv.Atoi: parsing \"99999999999999999999\": value out of range",
    ),
    "no parent": ("add", "/x/y", 'add operation does not apply: doc is missing path: "/x/y": missing value'),
    "another value": ("test", "/data/k", "testing value /data/k failed: test failed"),
    "an unknown operation": ("frob", "/data/k", "Unexpected kind: frob"),
}


@pytest.mark.parametrize("case", WORDS)
def test_fk_307_what_does_not_apply_is_told_in_the_words_of_the_library(case):
    verb, path, words = WORDS[case]

    with pytest.raises(json_patch.PatchNotApplicable) as raised:
        json_patch.apply(DOCUMENT, [{"op": verb, "path": path, "value": "2"}])

    assert str(raised.value) == words


def test_a_true_is_no_one():
    with pytest.raises(json_patch.PatchNotApplicable):
        json_patch.apply({"a": [1, 5]}, [{"op": "test", "path": "/a", "value": [True, 5.0]}])


def test_what_operations_walk_through_has_sorted_members():
    patched = json_patch.apply(
        {"b": {"z": 1, "a": {"y": 1, "x": 2}}, "a": 1}, [{"op": "test", "path": "/b/z", "value": 1}]
    )

    assert str(patched) == "{'a': 1, 'b': {'a': {'y': 1, 'x': 2}, 'z': 1}}"
