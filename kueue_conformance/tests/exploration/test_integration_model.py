"""What the model of job integrations says of the state at a rest, each statement by the state that breaks
it.
"""

from dataclasses import replace

import pytest

from kueue_conformance.exploration.job_integrations.model import JobWish, State, contradictions

from ..data_and_words.test_rules_integration import FIELDS, job, owned

TEMPLATE = {"spec": {"containers": []}}
FLAVOR = {"metadata": {"name": "small"}, "spec": {"nodeLabels": {"pool": "a"}}}
RUNNING = {"phase": "Running", "active": 1}
PODS = [{"name": "main", "count": 1, "template": TEMPLATE}]


def made(*conditions, finished="", queue="local", class_name=""):
    """Return the Workload of the job, with what its flavor is, and Finished with a reason."""
    priority = {"priorityClassRef": {"name": class_name}} if class_name else {}
    assigned = [{"name": "main", "count": 1, "flavors": {"cpu": "small"}}]
    status = {"admission": {"podSetAssignments": assigned}} if "QuotaReserved" in conditions else {}
    end = [{"type": "Finished", "status": "True", "reason": finished}] if finished else []
    return owned(*conditions, *end, spec={"podSets": PODS, "queueName": queue, **priority}, **status)


def on(pool="a"):
    return {"spec": {"containers": [], "nodeSelector": {"pool": pool}}}


ADMITTED = made("QuotaReserved", "Admitted")
EVICTED = made("QuotaReserved", "Evicted")


def state(document, *workloads, is_managed=True, was_resumed=False):
    return State(
        fields=FIELDS,
        jobs={"j1": document} if document else {},
        wishes={"j1": JobWish([TEMPLATE], is_managed, was_resumed)},
        workloads=workloads,
        world={("ResourceFlavor", "", "small"): FLAVOR},
        tells_readiness=False,
    )


def broken(given_state):
    return [contradiction.statement for contradiction in contradictions(given_state)]


@pytest.mark.parametrize(
    "right",
    [
        pytest.param(state(job(), made()), id="waits"),
        pytest.param(state(job(suspend=False, template=on()), ADMITTED), id="runs"),
        pytest.param(state(job(status=RUNNING), EVICTED), id="stops-while-pods-are-left"),
        pytest.param(state(job(status=RUNNING)), id="waits-for-pods-without-workload"),
        pytest.param(state(job(status={"phase": "Succeeded"}), made(finished="Succeeded")), id="over"),
        pytest.param(state(job(suspend=False), ADMITTED, was_resumed=True), id="resumed-when-admitted"),
        pytest.param(state(job(), is_managed=False), id="unmanaged"),
        pytest.param(state({}), id="gone"),
    ],
)
def test_a_state_that_is_right_breaks_nothing(right):
    assert broken(right) == []


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        pytest.param("unmanaged", state(job(), made(), is_managed=False), id="workload-without-queue"),
        pytest.param("one-workload", state(job()), id="no-workload"),
        pytest.param("one-workload", state(job(), made(), made()), id="two-workloads"),
        pytest.param("start", state(job(), ADMITTED), id="admitted-and-suspended"),
        pytest.param("stop", state(job(suspend=False, template=on()), made()), id="waits-and-runs"),
        pytest.param("stop", state(job(suspend=False, status=RUNNING), EVICTED), id="evicted-and-runs"),
        pytest.param("pods", state(job(suspend=False), ADMITTED), id="runs-anywhere"),
        pytest.param("pods", state(job(suspend=False, template=on("b")), ADMITTED), id="runs-elsewhere"),
        pytest.param("restored", state(job(template=on()), made()), id="keeps-the-flavor"),
        pytest.param("release", state(job(), EVICTED), id="keeps-quota"),
        pytest.param("pod-sets", state(job(workers=2), made()), id="other-count"),
        pytest.param("queue", state(job(), made(queue="other")), id="other-queue"),
        pytest.param("priority", state(job(), made(class_name="high")), id="other-class"),
        pytest.param("finished", state(job(status={"phase": "Succeeded"}), made()), id="over-and-open"),
        pytest.param(
            "finished", state(job(status={"phase": "Succeeded"}), made(finished="Failed")), id="other-reason"
        ),
        pytest.param("leftovers", state({}, made()), id="workload-of-nobody"),
    ],
)
def test_a_state_breaks_the_statement(statement, wrong):
    assert broken(wrong) == [statement]


def test_a_job_that_goes_on_has_no_finished_workload():
    assert broken(state(job(), made(finished="Succeeded"), made())) == ["finished"]


def test_readiness_is_judged_where_it_is_declared():
    document = job(suspend=False, template=on(), status=RUNNING)
    ready = made("QuotaReserved", "Admitted", "PodsReady")

    judged = [replace(state(document, workload), tells_readiness=True) for workload in (ADMITTED, ready)]

    assert [*map(broken, judged)] == [["pods-ready"], []]
