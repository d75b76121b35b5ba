"""The worked vectors of spec/apiserver.md §3.7.1: who owns what, and why an apply is refused."""

from __future__ import annotations

import pytest

from fakecluster.patch.managed_fields.apply import ApplyConflict, InvalidApply

from .widgets import VERSION, World

SIZE = {"f:spec": {"f:size": {}}}
HTTP = {"name": "http", "port": 80}
GRPC = {"name": "grpc", "port": 90}
READY = {"type": "R", "status": "True", "reason": "ok"}


def apply(**spec):
    return World().apply("A", spec=spec)


ACCEPTED = {
    "V-01 a creator owns what it made, defaults included": (
        lambda: World().post("C", spec={"size": 1}),
        {"mode": "x", "size": 1},
        {"C Update": {"f:spec": {".": {}, "f:mode": {}, "f:size": {}}}},
    ),
    "V-02 an applier does not own defaults": (
        lambda: apply(size=1),
        {"mode": "x", "size": 1},
        {"A Apply": SIZE},
    ),
    "V-03 the same value is shared": (
        lambda: apply(size=1).apply("B", spec={"size": 1}),
        {"mode": "x", "size": 1},
        {"A Apply": SIZE, "B Apply": SIZE},
    ),
    "V-05 force takes over": (
        lambda: apply(size=1).apply("B", force=True, spec={"size": 2}),
        {"mode": "x", "size": 2},
        {"B Apply": SIZE},
    ),
    "V-06 an update takes what it changes": (
        lambda: apply(size=1).patch("C", spec={"size": 3}),
        {"mode": "x", "size": 3},
        {"C Update": SIZE},
    ),
    "V-08 what is no longer applied goes": (
        lambda: apply(size=1, opts={"a": "1"}).apply("A", spec={"size": 1}),
        {"mode": "x", "size": 1},
        {"A Apply": SIZE},
    ),
    "V-09 what somebody else owns stays": (
        lambda: apply(opts={"a": "1"}).apply("B", spec={"opts": {"b": "1"}}).apply("A", spec={}),
        {"mode": "x", "opts": {"b": "1"}},
        {"A Apply": {"f:spec": {}}, "B Apply": {"f:spec": {"f:opts": {"f:b": {}}}}},
    ),
    "V-10 list items keep their order": (
        lambda: (
            apply(ports=[HTTP])
            .apply("B", spec={"ports": [GRPC]})
            .apply("A", spec={"ports": [{**HTTP, "port": 81}]})
        ),
        {"mode": "x", "ports": [{"name": "http", "port": 81}, GRPC]},
        {
            "A Apply": {"f:spec": {"f:ports": {'k:{"name":"http"}': {".": {}, "f:name": {}, "f:port": {}}}}},
            "B Apply": {"f:spec": {"f:ports": {'k:{"name":"grpc"}': {".": {}, "f:name": {}, "f:port": {}}}}},
        },
    ),
    "V-11 an empty list gives up its items": (
        lambda: apply(ports=[HTTP]).apply("B", spec={"ports": [GRPC]}).apply("A", spec={"ports": []}),
        {"mode": "x", "ports": [GRPC]},
        {"B Apply": {"f:spec": {"f:ports": {'k:{"name":"grpc"}': {".": {}, "f:name": {}, "f:port": {}}}}}},
    ),
    "V-13 sets are united and given up by value": (
        lambda: apply(tags=["a"]).apply("B", spec={"tags": ["b"]}).apply("A", spec={"tags": ["c"]}),
        {"mode": "x", "tags": ["b", "c"]},
        {
            "A Apply": {"f:spec": {"f:tags": {'v:"c"': {}}}},
            "B Apply": {"f:spec": {"f:tags": {'v:"b"': {}}}},
        },
    ),
    "V-14 an atomic map is replaced whole": (
        lambda: apply(blob={"x": 1}).apply("B", force=True, spec={"blob": {"y": 2}}),
        {"mode": "x", "blob": {"y": 2}},
        {"B Apply": {"f:spec": {"f:blob": {}}}},
    ),
    "V-17 status is owned by its own entry and spec is ignored there": (
        lambda: apply(size=1).apply_status("A", spec={"size": 9}, status={"conditions": [READY]}),
        {"mode": "x", "size": 1},
        {
            "A Apply": SIZE,
            "A Apply status": {
                "f:status": {
                    "f:conditions": {
                        'k:{"type":"R"}': {".": {}, "f:reason": {}, "f:status": {}, "f:type": {}}
                    }
                }
            },
        },
    ),
    "V-22 an unowned default can be taken": (
        lambda: apply(size=1).apply("B", spec={"mode": "y"}),
        {"mode": "y", "size": 1},
        {"A Apply": SIZE, "B Apply": {"f:spec": {"f:mode": {}}}},
    ),
}


@pytest.mark.parametrize("vector", ACCEPTED)
def test_an_accepted_write_settles_values_and_owners(vector):
    write, spec, owners = ACCEPTED[vector]

    world = write()

    assert (world.spec, world.owners()) == (spec, owners)


