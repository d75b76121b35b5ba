"""Kueue's Configuration and feature gates: read values, and refusals (Q-480, Q-483)."""

import pytest

from reference_impl.kueue.config import ConfigError, Settings, read, settings_of
from reference_impl.kueue.features import FeatureError, Features, parse
from reference_impl.kueue.sharing import AdmissionFairSharing, FairSharing
from reference_impl.kueue.workload.rules import PodsReady
from reference_impl.runtime.election import Election
from reference_impl.runtime.metrics import Registry

HEAD = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration"}


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        pytest.param({}, "pods_ready", PodsReady(), id="pods are waited for by default"),
        pytest.param(
            {"waitForPodsReady": {"timeout": "5m"}},
            "pods_ready",
            PodsReady(timeout=300.0, recovery_timeout=300.0),
            id="recovery takes the timeout",
        ),
        pytest.param(
            {"waitForPodsReady": {"recoveryTimeout": "1h30m", "requeuingStrategy": {"backoffLimitCount": 3}}},
            "pods_ready",
            PodsReady(recovery_timeout=5400.0, backoff_limit=3),
            id="strategy",
        ),
        pytest.param(
            {"objectRetentionPolicies": {"workloads": {"afterFinished": "0s"}}},
            "retention",
            0.0,
            id="AC-320 retention",
        ),
        pytest.param({}, "retention", None, id="AC-320 finished Workloads are kept"),
        pytest.param({"waitForPodsReady": {"enable": False}}, "pods_ready", None, id="not waited for"),
        pytest.param(
            {"featureGates": {"PartialAdmission": False}},
            "features",
            Features({"PartialAdmission": False}),
            id="gates",
        ),
        pytest.param({}, "leader_election", True, id="one leads"),
        pytest.param({"leaderElection": {"leaderElect": False}}, "leader_election", False, id="all lead"),
        pytest.param(
            {"leaderElection": {"leaseDuration": "3s", "renewDeadline": "2s", "retryPeriod": "500ms"}},
            "election",
            Election(lease_duration=3.0, renew_deadline=2.0, retry_period=0.5),
            id="times of the election",
        ),
        pytest.param(
            {"manageJobsWithoutQueueName": True}, "manage_jobs_without_queue_name", True, id="all jobs"
        ),
        pytest.param(
            {"managedJobsNamespaceSelector": {"matchLabels": {"batch": "yes"}}},
            "managed_jobs_namespace_selector",
            {"matchLabels": {"batch": "yes"}},
            id="AC-339 namespaces",
        ),
        pytest.param({}, "managed_jobs_namespace_selector", None, id="AC-339 all but those of the system"),
        pytest.param({"metrics": {"bindAddress": ":8443"}}, "metrics_address", ":8443", id="metrics"),
        pytest.param({}, "fair_sharing", None, id="Q-482 no fair sharing"),
        pytest.param({"fairSharing": {}}, "fair_sharing", FairSharing(), id="Q-482 both strategies"),
        pytest.param({"fairSharing": {"enable": False}}, "fair_sharing", None, id="Q-482 switched off"),
        pytest.param(
            {"fairSharing": {"preemptionStrategies": ["LessThanInitialShare"]}},
            "fair_sharing",
            FairSharing(preemption_strategies=("LessThanInitialShare",)),
            id="Q-272 one strategy",
        ),
        pytest.param({}, "admission_fair_sharing", None, id="Q-482 usage is not remembered"),
        pytest.param(
            {
                "admissionFairSharing": {
                    "usageHalfLifeTime": "168h",
                    "resourceWeights": {"cpu": 2, "memory": 0.5},
                }
            },
            "admission_fair_sharing",
            AdmissionFairSharing(
                half_life=604800.0, sampling_interval=300.0, resource_weights={"cpu": 2.0, "memory": 0.5}
            ),
            id="KEP-4136 times and weights",
        ),
        pytest.param({}, "visibility_address", "", id="no visibility server"),
        pytest.param({"visibilityServer": {}}, "visibility_address", "0.0.0.0:8082", id="VIS-003 defaults"),
        pytest.param(
            {"visibilityServer": {"bindAddress": "::1", "bindPort": 9}},
            "visibility_address",
            "[::1]:9",
            id="VIS-003 told",
        ),
        pytest.param({"webhook": {"port": 9443}}, "webhook_port", None, id="external certificates"),
        pytest.param(
            {"webhook": {"port": 9443}, "internalCertManagement": {"enable": True}},
            "webhook_secret",
            "kueue-webhook-server-cert",
            id="own certificates",
        ),
        pytest.param(
            {
                "webhook": {"port": 9443},
                "internalCertManagement": {"enable": True, "webhookServiceName": "w"},
            },
            "webhook_service",
            "w",
            id="own certificates for a Service",
        ),
        pytest.param(
            {"tls": {"minVersion": "VersionTLS13"}}, "namespace", "kueue-system", id="no meaning here"
        ),
    ],
)
def test_a_configuration(text, field, value):
    assert getattr(settings_of(HEAD | text), field) == value


