"""What is counted of the requests of a subject (harness/N-14)."""

from types import SimpleNamespace

import pytest

from kueue_conformance.history.story import Request
from kueue_conformance.stage.subject.subject_requests import RequestWindow

WORKLOAD = SimpleNamespace(namespace="ns", name="work")


def write(name, namespace="ns", kind="Workload"):
    return Request(
        at=0.0, verb="patch", resource="workloads", kind=kind, namespace=namespace, name=name, code=403
    )


@pytest.mark.parametrize(
    ("others", "tries", "holds"),
    [
        pytest.param([], 2, True, id="few"),
        pytest.param([], 3, False, id="many"),
        pytest.param([write("other")] * 9, 2, True, id="another Workload is written meanwhile"),
        pytest.param([write("work", "elsewhere")] * 9, 2, True, id="another namespace"),
        pytest.param([write("work", kind="ConfigMap")] * 9, 2, True, id="another kind"),
    ],
)
def test_tries_are_those_at_the_workload_that_is_refused(others, tries, holds):
    window = RequestWindow(seconds=5, requests=[*others, *[write("work")] * tries])

    fact = window.has_at_most_tries(WORKLOAD, 2)

    assert (fact.holds, fact.observed) == (holds, f"{tries} attempts")
