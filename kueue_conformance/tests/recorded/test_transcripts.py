"""What unmodified programs asked a real API server is
answered alike (F-08, apiserver.md §2.5.9 A-04…A-08, A-10).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakecluster.recording.replay import Replay, ReplayOutcome
from fakecluster.recording.transcript import read
from fakecluster.recording.upstream import Upstream
from kueue_conformance.backends.cluster import Cluster
from kueue_conformance.backends.fake import FakeBackend
from kueue_conformance.control_planes import ServedApis
from kueue_conformance.control_planes.reference import ReferenceControlPlane
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.wire.resource import RESOURCES

FOLDER = Path(__file__).parents[3] / "fixtures" / "transcripts"
REQUESTS = "provisioningrequests.autoscaling.x-k8s.io"


@pytest.fixture(scope="module")
def outcomes() -> Iterator[list[ReplayOutcome]]:
    """Kueue's manager, played to a cluster whose definitions and webhooks are the reference's."""
    dialect, reference, backend = known_dialects()["v0.19"], ReferenceControlPlane(), FakeBackend()
    serving = ServedApis(webhooks="in-process")

    def install(base: Cluster) -> None:
        """Install as on the recorded cluster, which had no definition of ProvisioningRequest."""
        reference.install(base, dialect, serving)
        path = RESOURCES["CustomResourceDefinition"].path(name=REQUESTS)
        code, _ = base.transport("DELETE", path, {}, None)
        assert code == 200

    lease = backend.lend(dialect, install, reference.in_process_functions(dialect, serving))
    exchanges = read(FOLDER / "kueue-v0.19.2-on-kube-apiserver-v1.36.3.jsonl.gz")
    yield list(Replay(Upstream.of_kubeconfig(Path(lease.kubeconfig))).play(exchanges))
    lease.close()
    backend.close()


def request_line(outcome: ReplayOutcome) -> str:
    return f"{outcome.exchange.method} {outcome.exchange.target}"


def test_a_manager_is_answered_as_the_real_server_answers_it(outcomes: list[ReplayOutcome]) -> None:
    assert {request_line(outcome): outcome.difference for outcome in outcomes if outcome.difference} == {}


def test_only_streams_are_not_played(outcomes: list[ReplayOutcome]) -> None:
    assert [
        request_line(outcome) for outcome in outcomes if outcome.skipped and not outcome.exchange.watch
    ] == []
    assert sum(not outcome.skipped for outcome in outcomes) == 153
