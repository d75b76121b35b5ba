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
    "empty and absent": ({"resources": {}, "env": []}, {}, True),
    "zero is not absent": ({"requests": {"cpu": "0"}}, {}, False),
    "the order of a list": (["a", "b"], ["b", "a"], False),
}


@pytest.mark.parametrize(("first", "second", "equal"), PAIRS.values(), ids=PAIRS)
def test_what_means_the_same_is_equal(first: Any, second: Any, equal: bool) -> None:
    assert are_equal(first, second) is equal
    assert are_equal(second, first) is equal
