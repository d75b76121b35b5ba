"""ProvisioningClasses: what administrators allow (PR-260…275), on a clock that is moved by hand."""

from __future__ import annotations

import pytest

from reference_impl.api import kinds
from reference_impl.api.crds import definitions_for_requests
from reference_impl.api.resource import Json, Key
from reference_impl.autoscaler.proposal.requests import CHECK_CAPACITY, RESOURCE

from .laboratory import Laboratory
from .objects import group, make_proposed
from .proposal import BACK_OFF, EXPIRED, INVALID, PROVISIONED

ACCEPTED = "Accepted=True/Accepted"
NOT_FOUND = "Accepted=False/ProvisioningClassNotFound"
FORBIDDEN = "Accepted=False/ProvisioningClassForbidden"
TOO_MANY = "Accepted=False/TooManyPending"
AVAILABLE = "CapacityAvailable=True/CapacityFound"


def laboratory(mode: str = "enforced", nodes: int = 1, labels: Json = None) -> Laboratory:
    lab = Laboratory(group(), nodes=nodes, rules="aep", provisioning_classes=mode)
    lab.server.put(kinds.NAMESPACES, {"metadata": {"name": "ns", "labels": labels or {}}})
    return lab


def classify(
    lab: Laboratory, name: str = "batch", provisioner: str = "atomic-scale-up", **fields: Json
) -> None:
    lab.server.put(
        kinds.PROVISIONING_CLASSES, {"metadata": {"name": name}, "provisioner": provisioner, **fields}
    )


def details(lab: Laboratory, name: str = "r") -> Json:
    return lab.server.store(RESOURCE).get(Key("ns", name))["status"].get("additionalStatus")


def test_a_class_says_who_serves_its_requests() -> None:
    """PR-262, PR-270: what was settled can be seen, and the spec is never written."""
    lab = laboratory()
    classify(lab, provisioner="check-capacity", additionalParameters={"a": "1", "b": "2"})
    lab.ask(make_proposed(class_name="batch", parameters={"b": "3"}))
    lab.loop()
    assert lab.told("r") == [ACCEPTED, AVAILABLE]
    assert details(lab) == {
        "provisioner": "check-capacity",
        "effectiveParameters/a": "1",
        "effectiveParameters/b": "3",
    }
    spec = lab.server.store(RESOURCE).get(Key("ns", "r"))["spec"]
    assert spec["additionalParameters"] == {"b": "3"}


@pytest.mark.parametrize(
    ("mode", "answers"), [("off", [AVAILABLE]), ("permissive", [AVAILABLE]), ("enforced", [NOT_FOUND])]
)
def test_a_built_in_class_without_an_object(mode: str, answers: list[str]) -> None:
    """PR-271."""
    lab = laboratory(mode)
    lab.ask(make_proposed(class_name=CHECK_CAPACITY))
    lab.loop()
    lab.loop(10)
    assert lab.told("r") == answers
    assert len(lab.server.writes) == 1, "what was said is not said again"


@pytest.mark.parametrize("mode", ["off", "permissive"])
def test_an_unknown_class_is_left_alone(mode: str) -> None:
    lab = laboratory(mode)
    lab.ask(make_proposed(class_name="unknown"))
    lab.loop()
    assert lab.server.writes == []


def test_an_object_counts_for_nothing_where_classes_are_off() -> None:
    lab = laboratory("off")
    classify(lab, name=CHECK_CAPACITY, allowedNamespaces={"matchLabels": {"team": "x"}})
    lab.ask(make_proposed(class_name=CHECK_CAPACITY))
    lab.loop()
    assert lab.told("r") == [AVAILABLE]


def test_a_class_that_appears_lets_its_requests_in() -> None:
    lab = laboratory()
    lab.ask(make_proposed(class_name="batch"))
    lab.loop()
    assert lab.told("r") == [NOT_FOUND]
    classify(lab)
    lab.loop(10)
    assert lab.told("r") == [ACCEPTED, PROVISIONED]


def test_a_provisioner_of_others_is_accepted_and_left_to_them() -> None:
    lab = laboratory()
    classify(lab, provisioner="queued-provisioning.gke.io")
    lab.ask(make_proposed(class_name="batch"))
    lab.loop()
    lab.loop(10)
    assert lab.told("r") == [ACCEPTED]


@pytest.mark.parametrize(("labels", "answers"), [({"team": "x"}, [ACCEPTED, PROVISIONED]), ({}, [FORBIDDEN])])
def test_a_class_may_be_for_some_namespaces(labels: Json, answers: list[str]) -> None:
    """PR-269, PR-272."""
    lab = laboratory(labels=labels)
    classify(lab, allowedNamespaces={"matchLabels": {"team": "x"}})
    lab.ask(make_proposed(class_name="batch"))
    lab.loop()
    lab.loop(10)
    assert lab.told("r") == answers


@pytest.mark.parametrize("selector", [None, {}])
def test_without_a_selector_it_is_for_all(selector: Json) -> None:
    lab = laboratory()
    classify(lab, allowedNamespaces=selector)
    lab.ask(make_proposed(class_name="batch"))
    lab.loop()
    assert lab.told("r") == [ACCEPTED, PROVISIONED]


