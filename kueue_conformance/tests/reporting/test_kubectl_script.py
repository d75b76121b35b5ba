"""The script that plays a story again with kubectl."""

from kueue_conformance.history.story import Change
from kueue_conformance.report.story.kubectl_script import kubectl_script, last_states

WORKLOAD = "workload-1-adm-645-2gq8f-34a-cobalt"


def workload(**status):
    metadata = {"name": WORKLOAD, "namespace": "team", "uid": "7", "resourceVersion": "4"}
    return {"kind": "Workload", "metadata": metadata, "spec": {"active": True}, "status": status}


def change(actor, before, after, *, at=0.0, kind="Workload", name=WORKLOAD, subresource=""):
    return Change(
        revision=1,
        at=at,
        actor=actor,
        verb="update",
        kind=kind,
        namespace="team",
        name=name,
        before=before,
        after=after,
        subresource=subresource,
    )


def reserved(status="True"):
    return workload(conditions=[{"type": "QuotaReserved", "status": status}])


def commands(*changes):
    return [line for line in kubectl_script(changes).splitlines() if line.startswith("kubectl")]


def test_what_a_user_creates_has_a_short_name_and_no_fields_of_the_server():
    script = kubectl_script([change("kueue-conformance", None, workload())])

    assert "# a user:" in script
    assert "  name: workload-1\n" in script
    assert "uid" not in script
    assert "status" not in script


def test_a_write_comes_after_a_wait_for_what_kueue_answered():
    written = commands(
        change("kueue-conformance", None, workload()),
        change("kueue", workload(), reserved("False")),
        change("kueue", reserved("False"), reserved()),
        change("check-player", reserved(), workload(admissionChecks=[]), subresource="status"),
    )

    assert written[1:3] == [
        "kubectl wait workload/workload-1 --namespace team --for=condition=QuotaReserved=True",
        "kubectl patch Workload workload-1 --namespace team --subresource=status --type=merge --patch-file /dev/stdin <<END",
    ]


def test_what_kueue_does_last_is_not_waited_for():
    written = commands(change("kueue-conformance", None, workload()), change("kueue", workload(), reserved()))

    assert written[-1] == "kubectl get workloads --all-namespaces --output yaml"
    assert not [line for line in written if "wait" in line]


def test_a_patch_has_the_difference_with_times_of_now_and_escaped_signs():
    before = workload(conditions=[{"type": "A"}])
    after = workload(checks=[{"message": "5 $", "at": "2026-01-01T00:00:00Z"}])

    script = kubectl_script([change("check-player", before, after, subresource="status")])

    assert '{"status": {"conditions": null, "checks": [{"message": "5 \\$", "at": "$(now)"}]}}' in script


def test_a_pause_is_slept():
    script = kubectl_script(
        [
            change("kueue-conformance", None, workload()),
            change("kueue-conformance", workload(), reserved(), at=60.0),
        ]
    )

    assert "\nsleep 60\n" in script


def test_the_name_that_kueue_gives_a_workload_is_looked_up():
    made = workload()
    made["metadata"] = {**made["metadata"], "ownerReferences": [{"name": "job-1"}]}

    written = commands(
        change("kueue", None, made), change("check-player", made, reserved(), subresource="status")
    )

    assert written[-2].startswith("kubectl patch Workload $WORKLOAD_1 ")


def test_a_deletion_is_one_that_does_not_wait():
    doomed = workload()
    doomed["metadata"] = {**doomed["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}

    assert commands(change("kueue-conformance", workload(), doomed))[0] == (
        "kubectl delete Workload workload-1 --namespace team --wait=false"
    )


def test_states_at_the_end_are_those_of_workloads_that_are_left():
    gone = change("kueue-conformance", workload(), None, name="workload-2")

    states = list(last_states([change("kueue", workload(), reserved()), gone]))

    assert [state["metadata"]["name"] for state in states] == ["workload-1"]
