"""The feature gates of a real Kueue: where they are read, and that the run is judged by them."""

import json

import pytest
import yaml

from kueue_conformance import options
from kueue_conformance.base.errors import UsageError
from kueue_conformance.control_planes.reference import ReferenceControlPlane, bundle
from kueue_conformance.control_planes.upstream import feature_gates
from kueue_conformance.run.shared_kueue import with_observed_gates
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire.client import Client

CAUSES = "UnadmittedWorkloadsObservability"
CONFIGURATION = yaml.safe_dump(
    {
        "apiVersion": "config.kueue.x-k8s.io/v1beta2",
        "kind": "Configuration",
        "featureGates": {CAUSES: False, "PartialAdmission": True},
    }
)


def deployment(*args, volumes=("kueue-manager-config",), **container):
    pod = {
        "containers": [{"image": "kueue:v0.20.7", "args": list(args), **container}],
        "volumes": [{"name": name, "configMap": {"name": name}} for name in volumes] + [{"name": "cert"}],
    }
    return {
        "kind": "Deployment",
        "metadata": {"name": "kueue-controller-manager", "namespace": "kueue-system"},
        "spec": {"template": {"spec": pod}},
    }


def client_of(code=200, **config_maps):
    """Return the client of a server that has these ConfigMaps, or answers with an error."""

    def answer(_method, path, *_):
        name = path.rpartition("/")[2]
        known = code if name in config_maps else 404
        return known, json.dumps({"data": config_maps.get(name, {})}).encode()

    return Client(answer, agent="test")


FILE = {"controller_manager_config.yaml": CONFIGURATION}


@pytest.mark.parametrize(
    ("args", "gates"),
    [
        pytest.param(["--zap-log-level=2"], {}, id="none"),
        pytest.param([f"--feature-gates={CAUSES}=false,PartialAdmission=true"], {CAUSES: False, "PartialAdmission": True}, id="by ="),
        pytest.param(["--feature-gates", f"{CAUSES}=false"], {CAUSES: False}, id="the next word"),
        pytest.param([f"-feature-gates={CAUSES}=false"], {CAUSES: False}, id="one dash"),
        pytest.param(["--feature-gates=AllAlpha=true"], {"AllAlpha": True}, id="a stage"),
        pytest.param(["--feature-gates"], {}, id="without a value"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("field", ["args", "command"])
def test_gates_of_the_arguments(field, args, gates):
    manager = deployment(**{field: ["/manager", *args]})

    assert feature_gates.of_deployments(client_of(), [manager]) == gates


def test_an_argument_that_cannot_be_read_names_its_deployment():
    with pytest.raises(UsageError, match=r"Deployment kueue-controller-manager: --feature-gates: .*'X'"):
        feature_gates.of_deployments(client_of(), [deployment("--feature-gates=X")])


@pytest.mark.parametrize(
    ("client", "gates"),
    [
        pytest.param(
            client_of(**{"kueue-manager-config": FILE}), {CAUSES: False, "PartialAdmission": True}, id="read"
        ),
        pytest.param(client_of(), {}, id="absent"),
        pytest.param(client_of(403, **{"kueue-manager-config": FILE}), {}, id="without the right to read it"),
        pytest.param(
            client_of(**{"kueue-manager-config": {"ca.crt": "-----BEGIN: [", **FILE}}),
            {CAUSES: False, "PartialAdmission": True},
            id="beside what is no YAML",
        ),
        pytest.param(
            client_of(**{"kueue-manager-config": {"x": "kind: Other\n"}}), {}, id="without a Configuration"
        ),
    ],
)
def test_gates_of_the_configuration(client, gates):
    assert feature_gates.of_deployments(client, [deployment()]) == gates


def test_gates_of_manifests():
    config_map = {"kind": "ConfigMap", "metadata": {"name": "kueue-manager-config"}, "data": FILE}

    assert feature_gates.of_manifests([config_map, deployment()]) == {CAUSES: False, "PartialAdmission": True}


@pytest.mark.parametrize(
    ("line", "gates"),
    [
        pytest.param(
            f'{{"level":"Level(-2)","msg":"Loaded feature gates","featureGates":{{"{CAUSES}":false,"TLSOptions":true}}}}',
            {CAUSES: False, "TLSOptions": True},
            id="JSON",
        ),
        pytest.param(
            f'LEVEL(-2) setup Loaded feature gates {{"featureGates": {{"{CAUSES}":false}}}}',
            {CAUSES: False},
            id="console",
        ),
        pytest.param('{"msg":"Initializing","gitVersion":"v0.20.7"}', {}, id="not logged"),
    ],
)
def test_gates_of_a_log(line, gates):
    assert feature_gates.of_log(["first", line]) == gates


def test_gates_of_metrics():
    exposition = f"""\
# TYPE kubernetes_feature_enabled gauge
kubernetes_feature_enabled{{name="{CAUSES}",stage="BETA"}} 0
kubernetes_feature_enabled{{name="TLSOptions",stage=""}} 1
kueue_pending_workloads{{cluster_queue="a"}} 1
"""

    assert feature_gates.of_metrics(exposition) == {CAUSES: False, "TLSOptions": True}


def settings(**options_by_name):
    return options.read({"backend": "envtest", "control-plane": "upstream", **options_by_name}, seed=1)


def test_the_run_is_judged_by_the_gates_that_were_read():
    messages = []

    judged = with_observed_gates(settings(), {CAUSES: False, "PartialAdmission": True}, messages.append)

    assert judged.gates == {CAUSES: False}
    assert judged.dialects[0].fact("names-causes") is False
    assert messages == [f"Kueue has feature gates {CAUSES} off"]


def test_gates_of_a_stage_are_judged_each_by_itself():
    messages = []

    judged = with_observed_gates(
        settings(dialect="0.19.2"), {"AllAlpha": True, "PriorityBoost": False}, messages.append
    )

    assert (judged.gates["ShortWorkloadNames"], "PriorityBoost" in judged.gates) == (True, False)
    assert "ShortWorkloadNames on" in messages[0]


def test_gates_at_their_defaults_are_not_announced():
    assert with_observed_gates(settings(), {CAUSES: True}, pytest.fail).dialects[0].fact("names-causes")


def test_gates_that_nothing_says_are_believed():
    judged = with_observed_gates(settings(**{"feature-gates": f"{CAUSES}=false"}), {}, pytest.fail)

    assert judged.gates == {CAUSES: False}


def test_other_gates_than_those_of_the_kueue_are_refused():
    with pytest.raises(
        UsageError,
        match=rf"judged has feature gate {CAUSES} on, and --feature-gates says off(?s:.*)leave the gate out",
    ):
        with_observed_gates(settings(**{"feature-gates": f"{CAUSES}=false"}), {CAUSES: True}, print)


def test_a_deployed_reference_has_the_gates_of_the_run():
    spoken = known_dialects()["v0.20"].with_gates({CAUSES: False})
    deployments = [manifest for manifest in bundle(spoken) if manifest["kind"] == "Deployment"]

    assert feature_gates.of_deployments(client_of(), deployments) == {CAUSES: False}


def test_the_reference_says_nothing_itself():
    assert ReferenceControlPlane().feature_gates() == {}
