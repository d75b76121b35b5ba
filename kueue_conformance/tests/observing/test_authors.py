"""Who wrote a change, as far as managedFields tell (harness/N-11)."""

import pytest

from kueue_conformance.history.authors import UNKNOWN_AUTHOR, author, condition, managers_of


def entry(manager, time="2026-01-01T00:00:00Z", fields=(), subresource="status"):
    field_tree = {
        "f:status": {"f:conditions": {f'k:{{"type":"{condition_type}"}}': {} for condition_type in fields}}
    }
    return {
        "manager": manager,
        "operation": "Update",
        "subresource": subresource,
        "time": time,
        "fieldsV1": field_tree,
    }


def thing(*entries):
    return {"metadata": {"name": "w", "managedFields": list(entries)}}


LATER = "2026-01-01T00:00:05Z"
KUEUE, BUDGET = entry("kueue", fields=["QuotaReserved"]), entry("budget", fields=["Active"])


@pytest.mark.parametrize(
    ("before", "after", "manager"),
    [
        pytest.param(None, thing(KUEUE), "kueue", id="the only one"),
        pytest.param(thing(KUEUE), thing(KUEUE, entry("budget", LATER)), "budget", id="a new one"),
        pytest.param(thing(KUEUE, BUDGET), thing(entry("kueue", LATER), BUDGET), "kueue", id="a later time"),
        pytest.param(
            thing(KUEUE, BUDGET),
            thing(KUEUE, entry("budget", fields=["A"])),
            "budget",
            id="other fields within a second",
        ),
        pytest.param(
            thing(KUEUE, BUDGET),
            thing(entry("kueue", LATER), entry("budget", LATER)),
            "",
            id="two at the same time",
        ),
        pytest.param(thing(KUEUE, BUDGET), thing(KUEUE, BUDGET), "", id="nothing tells them apart"),
        pytest.param(None, {"metadata": {"name": "w"}}, "", id="no managed fields"),
        pytest.param(
            thing(KUEUE),
            thing(KUEUE, entry("kueue", LATER, subresource="")),
            "kueue",
            id="the same through another door",
        ),
    ],
)
def test_author(before, after, manager):
    assert author(before, after).manager == manager


def with_condition(status, *entries):
    conditions = [{"type": "Active", "status": status}]
    return {**thing(*entries), "status": {"conditions": conditions}}


def owner(manager, *members):
    fields = {f"f:{member}": {} for member in members}
    tree = {"f:status": {"f:conditions": {'k:{"type":"Active"}': {".": {}, **fields}}}}
    return {**entry(manager), "fieldsV1": tree}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            with_condition("False", owner("kueue", "type", "status"), KUEUE),
            with_condition("True", owner("kueue", "type"), owner("budget", "type", "status")),
            id="a field taken over by force",
        ),
        pytest.param(
            with_condition("False", owner("kueue", "type"), owner("budget", "type", "status")),
            with_condition("True", owner("kueue", "type"), owner("budget", "type", "status")),
            id="a new value of a field that it owns",
        ),
    ],
)
def test_author_within_one_second_is_who_wrote_new_values(before, after):
    assert author(before, after).manager == "budget"


def test_the_time_is_the_server_s():
    assert author(None, thing(entry("kueue", "1970-01-01T00:00:07Z"))).at == 7.0


def test_nobody_is_nobody():
    assert author(None, thing()) == UNKNOWN_AUTHOR


def test_managers_of_a_condition():
    assert list(managers_of(thing(KUEUE, BUDGET), *condition("Active"))) == ["budget"]