@pytest.mark.parametrize(
    ("policy", "own", "valid"),
    [
        ("Overridable", {"a": "2", "c": "3"}, True),
        ("Fixed", {"a": "1", "c": "3"}, True),
        ("Fixed", {"a": "2"}, False),
        ("Exclusive", {"a": "2"}, True),
        ("Exclusive", {"c": "3"}, False),
    ],
)
def test_a_policy_says_what_requests_may_say(policy: str, own: Json, valid: bool) -> None:
    """PR-264, PR-272."""
    lab = laboratory()
    classify(lab, additionalParameters={"a": "1"}, parameterPolicy=policy)
    lab.ask(make_proposed(class_name="batch", parameters=own))
    lab.loop()
    assert lab.told("r") == ([ACCEPTED, PROVISIONED] if valid else [INVALID])
    assert details(lab) == (
        {
            "provisioner": "atomic-scale-up",
            **{f"effectiveParameters/{k}": v for k, v in {"a": "1", **own}.items()},
        }
        if valid
        else None
    )


@pytest.mark.parametrize(("own", "valid"), [({}, False), ({"b": ""}, True)])
def test_a_parameter_may_be_required(own: Json, valid: bool) -> None:
    """PR-265."""
    lab = laboratory()
    classify(lab, additionalParameters={"a": "1"}, requiredParameters=["a", "b"])
    lab.ask(make_proposed(class_name="batch", parameters=own))
    lab.loop()
    assert lab.told("r") == ([ACCEPTED, PROVISIONED] if valid else [INVALID])


@pytest.mark.parametrize(("count", "valid"), [(63, True), (64, False)])
def test_what_was_settled_has_room_in_a_status(count: int, valid: bool) -> None:
    """PR-021: 64 entries, of which one is the provisioner."""
    lab = laboratory()
    classify(lab, additionalParameters={f"p{n}": "" for n in range(count)})
    lab.ask(make_proposed(class_name="batch"))
    lab.loop()
    assert lab.told("r") == ([ACCEPTED, PROVISIONED] if valid else [INVALID])


def test_only_so_many_requests_of_a_class_wait_in_a_namespace() -> None:
    """PR-267: the next one is let in when one of them has its answer."""
    lab = laboratory()
    lab.cloud.rejecting.add("ng-a")
    classify(lab, maxPending=1, retryUntilSeconds=90)
    for name in ("a", "b"):
        lab.ask(make_proposed(name, count=8, class_name="batch"))
    lab.loop()
    lab.loop(10)
    assert (lab.told("a"), lab.told("b")) == ([ACCEPTED, BACK_OFF], [TOO_MANY])
    lab.loop(80)
    lab.loop(1)
    assert lab.told("a") == [ACCEPTED, BACK_OFF, EXPIRED]
    assert lab.told("b")[0] == ACCEPTED


@pytest.mark.parametrize(("own", "tries"), [({}, 2), ({"ValidUntilSeconds": "200"}, 3)])
def test_a_class_may_say_for_how_long_requests_are_tried(own: Json, tries: int) -> None:
    """PR-268."""
    lab = laboratory()
    lab.cloud.rejecting.add("ng-a")
    classify(lab, retryUntilSeconds=90)
    lab.ask(make_proposed(count=8, class_name="batch", parameters=own))
    for _ in range(60):
        lab.loop(5)
    assert (len(lab.cloud.calls), lab.told("r")[-1]) == (tries, EXPIRED)


def test_a_change_of_the_class_is_for_later_requests() -> None:
    """PR-273, PR-274: also after a restart."""
    lab = laboratory()
    lab.cloud.rejecting.add("ng-a")
    classify(lab, additionalParameters={"a": "1"})
    lab.ask(make_proposed(count=8, class_name="batch"))
    lab.loop()
    classify(lab, provisioner="check-capacity", additionalParameters={"a": "2"})
    lab.restart()
    lab.cloud.rejecting.clear()
    lab.loop(61)
    lab.boot("ng-a")
    lab.loop(60)
    assert lab.told("r") == [ACCEPTED, PROVISIONED]
    assert details(lab)["effectiveParameters/a"] == "1"


def test_a_deleted_class_keeps_waiting_requests_out_and_answered_ones_as_they_are() -> None:
    """PR-273."""
    lab = laboratory()
    classify(lab)
    lab.ask(make_proposed("done", class_name="batch"))
    lab.loop()
    lab.cloud.rejecting.add("ng-a")
    lab.ask(make_proposed("waits", count=8, class_name="batch"))
    lab.loop(1)
    lab.server.store(kinds.PROVISIONING_CLASSES).put(Key("", "batch"), None)
    lab.loop(61)
    assert lab.told("done") == [ACCEPTED, PROVISIONED]
    assert lab.told("waits") == [NOT_FOUND, BACK_OFF]
    assert len(lab.cloud.calls) == 1, "it is not tried any more"


def test_the_definition_is_installed_with_the_proposal_only() -> None:
    """PR-030, PR-260."""
    names = [
        definitions_for_request["metadata"]["name"]
        for definitions_for_request in definitions_for_requests("aep")
    ]
    assert names == ["provisioningrequests.autoscaling.x-k8s.io", "provisioningclasses.autoscaling.x-k8s.io"]
    assert len(definitions_for_requests("ca")) == 1
    schema = definitions_for_requests("aep")[1]["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    fields = schema["properties"]
    assert schema["required"] == ["provisioner"]
    assert fields["bookingDurationSeconds"] == {
        "type": "integer",
        "format": "int32",
        "default": 600,
        "minimum": 0,
        "maximum": 86400,
    }
    assert fields["parameterPolicy"]["default"] == "Overridable"
