"""A leader whose process is stopped (SIGSTOP) for longer
than its lease, and goes on while another leads (AC-375).
"""

import signal
import socket

import pytest

from ..replicas.schedules import CLUSTER_QUEUE, FLAVOR, LOCAL_QUEUE, QUOTA, WORKLOADS, workload
from ..replicas.story import broken, phase
from .site import Site

pytestmark = [pytest.mark.slow]
REACHES_HOST = 3
"""The exit code of what ended for a reason outside: the lease is lost."""
LEASE = "/apis/coordination.k8s.io/v1/namespaces/kueue-system/leases/c1f6bfd2.kueue.x-k8s.io"
TIMES = {"leaseDuration": "2s", "renewDeadline": "1s", "retryPeriod": "200ms"}


@pytest.fixture
def site(tmp_path):
    with Site(tmp_path) as site:
        yield site


def list_admitted(site):
    return [workload for workload in site.ask("GET", WORKLOADS)["items"] if phase(workload) == "admitted"]


def transitions(site):
    return site.ask("GET", LEASE)["spec"]["leaseTransitions"]


def answers(port):
    """Tell whether something listens, the webhooks above all."""
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def submit(site, names, priority):
    for name in names:
        site.ask("POST", WORKLOADS, workload(name, 1, priority))


def test_a_leader_that_was_stopped_writes_nothing_more(site):
    first = site.replica(elects=TIMES)
    first.stdout.readline()
    second = site.replica(site.port, elects=TIMES)
    site.await_trust()
    site.wait(lambda: answers(site.port))
    site.cluster.apply(
        {"apiVersion": "kueue.x-k8s.io/v1beta2", **manifest}
        for manifest in (FLAVOR, CLUSTER_QUEUE, LOCAL_QUEUE)
    )
    submit(site, [f"w{n}" for n in range(30)], priority=0)
    first.send_signal(signal.SIGSTOP)
    submit(site, [f"x{n}" for n in range(30)], priority=9)

    second.stdout.readline()
    site.wait(lambda: len(list_admitted(site)) == QUOTA)
    first.send_signal(signal.SIGCONT)

    assert first.wait(timeout=15) == REACHES_HOST
    assert transitions(site) == 1
    assert broken(site.cluster.journal, QUOTA) == []
