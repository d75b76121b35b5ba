"""Laws of patching over generated objects (spec/apiserver.md §4.5):
apply, ownership, set algebra, merge patch.
"""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakecluster.patch.json import merge_patch
from fakecluster.patch.managed_fields import fieldset
from fakecluster.patch.managed_fields.apply import ApplyConflict

from .widgets import World

NAMES = st.sampled_from("abc")
TEXTS = st.dictionaries(NAMES, NAMES, max_size=2)
PORTS = st.lists(
    st.fixed_dictionaries({"name": NAMES}, optional={"port": st.integers(1, 2)}),
    max_size=3,
    unique_by=lambda port: port["name"],
)
FREE = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | NAMES,
    lambda inside: st.dictionaries(NAMES, inside, max_size=2) | st.lists(inside, max_size=2),
    max_leaves=6,
)
SPECS = st.fixed_dictionaries(
    {},
    optional={
        "size": st.integers(1, 2),
        "tags": st.lists(NAMES, unique=True, max_size=3),
        "ports": PORTS,
        "opts": TEXTS,
        "blob": TEXTS,
        "free": st.dictionaries(NAMES, FREE, max_size=2),
        "list": st.lists(st.integers(0, 2), max_size=2),
    },
)
WRITES = st.lists(st.tuples(st.sampled_from(["apply", "patch"]), st.sampled_from("ABC"), SPECS), max_size=4)
LAWS = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


def history(writes):
    world = World().post("creator", spec={"size": 9})
    for verb, manager, spec in writes:
        world = (
            world.apply(manager, force=True, spec=spec)
            if verb == "apply"
            else world.patch(manager, spec=spec)
        )
    return world


@LAWS
@given(WRITES, SPECS)
def test_applying_twice_is_applying_once(writes, spec):
    once = history(writes).apply("Z", force=True, spec=spec)

    assert once.apply("Z", spec=spec).live == once.live


@LAWS
@given(WRITES, SPECS)
def test_after_force_there_is_no_conflict(writes, spec):
    forced = history(writes).apply("Z", force=True, spec=spec)

    assert forced.apply("Z", spec=spec).owners() == forced.owners()


@LAWS
@given(WRITES, SPECS)
def test_who_applies_nothing_owns_nothing(writes, spec):
    world = history(writes).apply("Z", force=True, spec=spec)

    assert "Z Apply" not in world.apply("Z").owners()


@LAWS
@given(SPECS)
def test_what_only_one_applier_wanted_goes_with_it(spec):
    non_empty = {name: value for name, value in spec.items() if value != []}
    world = World().apply("A", spec={"size": 1}).apply("Z", force=True, spec={**non_empty, "size": 1})

    assert world.apply("Z").spec == {"mode": "x", "size": 1}


@LAWS
@given(WRITES, SPECS)
def test_an_update_never_conflicts_and_keeps_its_values(writes, spec):
    before = history(writes)

    after = before.patch("U", spec=spec)

    assert after.spec == {"mode": "x", **merge_patch.apply(before.spec, spec)}


def conflicts_of(world, spec):
    try:
        world.apply("Z", spec=spec)
    except ApplyConflict as conflict:
        return {
            f"{manager.name} {manager.operation}": fields for manager, fields in conflict.conflicts.items()
        }
    return {}


@LAWS
@given(WRITES, SPECS)
def test_a_conflict_names_only_fields_that_others_own(writes, spec):
    world = history(writes)

    refused = conflicts_of(world, spec)

    assert {
        owner: fieldset.difference(fields, world.owners()[owner]) for owner, fields in refused.items()
    } == {owner: {} for owner in refused}


ELEMENTS = st.sampled_from(["f:a", "f:b", 'k:{"n":"x"}', 'v:"y"'])
SETS = st.sets(st.lists(ELEMENTS, min_size=1, max_size=3).map(tuple), max_size=6)


def list_paths(fields):
    return set(fieldset.paths(fields))


@LAWS
@given(SETS, SETS)
def test_set_algebra_is_that_of_sets_of_paths(left_paths, other):
    left_set, right = fieldset.of_paths(left_paths), fieldset.of_paths(other)

    assert list_paths(fieldset.union(left_set, right)) == left_paths | other
    assert list_paths(fieldset.difference(left_set, right)) == left_paths - other
    assert list_paths(fieldset.intersection(left_set, right)) == left_paths & other


@LAWS
@given(SETS, SETS)
def test_a_set_has_one_spelling(left_paths, other):
    left_set, right = fieldset.of_paths(left_paths), fieldset.of_paths(other)

    assert fieldset.union(left_set, right) == fieldset.of_paths(left_paths | other)
    assert fieldset.difference(left_set, right) == fieldset.of_paths(left_paths - other)
    assert fieldset.parse(left_set) == left_set


@LAWS
@given(SETS, SETS)
def test_recursive_difference_takes_everything_below(left_paths, other):
    left_set = fieldset.without_below(fieldset.of_paths(left_paths), fieldset.of_paths(other))

    assert list_paths(left_set) == {
        path for path in left_paths if not any(path[: len(gone)] == gone for gone in other)
    }


@LAWS
@given(FREE, FREE)
def test_fk_164_a_merge_patch_is_idempotent(document, patch):
    once = merge_patch.apply(document, patch)

    assert merge_patch.apply(once, patch) == once


@LAWS
@given(st.dictionaries(NAMES, FREE, max_size=3), NAMES)
def test_fk_164_null_removes_a_member(document, name):
    assert merge_patch.apply(document, {name: None}) == {
        key: value for key, value in document.items() if key != name
    }
