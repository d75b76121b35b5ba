"""The badge shows counts, not only a word (harness/H-34)."""

import json

import pytest
from jsonschema import Draft202012Validator

from kueue_conformance.base.resources import schema
from kueue_conformance.report.formats import badge

from .results import FAILED, PASSED, report


@pytest.mark.parametrize(
    ("results", "complete", "shown"),
    [
        pytest.param(PASSED, True, ("2 of 2 passed · 1 unsupported", "brightgreen"), id="passed"),
        pytest.param(FAILED, True, ("2 of 4 passed · 1 unsupported", "red"), id="failed"),
        pytest.param(
            PASSED, False, ("2 of 2 passed · 1 unsupported · incomplete", "lightgrey"), id="incomplete"
        ),
    ],
)
def test_badge(results, complete, shown):
    document = json.loads(badge.render(report(results, complete=complete)))

    assert (document["message"], document["color"]) == shown
    assert Draft202012Validator(schema("badge")).is_valid(document)
