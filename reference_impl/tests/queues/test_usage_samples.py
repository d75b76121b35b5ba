"""What LocalQueues have used is sampled, told in their statuses,
and taken up again by a new leader (AC-077, KEP-4136).
"""

import pytest

from reference_impl.kueue.queues.usage_samples import UsageSamples
from reference_impl.kueue.quota.consumption import Consumption
from reference_impl.kueue.sharing import AdmissionFairSharing

from ..scheduling.preemption.arenas import TRUE, Arena
from ..scheduling.queue_side import group

KEY = "ns/q"
ADMITTED = {**TRUE, "type": "Admitted", "reason": "Admitted"}


def make_samples(used=4):
    """Samples of a LocalQueue with a Workload that is admitted, every minute, with a half-life of ten."""
    arena = (
        Arena().queue("q", group("cpu", "memory", default=[4, "4Gi"])).holds("w", "q", cpu=used, memory="1Gi")
    )
    workload = arena.objects["ns/w"]
    arena.put(
        type(workload)(
            {
                **workload.object,
                "status": {**workload.status, "conditions": [*workload.status["conditions"], ADMITTED]},
            }
        )
    )
    settings = AdmissionFairSharing(half_life=600, sampling_interval=60)
    return UsageSamples(Consumption(settings), arena.queue_manager.ledger)


def recorded_usage(resources, at):
    return {
        "fairSharing": {
            "weightedShare": 0,
            "admissionFairSharingStatus": {"consumedResources": resources, "lastUpdate": at},
        }
    }


def test_a_local_queue_is_sampled_at_once_and_then_at_intervals():
    cluster = make_samples()

    assert cluster.take_sample(KEY, "q", {}, 0)
    assert cluster.status(KEY) == recorded_usage({}, "1970-01-01T00:00:00Z")
    assert not cluster.take_sample(KEY, "q", {}, 59)
    assert cluster.wait(KEY, 59) == 1
    assert cluster.take_sample(KEY, "q", {}, 600)
    assert cluster.status(KEY) == recorded_usage({"cpu": "2", "memory": "512Mi"}, "1970-01-01T00:10:00Z")


def test_before_the_first_sample_nothing_is_told():
    cluster = make_samples()

    assert (cluster.status(KEY), cluster.wait(KEY, 7)) == ({}, 60)


@pytest.mark.parametrize(
    ("resources", "used"),
    [
        pytest.param({"cpu": "2500m"}, 2.5, id="what was used"),
        pytest.param({"cpu": "-3"}, 0, id="less than nothing"),
        pytest.param({"cpu": "much"}, 0, id="unreadable"),
        pytest.param(None, 0, id="nothing"),
    ],
)
def test_a_status_that_is_there_is_taken_up(resources, used):
    cluster = make_samples()
    cluster.consumption.know(KEY, 1)

    assert cluster.take_sample(KEY, "q", {"status": recorded_usage(resources, "1970-01-01T00:01:00Z")}, 100)
    assert (cluster.consumption.usage(KEY), cluster.wait(KEY, 100)) == (used, 60)
