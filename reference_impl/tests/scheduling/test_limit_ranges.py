"""LimitRanges and RuntimeClasses that come and go while Workloads wait (Q-051, Q-092, Q-093)."""

from .queue_side import Cluster, group, pod_set

QUOTA = group("cpu", default=["2"])
KATA = {"metadata": {"name": "kata"}, "overhead": {"podFixed": {"cpu": "1"}}}


def limit_range(**fields):
    limits = {name: {"cpu": value} for name, value in fields.items()}
    return {
        "metadata": {"name": "l", "namespace": "ns"},
        "spec": {"limits": [{"type": "Container", **limits}]},
    }


def test_a_default_counts_until_it_goes_q_092():
    cluster = Cluster().flavors().queue("cq", QUOTA)
    cluster.notes.limit_range(None, limit_range(defaultRequest="3"))
    cluster.workload("w", pod_set())
    verdicts = cluster.run_all()
    assert "insufficient quota for cpu in flavor default" in verdicts["w"]

    cluster.notes.limit_range(limit_range(defaultRequest="3"), limit_range(defaultRequest="2"))

    assert cluster.run_all() == {"w": "reserved"}


def test_overhead_of_a_class_that_comes_later_q_051():
    cluster = Cluster().flavors().queue("cq", QUOTA)
    cluster.workload("w", pod_set(requests={"cpu": "2"}, runtimeClassName="kata"))
    cluster.notes.runtime_class(None, KATA)

    assert "insufficient quota for cpu in flavor default" in cluster.run_all()["w"]

    cluster.notes.runtime_class(KATA, None)

    assert cluster.run_all() == {"w": "reserved"}


def test_a_bound_is_judged_before_quota_q_093():
    cluster = Cluster().flavors().queue("cq", QUOTA)
    cluster.notes.limit_range(None, limit_range(max="1"))
    cluster.cpu("w", "2")

    assert cluster.run_all()["w"].startswith("resources didn't satisfy LimitRange constraints: ")
