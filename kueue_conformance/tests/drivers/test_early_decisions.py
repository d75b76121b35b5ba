"""A system that decides at once is told before a Workload is created, where its drivers can do so (H-11)."""

from types import SimpleNamespace

import pytest

from kueue_conformance.stage.subject.driven_system import DrivenSystem
from kueue_conformance.subject.drivers import DriverFailed, Drivers, StateDriver
from kueue_conformance.subject.drivers.labels import WorkloadLabels
from kueue_conformance.subject.verdicts import PlannedAnswer

MANIFEST = {"kind": "Workload", "metadata": {"namespace": "team-a", "name": "train"}}
REJECTED = PlannedAnswer({"state": "Rejected", "message": "no"})
OUTAGE = PlannedAnswer({"error": "down"}, code=500)


class Service:
    """A driver that notes its decisions; one without the Workload fails while `refuses`."""

    tells = frozenset({"namespace", "workload"})
    needs_workload = False

    def __init__(self, *, refuses=False):
        self.refuses, self.decided, self.calls = refuses, [], 0

    def leaves(self, decision):
        return frozenset()

    def decide(self, decision, means, seconds):
        self.calls += 1
        if self.refuses:
            raise DriverFailed("there is no such Workload")
        self.decided.append((decision.workload, decision.state))

    def undo(self, decision, means, keep):
        pass


def system(driver, *, pending=(), trouble=None):
    """Return a system behind one driver for all states, and the Workloads that it knows are there."""
    there = []
    client = SimpleNamespace(
        created=there, with_agent=lambda _: None, find=lambda *_: {"kind": "Workload"}, list=lambda *_: []
    )
    cluster = SimpleNamespace(kubeconfig="", now=lambda: 0.0)
    context = SimpleNamespace(client=client, cluster=cluster, budgets=SimpleNamespace(virtual=False))
    states = {state: StateDriver(driver=driver) for state in ("ready", "rejected", *pending)}
    drivers = Drivers(states, decides_at_once=not pending, trouble=trouble)
    return DrivenSystem(context, drivers, "example.com/budget", ["budget"]), there


def workload_is_created(there):
    there.append((SimpleNamespace(kind="Workload"), "team-a", "train"))


def test_a_service_is_told_before_and_once():
    service = Service()
    driven, there = system(service)
    driven.set_answers([REJECTED], "team-a")

    assert driven.prepare(MANIFEST) == MANIFEST
    assert service.decided == [("train", "Rejected")]
    workload_is_created(there)
    driven.act()
    assert service.calls == 1


def test_one_that_can_be_undecided_is_told_afterwards():
    service = Service()
    driven, there = system(service, pending=["pending"])
    driven.set_answers([REJECTED], "team-a")

    assert (driven.prepare(MANIFEST), service.decided) == (MANIFEST, [])
    workload_is_created(there)
    driven.act()
    assert service.decided == [("train", "Rejected")]


def test_a_driver_that_needs_the_workload_is_called_again_with_it():
    service = Service(refuses=True)
    driven, there = system(service)
    driven.set_answers([REJECTED], "team-a")

    driven.prepare(MANIFEST)
    driven.prepare({"kind": "Workload", "metadata": {"namespace": "team-a", "name": "other"}})
    assert service.calls == 1, "it has failed once without a Workload"
    service.refuses = False
    workload_is_created(there)
    driven.act()
    assert service.decided == [("train", "Rejected")]


@pytest.mark.parametrize("times", [1, 2])
def test_labels_are_on_the_workload_from_its_creation_on(times):
    driven, _ = system(WorkloadLabels({"acme.io/verdict": "${state}"}))
    driven.set_answers([REJECTED], "team-a")

    prepared = [driven.prepare(MANIFEST) for _ in range(times)]

    assert prepared[-1]["metadata"]["labels"] == {"acme.io/verdict": "Rejected"}
    assert "labels" not in MANIFEST["metadata"]


def test_an_outage_about_all_begins_with_each_workload_and_ends_with_the_next_answer():
    service, outages, ends = Service(), Service(), Service()
    driven, _ = system(service, pending=["pending"], trouble=StateDriver(driver=outages, undo=ends))
    driven.set_answers([OUTAGE], "team-a")

    driven.prepare(MANIFEST)
    assert (outages.decided, ends.calls) == ([("train", "Trouble")], 0)
    driven.set_answers([REJECTED], "team-a")
    assert (outages.calls, ends.calls) == (1, 1)
