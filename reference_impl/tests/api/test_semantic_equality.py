"""What means the same in specs is equal, however it is written."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api.semantic_equality import are_equal

PAIRS: dict[str, tuple[Any, Any, bool]] = {
    "thousandths": ({"requests": {"cpu": "1000m"}}, {"requests": {"cpu": "1"}}, True),
    "a number": ({"requests": {"cpu": 1}}, {"requests": {"cpu": "1"}}, True),
    "a fraction": ({"limits": {"cpu": "0.5"}}, {"limits": {"cpu": "500m"}}, True),
    "powers of two": ({"overhead": {"memory": "1024Mi"}}, {"overhead": {"memory": "1Gi"}}, True),
    "another amount": ({"requests": {"cpu": "1000m"}}, {"requests": {"cpu": "2"}}, False),
    "no quantity": ({"requests": {"cpu": "x"}}, {"requests": {"cpu": "y"}}, False),
    "amounts below": (
        [{"resources": {"requests": {"cpu": "1.0"}}}],
        [{"resources": {"requests": {"cpu": 1}}}],
        True,
    ),
    "texts elsewhere": ({"args": ["1000m"]}, {"args": ["1"]}, False),
    "an empty list": ({"env": []}, {}, True),
    "null": ({"affinity": None}, {}, True),
    "empty resources of a container": ({"containers": [{"resources": {}}]}, {"containers": [{}]}, True),
    "empty resources of a pod": ({"spec": {"resources": {}}}, {}, False),
    "empty requests": ({"initContainers": [{"resources": {"requests": {}}}]}, {"initContainers": [{}]}, True),
    "empty labels": ({"metadata": {"labels": {}}}, {}, True),
    "a label without a value": ({"labels": {"team": ""}}, {"labels": {}}, False),
    "an annotation without a value": ({"metadata": {"annotations": {"a": ""}}}, {}, False),
    "a selector without a value": ({"nodeSelector": {"zone": ""}}, {}, False),
    "a selected label without a value": ({"matchLabels": {"zone": ""}}, {"matchLabels": {}}, False),
    "a label of a flavor without a value": ({"nodeLabels": {"zone": ""}}, {}, False),
    "an empty volume": (
        {"volumes": [{"name": "v", "emptyDir": {}}]},
        {"volumes": [{"name": "v"}]},
        False,
    ),
    "one empty volume or another": ({"emptyDir": {}}, {"downwardAPI": {}}, False),
    "a selector of everything": ({"namespaceSelector": {}}, {}, False),
    "an empty security context": ({"securityContext": {}}, {}, False),
    "an empty affinity": ({"affinity": {"nodeAffinity": {}}}, {"affinity": {}}, False),
    "an empty term": ({"podAffinityTerm": {}, "weight": 1}, {"weight": 1}, True),
    "an empty item": ({"tolerations": [{}]}, {"tolerations": []}, False),
    "an empty argument": ({"args": [""]}, {"args": []}, False),
    "an empty text": ({"tolerations": [{"value": ""}]}, {"tolerations": [{}]}, True),
    "an empty text behind a pointer": ({"storageClassName": ""}, {}, False),
    "false": ({"hostNetwork": False}, {}, True),
    "false behind a pointer": ({"enableServiceLinks": False}, {}, False),
    "false of a topology": ({"topologyRequest": {"unconstrained": False}}, {"topologyRequest": {}}, False),
    "nought": ({"ports": [{"hostPort": 0}]}, {"ports": [{}]}, True),
    "nought behind a pointer": ({"tolerationSeconds": 0}, {}, False),
    "the size of a volume": ({"emptyDir": {"sizeLimit": "1Gi"}}, {"emptyDir": {"sizeLimit": "1024Mi"}}, True),
    "no size of a volume": ({"emptyDir": {"sizeLimit": "0"}}, {"emptyDir": {}}, False),
    "quota": ({"nominalQuota": "1000m"}, {"nominalQuota": "1"}, True),
    "nothing to borrow": ({"borrowingLimit": "0"}, {}, False),
    "ranges of limits": (
        {"limits": [{"type": "Pod", "max": {"cpu": "1000m"}}]},
        {"limits": [{"type": "Pod", "max": {"cpu": "1"}}]},
        True,
    ),
    "zero is not absent": ({"requests": {"cpu": "0"}}, {}, False),
    "the order of a list": (["a", "b"], ["b", "a"], False),
}


@pytest.mark.parametrize(("first", "second", "equal"), PAIRS.values(), ids=PAIRS)
def test_what_means_the_same_is_equal(first: Any, second: Any, equal: bool) -> None:
    assert are_equal(first, second) is equal
    assert are_equal(second, first) is equal
