"""What pods of a story request, and which flavors suit them."""

import pytest

from kueue_conformance.exploration.control_planes.acts import Act
from kueue_conformance.exploration.control_planes.manifests import flavor, resource_groups, runtime_class
from kueue_conformance.exploration.control_planes.pod_templates import template
from kueue_conformance.exploration.control_planes.pods import amount_of, is_modelled, suits, with_defaults


def name(short):
    return short


def pods(options=""):
    return template(Act.of(f"submit w1 {options}"), "2", name)["spec"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", 2000),
        ("second=1", 3000),
        ("init=1", 2000),
        ("init=4", 4000),
        ("sidecar=1", 3000),
        ("sidecar=1 init=4", 5000),
        ("whole=3 second=2", 3000),
        ("requests=by-limits", 2000),
        ("runtime=r1", 3000),
        ("runtime=r1 whole=3", 4000),
    ],
)
def test_cpu_is_what_kubernetes_counts(options, expected):
    overhead = runtime_class(Act.of("runtime r1 cpu=1"), name) if "runtime" in options else {}

    assert amount_of(pods(options), "cpu", overhead) == expected


@pytest.mark.parametrize(
    ("options", "is_known"),
    [
        ("", True),
        ("init=1 requests=by-limits", True),
        ("whole=3", True),
        ("whole=1", False),
        ("memory=1", False),
        ("on=zone", False),
        ("affinity=Exists@zone", False),
    ],
)
def test_pods_are_judged_where_cpu_and_flavors_decide(options, is_known):
    assert is_modelled(pods(options)) is is_known


@pytest.mark.parametrize(
    ("of_flavor", "of_pods", "is_suited"),
    [
        ("", "", True),
        ("", "on=f1", True),
        ("", "on=f2", False),
        ("", "affinity=In:f1", True),
        ("", "affinity=NotIn:f1", False),
        ("", "affinity=NotIn:f1/In:f1", True),
        ("", "affinity=Exists", True),
        ("", "affinity=DoesNotExist", False),
        ("taint=yes", "", False),
        ("taint=PreferNoSchedule", "", True),
        ("taint=yes tolerates=yes", "", True),
        ("taint=yes", "tolerates=yes", True),
        ("taint=NoExecute", "tolerates=yes", False),
        ("taint=NoExecute", "tolerates=NoExecute", True),
        ("taint=NoExecute", "tolerates=any-effect", True),
        ("taint=yes", "tolerates=everything", True),
        ("taint=yes", "tolerates=other-value", False),
        ("taint=yes", "tolerates=other-key", False),
        ("taint=yes+other-key", "tolerates=yes", False),
        ("taint=yes+other-key", "tolerates=yes+other-key", True),
        ("taint=yes+other-key tolerates=other-key", "tolerates=yes", True),
        ("taint=NoExecute", "tolerates=every-key", False),
        ("taint=NoExecute", "tolerates=no-operator", True),
        ("", "affinity=In:f2/In:f1&NotIn:f1", False),
        ("", "affinity=DoesNotExist/In:f1", True),
    ],
)
def test_flavors_suit_pods_that_select_and_tolerate_their_nodes(of_flavor, of_pods, is_suited):
    stored = flavor(Act.of(f"flavor f1 {of_flavor}"), name)

    assert suits(stored["spec"], pods(of_pods)) is is_suited


def test_resources_with_the_same_flavors_are_in_one_group():
    groups = resource_groups(Act.of("queue q1 quota=f1:4,f2:2 memory=f3:1 counted=f1:3,f2:1"), name)

    assert [group["coveredResources"] for group in groups] == [["cpu", "pods"], ["memory"]]
    assert groups[0]["flavors"][1]["resources"] == [
        {"name": "cpu", "nominalQuota": "2"},
        {"name": "pods", "nominalQuota": "1"},
    ]


@pytest.mark.parametrize(
    ("cpu", "options", "expected", "is_known"),
    [
        ("2", "", 2000, True),
        ("", "", 1000, True),
        ("", "second=2", 3000, True),
        ("2", "requests=by-limits", 1000, True),
        ("500m", "requests=by-limits", 1000, False),
    ],
)
def test_a_container_requests_what_it_says_or_the_default_or_its_limit(cpu, options, expected, is_known):
    spec = template(Act.of(f"submit w1 {options}".strip()), cpu, name)["spec"]
    filled = with_defaults(spec, {"cpu": "1"})

    assert is_modelled(filled) is is_known
    assert not is_known or amount_of(filled, "cpu", {}) == expected
