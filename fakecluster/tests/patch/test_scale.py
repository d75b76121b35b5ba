"""Owners of an object and of its Scale (FK-216, FK-278)."""

from __future__ import annotations

import pytest

from fakecluster.patch.managed_fields import scale

PATH = ".spec.n"
NUMBER = {"f:spec": {"f:n": {}}}


def entry(manager, fields, version="g/v1", **further_fields):
    return {
        "manager": manager,
        "operation": "Update",
        "apiVersion": version,
        "fieldsType": "FieldsV1",
        "fieldsV1": fields,
        **further_fields,
    }


def scale_entry(manager):
    return entry(manager, scale.REPLICAS, "autoscaling/v1", subresource="scale")


def test_owners_of_the_number_own_replicas_of_the_scale():
    entries = [entry("a", {"f:spec": {"f:n": {}, "f:x": {}}}), entry("b", {"f:spec": {"f:x": {}}})]

    assert scale.scale_entries(entries, PATH, "autoscaling/v1") == [
        entry("a", scale.REPLICAS, "autoscaling/v1")
    ]


WRITTEN = {
    "the number goes to whoever scaled": (
        [entry("a", {"f:spec": {"f:n": {}, "f:x": {}}})],
        [scale_entry("s")],
        [entry("a", {"f:spec": {"f:x": {}}}), entry("s", NUMBER, subresource="scale")],
    ),
    "nothing is left of who owned only the number": (
        [entry("a", NUMBER)],
        [scale_entry("s")],
        [entry("s", NUMBER, subresource="scale")],
    ),
    "who owns other fields of the scale owns nothing of the object": (
        [entry("a", {"f:spec": {"f:x": {}}})],
        [entry("s", {"f:metadata": {"f:labels": {}}}, "autoscaling/v1", subresource="scale")],
        [entry("a", {"f:spec": {"f:x": {}}})],
    ),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_a_write_through_the_scale_moves_the_number(case):
    before, of_scale, after = WRITTEN[case]

    assert scale.object_entries(before, of_scale, PATH, "g/v1") == after
