"""Listed outside work shows the capability Cleanup, also where no request to the API server has it."""

from types import SimpleNamespace

import pytest

from kueue_conformance.report.results.case_note import _observed_capabilities
from kueue_conformance.rules import Story
from kueue_conformance.stage.subject.objects import SubjectWork
from kueue_conformance.subject.outside_work import WorkItem
from kueue_conformance.subject.outside_work.claims import Claims

WORKLOAD = SimpleNamespace(namespace="team-a", name="train", history=())


@pytest.mark.parametrize(("items", "observed"), [([WorkItem("1", "team-a.train")], ["Cleanup"]), ([], [])])
def test_listed_work_shows_the_capability_cleanup(items, observed):
    cluster = SimpleNamespace(kubeconfig="")
    context = SimpleNamespace(client=None, cluster=cluster, saw_outside_work=False)
    work = SimpleNamespace(noun="claim", items=lambda identity, sources: items)
    judgement = SimpleNamespace(
        story=Story(changes=[], attempts=[], controller="example.com/licenses"), broken=()
    )

    SubjectWork(context, work, Claims()).identity_of(WORKLOAD)
    SubjectWork(context, SimpleNamespace(noun="claim", items=lambda *_: []), Claims()).identity_of(WORKLOAD)

    assert _observed_capabilities(context, judgement) == observed
