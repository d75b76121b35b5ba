"""Allure's view of a scenario: labels that its own pytest plugin writes with `--alluredir` (PY-25)."""

from __future__ import annotations

import pytest

from ...scenarios.scenario import Scenario

_SEVERITY = {"must": "critical", "should": "normal", "may": "minor"}


def label(item: pytest.Item, scenario: Scenario) -> None:
    """Mark a test so that Allure groups it by document, profile and requirement."""
    labels = [
        ("epic", scenario.requirement[0].partition("#")[0]),
        ("feature", scenario.profile.name),
        ("severity", _SEVERITY[scenario.level]),
        ("scenarioId", scenario.id),
        ("suite", scenario.profile.family),
        *(("story", requirement) for requirement in scenario.requirement),
    ]
    for kind, value in labels:
        item.add_marker(pytest.mark.allure_label(value, label_type=kind))
    import allure

    if isinstance(item, pytest.Function):
        set_title = allure.title(f"{scenario.id} {scenario.title}")  # type: ignore[no-untyped-call]
        set_title(item.obj)
