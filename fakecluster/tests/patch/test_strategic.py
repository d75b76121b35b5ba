"""Strategic merge patch of built-in types: keys, directives, order, and the words of failure (FK-165)."""

from __future__ import annotations

import pytest

from fakecluster.patch.managed_fields.typed import FixedType
from fakecluster.patch.strategic_merge import merging

from .widgets import INTEGER, STRING, key_items, struct

POD = struct(
    spec=struct(
        containers=key_items(
            "name", name=STRING, image=STRING, ports=key_items("port", port=INTEGER, name=STRING)
        ),
        args=FixedType("array", items=STRING),
        selector=FixedType("object", additional=STRING),
        strategy=FixedType(
            "object", properties={"type": STRING, "roll": STRING}, merge_strategies=("retainKeys",)
        ),
        whole=FixedType("object", additional=STRING, merge_strategies=("replace",)),
    )
)
A, B = {"name": "a", "image": "1"}, {"name": "b", "image": "2"}
LIVE = {
    "containers": [A, B],
    "args": ["x"],
    "selector": {"k": "1"},
    "strategy": {"type": "Roll", "roll": "y"},
    "whole": {"k": "1"},
}

MERGED = {
    "an item is found by its key": (
        {"containers": [{"name": "b", "image": "3"}]},
        {"containers": [A, {"name": "b", "image": "3"}]},
    ),
    "a new item comes first": ({"containers": [{"name": "c"}]}, {"containers": [{"name": "c"}, A, B]}),
    "$patch: delete takes an item out": (
        {"containers": [{"name": "a", "$patch": "delete"}]},
        {"containers": [B]},
    ),
    "$patch: replace replaces a list": (
        {"containers": [{"$patch": "replace"}, {"name": "c"}]},
        {"containers": [{"name": "c"}]},
    ),
    "$setElementOrder orders the items": (
        {"$setElementOrder/containers": [{"name": "b"}, {"name": "a"}]},
        {"containers": [B, A]},
    ),
    "$setElementOrder leaves others where they were": (
        {"$setElementOrder/containers": [{"name": "c"}, {"name": "a"}], "containers": [{"name": "c"}]},
        {"containers": [{"name": "c"}, A, B]},
    ),
    "a plain list is replaced": ({"args": ["y"]}, {"args": ["y"]}),
    "maps merge and null removes": ({"selector": {"k": None, "m": "2"}}, {"selector": {"m": "2"}}),
    "$patch: replace replaces a map": (
        {"selector": {"$patch": "replace", "m": "2"}},
        {"selector": {"m": "2"}},
    ),
    "$patch: delete empties a map": ({"selector": {"$patch": "delete"}}, {"selector": {}}),
    "a map whose strategy is replace": ({"whole": {"m": "2"}}, {"whole": {"m": "2"}}),
    "$retainKeys drops what it does not name": (
        {"strategy": {"$retainKeys": ["type"], "type": "Stop"}},
        {"strategy": {"type": "Stop"}},
    ),
    "directives in something new are dropped": (
        {"fresh": {"a": 1, "gone": {"$patch": "delete"}, "null": None}},
        {"fresh": {"a": 1}},
    ),
    "another type of value replaces": ({"containers": {"name": "a"}}, {"containers": {"name": "a"}}),
}


@pytest.mark.parametrize("case", MERGED)
def test_a_patch_merges_by_type_and_directive(case):
    patch, changed = MERGED[case]

    assert merging.apply({"spec": LIVE}, {"spec": patch}, POD) == {"spec": {**LIVE, **changed}}


FINALIZERS = {
    "values are united, the patch's first": ({"finalizers": ["b"]}, ["b", "a"]),
    "values are not repeated": ({"finalizers": ["a"]}, ["a"]),
    "$deleteFromPrimitiveList": ({"$deleteFromPrimitiveList/finalizers": ["a"]}, []),
    "$setElementOrder": ({"$setElementOrder/finalizers": ["a", "b"], "finalizers": ["b"]}, ["a", "b"]),
}


@pytest.mark.parametrize("case", FINALIZERS)
def test_lists_of_scalars_merge_by_value(case):
    patch, remaining = FINALIZERS[case]

    assert merging.apply({"metadata": {"finalizers": ["a"]}}, {"metadata": patch}, POD)["metadata"] == {
        "finalizers": remaining
    }


REFUSED = {
    "no key": (
        {"containers": [{"image": "x"}]},
        "map: map[image:x] does not contain declared merge key: name",
    ),
    "an unknown directive": (
        {"containers": [{"name": "a", "$patch": "foo"}]},
        "unknown patch type: foo in map: map[$patch:foo name:a]",
    ),
    "a directive that is no text": (
        {"selector": {"$patch": 5}},
        "unknown patch type: %!s(int64=5) in map: map[$patch:5]",
    ),
    "items of two types": (
        {"containers": ["a"]},
        "list element types are not identical: [[map[image:1 name:a] map[image:2 name:b]] [a]]",
    ),
    "an order that the list does not follow": (
        {"$setElementOrder/containers": [{"name": "z"}], "containers": [{"name": "a"}]},
        "The order in patch list:\n[map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:z]]\n",
    ),
    "keys that $retainKeys does not name": (
        {"strategy": {"$retainKeys": ["type"], "roll": "x"}},
        "invalid patch format of retainKeys",
    ),
    "a directive without its list": (
        {"$setElementOrder": []},
        "invalid patch format of setElementOrder list",
    ),
    "an order of what is no map": (
        {"$setElementOrder/containers": [{"name": "a"}, 1]},
        "value for key 1 is not a map",
    ),
    "no list where one belongs": (
        {"$setElementOrder/containers": {}},
        "expected a []interface {}, but received a map[string]interface {}",
    ),
    "lists in lists": (
        {"containers": [["a"]]},
        "list element types are not identical: [[map[image:1 name:a] map[image:2 name:b]] [[a]]]",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_fk_165_a_patch_that_does_not_fit_is_refused_in_the_servers_words(case):
    patch, text = REFUSED[case]

    with pytest.raises(merging.StrategicProblem) as refused:
        merging.apply({"spec": LIVE}, {"spec": patch}, POD)

    assert str(refused.value) == text
