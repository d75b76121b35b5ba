"""Topology annotations of a Job's pod template, which are validated although they have no effect."""

import pytest

from .objects import messages_of

PREFIX = "kueue.x-k8s.io/podset-"
PATH = "spec.template.metadata.annotations"
SLICE, SIZE, LAYERS = "slice-required-topology", "slice-size", "slice-required-topology-constraints"


def job(**texts):
    annotations = {f"{PREFIX}{name.replace('_', '-')}": text for name, text in texts.items()}
    spec = {"parallelism": 2, "completions": 3, "template": {"metadata": {"annotations": annotations}}}
    return {"metadata": {"name": "j", "namespace": "ns"}, "spec": {"suspend": True, **spec}}


def layer(text, **annotations):
    return job(**{LAYERS: text}, **annotations)


def at(name, text):
    return f"{PATH}[{PREFIX}{name}]: {text}"


@pytest.mark.parametrize(
    ("template", "texts"),
    [
        pytest.param(
            job(required_topology="a", preferred_topology="b"),
            [
                (
                    f"{PATH}: Invalid value: must not contain more than one topology annotation: "
                    f'["{PREFIX}required-topology", "{PREFIX}preferred-topology", "{PREFIX}unconstrained-topology"]'
                )
            ],
            id="two modes",
        ),
        pytest.param(
            job(group_name="1"),
            [
                at("group-name", 'Invalid value: "1": must not be a number'),
                at(
                    "group-name",
                    f"Forbidden: may not be set when neither '{PREFIX}preferred-topology' nor "
                    f"'{PREFIX}required-topology' is specified",
                ),
            ],
            id="group that is a number, and alone",
        ),
        pytest.param(
            job(group_name="-1", required_topology="a", slice_required_topology="b", slice_size="2"),
            [
                at("group-name", f"Forbidden: may not be set when '{PREFIX}{SIZE}' is specified"),
                at("group-name", f"Forbidden: may not be set when '{PREFIX}{SLICE}' is specified"),
            ],
            id="group with slices",
        ),
        pytest.param(
            job(unconstrained_topology="yes"),
            [at("unconstrained-topology", 'Invalid value: "yes": must be a boolean value')],
            id="neither true nor false",
        ),
        pytest.param(
            job(slice_size="x"),
            [
                at(SIZE, 'Invalid value: "x": must be a numeric value'),
                at(SIZE, f"Forbidden: may not be set when '{PREFIX}{SLICE}' is not specified"),
            ],
            id="size that is no number, and alone",
        ),
        pytest.param(
            job(slice_required_topology="a", slice_size="99999999999"),
            [at(SIZE, 'Invalid value: "99999999999": must be a numeric value')],
            id="size beyond 32 bits",
        ),
        pytest.param(
            job(slice_required_topology="a", slice_size="0"),
            [at(SIZE, 'Invalid value: "0": must be greater than or equal to 1')],
            id="no size",
        ),
        pytest.param(
            job(slice_required_topology="a"),
            [at(SIZE, f"Required value: must be set when '{PREFIX}{SLICE}' is specified")],
            id="slice without a size",
        ),
        pytest.param(
            job(slice_required_topology="a", slice_size="3"),
            [at(SIZE, 'Invalid value: "3": must not be greater than pod set count 2')],
            id="more than there are pods",
        ),
        pytest.param(job(slice_required_topology="a", slice_size="+2"), [], id="as many as there are pods"),
        pytest.param(job(group_name="+1", required_topology="a/b"), [], id="group with a sign"),
        pytest.param(job(unconstrained_topology="t"), [], id="true"),
    ],
)
def test_annotations_of_a_template(template, texts):
    assert messages_of("Job", template) == texts


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        pytest.param(
            "",
            [at(LAYERS, 'Invalid value: "": must be a valid JSON array: unexpected end of JSON input')],
            id="nothing",
        ),
        pytest.param(
            "x",
            [
                at(
                    LAYERS,
                    'Invalid value: "x": must be a valid JSON array: '
                    "invalid character 'x' looking for beginning of value",
                )
            ],
            id="no JSON",
        ),
        pytest.param(
            "[1]",
            [
                at(
                    LAYERS,
                    'Invalid value: "[1]": must be a valid JSON array: json: cannot unmarshal number into Go '
                    "value of type v1beta2.PodsetSliceRequiredTopologyConstraint",
                )
            ],
            id="other JSON",
        ),
        pytest.param(
            "null",
            [
                at(
                    LAYERS,
                    'Invalid value: "null": topology constraints must contain between 1 and 3 entries',
                )
            ],
            id="null",
        ),
        pytest.param(
            '[{"topology":"a","size":2},{"topology":"a","size":2}]',
            [f'{PATH}[{PREFIX}{LAYERS}][1].topology: Duplicate value: "a (also at index 0)"'],
            id="one topology twice",
        ),
        pytest.param(
            '[{"topology":"a","size":3},{"topology":"b","size":2}]',
            [
                f"{PATH}[{PREFIX}{LAYERS}][1].size: Invalid value: 2: must evenly divide the parent layer size 3"
            ],
            id="layers that do not divide",
        ),
        pytest.param(
            '[{"topology":"a","size":3}]',
            [at(LAYERS, "Invalid value: 3: must not be greater than pod set count 2")],
            id="more than there are pods",
        ),
        pytest.param('[{"topology":"a","size":2}]', [], id="one layer"),
    ],
)
def test_layers_of_slices(text, problems):
    assert messages_of("Job", layer(text)) == problems


def test_layers_stand_alone():
    messages = messages_of(
        "Job", layer('[{"topology":"a","size":1}]', slice_required_topology="a", slice_size="1")
    )

    assert messages == [
        at(LAYERS, f"Forbidden: may not be set when '{PREFIX}{name}' is specified") for name in (SLICE, SIZE)
    ]


def test_releases_without_topologies_do_not_judge_them():
    assert messages_of("Job", job(slice_size="x"), release=(0, 9)) == []
