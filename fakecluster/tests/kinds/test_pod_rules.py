"""What a Pod must satisfy, and what may change of it (FK-486, FK-504)."""

import pytest

from fakecluster.kinds.core.pod.strategy import qos_class

from .judging import make, refusal, refusal_of_change, refusal_of_status, row

SMALL_NAME = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an"
    " alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)


def container(**fields):
    return {"name": "c", "image": "i", **fields}


def with_container(**fields):
    return {"containers": [container(**fields)]}


def plain(**fields):
    return {"containers": [container()], **fields}


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ({}, ["spec.containers: Required value"]),
        (with_container(name=""), ["spec.containers[0].name: Required value"]),
        (with_container(image=""), ["spec.containers[0].image: Required value"]),
        (with_container(name="A_B"), [f'spec.containers[0].name: Invalid value: "A_B": {SMALL_NAME}']),
        ({"containers": [container(), container()]}, ['spec.containers[1].name: Duplicate value: "c"']),
        (
            plain(restartPolicy="Foo"),
            [
                'spec.restartPolicy: Unsupported value: "Foo": supported values: "Always", "OnFailure", "Never"',
            ],
        ),
        (
            with_container(resources={"limits": {"cpu": "1"}, "requests": {"cpu": "2"}}),
            [
                'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
            ],
        ),
        (
            with_container(resources={"requests": {"example.com/x": "1500m"}}),
            [
                'spec.containers[0].resources.requests[example.com/x]: Invalid value: "1500m": must be an integer',
                "spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources",
            ],
        ),
        (
            with_container(volumeMounts=[{"name": "v", "mountPath": "/x"}]),
            [
                'spec.containers[0].volumeMounts[0].name: Not found: "v"',
            ],
        ),
        (
            plain(volumes=[{"name": "v", "emptyDir": {}, "hostPath": {"path": "/"}}]),
            [
                "spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type",
            ],
        ),
        (
            with_container(ports=[{"containerPort": 0}]),
            ["spec.containers[0].ports[0].containerPort: Required value"],
        ),
        (
            with_container(livenessProbe={}),
            [
                "spec.containers[0].livenessProbe: Required value: must specify a handler type",
            ],
        ),
        (
            with_container(env=[{"name": "a=b"}]),
            [
                (
                    'spec.containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of'
                    " printable ASCII characters other than '='"
                ),
            ],
        ),
        (
            plain(tolerations=[{"key": "k", "operator": "Exists", "value": "v"}]),
            [
                "spec.tolerations[0].operator: Invalid value: \"v\": value must be empty when `operator` is 'Exists'",
            ],
        ),
        (
            plain(schedulingGates=[{"name": "a.b/c"}, {"name": "a.b/c"}]),
            [
                'spec.schedulingGates[1]: Duplicate value: "a.b/c"',
            ],
        ),
        (
            plain(schedulingGates=[{"name": "a.b/c"}], nodeName="n"),
            [
                "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared",
            ],
        ),
        (
            plain(activeDeadlineSeconds=0),
            [
                "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive",
            ],
        ),
    ],
    ids=[
        "no containers",
        "no name",
        "no image",
        "bad name",
        "same name",
        "restart policy",
        "above limit",
        "extended resource",
        "no volume",
        "two sources",
        "port",
        "probe",
        "variable",
        "toleration",
        "same gate",
        "gated on a node",
        "deadline",
    ],
)
def test_a_wrong_pod_is_refused_fk_504(spec, texts):
    assert refusal("pods", spec=spec) == texts


def test_an_ordinary_pod_is_accepted_fk_504():
    volumes = [{"name": "v", "configMap": {"name": "m"}}]

    assert refusal("pods", spec=plain(volumes=volumes, nodeSelector={"a": "b"})) == []


@pytest.mark.parametrize(
    ("change", "texts"),
    [
        ({"containers": [container(image="j")]}, []),
        ({"activeDeadlineSeconds": 50}, []),
        (
            {"activeDeadlineSeconds": 200},
            [
                "spec.activeDeadlineSeconds: Invalid value: 200: must be less than or equal to previous value",
            ],
        ),
        (
            {"containers": [container(), container(name="d")]},
            [
                "spec.containers: Forbidden: pod updates may not add or remove containers",
            ],
        ),
        (
            {"schedulingGates": [{"name": "a.b/d"}]},
            [
                "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a.b/d'",
            ],
        ),
        ({"nodeSelector": {"k": "v", "l": "w"}}, []),
        (
            {"nodeSelector": {}},
            [
                "spec.nodeSelector: Invalid value: null: only additions to spec.nodeSelector are allowed (no mutations or deletions)",
            ],
        ),
    ],
    ids=[
        "image",
        "shorter deadline",
        "longer deadline",
        "more containers",
        "new gate",
        "more selection",
        "less selection",
    ],
)
def test_changes_of_a_gated_pod_fk_486(change, texts):
    spec = plain(activeDeadlineSeconds=100, schedulingGates=[{"name": "a.b/c"}], nodeSelector={"k": "v"})

    assert refusal_of_change("pods", make("pods", spec=spec), make("pods", spec={**spec, **change})) == texts


def test_another_change_is_shown_as_a_difference_fk_486():
    old, new = make("pods", spec=plain()), make("pods", spec=plain(hostname="h"))
    text = refusal_of_change("pods", old, new)[0]

    assert text.startswith(
        "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
    )
    assert '\n- "Hostname": "",\n+ "Hostname": "h",\n' in text


@pytest.mark.parametrize(
    ("status", "texts"),
    [
        ({"phase": "Running", "qosClass": "BestEffort"}, []),
        ({"qosClass": "Guaranteed"}, ['status.qosClass: Invalid value: "Guaranteed": field is immutable']),
    ],
    ids=["phase", "quality of service"],
)
def test_statuses_fk_486(status, texts):
    assert refusal_of_status("pods", make("pods", spec=plain()), status) == texts


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ({}, "BestEffort"),
        ({"requests": {"cpu": "1"}}, "Burstable"),
        ({"requests": {"cpu": "1", "memory": "1"}, "limits": {"cpu": "1", "memory": "1"}}, "Guaranteed"),
        ({"requests": {"cpu": "1", "memory": "1"}, "limits": {"cpu": "2", "memory": "1"}}, "Burstable"),
    ],
    ids=["nothing", "requests", "equal", "unequal"],
)
def test_the_quality_of_service_fk_496(resources, expected):
    assert qos_class({"containers": [{"resources": resources}]}) == expected


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (
            with_container(env=[{"name": "A"}, {"name": "A", "value": "x"}]),
            'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
        ),
        (
            with_container(ports=[{"containerPort": 80}, {"containerPort": 80}]),
            "spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]",
        ),
        (
            plain(
                topologySpreadConstraints=[
                    {"maxSkew": 1, "topologyKey": "k", "whenUnsatisfiable": "DoNotSchedule"}
                ]
            ),
            "spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod",
        ),
    ],
    ids=["variable", "port", "spreading"],
)
def test_warnings_fk_236(spec, text):
    assert row("pods").strategy.warnings(make("pods", spec=spec), None) == [text]