def test_an_empty_configuration_is_the_default():
    assert settings_of(HEAD) == Settings()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("[]", "expected an object of kind Configuration", id="list"),
        pytest.param("a: [", "is not YAML", id="broken"),
        pytest.param(
            "kind: Configuration", "expected apiVersion config.kueue.x-k8s.io/v1beta2", id="no version"
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, waitForPodsReady: {timeout: soon}}",
            "timeout: 'soon' is no duration; for example 30m or 1h30m",
            id="duration",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, manageJobsWithoutQueueName: 'yes'}",
            "manageJobsWithoutQueueName: expected bool, found 'yes'",
            id="type",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, managedJobsNamespaceSelector: {}}",
            "managedJobsNamespaceSelector: should not match the 'kube-system' namespace",
            id="AC-339 namespaces of the system",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, "
            "managedJobsNamespaceSelector: {matchExpressions: [{key: a, operator: Is}]}}",
            'managedJobsNamespaceSelector.matchExpressions: "Is" is not a valid label selector operator',
            id="AC-339 operator",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, "
            "managedJobsNamespaceSelector: {matchExpressions: [x]}}",
            r"managedJobsNamespaceSelector.matchExpressions: expected objects with a key, found \['x'\]",
            id="AC-339 expression",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, "
            "managedJobsNamespaceSelector: {matchLabels: {batch: true}}}",
            r"managedJobsNamespaceSelector.matchLabels: expected texts, found {'batch': True}",
            id="AC-339 label",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, leaderElection: {renewDeadline: 20s}}",
            "leaderElection: leaseDuration 15s must be greater than renewDeadline 20s",
            id="election",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, fairSharing: {preemptionStrategies: [Never]}}",
            r"fairSharing.preemptionStrategies: expected \[LessThanOrEqualToFinalShare, LessThanInitialShare\] or ",
            id="Q-272 strategy",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, admissionFairSharing: {resourceWeights: {cpu: -1}}}",
            "admissionFairSharing.resourceWeights.cpu: expected a number of at least 0, found -1",
            id="KEP-4136 weight",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, admissionFairSharing: {usageHalfLifeTime: -1h}}",
            "usageHalfLifeTime: '-1h' is no duration",
            id="KEP-4136 time",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, visibilityServer: {bindAddress: here}}",
            "visibilityServer.bindAddress: must be a valid IP address, found 'here'",
            id="VIS-003 address",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, visibilityServer: {bindPort: 65536}}",
            r"visibilityServer.bindPort: must be a valid port number \(1-65535\), found 65536",
            id="VIS-003 port",
        ),
        pytest.param(
            "{apiVersion: config.kueue.x-k8s.io/v1beta2, kind: Configuration, featureGates: {Nope: true}}",
            "unrecognized feature gate: Nope",
            id="gate",
        ),
    ],
)
def test_a_bad_configuration_names_file_and_field(tmp_path, text, complaint):
    path = tmp_path / "config.yaml"
    path.write_text(text)

    with pytest.raises(ConfigError, match=complaint) as failure:
        read(path)

    assert str(path) in str(failure.value)


@pytest.mark.parametrize(
    ("text", "on"),
    [
        pytest.param("", True, id="default"),
        pytest.param("PartialAdmission=false", False, id="off"),
        pytest.param("FinishOrphanedWorkloads=false, PartialAdmission=True", True, id="several"),
    ],
)
def test_gates(text, on):
    assert parse(text)["PartialAdmission"] is on


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("PartialAdmission", "expected NAME=true or NAME=false", id="no value"),
        pytest.param("PartialAdmission=on", "expected NAME=true or NAME=false", id="other value"),
        pytest.param("PartialAdmision=true", "did you mean PartialAdmission", id="near"),
        pytest.param(
            "Xyz=true",
            "unrecognized feature gate: Xyz; known: Admission",
            id="unknown",
        ),
        pytest.param("TopologyAwareScheduling=true", "is always false here", id="not implemented"),
    ],
)
def test_bad_gates(text, complaint):
    with pytest.raises(FeatureError, match=complaint):
        parse(text).check()


@pytest.mark.parametrize(
    ("version", "name", "stage", "value"),
    [
        pytest.param((0, 20, 7), "UnadmittedWorkloadsObservability", "Beta", 0, id="switched off"),
        pytest.param((0, 20, 7), "PartialAdmission", "Beta", 1, id="on by default"),
        pytest.param((0, 20, 7), "TopologyAwareScheduling", "Beta", 0, id="on in the release, not here"),
        pytest.param((0, 19, 2), "TLSOptions", "Beta", 1, id="of the release"),
    ],
)
def test_gates_are_exposed_as_metrics(version, name, stage, value):
    metrics = Registry()

    Features({"UnadmittedWorkloadsObservability": False}, version).expose(metrics)

    assert f'kubernetes_feature_enabled{{name="{name}",stage="{stage}"}} {value}\n' in metrics.exposition()
