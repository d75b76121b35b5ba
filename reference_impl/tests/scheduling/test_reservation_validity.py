"""Whether a reservation still fits what the queues have become (AC-449, AC-474, AC-475)."""

from __future__ import annotations

import pytest

from .boards import Cluster, flavor, group


def lowered(cluster):
    cluster.queue("cq", group("cpu", default=[1]))


def without_the_flavor(cluster):
    cluster.flavors("other").queue("cq", group("cpu", other=[4]))


def flavor_gone(cluster):
    cluster.notes.flavor(flavor(), None)


def untouched(_cluster):
    pass


def a_better_flavor(cluster):
    cluster.flavors("better").queue("cq", group("cpu", better=[4], default=[4]))


def queue_gone(cluster):
    cluster.notes.cluster_queue({"metadata": {"name": "cq"}}, None)


CHANGES = {
    "nothing changed": (untouched, ""),
    "a better flavor came (AC-475)": (a_better_flavor, ""),
    "less quota": (lowered, "insufficient quota for cpu in flavor default, 1 more needed"),
    "another flavor": (without_the_flavor, "flavor default is no longer available for cpu"),
    "the flavor is gone": (flavor_gone, "flavor default is no longer available for cpu"),
    "the ClusterQueue is gone": (queue_gone, "ClusterQueue cq is inactive"),
}


@pytest.mark.parametrize(("change", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_makes_a_reservation_invalid(change, expected):
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[4])).cpu("w", 2)
    cluster.run_all()

    change(cluster)

    assert cluster.board.invalid_reservation(cluster.objects["ns/w"]) == expected


def test_nothing_is_wrong_with_who_holds_nothing():
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[1])).cpu("w", 2)

    assert cluster.board.invalid_reservation(cluster.objects["ns/w"]) == ""
