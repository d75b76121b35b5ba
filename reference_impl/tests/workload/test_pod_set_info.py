"""What an admission puts into a pod template, and what a stopped Job gets back (AC-360…367)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.workload import pod_set_info
from reference_impl.kueue.workload.pod_set_info import Names, PodSetInfo

TOLERATION = {"key": "k", "operator": "Equal", "value": "v", "effect": "NoSchedule"}


def without(name: str) -> Any:
    return {key: value for key, value in TOLERATION.items() if key != name}


SECOND = {
    "the same": (TOLERATION, False),
    "AC-362 other seconds": ({**TOLERATION, "tolerationSeconds": 5}, False),
    "AC-362 no operator": (without("operator"), False),
    "another operator": ({**TOLERATION, "operator": "Exists"}, True),
    "another key": ({**TOLERATION, "key": "other"}, True),
    "no key": (without("key"), True),
    "another value": ({**TOLERATION, "value": "other"}, True),
    "no value": (without("value"), True),
    "another effect": ({**TOLERATION, "effect": "NoExecute"}, True),
    "no effect": (without("effect"), True),
}


@pytest.mark.parametrize(("second", "is_added"), SECOND.values(), ids=SECOND)
def test_a_toleration_that_differs_is_added_ac_362(second: Any, is_added: bool) -> None:
    merged = PodSetInfo(tolerations=(TOLERATION,)).merge(PodSetInfo(tolerations=(second,)))

    assert merged.tolerations == ((TOLERATION, second) if is_added else (TOLERATION,))


@pytest.mark.parametrize("name", ["key", "value", "effect"])
def test_an_empty_field_of_a_toleration_is_one_that_is_not_there_ac_362(name: str) -> None:
    merged = PodSetInfo(tolerations=({**TOLERATION, name: ""},)).merge(
        PodSetInfo(tolerations=(without(name),))
    )

    assert len(merged.tolerations) == 1


def test_what_either_side_brings_is_merged_and_the_count_is_kept() -> None:
    info = PodSetInfo(count=3, annotations={"a": "1"}, labels={"b": "1"}, node_selector={"c": "1"})
    other = PodSetInfo(count=5, annotations={"d": "2"}, labels={"e": "2"}, node_selector={"f": "2"})

    assert info.merge(other) == PodSetInfo(
        count=3,
        annotations={"a": "1", "d": "2"},
        labels={"b": "1", "e": "2"},
        node_selector={"c": "1", "f": "2"},
    )


NAMES = {
    "a label": ("cq", True),
    "63 characters": ("q" * 63, True),
    "64 characters": ("q" * 64, False),
    "dots": ("a.b", False),
    "ends with a dash": ("a-", False),
    "a dash inside": ("a-b", True),
}


@pytest.mark.parametrize(("name", "is_label"), NAMES.values(), ids=NAMES)
def test_pods_carry_the_name_of_a_cluster_queue_that_is_a_label_ac_361(name: str, is_label: bool) -> None:
    labels = Names("w", "lq", name).labels("main")

    own = {"kueue.x-k8s.io/podset": "main", "kueue.x-k8s.io/local-queue-name": "lq"}
    assert labels == (own | {"kueue.x-k8s.io/cluster-queue-name": name} if is_label else own)


def test_flavors_bring_labels_and_tolerations_once_each() -> None:
    flavors = {
        "f1": {"spec": {"nodeLabels": {"zone": "a"}, "tolerations": [{"key": "one"}]}},
        "f2": {"spec": {"nodeLabels": {"gpu": "x"}, "tolerations": [{"key": "two"}]}},
        "f3": {},
        "other": {"spec": {"nodeLabels": {"not": "asked"}}},
    }

    info = pod_set_info.of_flavors(
        {"flavors": {"cpu": "f1", "memory": "f1", "gpu": "f2", "x": "f3"}}, flavors
    )

    assert info == PodSetInfo(
        node_selector={"zone": "a", "gpu": "x"}, tolerations=({"key": "one"}, {"key": "two"})
    )


def test_an_assignment_without_flavors_brings_nothing() -> None:
    assert pod_set_info.of_flavors({"name": "main"}, {}) == PodSetInfo()


def test_every_check_asks_for_its_own_pod_set_ac_362() -> None:
    entries = [
        {
            "name": "a",
            "podSetUpdates": [
                {"name": "other", "labels": {"no": "1"}},
                {"name": "main", "labels": {"a": "1"}},
            ],
        },
        {"name": "says nothing"},
        {
            "name": "b",
            "podSetUpdates": [{"name": "main", "annotations": {"b": "1"}, "nodeSelector": {"c": "1"}}],
        },
    ]

    info = pod_set_info.with_checks(PodSetInfo(count=2), "main", entries)

    assert info == PodSetInfo(count=2, labels={"a": "1"}, annotations={"b": "1"}, node_selector={"c": "1"})


FULL = {
    "metadata": {"name": "kept", "annotations": {"own": "1"}, "labels": {"app": "x"}},
    "spec": {
        "containers": [],
        "nodeSelector": {"disk": "ssd"},
        "tolerations": [TOLERATION],
        "schedulingGates": [{"name": "own"}],
    },
}
BARE: Any = {"metadata": {}, "spec": {"containers": []}}
BROUGHT = PodSetInfo(
    annotations={"a": "1"}, labels={"l": "1"}, node_selector={"zone": "a"}, tolerations=({"key": "spot"},)
)


@pytest.mark.parametrize("original", [FULL, BARE], ids=["full", "bare"])
def test_what_was_injected_is_taken_out_again_ac_367(original: Any) -> None:
    running = pod_set_info.inject(original, BROUGHT)

    assert pod_set_info.restore(running, original, ()) == original


def test_what_is_injected_comes_beside_what_was_there_ac_363() -> None:
    running = pod_set_info.inject(FULL, BROUGHT)

    assert running == {
        "metadata": {"name": "kept", "annotations": {"own": "1", "a": "1"}, "labels": {"app": "x", "l": "1"}},
        "spec": {
            **FULL["spec"],
            "nodeSelector": {"disk": "ssd", "zone": "a"},
            "tolerations": [TOLERATION, {"key": "spot"}],
        },
    }


def test_scheduling_gates_come_back_and_those_of_others_go_ac_367() -> None:
    ungated = {**FULL, "spec": {**FULL["spec"], "schedulingGates": []}}
    gated = {**BARE, "spec": {**BARE["spec"], "schedulingGates": [{"name": "foreign"}]}}

    assert pod_set_info.restore(ungated, FULL, ()) == FULL
    assert pod_set_info.restore(gated, BARE, ()) == BARE


def test_labels_that_never_belonged_to_the_workload_stay_ac_367() -> None:
    running = {**BARE, "metadata": {"labels": {"tracked": "1", "brought": "1"}}}

    back = pod_set_info.restore(running, FULL, ("tracked", "not-there"))

    assert back["metadata"]["labels"] == {"app": "x", "tracked": "1"}


def test_a_template_without_metadata_is_restored_to_one_without_entries() -> None:
    assert pod_set_info.restore(pod_set_info.inject({}, BROUGHT), {}, ()) == {"metadata": {}, "spec": {}}
