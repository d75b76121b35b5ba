"""v1beta1 beside v1beta2: the same shapes but for a table of differences (AC-001, AC-004, AC-010…132)."""

import pytest

from reference_impl.api.crds import convertible_definitions

CLIENT = {"url": "https://127.0.0.1:1/convert"}


def crd(kind, dialect="v0.19"):
    crds = convertible_definitions(dialect, CLIENT)
    return next(crd["spec"] for crd in crds if crd["spec"]["names"]["kind"] == kind)


def older(kind, *path):
    schema = crd(kind)["versions"][0]["schema"]["openAPIV3Schema"]
    for name in path:
        schema = schema.get("items", schema)["properties"][name]
    return schema


@pytest.mark.parametrize(
    ("kind", "strategy"),
    [
        pytest.param("Workload", "Webhook", id="Workload"),
        pytest.param("ClusterQueue", "Webhook", id="ClusterQueue"),
        pytest.param("LocalQueue", "Webhook", id="LocalQueue"),
        pytest.param("Cohort", "Webhook", id="Cohort"),
        pytest.param("MultiKueueCluster", "Webhook", id="MultiKueueCluster"),
        pytest.param("MultiKueueConfig", "None", id="MultiKueueConfig"),
        pytest.param("Topology", "None", id="Topology"),
        pytest.param("AdmissionCheck", "None", id="AdmissionCheck"),
        pytest.param("ResourceFlavor", "None", id="ResourceFlavor"),
        pytest.param("WorkloadPriorityClass", "None", id="WorkloadPriorityClass"),
        pytest.param("ProvisioningRequestConfig", "None", id="ProvisioningRequestConfig"),
    ],
)
def test_who_is_converted_by_a_webhook(kind, strategy):
    assert crd(kind)["conversion"]["strategy"] == strategy


def test_the_older_version_is_served_and_the_newer_one_stored():
    versions = [(crd["name"], crd["served"], crd["storage"]) for crd in crd("Workload")["versions"]]

    assert versions == [("v1beta1", True, False), ("v1beta2", True, True)]


@pytest.mark.parametrize(
    ("dialect", "warning"),
    [
        pytest.param("v0.19", "This version is deprecated. Use v1beta2 instead.", id="since v1beta2"),
        pytest.param("v0.6", None, id="when it was the only one"),
    ],
)
def test_who_warns_of_the_older_version(dialect, warning):
    assert crd("LocalQueue", dialect)["versions"][0].get("deprecationWarning") == warning


@pytest.mark.parametrize(
    ("path", "keywords"),
    [
        pytest.param(("AdmissionCheck", "spec", "controllerName"), {"minLength", "maxLength"}, id="AC-011"),
        pytest.param(("AdmissionCheck", "spec", "parameters", "kind"), {"minLength"}, id="AC-014"),
        pytest.param(("AdmissionCheck", "status", "conditions"), {"maxItems"}, id="AC-017"),
        pytest.param(
            ("ClusterQueue", "spec", "admissionChecksStrategy", "admissionChecks"),
            {"minItems", "maxItems", "x-kubernetes-list-type"},
            id="AC-039",
        ),
        pytest.param(("ClusterQueue", "spec", "admissionScope", "admissionMode"), {"enum"}, id="AC-045"),
        pytest.param(
            ("Workload", "spec", "podSets", "topologyRequest", "required"), {"maxLength"}, id="AC-095"
        ),
        pytest.param(("Workload", "status", "schedulingStats", "evictions"), {"maxItems"}, id="AC-130"),
    ],
)
def test_limits_that_it_does_not_have(path, keywords):
    assert not keywords & older(*path).keys()


@pytest.mark.parametrize(
    ("kind", "section", "has", "lacks"),
    [
        pytest.param("ClusterQueue", "spec", {"cohort", "admissionChecks"}, {"cohortName"}, id="AC-200"),
        pytest.param("LocalQueue", "status", {"flavorUsage", "flavors"}, {"flavorsUsage"}, id="AC-205"),
        pytest.param("AdmissionCheck", "spec", {"retryDelayMinutes"}, set(), id="AC-016"),
        pytest.param(
            "Workload",
            "spec",
            {"priorityClassName", "priorityClassSource"},
            {"priorityClassRef", "preemptionGates"},
            id="AC-097",
        ),
        pytest.param(
            "Workload",
            "status",
            {"accumulatedPastExexcutionTimeSeconds"},
            {"accumulatedPastExecutionTimeSeconds"},
            id="AC-129",
        ),
    ],
)
def test_fields_by_other_names(kind, section, has, lacks):
    fields = older(kind, section)["properties"].keys()

    assert has <= fields
    assert not lacks & fields


def test_columns_follow_the_names():
    columns = crd("ClusterQueue")["versions"][0]["additionalPrinterColumns"]

    assert columns[0]["jsonPath"] == ".spec.cohort"


def test_only_the_newer_version_is_selected_by_a_field():
    """AC-110: `.status.admission.clusterQueue`."""
    assert ["selectableFields" in crd for crd in crd("Workload")["versions"]] == [False, True]


def test_rules_name_the_fields_of_the_version():
    messages = [rule["message"] for rule in older("Workload")["x-kubernetes-validations"]]

    assert messages == [
        "podSetAssignments must have the same number of podSets as the spec",
        "priorityClassSource is immutable while workload quota reserved",
        (
            "priorityClassName is immutable while workload quota reserved and priorityClassSource is not equal to "
            "kueue.x-k8s.io/workloadpriorityclass"
        ),
        "queueName is immutable while workload quota reserved",
        "maximumExecutionTimeSeconds is immutable while workload quota reserved",
    ]
    assert not [message for message in messages if "Ref" in message]