REFUSED = {
    "V-04 another applier's field": (
        lambda: apply(size=1).apply("B", spec={"size": 2}),
        'Apply failed with 1 conflict: conflict with "A": .spec.size',
    ),
    "V-07 an updater's field": (
        lambda: apply(size=1).patch("c", spec={"size": 3}).apply("A", spec={"size": 1}),
        f'Apply failed with 1 conflict: conflict with "c" using {VERSION}: .spec.size',
    ),
    "V-12 a field of a list item": (
        lambda: apply(ports=[HTTP]).apply("B", spec={"ports": [{**HTTP, "port": 81}]}),
        'Apply failed with 1 conflict: conflict with "A": .spec.ports[name="http"].port',
    ),
    "V-14 an atomic map": (
        lambda: apply(blob={"x": 1}).apply("B", spec={"blob": {"y": 2}}),
        'Apply failed with 1 conflict: conflict with "A": .spec.blob',
    ),
    "V-19 several fields of a status": (
        lambda: (
            apply(size=1)
            .apply_status("A", status={"conditions": [READY]})
            .apply_status("B", status={"conditions": [{"type": "R", "status": "False", "reason": "no"}]})
        ),
        (
            'Apply failed with 2 conflicts: conflicts with "A" with subresource "status":\n'
            '- .status.conditions[type="R"].reason\n- .status.conditions[type="R"].status'
        ),
    ),
    "V-25 an object whose owners were wiped": (
        lambda: (
            World()
            .post("C", spec={"size": 1})
            .patch("C", metadata={"managedFields": [{}]})
            .apply("A", spec={"size": 5})
        ),
        f'Apply failed with 1 conflict: conflict with "before-first-apply" using {VERSION}: .spec.size',
    ),
    "FK-206 leaves of one parent come before deeper ones": (
        lambda: apply(size=1, opts={"k": "1"}, mode="a").apply(
            "B", spec={"opts": {"k": "2"}, "size": 2, "mode": "b"}
        ),
        'Apply failed with 3 conflicts: conflicts with "A":\n- .spec.mode\n- .spec.size\n- .spec.opts.k',
    ),
}


@pytest.mark.parametrize("vector", REFUSED)
def test_a_conflict_names_owners_and_fields(vector):
    write, text = REFUSED[vector]

    with pytest.raises(ApplyConflict) as refused:
        write()

    assert str(refused.value) == text


UNFIT = {
    "V-20 an undeclared field": ({"bogus": 1}, ".spec.bogus: field not declared in schema"),
    "V-24 an item without its key": (
        {"ports": [{"port": 80}]},
        (
            '.spec.ports: element 0: associative list with keys has an element that omits all key fields ["name"]'
            " (and doesn't have default values for any key fields)"
        ),
    ),
    "FK-224 an item twice": ({"ports": [HTTP, HTTP]}, '.spec.ports: duplicate entries for key [name="http"]'),
    "FK-224 a value twice": ({"tags": ["c", "c"]}, '.spec.tags: duplicate entries for key [="c"]'),
    "FK-204 a text for a number": ({"size": "x"}, ".spec.size: expected numeric (int or float), got string"),
    "FK-204 a text for a list": ({"ports": "x"}, ".spec.ports: expected list, got &{x}"),
    "FK-204 a list for a map": ({"opts": ["a", 1]}, ".spec.opts: expected map, got &{[a 1]}"),
    "FK-204 an object for a text": (
        {"mode": {"a": [1, "x", None]}},
        (
            ".spec.mode: expected string, got &value.valueUnstructured{Value:map[string]interface {}"
            '{"a":[]interface {}{1, "x", interface {}(nil)}}}'
        ),
    ),
}


@pytest.mark.parametrize("case", UNFIT)
def test_a_body_that_does_not_fit_its_type_is_refused(case):
    spec, text = UNFIT[case]

    with pytest.raises(InvalidApply) as refused:
        apply(**spec)

    assert (
        str(refused.value)
        == f"failed to create typed patch object (/n; demo.example.com/v1, Kind=Widget): {text}"
    )


def test_v_15_an_identical_apply_changes_nothing():
    first = apply(size=1)

    second = first.apply("A", spec={"size": 1})

    assert second.live == first.live


def test_v_18_main_keeps_the_status_of_another_endpoint():
    world = apply(size=1).apply_status("A", status={"conditions": [READY]})

    second = world.apply("A", spec={"size": 1})

    assert second.live == world.live


def test_v_23_the_eleventh_updater_merges_the_two_oldest():
    world = World().post("u0", metadata={"labels": {"l0": "v"}})
    for number in range(1, 11):
        world = world.patch(f"u{number:02}", metadata={"labels": {f"l{number}": "v"}})

    owners = world.owners()

    assert len(owners) == 10
    assert owners["ancient-changes Update"] == {"f:metadata": {"f:labels": {".": {}, "f:l0": {}, "f:l1": {}}}}


def test_fk_212_an_update_that_only_removes_keeps_the_time():
    world = World().post("C", spec={"size": 1, "opts": {"a": "1"}})

    after = world.patch("C", spec={"size": None})

    assert [entry["time"] for entry in after.live["metadata"]["managedFields"]] == ["2026-01-01T00:00:00Z"]
