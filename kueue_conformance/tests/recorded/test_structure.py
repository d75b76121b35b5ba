"""What of an OpenAPI document is compared."""

from typing import Any

import pytest

from kueue_conformance.vectors.structure import comparable_part

SCHEMA = {"description": "Words.", "properties": {"description": {"type": "string"}}}


@pytest.mark.parametrize(
    ("value", "structure"),
    [
        pytest.param(SCHEMA, {"properties": {"description": {"type": "string"}}}, id="descriptions"),
        pytest.param(
            [{"$ref": "#/parameters/limit-1NfNmdNH"}],
            [{"$ref": "#/parameters/limit"}],
            id="shared parameters",
        ),
        pytest.param({"default": None}, {"default": None}, id="others"),
    ],
)
def test_a_structure_has_no_texts(value: Any, structure: Any) -> None:
    assert comparable_part(value, "structure") == structure


def test_a_digest_is_that_of_the_structure() -> None:
    assert comparable_part(SCHEMA, "digest") == comparable_part(
        {"properties": SCHEMA["properties"]}, "digest"
    )
    assert comparable_part(SCHEMA, "") is SCHEMA
