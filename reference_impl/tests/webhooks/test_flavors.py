"""ResourceFlavors that are refused (AC-080…082)."""

import pytest

from .objects import messages_of, obj
from .test_queues import NAME

TAINT = {"key": "k", "value": "v", "effect": "NoSchedule"}


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        pytest.param({"nodeLabels": {"a": "b"}, "nodeTaints": [TAINT]}, [], id="fine"),
        pytest.param(
            {"nodeLabels": {"bad key!": "x"}},
            [f'spec.nodeLabels: Invalid value: "bad key!": {NAME}'],
            id="AC-080",
        ),
        pytest.param(
            {"nodeTaints": [{**TAINT, "key": "bad key!"}]},
            [f'spec.nodeTaints[0].key: Invalid value: "bad key!": {NAME}'],
            id="AC-081 key",
        ),
        pytest.param(
            {"nodeTaints": [TAINT, TAINT]},
            [
                'spec.nodeTaints[1]: Duplicate value: {"key":"k","value":"v","effect":"NoSchedule"}: taints must be unique by key and effect pair'
            ],
            id="AC-081 twice",
        ),
        pytest.param(
            {"tolerations": [{"key": "bad key!", "operator": "Exists"}]},
            [f'spec.tolerations[0].key: Invalid value: "bad key!": {NAME}'],
            id="AC-082",
        ),
    ],
)
def test_a_flavor_is_judged(spec, texts):
    assert messages_of("ResourceFlavor", obj(spec)) == texts
