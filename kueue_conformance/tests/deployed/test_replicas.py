"""Several replicas: one leads, the others are ready;
when it goes, another leads, with the same certificate (AC-375).
"""

from urllib.request import urlopen

import pytest

from .site import Site, free_port

LEASE = "/apis/coordination.k8s.io/v1/namespaces/kueue-system/leases"
NAME = "c1f6bfd2.kueue.x-k8s.io"


@pytest.fixture
def site(tmp_path):
    with Site(tmp_path) as site:
        yield site


def test_who_does_not_lead_is_ready(site):
    spec = {"holderIdentity": "another", "leaseDurationSeconds": 3600}
    site.ask(
        "POST",
        LEASE,
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": NAME}, "spec": spec},
    )
    health = f"127.0.0.1:{free_port()}"

    site.replica(health=health)
    site.wait(lambda: [entry for entry in site.of_the_account() if entry.resource == "leases"])

    with urlopen(f"http://{health}/readyz", timeout=10) as answer:
        assert answer.status == 200


def test_the_second_leads_when_the_first_has_gone(site):
    first = site.replica(site.port)
    first.stdout.readline()
    second = site.replica()

    first.terminate()

    assert second.stdout.readline().startswith("ready ")
    assert site.ask("GET", f"{LEASE}/{NAME}")["spec"]["leaseTransitions"] == 1
    secret_creations = [
        entry for entry in site.of_the_account() if (entry.resource, entry.verb) == ("secrets", "create")
    ]
    assert [entry.code for entry in secret_creations] == [201]
