"""What one JSON patch may cost: bytes that copies add,
containers that are copied, items that are moved (FK-161, FK-163).
"""

import pytest

from fakecluster.patch.json import json_patch
from fakecluster.patch.json.copy_on_write import CopyOnWrite

MIB = 1024 * 1024


def copies(source, count):
    return [{"op": "copy", "from": source, "path": f"/data/b{number}"} for number in range(count)]


@pytest.mark.parametrize(
    ("document", "operations", "size"),
    [
        pytest.param(
            {"data": {"k": "x" * (3 * MIB // 4 - 1)}},
            copies("/data/k", 4),
            3 * MIB + 4,
            id="four times a bit too much",
        ),
        pytest.param({"data": {"k": "x"}}, copies("/data", 40), 3_932_284, id="each copy has all before"),
        pytest.param(
            {"data": {"k": "<" * (MIB // 8)}}, copies("/data/k", 4), 3 * MIB + 8, id="as Go writes it"
        ),
    ],
)
def test_copies_add_no_more_than_three_mebibytes(document, operations, size):
    message = f"Unable to complete the copy, the accumulated size increase of copy is {size}, exceeding the limit 3145728"

    with pytest.raises(json_patch.PatchNotApplicable, match=message):
        json_patch.apply(document, operations)


def test_copies_that_add_three_mebibytes_are_made():
    document = {"data": {"k": "x" * (3 * MIB // 4 - 2)}}

    assert len(json_patch.apply(document, copies("/data/k", 4))["data"]) == 5


def test_a_copy_is_independent_of_what_it_was_made_of():
    operations = [
        {"op": "copy", "from": "/data/a", "path": "/data/b"},
        {"op": "add", "path": "/data/b/x", "value": 1},
    ]

    assert json_patch.apply({"data": {"a": {}}}, operations) == {"data": {"a": {}, "b": {"x": 1}}}


def test_the_values_of_a_patch_stay_as_they_are():
    operations = [{"op": "add", "path": "/a", "value": {}}, {"op": "add", "path": "/a/x", "value": 1}]

    json_patch.apply({}, operations)

    assert operations[0]["value"] == {}


def test_no_container_is_copied_twice():
    copy = CopyOnWrite({"spec": {"items": [{"a": 1}, {"a": 2}]}})

    for _ in range(100):
        copy.parent("/spec/items/0/a")

    assert copy.copies == 4


def test_what_operations_do_not_touch_is_not_copied():
    document = {"spec": {"items": [1]}, "status": {"big": [1]}}

    patched = json_patch.apply(document, [{"op": "add", "path": "/spec/items/0", "value": 1}])

    assert patched["status"] is document["status"]


def test_ten_thousand_items_are_added_in_front():
    patched = json_patch.apply(
        {"items": [0] * 10_000}, [{"op": "add", "path": "/items/0", "value": 1}] * 10_000
    )

    assert patched["items"] == [1] * 10_000 + [0] * 10_000


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param({"op": "add", "path": "/items/0", "value": 1}, id="additions"),
        pytest.param({"op": "remove", "path": "/items/0"}, id="removals"),
        pytest.param({"op": "move", "from": "/items/0", "path": "/items/-"}, id="moves"),
    ],
)
def test_items_that_would_have_to_move_for_seconds_are_not_moved(operation):
    with pytest.raises(json_patch.PatchTooLarge, match=f"{json_patch.MOVE_LIMIT}"):
        json_patch.apply({"items": [0] * 200_000}, [operation] * 10_000)
