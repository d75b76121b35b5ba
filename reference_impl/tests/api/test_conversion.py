"""Objects from one version to the other (AC-200…211, SC-172),
and what Go's types make of them (C-11, C-12, C-14).
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference_impl.api.conversion import ConversionError, convert
from reference_impl.api.gotypes import DecodeError
from reference_impl.api.topology import domains_of, slices_of

OLD, NEW = "kueue.x-k8s.io/v1beta1", "kueue.x-k8s.io/v1beta2"
TEMPLATE = {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1000m"}}}]}}
WRITTEN = {
    "metadata": {},
    "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]},
}


def obj(kind, version, spec=None, **status):
    body = {"apiVersion": version, "kind": kind, "metadata": {"name": "x"}, "spec": spec or {}}
    return {**body, "status": status}


def up(kind, spec=None, **status):
    return convert(obj(kind, OLD, spec, **status), NEW, "v0.19")


def down(kind, spec=None, **status):
    return convert(obj(kind, NEW, spec, **status), OLD, "v0.19")


BOTH_WAYS = [
    pytest.param("ClusterQueue", {"cohort": "a"}, {"cohortName": "a"}, id="AC-200 cohort"),
    pytest.param(
        "ClusterQueue",
        {"admissionChecksStrategy": {"admissionChecks": [{"name": "a", "onFlavors": ["f"]}]}},
        {"admissionChecksStrategy": {"admissionChecks": [{"name": "a", "onFlavors": ["f"]}]}},
        id="AC-201 strategy",
    ),
    pytest.param(
        "Workload",
        {
            "priorityClassSource": "kueue.x-k8s.io/workloadpriorityclass",
            "priorityClassName": "p",
            "priority": 3,
        },
        {
            "priorityClassRef": {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "p"},
            "priority": 3,
        },
        id="AC-206 class of Kueue",
    ),
    pytest.param(
        "Workload",
        {"priorityClassSource": "scheduling.k8s.io/priorityclass", "priorityClassName": "p"},
        {"priorityClassRef": {"group": "scheduling.k8s.io", "kind": "PriorityClass", "name": "p"}},
        id="AC-206 class of pods",
    ),
    pytest.param("Workload", {"queueName": "q"}, {"queueName": "q"}, id="the rest stays"),
    pytest.param("Cohort", {"parentName": "p"}, {"parentName": "p"}, id="AC-211 Cohort"),
    pytest.param(
        "MultiKueueCluster",
        {"kubeConfig": {"location": "s", "locationType": "Secret"}},
        {"clusterSource": {"kubeConfig": {"location": "s", "locationType": "Secret"}}},
        id="MultiKueueCluster",
    ),
    pytest.param("LocalQueue", {"clusterQueue": "c"}, {"clusterQueue": "c"}, id="LocalQueue"),
]


@pytest.mark.parametrize(("kind", "old", "new"), BOTH_WAYS)
def test_a_spec_goes_up(kind, old, new):
    assert up(kind, old)["spec"] == new


@pytest.mark.parametrize(("kind", "old", "new"), BOTH_WAYS)
def test_a_spec_comes_down(kind, old, new):
    assert down(kind, new)["spec"] == old


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        pytest.param(
            "ClusterQueue",
            {"admissionChecks": ["a", "b", "a"]},
            {"admissionChecksStrategy": {"admissionChecks": [{"name": "a"}, {"name": "b"}, {"name": "a"}]}},
            id="AC-201 C-13 names, twice when they are there twice",
        ),
        pytest.param(
            "ClusterQueue",
            {"admissionChecks": ["a"], "admissionChecksStrategy": {"admissionChecks": [{"name": "b"}]}},
            {"admissionChecksStrategy": {"admissionChecks": [{"name": "a"}]}},
            id="AC-202 names win",
        ),
        pytest.param(
            "ClusterQueue",
            {"flavorFungibility": {"whenCanBorrow": "Borrow", "whenCanPreempt": "Preempt"}},
            {"flavorFungibility": {"whenCanBorrow": "MayStopSearch", "whenCanPreempt": "MayStopSearch"}},
            id="AC-203 words of old",
        ),
        pytest.param(
            "ClusterQueue",
            {"admissionChecksStrategy": {"admissionChecks": [{"name": ""}]}},
            {"admissionChecksStrategy": {"admissionChecks": [{}]}},
            id="C-14 an empty name is no name",
        ),
        pytest.param(
            "Workload", {"priorityClassSource": "", "priorityClassName": "p"}, {}, id="AC-206 no source"
        ),
        pytest.param("Workload", {"noSuchField": 1}, {}, id="unknown fields are gone"),
    ],
)
def test_what_goes_up_and_cannot_come_back(kind, old, new):
    assert up(kind, old)["spec"] == new


def test_preemption_gates_have_no_older_form():
    """AC-209."""
    assert down("Workload", {"preemptionGates": [{"name": "g"}]})["spec"] == {}


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        pytest.param(
            "LocalQueue",
            {"flavorUsage": [{"name": "f", "resources": [{"name": "cpu", "total": "2"}]}]},
            {"flavorsUsage": [{"name": "f", "resources": [{"name": "cpu", "total": "2"}]}]},
            id="AC-205",
        ),
        pytest.param(
            "Workload",
            {"accumulatedPastExexcutionTimeSeconds": 12},
            {"accumulatedPastExecutionTimeSeconds": 12},
            id="AC-207",
        ),
    ],
)
def test_renamed_fields_of_a_status(kind, old, new):
    assert up(kind, **old)["status"] == new
    assert down(kind, **new)["status"] == old


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        pytest.param("ClusterQueue", {"pendingWorkloadsStatus": {"lastChangeTime": "t"}}, id="AC-204"),
        pytest.param("LocalQueue", {"flavors": [{"name": "f"}]}, id="AC-205"),
    ],
)
def test_statuses_that_are_dropped(kind, status):
    assert up(kind, **status)["status"] == {}


def assignment(**topology):
    assignment = {"name": "main", "topologyAssignment": {"levels": ["rack", "host"], **topology}}
    return {"admission": {"clusterQueue": "c", "podSetAssignments": [assignment]}}


def topology_of(workload):
    return workload["status"]["admission"]["podSetAssignments"][0]["topologyAssignment"]


@pytest.mark.parametrize(
    ("domains", "only"),
    [
        pytest.param(
            [{"values": ["r1", "h1"], "count": 2}, {"values": ["r1", "h2"], "count": 2}],
            {
                "domainCount": 2,
                "podCounts": {"universal": 2},
                "valuesPerLevel": [
                    {"universal": "r1"},
                    {"individual": {"prefix": "h", "roots": ["1", "2"]}},
                ],
            },
            id="alike",
        ),
        pytest.param(
            [{"values": ["a-x", "n1.example"], "count": 1}, {"values": ["b-x", "n22.example"], "count": 3}],
            {
                "domainCount": 2,
                "podCounts": {"individual": [1, 3]},
                "valuesPerLevel": [
                    {"individual": {"roots": ["a", "b"], "suffix": "-x"}},
                    {"individual": {"prefix": "n", "roots": ["1", "22"], "suffix": ".example"}},
                ],
            },
            id="unlike",
        ),
        pytest.param(
            [{"values": ["r", "h"], "count": 1}],
            {
                "domainCount": 1,
                "podCounts": {"universal": 1},
                "valuesPerLevel": [{"universal": "r"}, {"universal": "h"}],
            },
            id="one",
        ),
    ],
)
def test_domains_are_slices(domains, only):
    """AC-208."""
    assert topology_of(up("Workload", **assignment(domains=domains)))["slices"] == [only]
    assert topology_of(down("Workload", **assignment(slices=[only])))["domains"] == domains


def test_types_write_what_is_never_left_out():
    pod_set = up("Workload", {"podSets": [{"name": "main", "count": 0, "template": TEMPLATE}]})["spec"]

    assert pod_set["podSets"] == [{"name": "main", "count": 0, "template": WRITTEN}]


@pytest.mark.parametrize(
    ("kind", "spec", "text"),
    [
        pytest.param(
            "Workload",
            {"active": "no"},
            "json: cannot unmarshal string into Go struct field WorkloadSpec.spec.active of type bool",
            id="wrong type",
        ),
        pytest.param(
            "Workload",
            {"podSets": [{"count": {}}]},
            "json: cannot unmarshal object into Go struct field PodSet.spec.podSets.count of type int32",
            id="within a list",
        ),
        pytest.param(
            "ClusterQueue",
            {"resourceGroups": [{"flavors": [{"resources": [{"nominalQuota": "lots"}]}]}]},
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
            id="no quantity",
        ),
    ],
)
def test_what_does_not_decode_is_told_in_gos_words(kind, spec, text):
    """C-12."""
    with pytest.raises(DecodeError) as caught:
        up(kind, spec)

    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("kind", "version", "complaint"),
    [
        pytest.param("AdmissionCheck", OLD, NEW, id="a kind that needs no conversion"),
        pytest.param("Workload", "kueue.x-k8s.io/v1alpha1", NEW, id="from an unknown version"),
        pytest.param("Workload", OLD, "batch/v1", id="to another group"),
    ],
)
def test_what_nobody_can_convert(kind, version, complaint):
    with pytest.raises(ConversionError, match="cannot convert"):
        convert(obj(kind, version), complaint, "v0.19")


def test_a_dialect_converts_its_own_fields_only():
    """AC-220: v0.6 has no onFlavors."""
    strategy = {"admissionChecks": [{"name": "a", "onFlavors": ["f"]}]}
    new = convert(obj("ClusterQueue", OLD, {"admissionChecksStrategy": strategy}), NEW, "v0.6")

    assert new["spec"]["admissionChecksStrategy"] == {"admissionChecks": [{"name": "a"}]}


NAMES = st.text("abc-0", min_size=1, max_size=6)


@settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(st.tuples(NAMES, NAMES), st.integers(1, 9)),
        min_size=1,
        max_size=5,
        unique_by=lambda assignment: assignment[0],
    )
)
def test_no_domain_is_lost_on_the_way_there_and_back(assignment):
    """AC-208."""
    domains = [{"values": list(values), "count": count} for values, count in assignment]
    old = {"levels": ["rack", "host"], "domains": domains}

    assert domains_of(slices_of(old)) == old
