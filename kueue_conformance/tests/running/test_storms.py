"""Writes without end fail a wait on virtual time; a time-out would not name them (design.md §6)."""

import itertools

import pytest

from kueue_conformance.base.errors import Nonconformance
from kueue_conformance.wire.client import Client


@pytest.fixture
def client(cluster):
    return Client(cluster.transport, agent="circling/1")


def make(client, name):
    client.create({"kind": "ConfigMap", "metadata": {"name": name, "namespace": "default"}})


def write(client, name, number):
    client.merge("ConfigMap", name, {"data": {"number": str(number)}}, namespace="default")


def test_a_circle_of_writes_ends_the_wait_and_names_them(cluster, client):
    make(client, "victim")
    numbers = itertools.count()

    def answer():
        write(client, "victim", next(numbers))
        return True

    with pytest.raises(Nonconformance) as failure:
        cluster.rest(1, answer)

    message = str(failure.value)
    assert "circling wrote configmaps default/victim 20" in message
    assert "within a second of the cluster's clock, and goes on" in message
    assert message.endswith("circling patch configmaps default/victim")


def test_the_end_of_the_case_does_not_meet_it_again(cluster, client):
    make(client, "victim")
    numbers = itertools.count()

    def answer():
        write(client, "victim", next(numbers))
        return True

    with pytest.raises(Nonconformance):
        cluster.rest(1, answer)
    before = next(numbers)

    assert not cluster.ends(answer)
    assert next(numbers) == before + 1


@pytest.mark.parametrize(("objects", "writes"), [(1, 150), (100, 250)], ids=["few-writes", "many-objects"])
def test_a_busy_client_is_none(cluster, client, objects, writes):
    for number in range(objects):
        make(client, f"object-{number}")
    numbers = iter(range(writes))

    def answer():
        number = next(numbers, None)
        if number is not None:
            write(client, "object-0", number)
        return number is not None

    cluster.rest(1, answer)

    assert next(numbers, None) is None


def test_writes_of_every_second_are_counted_anew(cluster, client):
    make(client, "victim")
    for second in range(4):
        for number in range(100):
            write(client, "victim", f"{second}-{number}")
        cluster.passes(1, lambda: False)

    assert client.get("ConfigMap", "victim", "default")["data"] == {"number": "3-99"}


def test_writes_that_change_nothing_are_not_counted(cluster, client):
    make(client, "victim")
    turns = iter(range(300))

    def answer():
        write(client, "victim", 1)
        return next(turns, None) is not None

    cluster.rest(1, answer)

    assert next(turns, None) is None
